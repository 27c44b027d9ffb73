"""ClusterGraph: the graph of a search whose states are with owners, as a StateGraph.

States are numbered by level, in a level by owner. Runs to where something breaks are found by
asking every owner for the sources of states; what needs all edges is judged on states gathered in
this process, if they fit.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fencecheck.explore.cluster.owners import Owners
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.store import Store, budget_of
from fencecheck.explore.compiled.worker import worker_of
from fencecheck.explore.edges import EdgeArrays, LastingTruth
from fencecheck.explore.graph import Edge, Search
from fencecheck.explore.threads import Threads
from fencecheck.model.property import Property
from fencecheck.model.system import State, System


@dataclass
class ClusterGraph:
    """A StateGraph. ``shares[level]`` is how many states of a level each owner has.

    ``handed`` is how many states owners handed to each other in the search.
    """

    system: System
    kernel: Kernel
    search: Search
    owners: Owners
    shares: list[list[int]] = field(default_factory=list)
    handed: int = 0
    _known: dict[int, Words] = field(default_factory=dict)
    _gathered: CompiledGraph | None = None

    def firsts(self, level: int) -> list[int]:
        """Return the number of the first state of each owner in a level."""
        start = self.search.levels[level]
        return [start, *itertools.accumulate(self.shares[level][:-1], initial=start)][1:]

    def state(self, number: int) -> State:
        """Return state ``number`` in breadth-first order."""
        if number not in self._known:
            self._fetch([number])
        words = self.kernel.packing.unpack(self._known[number].tolist())
        return self.system.lowered.layout.state(words)

    def _fetch(self, numbers: Iterable[int]) -> None:
        """Ask the owners for states, so that they are known here."""
        wanted = dict[tuple[int, int], list[int]]()
        for number in numbers:
            level = bisect.bisect_right(self.search.levels, number) - 1
            firsts = self.firsts(level)
            owner = bisect.bisect_right(firsts, number) - 1
            wanted.setdefault((level, owner), []).append(number)
        for (level, owner), group in wanted.items():
            places = np.array(group, np.int64) - self.firsts(level)[owner]
            rows = self.owners.one(owner, "states", level, places)
            self._known.update(zip(group, rows, strict=True))

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        wanted = sorted(targets)
        self._fetch(number for number in wanted if number not in self._known)
        rows = np.array([self._known[number] for number in wanted], np.uint64)
        found = list[int]()
        answers = self.owners.all("sources", level, rows.reshape(len(wanted), -1))
        for first, (places, words) in zip(self.firsts(level), answers, strict=True):
            numbers = (places + first).tolist()
            self._known.update(zip(numbers, words, strict=True))
            found += numbers
        return sorted(found)

    def gathered(self) -> CompiledGraph:
        """Return the same graph with all states in this process."""
        if self._gathered is None:
            levels = self.search.levels
            with Threads(1) as pool:
                store = Store(self.kernel, pool, budget_of(None, None))
                for level in range(len(self.shares)):
                    rows = np.concatenate(self.owners.all("states", level))
                    store.write(levels[level], rows.reshape(-1))
            store.drop()
            worker = worker_of(self.system, self.kernel)
            segments = [[pair] for pair in itertools.pairwise(levels)]
            self._gathered = CompiledGraph(
                self.system, self.kernel, store, worker, self.search, segments
            )
        return self._gathered

    def out_edges(self, number: int) -> list[Edge]:
        """Return the edges of a state of a complete graph, in the order of its events."""
        return self.gathered().out_edges(number)

    def edge_arrays(self, truths: Sequence[LastingTruth]) -> EdgeArrays:
        """Return all edges of a complete graph, and which ``truths`` hold in its states."""
        return self.gathered().edge_arrays(truths)

    def rests(self) -> Ints:
        """Return for each state a number that it shares with those of the same rest."""
        return self.gathered().rests()

    def event_counts(self) -> Ints:
        """Return how many edges of each action (columns) lead to each depth (rows)."""
        return self.gathered().event_counts()

    def breaking(self, prop: Property, level: int) -> list[int]:
        """Return the states of an expanded level at which a watched property breaks, ascending."""
        return self.gathered().breaking(prop, level)
