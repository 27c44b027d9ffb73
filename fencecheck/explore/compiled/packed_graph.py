"""The graph that a compiled search leaves: packed states in a log, level by level.

``CompiledGraph`` is a StateGraph; what it tells of edges is made by a second pass.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled import loop, second_pass
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.store import Store
from fencecheck.explore.compiled.worker import Segment, Worker
from fencecheck.explore.edges import EdgeArrays
from fencecheck.explore.graph import Edge, Search
from fencecheck.model.lower.dag import Node
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.event import possible

Ints = npt.NDArray[np.int64]


@dataclass
class CompiledGraph:
    """A StateGraph of packed states. ``segments[d]`` are the parts of the log that level d is."""

    system: System
    kernel: Kernel
    store: Store
    worker: Worker
    search: Search = field(default_factory=Search)
    segments: list[list[Segment]] = field(default_factory=list)
    _edges: EdgeArrays | None = None

    def place(self, number: int) -> int:
        """Return where state ``number`` is in the log."""
        level = bisect.bisect_right(self.search.levels, number) - 1
        rest = number - self.search.levels[level]
        for first, last in self.segments[level]:
            if rest < last - first:
                return first + rest
            rest -= last - first
        raise IndexError(number)

    def state(self, number: int) -> State:
        """Return state ``number`` in breadth-first order."""
        return self.decode(self.store.words_of(self.place(number)))

    def decode(self, words: Any) -> State:
        """Return the state that packed words stand for."""
        return self.system.lowered.layout.state(self.kernel.packing.unpack(words))

    def numbers(self, level: int, places: Ints) -> Ints:
        """Return the numbers of states of a level given by their places in the log."""
        result, number = np.empty_like(places), self.search.levels[level]
        for first, last in self.segments[level]:
            inside = (places >= first) & (places < last)
            result[inside] = places[inside] - first + number
            number += last - first
        return result

    def in_order(self) -> Words:
        """Return the words of all states in order of number; with one thread, the log itself."""
        words = self.store.words
        starts = zip(self.segments, self.search.levels, strict=False)
        if all(len(parts) == 1 and parts[0][0] == first for parts, first in starts):
            return self.store.log[: self.search.count * words]
        return np.concatenate(
            [self.store.log[a * words : b * words] for parts in self.segments for a, b in parts]
        )

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        wanted = np.concatenate([self.store.words_of(self.place(n)) for n in sorted(targets)])
        table = np.zeros(1 << (2 * len(targets) + 2).bit_length(), np.int64)
        loop.index_targets(wanted, len(targets), table, self.store.words)
        found: list[Ints] = []
        for first, last in self.segments[level]:
            hits = np.empty(last - first, np.int64)
            count = self.worker.find(self.store, (first, last), (wanted, table), hits)
            found.append(hits[:count])
        places = np.concatenate(found) if found else np.empty(0, np.int64)
        return sorted(int(n) for n in self.numbers(level, places))

    def out_edges(self, number: int) -> list[Edge]:
        """Return the edges of a state of a complete graph, in the order of its events."""
        if self._edges is None:
            self._edges = self.edge_arrays([])
        first, last = self._edges.offsets[number : number + 2].tolist()
        events = possible(self.system, self.state(number))
        targets = self._edges.targets[first:last].tolist()
        return [(e.action, e.args, target) for e, target in zip(events, targets, strict=True)]

    def edge_arrays(self, truths: Sequence[Node]) -> EdgeArrays:
        """Return all edges of a complete graph, and which ``truths`` hold in its states."""
        return second_pass.edge_arrays(self, truths)

    def event_counts(self) -> Ints:
        """Return how many edges of each action (columns) lead to each depth (rows)."""
        return second_pass.event_counts(self)

    def breaking(self, prop: Property, level: int) -> list[int]:
        """Return the states of an expanded level at which a watched property breaks, ascending."""
        return second_pass.breaking_states(self, prop, level)
