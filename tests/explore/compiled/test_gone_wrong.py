"""Where a model goes wrong, both engines have come equally far: states, transitions, levels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explore.compiled.test_corners import act, agree
from tests.models_for_tests import HEADER

LADDER = (
    HEADER
    + '''
model = Model("ladder", "A ladder")
model.budget("slips", "steps back")
model.variable("x", Int(0, 6))
model.variable("y", Int(0, 2))
A = model.actor("A")
B = model.actor("B", "interference")


@A.action(n=Int(1, 2), when=lambda s, n: s.x + n < 5)
def up(s, n):
    """Up."""
    s.x += n


@B.interference("slips", when=lambda s: s.x > 0)
def slip(s):
    """Down again."""
    s.x -= 1
    s.y = 1


'''
)


def kept(kind: str, said: str = "1 // (s.x - AT) < 4", args: str = "s") -> str:
    """Return a property of a kind that says so."""
    return f'@model.{kind}\ndef kept({args}):\n    """It is so."""\n    return {said}\n'


TRANSITION = ("transition()", "1 // (before.x - AT) < 4", "before, after")
ROTTEN = {  # what goes wrong where x is AT, or in an event there
    "an effect": act("s.x = 1 // s.y", "s.x == AT"),
    "a value outside its domain": act("s.y = 9", "s.x == AT"),
    "a guard": act("s.y = 2", "1 // (s.x - AT) > 4"),
    "an invariant": kept("invariant()"),
    "a trigger": kept("invariant(trigger=lambda s: 1 // (s.x - AT) < 4)", "True"),
    "a transition from there": kept(*TRANSITION),
    "a transition to there": kept(*TRANSITION).replace("before.x", "after.x"),
    "a deadlock": kept("deadlock()"),
    "a possibility": kept("possibility()"),
    "a liveness": kept("liveness()"),
    "a leads_to": kept("leads_to(lambda s: 1 // (s.x - AT) < 4)", "True"),
    "a recurrence": kept("recurrence('A.up')"),
}


@pytest.mark.parametrize("at", [0, 1, 2, 4])
@pytest.mark.parametrize("text", ROTTEN.values(), ids=ROTTEN.keys())
def test_a_search_that_goes_wrong_has_come_equally_far(tmp_path: Path, text: str, at: int) -> None:
    """Whatever goes wrong, and how deep: as many states, transitions and levels."""
    found = agree(tmp_path, LADDER + text.replace("AT", str(at)), slips=1)
    assert (found.search.failure is None) == ("deadlock" in text and at < 4)


@pytest.mark.parametrize(
    "text",
    [
        "model.goal = lambda s: 1 // (s.x - 2) < 4\n",
        act("s.y = 2", "s.x == 2, label=lambda s: 'ab'[s.x]")
        + "\n\n"
        + kept("invariant()", "s.y < 2"),
    ],
    ids=["goal", "label"],
)
def test_words_that_go_wrong_leave_the_search_as_it_is(tmp_path: Path, text: str) -> None:
    """What only shows or counts is no part of the search: that is whole, with either engine."""
    found = agree(tmp_path, LADDER + text, slips=1)
    assert found.search.complete
