"""Dominance: fewer states, and the same verdicts, lengths and counterexamples as without."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.errors import ModelError
from fencecheck.explore import engine as choice
from fencecheck.explore.dominance import spent_budgets
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp
from fencecheck.properties import stems
from tests.answers import told as answers_told
from tests.explore.compiled.designs import STRUCTURES, Design, label
from tests.explore.compiled.designs import system as system_for
from tests.explore.dominated import answers, kept, needed_by_hand
from tests.explore.searching import search
from tests.models_for_tests import load
from tests.models_for_tests.random_graphs import graph_model
from tests.models_for_tests.random_programs import program
from tests.random_designs import FAMILIES, MOST, draw

FEW = [STRUCTURES[i] for i in (0, 2, 4, 6, 8, 9, 10)]
MORE: list[Design] = [
    ("fence", {"journal": "atomic"}, {"steps": 1, "edits": 2, "lost_replies": 1, "swaps": 1}),
    ("fence", {}, {"steps": 1, "edits": 1, "duplicates": 1, "preemptions": 2}),
    ("ledger", {}, {"revocations": 1, "lost_acks": 1, "expiries": 1, "steps": 1}),
    ("agent", {}, {"edits": 1, "revocations": 1, "steps": 1, "workers": 1}),
]


def names_of(system: System) -> tuple[str, ...]:
    return spent_budgets(system, Watch(system))


def check_same(system: System, exact: StateGraph, needed: StateGraph) -> None:
    """Compare a search under dominance with the exact one, as far as both came to an end."""
    assert answers(system, needed) == answers(system, exact)


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


def by_checks(engine: EngineName, count: int, seed: str) -> int:
    """Check designs by chance with dominance and without; return how many had fewer states."""
    fewer = 0
    for name in FAMILIES:
        family, chance = load_family(name), random.Random(f"{name} {seed}")
        like = draw(family, chance)
        for _ in range(count):
            design = draw(family, chance, like)
            question = Question(tuple(family.properties))
            exact = check_design(family, design, question, Options(MOST, engine, exact=True))
            needed = check_design(family, design, question, Options(MOST, engine))
            if exact.exploration.complete:
                assert answers_told(needed).of == answers_told(exact).of, design
                assert never_happened(needed) == never_happened(exact)
                fewer += needed.exploration.dominance
    return fewer


def never_happened(result: VariantResult) -> object:
    """Return what a check says never happened."""
    found = result.coverage
    return found and (found.never_enabled, found.never_fired)


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2", "3", "4", "5", "6"])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_checks_by_chance_say_the_same(
    monkeypatch: pytest.MonkeyPatch, engine: EngineName, seed: str
) -> None:
    """Verdicts, event orders, loops, what was put to the test and what never happened."""
    monkeypatch.setattr(choice, "SMALL", 1)
    by_checks(engine, 8, seed)


def test_what_is_small_or_counted_is_searched_exactly() -> None:
    """With whichever engine; a large space is not, unless that is asked."""
    family = load_family("fence")
    bounds = {"edits": 1, "duplicates": 2, "preemptions": 2, "lost_replies": 2, "steps": 1}
    question = Question(("no_lost_update", "finishes"))

    def states(mechanisms: dict[str, str], **given: Any) -> tuple[int, bool]:
        design = family.design(mechanisms, bounds)
        search = check_design(family, design, question, Options(**given)).exploration
        return search.states, search.dominance

    assert states({}) == states({}, engine="reference") == (2_880, True)
    for exact in ("exact", "strict", "coverage"):
        assert states({}, engine="compiled", **{exact: True}) == (15_240, False)
    assert states({}, limits=Limits(states=8_000)) == (8_084, False)
    assert states({"fence": "plan", "retry": "off"}) == (1_507, False)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_how_a_behaviour_for_ever_breaks_something_is_found_among_needed_states(
    monkeypatch: pytest.MonkeyPatch, engine: EngineName
) -> None:
    """Where that takes too long, all states are searched."""
    monkeypatch.setattr(choice, "SMALL", 20)
    family, question = load_family("ledger"), Question(("finishes", "bounded_retries"))
    bounds = {"steps": 1, "revocations": 1, "lost_acks": 2, "workers": 2}
    design, told = family.design({"poison": "ack"}, bounds), list[Any]()
    for patience, exact in ((500, True), (500, False), (2, False)):
        monkeypatch.setattr(stems, "LEAST_PATIENCE", patience)
        result = check_design(family, design, question, Options(engine=engine, exact=exact))
        told.append((answers_told(result).of, result.exploration.dominance))
    all_states, needed, given_up = told
    assert [name for name, said in all_states[0].items() if said.events] == list(question.names)
    assert (needed, given_up) == ((all_states[0], True), all_states)


@pytest.mark.slow
def test_a_stem_of_a_large_family_is_that_of_all_states() -> None:
    """Family fence of the benchmark, as far as a design that gives up goes."""
    family, question = load_family("fence"), Question(("finishes", "no_lost_update"))
    bounds = {"steps": 3, "lost_replies": 2, "edits": 2, "duplicates": 2, "preemptions": 2}
    design = family.design({"journal": "atomic", "retry": "off"}, {**bounds, "swaps": 1})
    exact, needed = (
        check_design(family, design, question, Options(exact=e)) for e in (True, False)
    )
    assert needed.exploration.states < exact.exploration.states / 2
    assert needed.exploration.dominance
    assert exact["finishes"].verdict == "violated"
    assert answers_told(needed).of == answers_told(exact).of
