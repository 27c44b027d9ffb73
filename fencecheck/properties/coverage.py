"""Coverage: how often each event occurred in what was explored, and why one never did.

Takes a System and its explored StateGraph; gives one count for each event of the model. An event
that never occurred is excluded by the design (excluded.py says by what of it), or it was enabled
in no state that was expanded. On a search that was cut this is said of the part that was
explored, and proves nothing about the rest. Judges nothing.
"""

from __future__ import annotations

import ctypes
import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from fencecheck.explore.graph import MemoryGraph, StateGraph
from fencecheck.model.system import System
from fencecheck.properties.excluded import excluded_events


@dataclass(frozen=True)
class EventCount:
    """One event: how many transitions it has, and after how many events it first occurs.

    ``off`` says what of the design excludes an event, whatever the state is: ``edits 0``,
    ``check atomic``; it is empty for one that occurred or could have.
    """

    event: str
    interference: bool
    transitions: int
    first: int | None
    off: str = ""


@dataclass(frozen=True)
class Coverage:
    """The counts of every event in the order of the model; ``complete`` as the search was."""

    events: tuple[EventCount, ...]
    complete: bool

    @property
    def never_enabled(self) -> list[str]:
        """Return the system events that the design does not exclude and that never occurred."""
        return [e.event for e in self._missing if not e.interference]

    @property
    def never_fired(self) -> list[str]:
        """Return the interference that never occurred although there is a budget for it."""
        return [e.event for e in self._missing if e.interference]

    @property
    def _missing(self) -> list[EventCount]:
        return [e for e in self.events if not e.transitions and not e.off]


def coverage_of(system: System, graph: StateGraph) -> Coverage:
    """Return how often each event occurred in a graph of either engine."""
    counts = np.zeros((graph.search.depth + 2, len(system.actions)), np.int64)
    if isinstance(graph, MemoryGraph):
        _count_memory(graph, counts)
    else:
        _count_packed(system, graph, counts)
    total = counts.sum(axis=0)
    off = excluded_events(system, [n for n, times in enumerate(total) if not times])
    events = []
    for number, action in enumerate(system.actions):
        times = int(total[number])
        first = int(np.flatnonzero(counts[:, number])[0]) if times else None
        why = off.get(number, "")
        events.append(EventCount(action.name, action.interference, times, first, why))
    return Coverage(tuple(events), graph.search.complete)


def _count_memory(graph: MemoryGraph, counts: Any) -> None:
    """Add the edges of each state to the row of the depth that they lead to."""
    levels = graph.search.levels
    for depth, (first, last) in enumerate(itertools.pairwise(levels)):
        for edges in graph.edges[first:last]:
            for action, _, _ in edges:
                counts[depth + 1, action] += 1


def _count_packed(system: System, graph: Any, counts: Any) -> None:
    """Do the same for packed states: expand them once more, with the event on each edge.

    States that a cut search did not expand are left out.
    """
    from fencecheck.explore.compiled.kernel.compile import build
    from fencecheck.explore.compiled.kernel.plan import plan_edges
    from fencecheck.explore.compiled.loop import CHUNK
    from fencecheck.explore.compiled.packed_graph import Worker

    plan = plan_edges(system.lowered, list(range(len(system.actions))), [])
    for case in plan.cases:
        case.label = system.lowered.dag.const(case.action)
    kernel = build(system, plan, graph.kernel.packing)
    worker, words = Worker(kernel, graph.worker.switches), graph.store.words
    out, offsets, flags, seen, scratch, _ = worker.buffers
    labels = np.empty(CHUNK * kernel.cases + 64, np.uint16)
    rest = [a.ctypes.data for a in (out, offsets, worker.switches, flags, seen, scratch, labels)]
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, *[ctypes.c_void_p] * len(rest)
    )
    call, log = kind(kernel.address), graph.store.log
    for depth, segments in enumerate(graph.segments[: _expanded(graph)]):
        for first, last in segments:
            for at in range(first, last, CHUNK):
                made = call(log.ctypes.data + 8 * at * words, min(CHUNK, last - at), *rest)
                found = np.bincount(labels[:made], minlength=counts.shape[1])
                counts[depth + 1] += found


def _expanded(graph: Any) -> int:
    """Return how many levels were expanded: of a search that was cut, all but the last."""
    return len(graph.segments) - (0 if graph.search.complete else 1)
