"""Stems: from a start to where a behaviour goes on for ever, in the fewest events.

In the graph of all states the distances along its edges say how. In a graph of needed states they
are only the least that there can be: an edge into a state that was left out leads to one with more
left of a budget, which may have been found by way of what the behaviour must never meet. There a
search of its own executes events, within the states that the behaviour stays in, with dominance
inside it and with these distances to guide it (A*: Hart, Nilsson and Raphael, 1968).
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cutting import check_cut
from fencecheck.model.system import State
from fencecheck.properties.path import Flags, NumberedGraph, Path
from fencecheck.runs.event import possible
from fencecheck.runs.told.behind import Behind

# after so many states a search of all states, by an engine, takes no longer
LEAST_PATIENCE = 500
STATES_FOR_ONE = 30  # that an engine expands while one is expanded here, about
TRIES = 16  # starts from which there turns out to be no way
Distances = npt.NDArray[np.int64]


class StemsLeftOpen(Exception):
    """Finding a stem among needed states would take as long as a search of all states."""


class Stems:
    """Ways within ``live`` to where ``distance`` is 0, in the graph of all states."""

    def __init__(self, graph: NumberedGraph, live: Flags, distance: Distances) -> None:
        self.graph, self.live, self.distance = graph, live, distance

    def length(self, number: int) -> int | None:
        """Return how many events a shortest way from a state has, None where there is none."""
        far = int(self.distance[number])
        return None if far < 0 else far

    def follow(self, path: Path) -> None:
        """Extend a path, from where ``length`` was asked, to the end of a shortest way.

        At each fork it takes the smallest event.
        """
        path.descend(self.distance, self.live)


class _Reached(NamedTuple):
    """A state that was met, the number of what covers it in the graph, and how it was met."""

    state: State
    number: int
    after: int  # events
    before: _Reached | None


class NeededStems(Stems):
    """The same in a graph of needed states, by events that are executed.

    Where ``distance`` is 0 must depend on nothing but the rest of a state (StateGraph.rests).
    Raises StemsLeftOpen.
    """

    def __init__(self, graph: NumberedGraph, live: Flags, distance: Distances) -> None:
        super().__init__(graph, live, distance)
        search, names = graph.graph.search, list(enumerate(graph.system.names))
        self.places = [i for i, name in names if name in search.spent]
        self.others = [i for i, name in names if name not in search.spent]
        self.patience = LEAST_PATIENCE + search.count // STATES_FOR_ONE
        self.tries = TRIES
        self.known = dict[State, int]()
        self.short = dict[State, float]()  # within how many events there is no end

    def length(self, number: int) -> int | None:
        """Return how many events a shortest way from a state has, None where there is none."""
        far = self._within(self.graph.graph.state(number), number, math.inf)
        self.tries -= far is None
        if self.tries == 0:
            raise StemsLeftOpen
        return far

    def follow(self, path: Path) -> None:
        """Extend a path, from where ``length`` was asked, to the end of a shortest way."""
        while far := self.known[path.here.representative]:

            def fits(to: Behind, number: int, most: int = far - 1) -> bool:
                return self._within(to.representative, number, most) is not None

            path.step_where(fits)

    def _within(self, start: State, number: int, most: float) -> int | None:
        """Return the fewest events from a state to an end, None where it takes more than ``most``.

        ``number`` is that of a state of the graph that covers it.
        """
        if start in self.known:
            return self.known[start] if self.known[start] <= most else None
        ties, seen, fronts = itertools.count(), list[_Reached](), _Fronts(self.places, self.others)
        queue = list[tuple[int, int, int, _Reached]]()

        def meet(met: _Reached) -> None:
            least = int(self.distance[met.number])
            left = most - met.after
            if 0 <= least <= left and left > self.short.get(met.state, -1):
                heapq.heappush(queue, (met.after + least, -met.after, next(ties), met))

        meet(_Reached(start, number, 0, None))
        while queue:
            met = heapq.heappop(queue)[-1]
            if self.distance[met.number] == 0:
                self._remember(met)
                return met.after
            if fronts.add(met.state, met.after):
                seen.append(met)
                for state, to in self._onward(met):
                    meet(_Reached(state, to, met.after + 1, met))
        for met in seen:
            self.short[met.state] = max(most - met.after, self.short.get(met.state, -1))
        return None

    def _remember(self, met: _Reached | None) -> None:
        """Know how far the states on a shortest way are from its end."""
        for far in itertools.count():
            if met is None:
                return
            self.known[met.state], met = far, met.before

    def _onward(self, met: _Reached) -> Iterator[tuple[State, int]]:
        """Yield where the events of a state lead, and what covers that in the graph."""
        check_cut()
        if self.patience == 0:
            raise StemsLeftOpen
        self.patience -= 1
        graph, system = self.graph, self.graph.system
        edges = graph.edges_of(met.number, met.state)
        for event, edge in zip(possible(system, met.state), edges, strict=True):
            yield system.representative(event.after), int(graph.edges.targets[edge])


class _Fronts:
    """The states of one search that none covers which was met after as few events, or fewer."""

    def __init__(self, places: list[int], others: list[int]) -> None:
        """Keep them by their values at ``others``; at ``places`` is what is left."""
        self.places, self.others = places, others
        self.held: dict[State, list[tuple[int, ...]]] = {}

    def add(self, state: State, after: int) -> bool:
        """Keep a state unless one covers it; return whether it was kept."""
        left = -after, *[state[i] for i in self.places]
        front = self.held.setdefault(tuple([state[i] for i in self.others]), [])
        if any(all(has >= less for has, less in zip(one, left, strict=True)) for one in front):
            return False
        front.append(left)
        return True
