"""Runs: event orders from a fresh adapter that together cover a design's transitions.

A tour is made of the state graph alone: along the shortest way to a transition that is not covered,
then on along such, until none is out of the state that is reached; again and again. What counts as
one transition says ``cover``: an implementation can see neither ghosts nor budgets, so ``seen``
takes transitions that differ in nothing else for one. Runs are numbered, and their order depends on
the model and the design alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from fencecheck.analysis.driving.divergences import Divergence
from fencecheck.analysis.driving.driven import Driven
from fencecheck.analysis.driving.driver import Driver
from fencecheck.analysis.driving.survey import Clock, Edge, Survey
from fencecheck.model.system import State
from fencecheck.runs.event import Event
from fencecheck.runs.told.observed import as_observed
from fencecheck.runs.told.teller import Teller

Cover = Literal["events", "pairs", "seen", "all"]
COVERS: tuple[str, ...] = get_args(Cover)
Node = tuple[int, Hashable]  # a state, and what is remembered of the event that led there
Link = tuple[int, int]  # a state, and which of its edges


@dataclass
class _Order:
    """Nodes by their distance from the first; before ``at`` none has anything new to cover."""

    nodes: list[Node]
    before: dict[Node, tuple[Node, int] | None]
    at: int = 0

    def way_to(self, node: Node) -> list[int]:
        """Return the edges of a shortest way to a node."""
        places, before = list[int](), self.before[node]
        while before is not None:
            places.append(before[1])
            before = self.before[before[0]]
        return places[::-1]


@dataclass
class Tour:
    """The targets of a state graph, and which of them are covered.

    ``closed`` are edges that no further run takes: the implementation diverges there, or does
    something else.
    """

    survey: Survey
    cover: Cover
    covered: set[Hashable] = field(default_factory=set)
    closed: set[Link] = field(default_factory=set)
    _known: dict[Link, Hashable] = field(default_factory=dict)
    _orders: dict[Node, _Order] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._named = _naming(self.survey, self.cover)

    def draft(self) -> Tour:
        """Return the same tour; what it goes on to cover is not covered in this one."""
        orders = {node: replace(order) for node, order in self._orders.items()}
        covered, closed = set(self.covered), set(self.closed)
        return Tour(self.survey, self.cover, covered, closed, self._known, orders)

    def key(self, source: int, place: int) -> Hashable:
        """Return what an edge is known by."""
        if (source, place) not in self._known:
            self._known[source, place] = self._named(self.survey.edges[source][place])
        return self._known[source, place]

    def after(self, node: Node, place: int) -> Node:
        """Return where an edge leads from a node."""
        source, _ = node
        remembered = self.key(source, place) if self.cover == "pairs" else None
        return self.survey.edges[source][place][1], remembered

    def target(self, node: Node, place: int) -> Hashable:
        """Return what taking an edge from a node covers."""
        source, before = node
        key = self.key(source, place)
        return (before, key) if self.cover == "pairs" else key

    def links(self, node: Node) -> Iterator[int]:
        """Yield the places of the edges that a run may take from a node."""
        source, _ = node
        if source < len(self.survey.edges):
            for place in range(len(self.survey.edges[source])):
                if (source, place) not in self.closed:
                    yield place

    def fresh(self, node: Node) -> int | None:
        """Return the first edge of a node that covers something new; None where there is none."""
        for place in self.links(node):
            if self.target(node, place) not in self.covered:
                return place
        return None

    def way(self, start: Node) -> list[int] | None:
        """Return the shortest way from a node that ends in something new; None for none."""
        order = self._order_from(start)
        while order.at < len(order.nodes):
            node = order.nodes[order.at]
            place = self.fresh(node)
            if place is not None:
                return [*order.way_to(node), place]
            order.at += 1
        return None

    def run(self, node: Node, way: Sequence[int]) -> list[Event]:
        """Take a way and go on along what is new; return the run, which is covered now."""
        return [event for _, event in self.take(node, way)]

    def take(self, node: Node, way: Sequence[int]) -> list[tuple[int, Event]]:
        """Do the same; return of each event of the run also which edge of its state it is."""
        ahead, done = deque(way), list[tuple[int, Event]]()
        while (edge := ahead.popleft() if ahead else self.fresh(node)) is not None:
            done.append((edge, self.survey.edges[node[0]][edge][0]))
            self.covered.add(self.target(node, edge))
            node = self.after(node, edge)
        return done

    def close(self, source: int, place: int) -> None:
        """Let no further run take an edge."""
        self.closed.add((source, place))
        self._orders.clear()

    def _order_from(self, start: Node) -> _Order:
        """Return what can be reached from a node, breadth first."""
        if start not in self._orders:
            order = self._orders[start] = _Order([start], {start: None})
            for node in order.nodes:
                for place in self.links(node):
                    after = self.after(node, place)
                    if after not in order.before:
                        order.before[after] = node, place
                        order.nodes.append(after)
        return self._orders[start]

    def targets(self) -> int:
        """Return how many targets there are."""
        return len({
            self.target(node, place)
            for number in range(self._starts())
            for node in self._order_from((number, None)).nodes
            for place in self.links(node)
        })  # fmt: skip

    def _starts(self) -> int:
        return len(dict.fromkeys(self.survey.system.initials))


def _naming(survey: Survey, cover: Cover) -> Callable[[Edge], Hashable]:
    """Return what names edges so that those that count as one have one name."""
    system, teller = survey.system, Teller(survey.system)
    seen = [i for i, v in enumerate(system.variables) if not (v.ghost or v.budget)]

    def of_states(edge: Edge) -> Hashable:
        event, _ = edge
        before, after = ([state[i] for i in seen] for state in (event.before, event.after))
        name = system.actions[event.action].name
        return name, repr(as_observed(teller.outcome(event))), tuple(before), tuple(after)

    def of_events(edge: Edge) -> Hashable:
        event, _ = edge
        args = tuple(map(repr, system.shown_args(event.action, event.args).values()))
        outcome = repr(as_observed(teller.outcome(event)))
        return system.actions[event.action].name, args, outcome

    def whole(edge: Edge) -> Hashable:
        event, _ = edge
        return event.before, event.action, event.args

    return {"events": of_events, "pairs": of_events, "seen": of_states, "all": whole}[cover]


# -- driving along it -------------------------------------------------------------------------
class Runs:
    """Drives an implementation along a tour; ``driven`` is what it has come to."""

    def __init__(self, driver: Driver, tour: Tour, clock: Clock) -> None:
        self.driver, self.tour, self.clock = driver, tour, clock
        self.driven = Driven(targets=tour.targets(), stopped_by=tour.survey.stopped_by)
        self._number = {state: i for i, state in enumerate(tour.survey.states)}

    def node(self, initial: State) -> Node:
        """Return where runs from an initial state begin."""
        return self._number[initial], None

    def drive(self, batch: range | None = None) -> Driven:
        """Make every run, as far as the limits allow; of a ``batch`` only those with its numbers.

        Runs before those of the batch are made on the model alone.
        """
        number = 0
        for initial in self.driver.starts():
            start = self.node(initial)
            while (way := self.tour.way(start)) is not None:
                stopped_by = self.clock.cut()
                if stopped_by:
                    self.driven.stopped_by = stopped_by
                    break
                number += 1
                if batch is not None and number >= batch.stop:
                    break
                if batch is not None and number < batch.start:
                    self.tour.run(start, way)
                elif not self.make(initial, way):
                    break
        self.driven.covered = len(self.tour.covered)
        return self.driven

    def make(self, initial: State, way: Sequence[int]) -> bool:
        """Make one run along a way and on; tell whether it could begin."""
        node = self.node(initial)
        self.driven.runs += 1
        place, observed, differences = self.driver.start(initial)
        if differences:
            self.driven.divergences.add(Divergence(initial, (), tuple(differences), observed))
            return False
        done, ahead = list[Event](), deque(way)
        while (edge := ahead.popleft() if ahead else self.tour.fresh(node)) is not None:
            source = node[0]
            meant = self.tour.survey.edges[source][edge][0]
            call = self.driver.call_of(place, (meant.action, meant.args))
            assert call is not None
            step = self.driver.step(place, call)
            done.append(step.event)
            self.driven.depth = max(self.driven.depth, len(done))
            if step.differences:
                self.tour.close(source, edge)
                start = (initial, tuple(done))
                self.driven.divergences.add(Divergence(*start, step.differences, step.observed))
                break
            self.driven.reach(self.driver.comparison.teller, step.event)
            if step.event != meant:
                self.tour.close(source, edge)
                ahead.clear()
                edge = self._edge(source, step.event)
            self.tour.covered.add(self.tour.target(node, edge))
            node, place = self.tour.after(node, edge), step.place
        self.driver.close()
        return True

    def _edge(self, source: int, event: Event) -> int:
        edges = self.tour.survey.edges[source]
        return next(i for i, (known, _) in enumerate(edges) if known == event)


def tour_of(survey: Survey, cover: Cover) -> list[list[Event]]:
    """Return the runs of a tour as the model makes them, one after another."""
    tour, found = Tour(survey, cover), list[list[Event]]()
    for number, _ in enumerate(dict.fromkeys(survey.system.initials)):
        start: Node = (number, None)
        while (way := tour.way(start)) is not None:
            found.append(tour.run(start, way))
    return found
