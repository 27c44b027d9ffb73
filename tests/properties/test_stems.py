"""Stems in a graph of needed states are those of the graph of all states."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencecheck.explore.graph import StateGraph
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp
from fencecheck.properties import stems
from fencecheck.properties.evidence import Evidence
from fencecheck.properties.temporal import TemporalJudge
from tests.explore.compiled.engines import run_compiled
from tests.explore.searching import search
from tests.models_for_tests import HEADER, load

PLACES = 7
WAYS = tuple[tuple[int, int], ...]
Graph = tuple[WAYS, WAYS, frozenset[int], frozenset[int]]

# by way of 1, where it is done, nothing is spent before 3; by way of 2 a fault is
DETOUR: Graph = (
    ((0, 1), (1, 3), (2, 3), (3, 1)),
    ((0, 2), (3, 4)),
    frozenset({1}),
    frozenset({0, 2}),
)
# and round by way of 5 it takes longer
LONGER: Graph = ((*DETOUR[0], (0, 5), (5, 6), (6, 3)), DETOUR[1], DETOUR[2], frozenset({2, 5}))
# 3 and 4 go round; 3 is found first with nothing left, 4 by way of 1 before it is by way of 3
ROUND: Graph = (((0, 1), (1, 4), (3, 4), (4, 3)), ((0, 3),), frozenset({1}), frozenset({3}))


def model_text(graph: Graph) -> str:
    """Return a model that walks along edges: those of the first kind at will, others by faults."""
    own, faulty, done, asked = graph
    text = f"""{HEADER}
model = Model("walk", "A walk")
model.budget("faults", "what goes wrong")
model.variable("at", Int(0, {PLACES - 1}))
A = model.actor("A")
noise = model.actor("noise", "interference")
"""
    for number, (start, end) in enumerate(own):
        text += f"""

@A.action(name="own{number}", when=lambda s: s.at == {start})
def own{number}(s):
    "Go on."
    s.at = {end}
"""
    for number, (start, end) in enumerate(faulty):
        text += f"""

@noise.interference("faults", name="fault{number}", when=lambda s: s.at == {start})
def fault{number}(s):
    "Go astray."
    s.at = {end}
"""
    ends, begins = (" or ".join(f"s.at == {n}" for n in sorted(some)) for some in (done, asked))
    return f"""{text}

@model.liveness()
def done(s):
    "It is done."
    return {ends or "False"}


@model.leads_to(lambda s: {begins or "False"})
def answered(s):
    "It is answered."
    return {ends or "False"}


@model.recurrence("A.own0")
def again(s):
    "It comes back."
    return {ends or "False"}
"""


def evidence(system: System, graph: StateGraph) -> dict[str, Evidence | None]:
    """Return how the temporal properties break in a graph."""
    judge = TemporalJudge(system, graph, system.properties())
    assert all(judge.settles(prop) for prop in system.properties())
    return {prop.name: judge.judge(prop) for prop in system.properties()}


def system_of(folder: Path, graph: Graph, faults: int) -> System:
    family = Family(load(folder, model_text(graph)).model)
    return System(family, family.design({}, {"faults": faults}))


@pytest.mark.parametrize(
    ("graph", "lengths"), [(DETOUR, (None, None)), (LONGER, (4, 4)), (ROUND, (3, 3))]
)
def test_what_covers_by_way_of_the_goal_is_not_taken_for_it(
    tmp_path: Path, graph: Graph, lengths: tuple[int | None, ...]
) -> None:
    """With one fault: a state that covers has one left where the behaviour has none."""
    system = system_of(tmp_path, graph, 1)
    needed = search(system, dominance=True)
    assert needed.search.dominance
    told = evidence(system, needed)
    found = told["done"], told["answered"]
    assert [e and len(e.events) for e in found] == list(lengths)
    assert told == evidence(system, search(system))
    assert told == evidence(system, run_compiled(system, dominance=True))


def test_too_long_a_search_leaves_it_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then all states are searched."""
    system = system_of(tmp_path, LONGER, 1)
    monkeypatch.setattr(stems, "LEAST_PATIENCE", 2)
    judge = TemporalJudge(system, search(system, dominance=True), system.properties())
    settled = {prop.name: judge.settles(prop) for prop in system.properties()}
    assert settled == {"done": False, "answered": False, "again": True}


def test_where_time_is_up_all_states_are_not_searched_either(tmp_path: Path) -> None:
    """What is judged says so."""
    system = system_of(tmp_path, LONGER, 1)
    judge = TemporalJudge(system, search(system, dominance=True), system.properties())
    judge.until = time.monotonic() - 1
    for prop in system.properties():
        assert judge.settles(prop)
        with pytest.raises(TimeUp):
            judge.judge(prop)


PLACE = st.integers(0, PLACES - 1)
EDGES = st.lists(st.tuples(PLACE, PLACE), max_size=3).map(tuple)
WALKS = st.tuples(st.sampled_from((DETOUR, LONGER, ROUND)), EDGES, EDGES, st.frozensets(PLACE))


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(walk=WALKS, faults=st.integers(1, 3))
def test_walks_like_these_break_alike(
    tmp_path: Path, walk: tuple[Graph, WAYS, WAYS, frozenset[int]], faults: int
) -> None:
    """Their verdicts, stems and loops are those that all states give."""
    (own, faulty, done, _), more, astray, asked = walk
    system = system_of(tmp_path, ((*own, *more), (*faulty, *astray), done, asked), faults)
    needed = search(system, dominance=True)
    assert evidence(system, needed) == evidence(system, search(system))


@pytest.mark.slow
def test_walks_by_chance_break_alike(tmp_path: Path) -> None:
    """Any walks, and with either engine."""
    chance = random.Random("stems")
    edges = [(a, b) for a in range(PLACES) for b in range(PLACES) if a != b]
    for number in range(300):
        own, faulty = (tuple(chance.sample(edges, chance.randint(5, 9))) for _ in range(2))
        done, asked = (frozenset(chance.sample(range(1, PLACES), 2)) for _ in range(2))
        system = system_of(tmp_path, (own, faulty, done, asked), chance.randint(1, 3))
        told = evidence(system, search(system))
        assert evidence(system, search(system, dominance=True)) == told
        if number % 10 == 0:
            assert evidence(system, run_compiled(system, dominance=True)) == told
