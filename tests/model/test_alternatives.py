"""Alternatives in order of priority: one at most is possible, and guards are asked in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.cli.commands.list import family_lines
from fencecheck.model.system import System
from tests.judge import disagreements
from tests.models_for_tests import HEADER
from tests.properties.test_truth import checked, family_of

COUNTER = (
    HEADER
    + """
model = Model("counter", "A number that is counted up")
model.bound("cells", 2, "cells")
CELL = Index("cells", "c")
model.variable("x", Int(0, 6), 1)
model.variable("level", Array(CELL, Int(0, 2)))
w = model.actor("w")
call = w.first_of(cell=CELL, when=lambda s, cell: s.x < 5)


@call.action(when=lambda s, cell: s.x == 0)
def stay(s, cell):
    s.x = 1


@call.action(when=lambda s, cell: 6 // s.x == 3, fair_by=())
def jump(s, cell):
    s.x += 2


@call.otherwise(name="go on")
def go(s, cell):
    s.x += 1
    s.level[cell] = 1


@model.transition("w.stay", "w.jump")
def by_one(before, after):
    \"\"\"Nothing jumps.\"\"\"
    return after.x == before.x + 1


@model.deadlock()
def ends(s):
    \"\"\"It ends at five.\"\"\"
    return s.x == 5
"""
)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_the_first_that_is_possible_is_the_only_one(tmp_path: Path, engine: str) -> None:
    """At 1 nothing but the last is possible, at 2 nothing but the second; no guard divides by 0."""
    family = family_of(tmp_path, COUNTER)
    assert disagreements(family, engine=engine) == []
    result = checked(family, engine)
    told = [event.label for event in result["by_one"].trace.events]
    assert told == ["go on c1", "jump c1"]
    zero = COUNTER.replace("Int(0, 6), 1", "Int(0, 6)")
    assert disagreements(family_of(tmp_path, zero), engine=engine) == []


NESTED = COUNTER.replace(
    """@call.action(when=lambda s, cell: 6 // s.x == 3, fair_by=())
def jump""",
    """few = call.first_of(when=lambda s, cell: s.x < 4)


@few.action(when=lambda s, cell: s.x == 3 and s.level[cell] == 0)
def late(s, cell):
    s.level[cell] = 1


@few.action(when=lambda s, cell: 6 // (4 - s.x) == 3, fair_by=())
def jump""",
)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_group_within_is_asked_where_its_condition_is_true(tmp_path: Path, engine: str) -> None:
    """At 4 its guards would divide by 0; where none of it is possible the rest is asked."""
    family = family_of(tmp_path, NESTED)
    assert disagreements(family, engine=engine) == []
    told = [event.label for event in checked(family, engine)["by_one"].trace.events]
    assert told == ["go on c1", "jump c1"]
    go = next(action for action in family.declared.actions if action.name == "w.go on")
    system = System(family, family.design())
    assert go.guard is not None
    possible = {x: go.guard(system.view((x, (0, 0))), 0) for x in (1, 2, 3, 4, 5)}
    assert possible == {1: True, 2: False, 3: False, 4: True, 5: False}


def test_an_alternative_says_what_comes_before_it(tmp_path: Path) -> None:
    """A listing shows the order; each alternative is an action with the parameters of all."""
    family = family_of(tmp_path, COUNTER)
    text = " ".join(" ".join(family_lines(family, 100)).split())
    assert "w.go on(cell) Only where no w.stay or w.jump is possible." in text
    assert [list(a.params) for a in System(family, family.design()).actions] == [["cell"]] * 3
    assert family.fairness == {"w.stay": ("cell",), "w.jump": (), "w.go on": ("cell",)}
