"""KeptPart: states of several owners in this process, as a graph of their own (JudgedPart)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cluster.edge_driver import OwnedPlaces
from fencecheck.explore.cluster.graph_owner import KeptStates
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.edges import EdgeArrays, LastingTruth, holds_in
from fencecheck.explore.graph import Edge, Search, StateGraph
from fencecheck.model.property import Property
from fencecheck.model.system import State
from fencecheck.runs.fairness import Classes


@dataclass
class KeptPart:
    """States ``numbers`` of a whole graph, ascending, with their edges; the last stands for others.

    A number beyond these is that of a state of the whole graph: runs lead by way of any.
    """

    whole: StateGraph
    numbers: Ints
    edges: EdgeArrays
    search: Search

    def in_whole(self, state: int) -> int:
        """Return the number in the whole graph of a state of this part."""
        inside = len(self.numbers)
        return int(self.numbers[state]) if state < inside else state - inside - 1

    def state(self, number: int) -> State:
        """Return a state by its number here."""
        return self.whole.state(self.in_whole(number))

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        found = self.whole.sources(level, {self.in_whole(target) for target in targets})
        return [number + len(self.numbers) + 1 for number in found]

    def edge_arrays(self, truths: Sequence[LastingTruth]) -> EdgeArrays:
        """Return the edges; the truths are all that were watched."""
        return self.edges

    def rests(self) -> Ints:
        """Return a number for each state: none was left out."""
        return np.arange(len(self.numbers) + 1)

    def out_edges(self, number: int) -> list[Edge]:
        """Return the edges of a state as the whole graph has them."""
        return self.whole.out_edges(self.in_whole(number))

    def left_in(self, level: int, budgets: Sequence[str]) -> Ints:
        """Return what is left of budgets in the states of a level of the whole graph."""
        return self.whole.left_in(level, budgets)

    def event_counts(self) -> Ints:
        """Return how often events occur in the whole graph."""
        return self.whole.event_counts()

    def breaking(self, prop: Property, level: int) -> list[int]:
        """Return where a property breaks in the whole graph."""
        found = self.whole.breaking(prop, level)
        return [number + len(self.numbers) + 1 for number in found]


def part_of(
    whole: StateGraph,
    classes: Classes,
    places: OwnedPlaces,
    kept: Sequence[KeptStates],
    truths: int,
) -> KeptPart:
    """Return what every owner kept as one graph; ``truths`` is how many truths marks begin with."""
    owned = [places.numbers(i, one.states) for i, one in enumerate(kept)]
    numbers = np.concatenate(owned)
    order = np.argsort(numbers)
    here = np.empty(len(numbers), np.int64)
    here[order] = np.arange(len(numbers))
    ends = np.cumsum([len(one) for one in owned])[:-1]
    targets = np.concatenate([_targets(one, kept, np.split(here, ends)) for one in kept])
    degrees = np.concatenate([one.degrees for one in kept])
    offsets = np.zeros(len(numbers) + 2, np.int64)
    offsets[1:-1] = np.cumsum(degrees[order])
    offsets[-1] = offsets[-2]
    first = np.cumsum(degrees) - degrees
    edges = np.arange(offsets[-1]) + np.repeat((first[order] - offsets[:-2]), degrees[order])
    marks = np.concatenate([one.marks for one in kept])[order]
    marks = np.concatenate([marks, np.full((1, marks.shape[1]), 0xFFFFFFFF, np.uint32)])
    labels = np.concatenate([one.labels for one in kept])[edges]
    arrays = EdgeArrays(offsets, targets[edges], labels, marks, classes)
    for at, label in enumerate(kept[0].held):
        where = holds_in(marks, truths + at)
        where[-1] = 0
        if where.any():
            arrays.held[label] = where
    levels = np.searchsorted(numbers[order], whole.search.levels).tolist()
    return KeptPart(whole, numbers[order], arrays, replace(whole.search, levels=levels))


def _targets(
    one: KeptStates, kept: Sequence[KeptStates], here: Sequence[Ints]
) -> npt.NDArray[np.uint32]:
    """Return where the edges of an owner's states lead to here: others are one behind all."""
    found = np.full(len(one.places), sum(map(len, here)), np.uint32)
    for owner, (other, numbers) in enumerate(zip(kept, here, strict=True)):
        edges = np.flatnonzero(one.owners == owner)
        if len(numbers) and len(edges):
            at = np.searchsorted(other.states, one.places[edges])
            inside = at < len(numbers)
            inside[inside] = other.states[at[inside]] == one.places[edges][inside]
            found[edges[inside]] = numbers[at[inside]]
    return found
