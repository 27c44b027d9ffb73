"""The graph that a compiled search leaves: packed states in a log, level by level.

``CompiledGraph`` is a StateGraph; what it tells of edges is made by a second pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fencecheck.explore.compiled import second_pass
from fencecheck.explore.compiled.packed_states import Ints, PackedStates
from fencecheck.explore.compiled.storage.needed import NeededStore
from fencecheck.explore.edges import EdgeArrays, LastingTruth
from fencecheck.explore.graph import Edge
from fencecheck.model.property import Property
from fencecheck.runs.event import possible


@dataclass
class CompiledGraph(PackedStates):
    """A StateGraph of packed states."""

    _edges: EdgeArrays | None = None

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        wanted = np.concatenate([self.store.words_of(self.place(n)) for n in sorted(targets)])
        places = self.worker.sources(self.store, self.segments[level], wanted)
        return sorted(int(n) for n in self.numbers(level, places))

    def out_edges(self, number: int) -> list[Edge]:
        """Return the edges of a state of a complete graph, in the order of its events."""
        edges = self.edge_arrays([]) if self._edges is None else self._edges
        first, last = edges.offsets[number : number + 2].tolist()
        events = possible(self.system, self.state(number))
        targets = edges.targets[first:last].tolist()
        return [(e.action, e.args, target) for e, target in zip(events, targets, strict=True)]

    def edge_arrays(self, truths: Sequence[LastingTruth]) -> EdgeArrays:
        """Return all edges of a complete graph, and which ``truths`` hold in its states."""
        self._edges = second_pass.edge_arrays(self, truths)
        return self._edges

    def rests(self) -> Ints:
        """Return for each state a number that it shares with those of the same rest."""
        if not isinstance(self.store, NeededStore):
            return np.arange(self.search.count)
        numbers = np.zeros(self.search.count, np.uint64)
        words = self.in_order().reshape(-1, self.store.words) & self.store.table.masks
        for word in words.T:
            ranks = np.unique(word, return_inverse=True)[1].astype(np.uint64)
            both = numbers << np.uint64(32) | ranks  # of less than 2^32 states
            numbers = np.unique(both, return_inverse=True)[1].astype(np.uint64)
        return numbers.astype(np.int64)

    def left_in(self, level: int, budgets: Sequence[str]) -> Ints:
        """Return what is left of budgets (columns) in the states of a level (rows)."""
        packing, place = self.kernel.packing, self.system.lowered.layout.place
        count = self.search.levels[level + 1] - self.search.levels[level]
        left, row = np.zeros((count, len(budgets)), np.int64), 0
        for first, last in self.segments[level]:
            words = self.store.read(first, last).reshape(last - first, -1)
            for column, name in enumerate(budgets):
                at = packing.places[place[name]]
                word, shift = packing.in_word(at)
                number = words[:, word] >> np.uint64(shift) & np.uint64((1 << at.bits) - 1)
                left[row : row + last - first, column] = number.astype(np.int64) + at.low
            row += last - first
        return left

    def event_counts(self) -> Ints:
        """Return how many edges of each action (columns) lead to each depth (rows)."""
        if self._edges is not None:
            return second_pass.counts_of_edges(self, self._edges)
        return second_pass.event_counts(self)

    def breaking(self, prop: Property, level: int) -> list[int]:
        """Return the states of an expanded level at which a watched property breaks, ascending."""
        return second_pass.breaking_states(self, prop, level)
