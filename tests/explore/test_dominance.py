"""Dominance: fewer states, and the same verdicts, lengths and counterexamples as without."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from fencecheck.errors import ModelError
from fencecheck.explore.dominance import spent_places
from fencecheck.explore.graph import StateGraph
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp
from tests.explore.compiled.designs import STRUCTURES, Design, label
from tests.explore.compiled.designs import system as system_for
from tests.explore.dominated import answers, kept, lasting, needed_by_hand, violated
from tests.explore.searching import search
from tests.models_for_tests import load
from tests.models_for_tests.random_graphs import graph_model
from tests.models_for_tests.random_programs import program

FEW = [STRUCTURES[i] for i in (0, 2, 4, 6, 8, 9, 10)]
MORE: list[Design] = [
    ("fence", {"journal": "atomic"}, {"steps": 1, "edits": 2, "lost_replies": 1, "swaps": 1}),
    ("fence", {}, {"steps": 1, "edits": 1, "duplicates": 1, "preemptions": 2}),
    ("ledger", {}, {"revocations": 1, "lost_acks": 1, "expiries": 1, "steps": 1}),
    ("agent", {}, {"edits": 1, "revocations": 1, "steps": 1, "workers": 1}),
]


def names_of(system: System) -> tuple[str, ...]:
    return tuple(system.names[place] for place in spent_places(system, Watch(system)))


def check_same(system: System, exact: StateGraph, needed: StateGraph) -> None:
    """Compare a search under dominance with the exact one, as far as both came to an end."""
    assert answers(system, needed) == answers(system, exact)
    if exact.search.failure is None:
        may_break, breaks = lasting(system, needed)[1], violated(system, exact)
        assert all(may_break[name] for name, broken in breaks.items() if broken)


@pytest.mark.parametrize("design", [*FEW, *MORE], ids=label)
def test_a_known_design_gives_the_same_answers(design: Design) -> None:
    """And what is kept is what nothing makes superfluous, level by level."""
    system = system_for(design)
    exact, needed = search(system), search(system, dominance=True)
    assert needed.search.dominance is bool(names_of(system))
    check_same(system, exact, needed)
    assert kept(needed) == needed_by_hand(system, names_of(system))


@pytest.mark.slow
@pytest.mark.parametrize("design", [STRUCTURES[i] for i in (1, 3, 5, 7)], ids=label)
def test_a_larger_design_gives_the_same_answers(design: Design) -> None:
    """The other ones that both engines explore."""
    test_a_known_design_gives_the_same_answers(design)


def test_most_states_are_superfluous() -> None:
    """Where several budgets are spent."""
    bounds = {"edits": 1, "duplicates": 2, "preemptions": 2}
    system = system_for(("fence", {}, {"steps": 1, **bounds}))
    exact, needed = search(system), search(system, dominance=True)
    assert (exact.search.count, needed.search.count) == (4146, 1552)


def by_chance(folder: Path, seeds: range) -> tuple[int, int]:
    """Compare graphs by chance; return how many had fewer states, and what breaks in all."""
    fewer = broken = 0
    for seed in seeds:
        text, _ = graph_model(seed)
        family = Family(load(folder, text).model)
        system = System(family, family.design({}, {"faults": 3}))
        exact, needed = search(system), search(system, dominance=True)
        check_same(system, exact, needed)
        assert kept(needed) == needed_by_hand(system, names_of(system))
        fewer += needed.search.count < exact.search.count
        broken += len(needed.search.broken)
    return fewer, broken


def test_graphs_by_chance_give_the_same_answers(tmp_path: Path) -> None:
    """Properties of every kind, on walks through graphs with faults."""
    fewer, broken = by_chance(tmp_path, range(20))
    assert fewer > 5
    assert broken > 20


@pytest.mark.slow
def test_more_graphs_by_chance_give_the_same_answers(tmp_path: Path) -> None:
    """The same, for longer."""
    by_chance(tmp_path, range(20, 300))


@pytest.mark.slow
def test_programs_by_chance_give_the_same_answers(tmp_path: Path) -> None:
    """Models of all that the language has, whole or up to where they go wrong."""
    compared = fewer = 0
    for seed in range(60):
        with contextlib.suppress(ModelError, TimeUp):
            family = Family(load(tmp_path, program(seed)).model)
            system = System(family, family.design({}, {"faults": 2}))
            exact = search(system, states=400)
            if exact.search.stopped_by in (None, "error"):
                needed = search(system, dominance=True)
                check_same(system, exact, needed)
                compared, fewer = compared + 1, fewer + (needed.search.count < exact.search.count)
    assert compared > 10
