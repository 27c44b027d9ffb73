"""Dominance in the compiled engine: the states, edges and answers of the reference engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fencecheck.explore import dominance
from fencecheck.explore.compiled.needed_levels import NeededSearch
from fencecheck.explore.compiled.storage import needed
from fencecheck.explore.dominance import spent_budgets
from fencecheck.explore.graph import StateGraph
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.event import execute
from tests.explore.compiled.designs import STRUCTURES, Design, label
from tests.explore.compiled.designs import system as system_for
from tests.explore.compiled.engines import (
    run_compiled,
    run_reference,
    told,
    told_in_any_order,
)
from tests.explore.dominated import answers, lasting
from tests.models_for_tests import load
from tests.models_for_tests.random_graphs import graph_model

SPENT: list[Design] = [
    ("fence", {"fence": "plan", "retry": "same"}, {"steps": 1, "edits": 1, "duplicates": 2}),
    STRUCTURES[4],
    STRUCTURES[6],
    ("fence", {}, {"steps": 1, "edits": 1, "duplicates": 2, "preemptions": 2}),
    ("ledger", {}, {"revocations": 1, "lost_acks": 1, "expiries": 1, "steps": 1}),
    ("agent", {}, {"edits": 1, "revocations": 1, "steps": 1, "workers": 1}),
]


def check_engines(system: System) -> StateGraph:
    """Compare the engines under dominance, with one thread and with three."""
    expected = run_reference(system, dominance=True)
    found = run_compiled(system, dominance=True)
    assert found.search.dominance is expected.search.dominance
    assert told(system, found) == told(system, expected)
    several = run_compiled(system, threads=3, dominance=True)
    assert told_in_any_order(system, several) == told_in_any_order(system, expected)
    if expected.search.failure is None:
        for graph in (found, several):
            assert answers(system, graph) == answers(system, expected)
            assert lasting(system, graph) == lasting(system, expected)
            check_covering(system, graph)
    return found


def check_covering(system: System, graph: StateGraph) -> None:
    """Each edge leads to a state that has no less of any budget than where its event leads."""
    spent = {system.place[name] for name in spent_budgets(system, Watch(system))}
    chance, more = np.random.default_rng(1), 0
    for number in chance.integers(0, graph.search.count, 60).tolist():
        for action, args, target in graph.out_edges(number):
            after = execute(system, graph.state(number), action, args).after
            pairs = list(zip(graph.state(target), system.representative(after), strict=True))
            assert all(a >= b if i in spent else a == b for i, (a, b) in enumerate(pairs))
            more += any(a != b for a, b in pairs)
    assert more or not spent or graph.search.count < 60


@pytest.mark.parametrize("design", SPENT, ids=label)
def test_a_known_design_is_the_same_in_both_engines(design: Design) -> None:
    """Kept states in their order, what breaks, edges, temporal answers."""
    assert check_engines(system_for(design)).search.dominance


@pytest.mark.slow
def test_graphs_by_chance_are_the_same_in_both_engines(tmp_path: Path) -> None:
    """On walks through graphs with faults, properties of every kind."""
    for seed in range(25):
        text, _ = graph_model(seed)
        family = Family(load(tmp_path, text).model)
        check_engines(System(family, family.design({}, {"faults": 3})))


def test_a_table_that_grows_at_every_level_keeps_the_same_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is filled again from the log, where those that were struck are no more."""
    system = system_for(SPENT[3])
    monkeypatch.setattr(needed, "_FAST", 1.03)
    plain = run_compiled(system, dominance=True)
    expand, grown = NeededSearch.expand, list[bool]()

    def growing(self: NeededSearch, watching: Any) -> str | None:
        grown.append(self.needed.grow())
        return expand(self, watching)

    monkeypatch.setattr(NeededSearch, "expand", growing)
    for threads in (1, 2):
        found = run_compiled(system, threads=threads, dominance=True)
        assert told_in_any_order(system, found) == told_in_any_order(system, plain)
    assert len(grown) > 20
    assert all(grown)


@pytest.mark.slow
def test_a_large_space_has_the_known_number_of_states_needed() -> None:
    """Its table grows in the middle of levels; as many threads as there are change nothing."""
    family = load_family("fence")
    bounds = dict.fromkeys(("lost_replies", "edits", "duplicates", "preemptions"), 2)
    design = family.design({"journal": "atomic"}, {"steps": 3, "swaps": 1, **bounds})
    system = System(family, design)
    names = [p.name for p in system.properties() if not p.temporal]
    one, three = (run_compiled(system, names, threads=t, dominance=True) for t in (1, 3))
    assert (one.search.count, one.search.transitions) == (527_719, 2_691_961)
    assert one.search.levels == three.search.levels
    assert one.search.transitions == three.search.transitions


def test_budgets_that_do_not_fit_a_slot_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of few bits come first, and both engines leave out the same."""
    monkeypatch.setattr(dominance, "MOST_BITS", 2)
    system = system_for(SPENT[3])
    assert spent_budgets(system, Watch(system)) == ("edits",)
    check_engines(system)
