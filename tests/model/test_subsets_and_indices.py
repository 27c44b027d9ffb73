"""Parameters over subsets, and parameters that are found by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Question
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.runs.replay import replay
from tests.judge import disagreements
from tests.model.agreement import disagreement
from tests.models_for_tests import HEADER, load

CELLS = (
    HEADER
    + """
model = Model("cells", "Cells")
CELL = model.index("cell", "cells there are", bound="cells", size=3, prefix="c")
who = model.actor("who")
model.variable("free", Set(CELL), lambda k: tuple(range(k.cells)), owner=who)
model.variable("last", Int(0, 3), owner=who)
model.variable("first", CELL, owner=who)
model.variable("taken", Array(CELL, Bool()), owner=who)

@model.initial()
def begin(s, cell):
    s.first = cell

def two(s, some):
    return len(some) == 2 and all(c in s.free for c in some)

@who.action(some=Subset(CELL), when=two)
def take(s, some):
    for c in some:
        s.free.discard(c)
        s.taken[c] = True
    s.last = sum(c for c in some)

KINDS = Subset(Enum("a", "b"))

@who.action(kinds=KINDS, when=lambda s, cell, kinds: cell not in s.free and len(kinds) > 0)
def give(s, cell, kinds):
    s.free.add(cell)
    s.last = 1 if "a" in kinds else 2
    if "b" in kinds:
        s.free = {c for c in s.free if c == cell}

@model.cleanup()
def put_away(s, cell):
    if cell in s.free:
        s.taken[cell] = False

@model.invariant()
def not_alone(s):
    \"\"\"The first cell is not taken back alone.\"\"\"
    return not (s.last == 2 and len(s.free) == 1 and s.first == 2 and 1 in s.free)
"""
)


@pytest.fixture
def family(tmp_path: Path) -> Family:
    return Family(load(tmp_path, CELLS).model)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_both_engines_and_the_judge_agree(family: Family, engine: str) -> None:
    """For every bound that is asked for."""
    for cells in (1, 2, 3):
        assert disagreements(family, None, {"cells": cells}, engine) == []


def test_every_state_means_the_same(family: Family) -> None:
    """Events and what they lead to, state by state."""
    assert disagreement(System(family, family.design()), 100) is None


def test_an_index_brings_its_bound_and_its_parameters(family: Family) -> None:
    """The bound can be given; functions get the index where they name it, in their order."""
    assert family.bounds["cells"].default == 3
    assert {a.name: list(a.params) for a in family.declared.actions} == {
        "who.take": ["some"],
        "who.give": ["cell", "kinds"],
    }
    assert [list(f.params) for f in family.declared.forgets] == [["cell"]]
    again = Family(family.model)
    assert [list(a.params) for a in again.declared.actions] == [["some"], ["cell", "kinds"]]


def test_people_see_the_members(family: Family) -> None:
    """As an argument a subset is its members, joined; the trace replays."""
    found = check_design(family, family.design(), Question(("not_alone",)))
    trace = found.findings[0].trace
    assert trace is not None
    assert dict(trace.events[0].args) == {"some": "1+3"}
    assert trace.events[0].label == "take 1+3"
    assert replay(family, trace).misfit is None
