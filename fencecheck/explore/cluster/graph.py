"""ClusterGraph: the graph of a search whose states are with owners, as a StateGraph.

States are numbered by level, in a level by owner. Runs to where something breaks are found by
asking every owner for the sources of states. Edges stay with owners, who walk over them together;
what may go on for ever is judged on the states that can lie on a cycle, gathered in this process.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cluster.edge_driver import EdgeDriver, OwnedPlaces
from fencecheck.explore.cluster.owners import Owners
from fencecheck.explore.cluster.part import KeptPart, part_of
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.store import Store, budget_of
from fencecheck.explore.compiled.worker import worker_of
from fencecheck.explore.edges import EdgeArrays, LastingTruth, Met, holds_in
from fencecheck.explore.graph import Broken, Edge, Search
from fencecheck.explore.threads import Threads
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.fairness import Classes


@dataclass
class ClusterGraph:
    """A PartedGraph. ``shares[level]`` is how many states of a level each owner has.

    ``handed`` is how many states owners handed to each other in the search, ``truths`` how many
    lasting truths were watched.
    """

    system: System
    kernel: Kernel
    search: Search
    owners: Owners
    shares: list[list[int]] = field(default_factory=list)
    handed: int = 0
    truths: int = 0
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

    # -- what owners find together --------------------------------------------------------------
    @cached_property
    def _edges(self) -> EdgeDriver:
        return EdgeDriver(self.owners, self.search, OwnedPlaces(self.search.levels, self.shares))

    def met(self) -> Met:
        """Return which truths and which edges there are at all."""
        self._edges.make()
        found = self.owners.all("met")
        somewhere = np.bitwise_or.reduce([one[0] for one in found])
        everywhere = np.bitwise_and.reduce([one[1] for one in found])
        labels = frozenset[int]().union(*(one[2] for one in found))
        return Met(self._set_in(somewhere), self._set_in(everywhere), labels)

    def _set_in(self, marks: npt.NDArray[np.uint32]) -> frozenset[int]:
        return frozenset(t for t in range(self.truths) if holds_in(marks[np.newaxis], t)[0])

    def trapped(self, goal: int) -> Broken | None:
        """Return the nearest states from which own events never lead to a truth (PartedGraph)."""
        found = self._edges.trapped(goal)
        return None if found is None else Broken(*found, in_event=False)

    def keep_cyclic(self, avoided: int) -> tuple[int, int]:
        """Keep what may lie on a cycle of lasting edges (PartedGraph)."""
        self._edges.walk("begin_trimming", avoided)
        return self._kept_size()

    def nearest_starts(
        self, ends: Sequence[int], avoided: int | None, trigger: int | None
    ) -> list[int]:
        """Return the nearest starts that have a way to ``ends`` (PartedGraph)."""
        return self._edges.nearest_starts(ends, avoided, trigger)

    def keep_ways(self, starts: Sequence[int]) -> tuple[int, int]:
        """Keep, too, what is on shortest ways from the starts that were found last."""
        places = self._edges.places.places(starts)
        self._edges.walk_from("begin_ways", (), [(own,) for own in places])
        self.owners.all("keep_met")
        return self._kept_size()

    def _kept_size(self) -> tuple[int, int]:
        sizes = self.owners.all("kept_size")
        return sum(states for states, _ in sizes), sum(edges for _, edges in sizes)

    def kept(self) -> KeptPart:
        """Return what is kept."""
        kept, places = self.owners.all("kept_states"), self._edges.places
        return part_of(self, Classes(self.system), places, kept, self.truths)

    # -- what needs all states here -------------------------------------------------------------
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
        """Return a number for each state: none was left out."""
        return np.arange(self.search.count)

    def left_in(self, level: int, budgets: Sequence[str]) -> Ints:
        """Return what is left of budgets (columns) in the states of a level (rows)."""
        return self.gathered().left_in(level, budgets)

    def event_counts(self) -> Ints:
        """Return how many edges of each action (columns) lead to each depth (rows)."""
        return self.gathered().event_counts()

    def breaking(self, prop: Property, level: int) -> list[int]:
        """Return the states of an expanded level at which a watched property breaks, ascending."""
        return self.gathered().breaking(prop, level)
