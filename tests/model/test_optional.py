"""An optional index: None in models, a word for people, and in both engines the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Predicates, Question
from fencecheck.errors import UsageError
from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.judge import disagreements
from tests.model.agreement import disagreement
from tests.models_for_tests import HEADER, load

LOCK = (
    HEADER
    + """
model = Model("lock", "A lock")
model.bound("workers", 2, "workers")
model.budget("faults", "faults")
WORKER = Index("workers", "w")
OWNER = Maybe(WORKER, "nobody")
Note = Record("Note", who=OWNER, n=Int(-1, 1))
worker = model.actor("worker")
noise = model.actor("noise", "interference")
model.variable("owner", OWNER, owner=worker)
model.variable("last", WORKER, owner=worker)
model.variable("before", Array(WORKER, OWNER), owner=worker)
model.variable("notes", Bag(Note, 2), owner=worker)
model.variable("seen", Set(OWNER), owner=worker)
model.variable("low", Int(-2, 2), owner=worker)

@worker.action(w=WORKER, when=lambda s, w: s.owner is None and len(s.notes) < 2)
def take(s, w):
    s.before[w] = s.owner
    s.notes.add(Note(who=s.owner, n=w))
    s.owner = w
    s.seen.add(s.before[0])

@worker.action(w=WORKER, when=lambda s, w: s.owner == w and s.owner not in s.seen)
def give(s, w):
    s.last = s.owner
    s.seen.add(s.owner)
    s.seen.discard(None)
    s.owner = None if w == 0 else s.before[w]
    if w == 1:
        s.owner = max((o for o in s.before if o is not None), default=None)

@worker.action(note=Each("notes", "who"), o=OWNER, when=lambda s, note, o: note.who == o != s.owner)
def read(s, note, o):
    s.notes.remove(note)
    s.low = note.n if note.who is None else note.who + 1

@noise.interference("faults", o=OWNER)
def steal(s, o):
    s.owner = o

@model.invariant()
def steady(s):
    \"\"\"A number below 0 is never the same as nobody.\"\"\"
    return s.low != s.owner or s.owner is not None

@model.invariant()
def breaks(s):
    \"\"\"Two notes are never about nobody and about the second.\"\"\"
    return not (any(n.who is None for n in s.notes) and s.low == 1 and s.owner == 1)
"""
)


@pytest.fixture
def family(tmp_path: Path) -> Family:
    return Family(load(tmp_path, LOCK).model)


@pytest.mark.parametrize("body", ["min(s.seen)", "max(s.before)", "max(s.seen, default=None)"])
def test_none_among_what_an_extreme_is_of(tmp_path: Path, body: str) -> None:
    """It is an error where it is compared with another, and the extreme where it is alone."""
    text = LOCK.replace("    s.owner = o\n", f"    s.owner = {body}\n")
    system = System(
        family := Family(load(tmp_path, text).model), family.design(None, {"faults": 1})
    )
    assert disagreement(system, 200) is None


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_both_engines_and_the_judge_agree(family: Family, engine: str) -> None:
    """In bags, sets, records, arrays and parameters, beside numbers below 0."""
    assert disagreements(family, None, {"faults": 1}, engine) == []


def test_every_state_means_the_same(family: Family) -> None:
    """Events and what they lead to, state by state."""
    assert disagreement(System(family, family.design({}, {"faults": 1})), 300) is None


def test_people_see_the_word(family: Family) -> None:
    """In arguments, changes and predicates; indices count from 1 there."""
    asked = Predicates(('low == 0 and owner != "nobody"', "owner == 2 and before[1] is None"))
    design = family.design({}, {"faults": 1})
    found = check_design(family, design, Question(()), Options(predicates=asked))
    first, second = (answer.trace for answer in found.answers)
    assert first is not None
    assert second is not None
    assert dict(first.events[-1].args) == {"who": "nobody", "o": "nobody"}
    assert second.events[-1].changes["worker.owner"].after == "w2"
    for wrong in ("owner == 3", 'owner == "nobdy"'):
        with pytest.raises(UsageError, match='is not one of 1 to 2, or "nobody"'):
            check_design(family, design, Question(()), Options(predicates=Predicates((wrong,))))
