"""Run both engines and put what they found into plain values that can be compared.

``told`` is everything a graph says, in order, for one thread; ``told_in_any_order`` is what must
not depend on the order in which threads find the states of a level.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from fencecheck.explore.compiled.engine import explore_compiled as explore_compiled
from fencecheck.explore.edges import LastingTruth
from fencecheck.explore.graph import Broken, Limits, MemoryGraph, StateGraph
from fencecheck.explore.reference import explore
from fencecheck.explore.resources import Resources
from fencecheck.explore.shortest import shortest_run
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System
from fencecheck.properties.temporal import TemporalJudge


def run_reference(system: System, names: list[str] | None = None, **limits: Any) -> StateGraph:
    """Explore with the reference engine."""
    return explore(system, Watch(system, names), Limits(**limits))


def run_compiled(
    system: System, names: list[str] | None = None, threads: int = 1, **limits: Any
) -> StateGraph:
    """Explore with the compiled engine."""
    return explore_compiled(system, Watch(system, names), Limits(**limits), Resources(threads))


def _numbers(graph: StateGraph) -> dict[str, Any]:
    search = graph.search
    return {
        "levels": search.levels,
        "transitions": search.transitions,
        "complete": search.complete,
        "stopped_by": search.stopped_by,
        "triggered": search.triggered,
    }


def runs(system: System, graph: StateGraph) -> dict[str, Any]:
    """Return the chosen counterexample of everything that breaks, or of the model error."""
    search = graph.search
    if search.failure is not None:
        found = {"model error": shortest_run(system, graph, search.failure, None)}
    else:
        found = {
            prop.name: shortest_run(system, graph, search.broken[prop.name], prop)
            for prop in system.properties()
            if prop.name in search.broken
        }
    return {
        name: [(system.actions[e.action].name, e.args, e.after) for e in events]
        for name, events in found.items()
    }


def _failed(system: System, graph: StateGraph) -> dict[str, Any]:
    """Return what a search says that ended because the model went wrong.

    Which properties break or were put to the test by then is not compared: nothing is said of it.
    """
    search = graph.search
    failure = search.failure
    assert failure is not None
    return {
        "stopped_by": search.stopped_by,
        "complete": search.complete,
        "levels": search.levels,
        "transitions": search.transitions,
        "failure": (failure.events, failure.in_event, {graph.state(n) for n in failure.states}),
        "run": runs(system, graph)["model error"],
    }


def told(system: System, graph: StateGraph) -> dict[str, Any]:
    """Return everything that a search says, in order."""
    search = graph.search
    states = [graph.state(number) for number in range(search.count)]
    if search.failure is not None:
        return {**_failed(system, graph), "states": states}
    return {
        **_numbers(graph),
        "states": states,
        "broken": search.broken,
        "held_back": search.held_back,
        "runs": runs(system, graph),
    }


def told_in_any_order(system: System, graph: StateGraph) -> dict[str, Any]:
    """Return everything that a search says but the order of the states of a level."""
    search, levels = graph.search, graph.search.levels
    states = [
        {graph.state(number) for number in range(first, last)}
        for first, last in itertools.pairwise(levels)
    ]
    if search.failure is not None:
        return {**_failed(system, graph), "states": states}

    def where(broken: Broken) -> tuple[Any, ...]:
        return broken.events, broken.in_event, {graph.state(n) for n in broken.states}

    return {
        **_numbers(graph),
        "states": states,
        "broken": {name: where(broken) for name, broken in search.broken.items()},
        "held_back": search.held_back,
        "runs": runs(system, graph),
    }


def lasting(system: System, graph: StateGraph) -> dict[str, Any]:
    """Return what a complete graph says of each temporal property: evidence, put to the test."""
    temporal = TemporalJudge(system, graph, system.properties())
    asked = [prop for prop in system.properties() if prop.temporal]
    return {prop.name: (temporal.judge(prop), temporal.triggered(prop)) for prop in asked}


def edges(system: System, graph: StateGraph) -> dict[str, list[Any]]:
    """Return the edges of a complete graph, with the model's invariants as predicates."""
    # of a deadlock property nothing is asked, and so nothing known, where the system can go on
    chosen = [
        LastingTruth(prop.name, i, "holds", one.holds)
        for prop in system.properties()
        if prop.of_states
        for i, one in enumerate(prop.each())
    ]
    if isinstance(graph, MemoryGraph):
        views = [system.view(state) for state in graph.states]
        truths = [truth.function for truth in chosen]
        graph.marks = [sum(1 << i for i, holds in enumerate(truths) if holds(v)) for v in views]
    found = graph.edge_arrays(chosen)
    return {
        "offsets": found.offsets.tolist(),
        "targets": found.targets.tolist(),
        "labels": found.labels.tolist(),
        "truths": [found.holds(truth).tolist() for truth in range(len(chosen))],
    }


def edges_in_any_order(system: System, graph: StateGraph) -> set[tuple[Any, ...]]:
    """Return the edges as (source, label, target, how many alike)."""
    found = graph.edge_arrays([])
    counts: dict[tuple[Any, ...], int] = {}
    for source in range(graph.search.count):
        for k in range(int(found.offsets[source]), int(found.offsets[source + 1])):
            edge = (graph.state(source), int(found.labels[k]), graph.state(int(found.targets[k])))
            counts[edge] = counts.get(edge, 0) + 1
    return {(*edge, count) for edge, count in counts.items()}


def sources(graph: StateGraph, sample: Sequence[int] = (1, 2, 7, 40)) -> list[list[int]]:
    """Return which states of each level lead to some of the next one."""
    levels = graph.search.levels
    found = []
    for level in range(len(levels) - 2):
        targets = {
            levels[level + 1] + n for n in sample if levels[level + 1] + n < levels[level + 2]
        }
        if targets:
            found.append(graph.sources(level, targets))
    return found
