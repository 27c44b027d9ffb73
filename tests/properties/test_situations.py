"""What never happened, in the words of the model, where a property is vacuous."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.report.results.json import finding_object
from fencecheck.report.words.outcomes import VACUOUS, finding_words
from tests.models_for_tests import HEADER
from tests.properties.test_truth import checked, family_of

QUIET = (
    HEADER
    + '''
model = Model("quiet", "Nothing much happens")
model.variable("x", Int(0, 3))
w = model.actor("w")


@w.action(when=lambda s: s.x < 2)
def go(s):
    """Go."""
    s.x += 1


TRIGGER


@model.KIND
def fine(s):
    """Nothing."""
    return s.x < 4
'''
)
SAID = '''def too_far(s):
    """A walker came to the end.

    More of it."""
    return s.x == 3'''
BARE = "def too_far(s):\n    return s.x == 3"
LAMBDA = "too_far = lambda s: s.x == 3"


@pytest.mark.parametrize(
    ("trigger", "situation"),
    [
        pytest.param(SAID, "a walker came to the end", id="docstring"),
        pytest.param(BARE, "too far", id="name"),
        pytest.param(LAMBDA, "", id="lambda"),
        pytest.param(SAID.replace("A walker", "TLS"), "TLS came to the end", id="capitals"),
    ],
)
@pytest.mark.parametrize("kind", ["invariant(trigger=too_far)", "leads_to(too_far)"])
def test_a_trigger_names_its_situation(
    tmp_path: Path, trigger: str, situation: str, kind: str
) -> None:
    """By its docstring, else its name; a lambda has neither."""
    family = family_of(tmp_path, QUIET.replace("TRIGGER", trigger).replace("KIND", kind))
    (finding,) = checked(family, "reference").findings
    told = f"{VACUOUS}: {situation}" if situation else VACUOUS
    assert finding_words(finding) == f"holds ({told})"
    assert finding_object(finding)["situation"] == situation


def test_what_is_put_to_the_test_says_no_more(tmp_path: Path) -> None:
    """A situation that comes about is nothing to tell."""
    text = QUIET.replace("TRIGGER", SAID.replace("3", "2")).replace("KIND", "leads_to(too_far)")
    assert [finding_words(f) for f in checked(family_of(tmp_path, text)).findings] == ["holds"]
