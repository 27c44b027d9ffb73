"""Bags and sequences in arrays: a mailbox for each of several."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Predicates, Question
from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.judge import disagreements
from tests.model.agreement import disagreement
from tests.models_for_tests import HEADER, load

BOXES = (
    HEADER
    + """
model = Model("boxes", "A mailbox for each")
model.bound("workers", 2, "workers")
WORKER = Index("workers", "w")
Note = Record("Note", n=Int(0, 1), by=WORKER)
worker = model.actor("worker")
model.variable("boxes", Array(WORKER, Bag(Note, 2)), owner=worker)
model.variable("lines", Array(WORKER, Seq(Note, 2)), owner=worker)
model.variable("left", Int(0, 3), 3, owner=worker)
model.variable("heard", Note, owner=worker)

def room(s):
    return all(len(box) < 2 for box in s.boxes)

@worker.action(a=WORKER, b=WORKER, when=lambda s, a, b: s.left > 0 and room(s))
def send(s, a, b):
    s.left -= 1
    s.boxes[(a + b) % 2 if s.heard.n == 1 else b].add(Note(n=s.left % 2, by=a))

def may_take(s, a):
    return len(s.boxes[a]) > 0 and len(s.lines[s.boxes[a][0].by]) < 2

@worker.action(a=WORKER, when=may_take)
def take(s, a):
    first = s.boxes[a][0]
    s.boxes[a].remove(first)
    s.lines[first.by].append(first)

@worker.action(a=WORKER, when=lambda s, a: len(s.lines[a]) > 0)
def hear(s, a):
    s.heard = s.lines[a].pop(0)
    s.boxes[s.heard.by] = bag(replace(n, by=a) for n in s.boxes[s.heard.by] if n.n == 0)
    if s.boxes[a].count(s.heard) > 1:
        s.boxes[1 - a].clear()

@model.invariant()
def not_both(s):
    \"\"\"The second never hears of a one while the first holds one too.\"\"\"
    return not (s.heard.by == 1 and any(n.n == 1 for n in s.boxes[0])) or s.lines[0] == s.lines[1]
"""
)


@pytest.fixture
def family(tmp_path: Path) -> Family:
    return Family(load(tmp_path, BOXES).model)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_both_engines_and_the_judge_agree(family: Family, engine: str) -> None:
    """At computed places, where some are full, and in new content."""
    assert disagreements(family, None, None, engine) == []


def test_every_state_means_the_same(family: Family) -> None:
    """Events and what they lead to, state by state."""
    assert disagreement(System(family, family.design()), 500) is None


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_full_one_is_an_error_of_the_run(tmp_path: Path, engine: str) -> None:
    """Only the one that is meant counts."""
    wrong = BOXES.replace(" and room(s)", "")
    family = Family(load(tmp_path, wrong).model)
    assert disagreements(family, None, None, engine) == []


def test_people_see_which_box(family: Family) -> None:
    """In what changed, and in what is typed."""
    asked = Predicates(("any(n.by == 2 for n in boxes[1]) and len(lines[2]) == 1",))
    found = check_design(family, family.design(), Question(()), Options(predicates=asked))
    trace = found.answers[0].trace
    assert trace is not None
    changes = [name for event in trace.events for name in event.changes]
    assert {"worker.boxes[1]", "worker.lines[2]"} <= set(changes)
