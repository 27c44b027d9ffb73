"""A run under construction over a numbered graph: extended along shortest ways, event by event.

Used for the stems and loops of evidence. At each fork the smallest event by name and arguments is
taken, never the numbering of states, so that evidence does not depend on the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cutting import check_cut
from fencecheck.explore.edges import EdgeArrays, LastingTruth
from fencecheck.explore.graph import StateGraph
from fencecheck.model.system import State, System
from fencecheck.properties.graph_algorithms import LARGE, graph_functions
from fencecheck.runs.event import Event, enabled, event_key, possible
from fencecheck.runs.fairness import Classes
from fencecheck.runs.told.behind import Behind, behind

Flags = npt.NDArray[np.uint8]
_ROUNDS = 60  # after which all of twelve have had all turns


class NumberedGraph:
    """A complete graph with its edges as arrays, and the algorithms for its size.

    The edges are made when first asked for; with ``truths`` of its states (StateGraph.edge_arrays).
    """

    def __init__(self, system: System, graph: StateGraph, truths: Sequence[LastingTruth]) -> None:
        self.system, self.graph, self.truths = system, graph, truths
        self._reverse: dict[bytes, Any] = {}

    @cached_property
    def classes(self) -> Classes:
        """The fairness classes of the edges."""
        return self.edges.classes

    @cached_property
    def edges(self) -> EdgeArrays:
        """The edges of the whole graph."""
        return self.graph.edge_arrays(self.truths)

    @cached_property
    def rests(self) -> npt.NDArray[np.int64]:
        """A number for each state, which it shares with those of the same rest."""
        return self.graph.rests()

    def edges_of(self, number: int, state: State) -> Sequence[int]:
        """Return the edges of a state's events, in their order, for a representative.

        State ``number`` of the graph is that representative, or covers it: then its edges for the
        same events are taken.
        """
        offsets = self.edges.offsets
        span = range(int(offsets[number]), int(offsets[number + 1]))
        if not self.graph.search.spent or (covering := self.graph.state(number)) == state:
            return span
        events = [(event.action, event.args) for event in possible(self.system, covering)]
        edges = dict(zip(events, span, strict=True))
        return [edges[event] for event in enabled(self.system, state) if event in edges]

    @cached_property
    def lasting(self) -> EdgeArrays:
        """The edges that a behaviour may take for ever: all but interference of any number."""
        edges = self.edges
        if self.lasts.all():
            return edges
        kept = self.lasts[edges.labels] == 1
        offsets = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])[edges.offsets]
        return replace(edges, offsets=offsets, targets=edges.targets[kept],
                       labels=edges.labels[kept])  # fmt: skip

    @cached_property
    def walks(self) -> Any:
        """The algorithms for a graph of this size."""
        return graph_functions(len(self.edges.targets) > LARGE)

    @cached_property
    def own(self) -> Flags:
        """Which labels are those of system events."""
        return np.array(self.classes.own(), np.uint8)

    @cached_property
    def lasts(self) -> Flags:
        """Which labels a behaviour may take for ever.

        In a graph of states needed an edge that spends may lead to one with as much left as before,
        and no cycle spends.
        """
        classes, spent = self.classes, self.graph.search.spent
        return np.array(classes.lasting(), np.uint8) & ~np.isin(classes.budgets(), spent)

    @cached_property
    def owed(self) -> Flags:
        """Which labels a fair behaviour lets happen in the end."""
        return np.array(self.classes.owed(), np.uint8)

    @cached_property
    def strong(self) -> Flags:
        """Which of these it lets happen wherever they are possible again and again."""
        return np.array(self.classes.strong(), np.uint8)

    def backwards(self, allowed: Flags | None = None) -> Any:
        """Return the edges turned round, all or those of the labels that are ``allowed``."""
        if allowed is None:
            allowed = np.ones_like(self.own)
        key = allowed.tobytes()
        if key not in self._reverse:
            edges = self.edges
            self._reverse[key] = self.walks.reversed_graph(
                edges.offsets, edges.targets, edges.labels, allowed
            )
        return self._reverse[key]


class Path:
    """A run that is being extended, with the numbers of its states.

    ``run`` is where it begins and its events so far; ``number`` is that of its end. The run goes
    through states as people see them, of which the graph knows the representatives. Once it goes on
    ``for_ever`` it takes no edge that does not last.
    """

    def __init__(self, graph: NumberedGraph, number: int, run: tuple[State, list[Event]]) -> None:
        self.graph, self.number = graph, number
        begins, events = run
        self.system, self.events = graph.system.starting(begins), list(events)
        self.here = behind(self.system, begins).along(self.system, events)
        self.labels: list[int] = [-1] * len(events)
        self.edges: list[int] = [-1] * len(events)
        self.numbers = [-1] * len(events) + [number]
        self.for_ever = False

    def successors(self) -> Iterator[tuple[Event, Behind, int]]:
        """Yield (event, where it leads, number of its edge) of what can happen at its end.

        The edges are in the order of the representative's events.
        """
        edges = self.graph.edges_of(self.number, self.here.representative)
        for (event, to), edge in zip(self.here.steps(self.system), edges, strict=True):
            yield event, to, edge

    def step(self, member: Flags | None, choose: Any) -> None:
        """Go to a member state: the smallest event of those that ``choose(label, target)``."""
        check_cut()
        edges, options = self.graph.edges, list[tuple[Event, Behind, int]]()
        for event, to, edge in self.successors():
            label, target = int(edges.labels[edge]), int(edges.targets[edge])
            fits = (member is None or member[target]) and (choose is None or choose(label, target))
            if fits and (self.graph.lasts[label] or not self.for_ever):
                options.append((event, to, edge))
        self._take(*min(options, key=self._order))

    def step_where(self, fits: Callable[[Behind, int], bool]) -> None:
        """Take the smallest event that leads where ``fits(state, number of it)`` says."""
        options = sorted(self.successors(), key=self._order)
        targets = self.graph.edges.targets
        self._take(*next(one for one in options if fits(one[1], int(targets[one[2]]))))

    def _order(self, option: tuple[Event, Behind, int]) -> tuple[Any, ...]:
        return event_key(self.graph.system, option[0].action, option[0].args)

    def go_on_from(self, number: int) -> None:
        """Go on in the graph from a state that differs from the last only in what is left."""
        self.number = self.numbers[-1] = number

    def _take(self, event: Event, to: Behind, edge: int) -> None:
        self.events.append(event)
        self.here = to
        self.edges.append(edge)
        self.labels.append(int(self.graph.edges.labels[edge]))
        self.number = int(self.graph.edges.targets[edge])
        self.numbers.append(self.number)

    def descend(self, distance: Any, member: Flags) -> None:
        """Follow a shortest way to where ``distance`` is 0."""
        while distance[self.number] > 0:
            wanted = distance[self.number] - 1
            self.step(member, lambda _, target, wanted=wanted: distance[target] == wanted)

    def towards(self, goals: Flags, member: Flags) -> None:
        """Follow a shortest way within ``member`` to one of ``goals``."""
        if not goals[self.number]:
            reverse = self.graph.backwards(self.graph.lasts if self.for_ever else None)
            self.descend(self.graph.walks.distances(*reverse, member, goals), member)

    def close(self, first: int) -> None:
        """Go round again, from event ``first`` on, until the same of each Index are back.

        Others may have done what the first did: they take turns. The same edges again, not only
        events that lead to the same, exchange the same places every time, which comes to an end
        where it began; the smallest event of each could lead away from there for good.
        """
        named, turn = self.system.identified, self.edges[first:]
        home = named(self.events[first].before)
        for _ in range(_ROUNDS):
            if named(self.here.state) == home:
                return
            for wanted in turn:
                check_cut()
                self._take(*next(found for found in self.successors() if found[2] == wanted))

    def take_one_of(self, member: Flags, labels: frozenset[int] | set[int]) -> None:
        """Go to the nearest member state with an edge of ``labels`` to a member, and take it."""
        self.towards(self.taking(member, labels), member)
        self.step(member, lambda label, _: label in labels)

    def taking(self, member: Flags, labels: frozenset[int] | set[int]) -> Flags:
        """Return the member states with an edge of ``labels`` to a member."""
        edges, found = self.graph.lasting, np.zeros_like(member)
        hits = np.flatnonzero(np.isin(edges.labels, list(labels)))
        sources = np.searchsorted(edges.offsets, hits, side="right") - 1
        inner = (member[sources] == 1) & (member[edges.targets[hits]] == 1)
        found[sources[inner]] = 1
        return found

    def can_take(self, member: Flags, label: int) -> bool:
        """Tell whether an edge of a class leads from a member state to another."""
        edges = self.graph.lasting
        hits = np.flatnonzero(edges.labels == label)
        sources = np.searchsorted(edges.offsets, hits, side="right") - 1
        return bool((member[sources] & member[edges.targets[hits]]).any())

    def disabled(self, label: int) -> bool:
        """Tell whether no edge of a class leaves the present state."""
        return self._disabled(self.number, label)

    def _disabled(self, number: int, label: int) -> bool:
        edges = self.graph.edges
        span = edges.labels[int(edges.offsets[number]) : int(edges.offsets[number + 1])]
        held = edges.held.get(label)
        return label not in span and (held is None or not held[number])

    def excuses(self, label: int, first: int) -> bool:
        """Tell whether the path from event ``first`` on takes a class or finds it disabled."""
        if label in self.labels[first:]:
            return True
        return any(self._disabled(n, label) for n in self.numbers[first:])
