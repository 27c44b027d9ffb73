"""Budgets of any against budgets that cannot run out: equal verdicts, equal least events."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.explore.engine import EngineName
from fencecheck.model.family import Family
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Trace
from tests.models_for_tests import HEADER, load
from tests.models_for_tests.random_graphs import graph_model

LENT = (
    HEADER
    + '''
model = Model("lent", "What breaks and is mended, beside edits")
model.budget("faults", "faults at once")
model.budget("edits", "edits")
a = model.actor("a")
world = model.actor("world", "interference")
model.variable("broken", Bool(), owner=a)
model.variable("dirty", Bool(), owner=a)
model.variable("done", Bool(), owner=a)


@a.action(when=lambda s: s.broken and not s.done)
def mend(s):
    """It is mended, and may break again."""
    s.broken = False
    s.faults += 1


@a.action(when=lambda s: not s.broken and not s.done)
def finish(s):
    """It gets done."""
    s.done = True


@world.interference("faults", when=lambda s: not s.broken and not s.done)
def fail(s):
    """It breaks."""
    s.broken = True


@world.interference("edits", when=lambda s: not s.done)
def edit(s):
    """Somebody edits."""
    s.dirty = not s.dirty


@model.liveness()
def finishes(s):
    """It is done in the end."""
    return s.done
'''
)
LASTING = ("liveness", "leads_to", "recurrence")


def checked(family: Family, faults: int | str, engine: EngineName) -> VariantResult:
    design = family.design({}, {"faults": faults})
    return check_design(family, design, Question(tuple(family.properties)), Options(engine=engine))


def agree(family: Family, engine: EngineName) -> set[str]:
    """Hold any against as many faults as there are states; return which lasting verdicts fell.

    No shortest run, and no way into a loop, comes through a state twice.
    """
    unlimited = checked(family, "any", engine)
    states = unlimited.exploration.states
    enough = checked(family, states, "reference" if states < 40 else "compiled")
    for one, other in zip(unlimited.findings, enough.findings, strict=True):
        assert (one.verdict, one.vacuous) == (other.verdict, other.vacuous), one.name
        if one.kind not in LASTING:
            assert one.events == other.events, one.name
        trace = one.trace
        if isinstance(trace, Trace):
            assert replay(family, trace).misfit is None
            loop = trace.events[trace.loop_start :] if trace.loop_start is not None else ()
            assert not any(event.interference for event in loop)
    return {f"{f.kind} {f.verdict}" for f in unlimited.findings if f.kind in LASTING}


def test_any_is_as_many_as_there_can_be(tmp_path: Path) -> None:
    """On graphs made up by chance, with properties of every kind."""
    seen = set[str]()
    for seed in range(8):
        seen |= agree(Family(load(tmp_path, graph_model(seed)[0]).model), "reference")
    assert seen == {f"{kind} {said}" for kind in LASTING for said in ("holds", "violated")}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_any_is_as_many_as_there_can_be_on_more_graphs(tmp_path: Path, engine: EngineName) -> None:
    """The same, on more of them and compiled."""
    for seed in range(8, 60) if engine == "reference" else range(20):
        agree(Family(load(tmp_path, graph_model(seed)[0]).model), engine)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_loop_may_hold_a_fault_that_is_given_back_and_no_edit_of_any(
    tmp_path: Path, engine: EngineName
) -> None:
    """A budget of any beside one that the model gives back changes nothing of that one."""
    family = Family(load(tmp_path, LENT).model)
    question = Question(tuple(family.properties))
    for edits in (0, 1, "any"):
        design = family.design({}, {"faults": 1, "edits": edits})
        (found,) = check_design(family, design, question, Options(engine=engine)).findings
        assert found.verdict == "violated", edits
        assert found.trace is not None
        names = [event.name for event in found.trace.events]
        assert (names, found.trace.loop_start) == (["world.fail", "a.mend"], 0)
        assert replay(family, found.trace).misfit is None
    design = family.design({}, {"edits": "any"})
    (found,) = check_design(family, design, question, Options(engine=engine)).findings
    assert found.verdict == "holds"
