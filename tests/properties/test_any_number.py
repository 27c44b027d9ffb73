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
from tests.models_for_tests import load
from tests.models_for_tests.random_graphs import graph_model

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
