"""The reference engine against published counts and against networkx."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from fencecheck.model.system import System
from tests.explore.searching import graph_of, random_graph_text, search, shown, shown_failure
from tests.models_for_tests import HEADER, load, pipelined, queue, system_of, two_phase


def pipeline(*sizes: int, fenced: bool = True) -> System:
    """Return the pipelined fence with its five sizes."""
    bounds = dict(zip(pipelined.BOUNDS, sizes, strict=True))
    return system_of(pipelined.model, {"fenced": fenced}, **bounds)


def test_the_pipelined_fence_has_the_known_counts() -> None:
    """States, transitions and depth are those that independent checkers found."""
    graph = search(pipeline(2, 2, 2, 1, 1)).search
    assert (graph.count, graph.transitions, graph.depth) == pipelined.KNOWN[2, 2, 2, 1, 1]
    assert graph.complete
    assert graph.stopped_by is None
    assert not graph.broken
    assert graph.triggered == {"fence_ok", "applied_grows"}


def test_without_its_fence_the_pipeline_breaks_after_three_events() -> None:
    """The invariant is not vacuous: dispatch, edit, execute."""
    system = pipeline(2, 1, 1, 1, 1, fenced=False)
    graph = search(system)
    assert graph.search.broken["fence_ok"].events == 3
    assert shown(system, graph, "fence_ok") == [
        ("client.dispatch", {}),
        ("human.edit", {}),
        ("executor.execute", {"step": 1}),
    ]


@pytest.mark.parametrize("managers", [3, 5])
def test_two_phase_commit_has_the_known_counts(managers: int) -> None:
    """Transitions that change nothing count as transitions."""
    graph = search(system_of(two_phase.model, managers=managers)).search
    states, transitions = two_phase.KNOWN[managers]
    assert graph.count == states
    assert transitions in (None, graph.transitions)
    assert graph.complete
    assert not graph.broken


def small_systems(folder: Path) -> list[System]:
    """Return systems small enough for networkx, walks by chance among them."""
    walks = [system_of(load(folder, random_graph_text(seed)).model) for seed in range(25)]
    return [
        pipeline(2, 1, 1, 1, 0),
        pipeline(1, 1, 1, 1, 1, fenced=False),
        system_of(two_phase.model, managers=2),
        system_of(queue.model, items=3, losses=2),
        *walks,
    ]


def test_networkx_finds_the_same_graph(tmp_path: Path) -> None:
    """Distances, levels, transitions and edges are those of an independent library."""
    for system in small_systems(tmp_path):
        graph, oracle = search(system), graph_of(system)
        distances = nx.single_source_shortest_path_length(oracle, system.initial)
        levels = graph.search.levels
        assert graph.search.count == len(graph.states) == len(set(graph.states)) == len(oracle)
        assert graph.search.transitions == oracle.number_of_edges()
        assert graph.search.depth == max(distances.values())
        for depth in range(graph.search.depth + 1):
            of_level = graph.states[levels[depth] : levels[depth + 1]]
            assert {distances[state] for state in of_level} == {depth}
        for number, edges in enumerate(graph.edges):
            state = graph.states[number]
            found = sorted((a, args, graph.states[target]) for a, args, target in edges)
            wanted = [(*event, after) for _, after, event in oracle.out_edges(state, data="event")]
            assert found == sorted(wanted)


def test_networkx_finds_the_same_violations(tmp_path: Path) -> None:
    """A property breaks first where the nearest wrong state or transition is."""
    broken = 0
    for system in small_systems(tmp_path):
        graph, oracle = search(system), graph_of(system)
        found = graph.search.broken
        distances = nx.single_source_shortest_path_length(oracle, system.initial)
        for prop in system.properties():
            if prop.kind == "invariant":
                wrong = [s for s in oracle if not prop.holds(system.view(s))]
            elif prop.kind == "transition":
                wrong = [
                    source
                    for source, target, event in oracle.edges(data="event")
                    if not prop.events or system.actions[event[0]].name in prop.events
                    if not prop.holds(system.view(source), system.view(target))
                ]
            else:
                wrong = [
                    state
                    for state in oracle
                    if all(
                        system.actions[event[0]].interference
                        for *_, event in oracle.out_edges(state, data="event")
                    )
                    if not prop.holds(system.view(state))
                ]
            first = min((distances[s] for s in wrong), default=None)
            assert (prop.name in found) == bool(wrong)
            if prop.name in found:
                in_event = prop.kind == "transition"
                assert first is not None
                assert found[prop.name].events == first + in_event
                assert found[prop.name].in_event == in_event
                states = [graph.states[number] for number in found[prop.name].states]
                assert len(states) == len(set(states))
                assert set(states) == {s for s in wrong if distances[s] == first}
            broken += bool(wrong)
    assert broken > 10


def test_a_limit_acts_at_the_end_of_the_level_that_reaches_it() -> None:
    """At every limit: whole levels, a search that is not complete, the reason said."""
    whole = search(system_of(queue.model, items=3, losses=1)).search
    for limit in range(1, whole.count + 1):
        cut = search(system_of(queue.model, items=3, losses=1), states=limit).search
        assert cut.count == next(n for n in whole.levels[1:] if n >= limit)
        assert cut.levels == whole.levels[: len(cut.levels)]
        assert not cut.complete
        assert cut.stopped_by == "states"
    beyond = search(system_of(queue.model, items=3, losses=1), states=whole.count + 1).search
    assert (beyond.complete, beyond.stopped_by, beyond.count) == (True, None, whole.count)


def test_a_time_limit_stops_a_search() -> None:
    """Without time nothing is expanded, and nothing is claimed."""
    graph = search(pipeline(2, 2, 2, 1, 1), seconds=0.0)
    assert graph.search.stopped_by == "time"
    assert not graph.search.complete
    assert graph.search.transitions == 0
    assert not graph.search.broken


CHAIN = (
    HEADER
    + """
model = Model("chain", "Three states in a row")
model.budget("faults", "faults")
model.variable("x", Int(0, 3))
walker = model.actor("walker")


@walker.action(when=lambda s: s.x < 2)
def walk(s):
    "Walk on."
    s.x += 1


@model.actor("noise", "interference").interference("faults")
def shake(s):
    "Nothing is moved."
"""
)
ARRIVED = """

@model.deadlock()
def arrived(s):
    "Never true."
    return False
"""


def test_a_border_state_is_no_deadlock(tmp_path: Path) -> None:
    """Where a search was cut nothing is known about what can happen next."""
    model = load(tmp_path, CHAIN + ARRIVED).model
    for limit, broken in ((1, None), (2, None), (3, None), (4, 2)):
        graph = search(system_of(model), states=limit).search
        assert (graph.broken["arrived"].events if graph.broken else None) == broken
        assert graph.complete == (broken is not None)


def test_interference_alone_is_a_deadlock_of_the_system(tmp_path: Path) -> None:
    """A state in which only interference is possible is one in which the system is stuck."""
    system = system_of(load(tmp_path, CHAIN + ARRIVED).model, faults=2)
    graph = search(system)
    assert graph.search.count == 9
    assert graph.search.broken["arrived"].events == 2
    assert shown(system, graph, "arrived") == [("walker.walk", {}), ("walker.walk", {})]


def test_exploration_goes_on_past_violations(tmp_path: Path) -> None:
    """Counts do not depend on which properties are watched."""
    system = system_of(load(tmp_path, random_graph_text(4)).model)
    all_watched, none = search(system).search, search(system, []).search
    assert all_watched.broken
    assert not none.broken
    assert not none.triggered
    assert all_watched.levels == none.levels
    assert all_watched.transitions == none.transitions


WRONG = {
    "guard": ("when=lambda s: 3 // (2 - s.x) > 0", "s.y = 1", "", (2, False)),
    "effect": ("", "s.y = 3 // (2 - s.x)", "", (3, True)),
    "domain": ("", "s.y = 2 * s.x", "", (3, True)),
    "invariant": ("", "s.y = 1", "@model.invariant()\ndef p(s):", (2, False)),
    "trigger": (
        "",
        "s.y = 1",
        "@model.invariant(trigger=lambda s: 3 // (2 - s.x) > 0)\ndef q(s):",
        (2, False),
    ),
    "transition": ("", "s.y = 1", "@model.transition()\ndef p(s, after):", (3, True)),
    "transition of one event": (
        "",
        "s.y = 1",
        "@model.transition('walker.act')\ndef p(before, s):",
        (3, True),
    ),
    "deadlock": ("when=lambda s: s.x < 2", "s.y = 1", "@model.deadlock()\ndef p(s):", (2, False)),
}


@pytest.mark.parametrize(("guard", "effect", "more", "where"), WRONG.values(), ids=WRONG.keys())
def test_a_model_that_goes_wrong_ends_the_search(
    tmp_path: Path, guard: str, effect: str, more: str, where: tuple[int, bool]
) -> None:
    """An error in any function of the model is a failure with a shortest run that leads to it."""
    action = f"@walker.action({guard})\ndef act(s):\n    'Act.'\n    {effect}\n"
    truth = "True" if "def q" in more else "3 // (2 - s.x) > 0"
    more = f"\n\n{more}\n    'Said.'\n    return {truth}\n" if more else ""
    text = CHAIN + 'model.variable("y", Int(0, 3), 1)\n\n\n' + action + more
    system = system_of(load(tmp_path, text).model, faults=1)
    graph = search(system)
    assert graph.search.failure is not None
    assert (graph.search.failure.events, graph.search.failure.in_event) == where
    assert graph.search.stopped_by == "error"
    assert not graph.search.complete
    run = shown_failure(system, graph)
    assert run[:2] == [("walker.walk", {}), ("walker.walk", {})]
    assert len(run) == where[0]
    if where[0] == 3:
        assert run[2] == ("walker.act", {})


def test_a_violation_beside_an_error_is_shown(tmp_path: Path) -> None:
    """A property that breaks in the level in which the model goes wrong still has its run."""
    action = "\n\n@walker.action()\ndef act(s):\n    'Act.'\n    s.x = 3 // s.x\n\n\n"
    more = "@model.transition()\ndef step(before, after):\n    'Step.'\n    return after.x == 0\n"
    system = system_of(load(tmp_path, CHAIN + action + more).model)
    graph = search(system)
    assert graph.search.failure is not None
    assert shown_failure(system, graph) == [("walker.act", {})]
    assert shown(system, graph, "step") == [("walker.walk", {})]
