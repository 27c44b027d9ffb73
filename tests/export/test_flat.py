"""Flat models as text: golden ones of two-phase commit, and what a name or a formula may be."""

from pathlib import Path

import pytest

from fencecheck.errors import UsageError
from fencecheck.export.names import Names, comment_text
from tests.export.exporting import check_golden_text, exported
from tests.models_for_tests import HEADER, load, two_phase

COUNTED = """
m = Model("counted", "Counted")
work = m.actor("work")
m.variable("n", Int({low}, 5), initial=3)

@work.action(when=lambda s: s.n > 0)
def halve(s):
    s.n = s.n {operation}
"""


@pytest.mark.parametrize("language", ["murphi", "promela"])
def test_two_phase_commit_is_the_golden_text(language: str) -> None:
    """A small model, whole, as it is written for each checker."""
    for name, text in exported(two_phase.model).files(language).items():
        check_golden_text(f"two_phase.{language}.{name}", text)


@pytest.mark.parametrize("operation", ["// -2", "% -2"])
def test_a_division_of_negative_numbers_is_refused_with_its_place(
    tmp_path: Path, operation: str
) -> None:
    """Languages round differently; the message names the event, its line and what to write."""
    made = load(tmp_path, HEADER + COUNTED.format(low=-5, operation=operation))
    with pytest.raises(UsageError) as refused:
        exported(made.m).files("murphi")
    assert ":8: work.halve #1: a " in str(refused.value)
    assert "add what makes both sides 0 or more" in str(refused.value)


@pytest.mark.parametrize("language", ["murphi", "promela"])
def test_a_division_of_what_is_not_negative_is_carried(tmp_path: Path, language: str) -> None:
    """Halves of numbers from 0 on are written as they are."""
    made = load(tmp_path, HEADER + COUNTED.format(low=0, operation="// 2"))
    assert "n / 2" in "".join(exported(made.m).files(language).values())


def test_names_are_identifiers_and_no_words_of_the_languages() -> None:
    """Each is given once, also by a checker that does not tell capitals from small letters."""
    names = Names()
    given = [names.field(text) for text in ("rule", "Rule", "n1", "view[0]", "view_0", "é", "9")]
    assert given == ["rule_", "Rule__", "n1_", "view_0", "view_0_", "unnamed", "9_"]


@pytest.mark.parametrize("text", ['a "b" */ c', "a\nb -- c", "// \\", "{é}"])
def test_a_text_ends_no_comment_and_no_string(text: str) -> None:
    """What an author wrote is one line of ASCII without what either language reads."""
    line = comment_text(text)
    assert line.isascii()
    assert not {'"', "\\", "\n", "{", "}"} & set(line)
    assert not any(mark in line for mark in ("*/", "//", "--"))
