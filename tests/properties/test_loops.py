"""Loops of symmetric workers: they close for people, not only up to which worker is which."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.explore.engine import EngineName
from fencecheck.model.family import Family
from fencecheck.runs.replay import replay
from tests.models_for_tests import HEADER, load

TAKING_TURNS = (
    HEADER
    + '''
model = Model("turns", "A duty that goes from one to the next")
WORKER = model.index("worker", "workers", bound="workers", size=WORKERS, symmetric=True)
a = model.actor("a", fair_by=())
model.variable("first", Maybe(WORKER, "nobody"), owner=a)
model.variable("last", Maybe(WORKER, "nobody"), owner=a)
model.variable("begun", Bool(), owner=a)


@a.action(when=lambda s, worker: not s.begun and s.first is None)
def begin(s, worker):
    """One begins."""
    s.first = worker


@a.action(when=lambda s, worker: s.first is not None and s.first != worker)
def follow(s, worker):
    """Another one follows."""
    s.first = None
    s.begun = True
    s.last = worker


@a.action(when=lambda s: s.last is not None)
def forget(s):
    """Who was the last is forgotten."""
    s.last = None


@a.action(when=lambda s, worker: s.begun and s.last is None)
def pick(s, worker):
    """Anyone is the next."""
    s.last = worker


@model.liveness()
def finishes(s):
    """It comes to an end, which it does not."""
    return s.first is not None and s.begun
'''
)


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_loop_closes_where_the_smallest_event_leads_away_for_good(
    tmp_path: Path, engine: EngineName, workers: int
) -> None:
    """Of those that look alike the first is picked; in the end the others have their turn."""
    family = Family(load(tmp_path, TAKING_TURNS.replace("WORKERS", str(workers))).model)
    design = family.design({}, {})
    question = Question(tuple(family.properties))
    (found,) = check_design(family, design, question, Options(engine=engine)).findings
    assert found.verdict == "violated"
    assert found.trace is not None
    assert replay(family, found.trace).misfit is None
    told = [(event.name, event.args.get("worker")) for event in found.trace.events]
    assert told[:2] == [("a.begin", 1), ("a.follow", 2)]
    assert found.trace.loop_start == 2
    assert [who for _, who in told[3::2]] == [1, 2]
