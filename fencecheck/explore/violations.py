"""Where a safety property breaks at any level of an explored graph, not only at the first one.

Takes a System, its StateGraph of either engine, a property that was watched and a level; gives
the numbers of the level's states in which it breaks, or out of which an event breaks it. Levels
that a cut search did not expand are not looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fencecheck.explore.graph import MemoryGraph, StateGraph
from fencecheck.model.property import Property
from fencecheck.model.system import System


def expanded_levels(graph: StateGraph) -> int:
    """Return how many levels were expanded: of a search that was cut, all but the last."""
    return len(graph.search.levels) - (1 if graph.search.complete else 2)


def broken_at(system: System, graph: StateGraph, prop: Property, level: int) -> list[int]:
    """Return the states of an expanded level at which ``prop`` breaks, ascending."""
    if isinstance(graph, MemoryGraph):
        first, last = graph.search.levels[level : level + 2]
        return [n for n in range(first, last) if _breaks(system, graph, prop, n)]
    return _packed(graph, prop, level)


def _breaks(system: System, graph: MemoryGraph, prop: Property, number: int) -> bool:
    view, edges = system.view(graph.states[number]), graph.edges[number]
    if system.only_interference(action for action, _, _ in edges) and not prop.evaluate_end(view):
        return True
    return not prop.evaluate_state(view) or not all(
        prop.evaluate_event(system.actions[action].name, view, system.view(graph.states[target]))
        for action, _, target in edges
    )


def _packed(graph: Any, prop: Property, level: int) -> list[int]:
    from fencecheck.explore.compiled import loop as runtime

    plan, worker, places = graph.kernel.plan, graph.worker, list[int]()
    word, bit = plan.bits[prop.name]
    for first, last in graph.segments[level]:
        for at in range(first, last, runtime.CHUNK):
            count = min(runtime.CHUNK, last - at)
            runtime.judge_states(
                graph.kernel.address, graph.store.log, at, count, worker.buffers, worker.switches,
                graph.store.words,
            )  # fmt: skip
            flags = worker.flags[: count * plan.flag_words].reshape(count, plan.flag_words)
            hits = np.flatnonzero(flags[:, word] >> np.uint32(bit) & np.uint32(1))
            places += [at + int(i) for i in hits]
    return sorted(int(n) for n in graph.numbers(level, np.array(places, np.int64)))
