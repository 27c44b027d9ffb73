"""The search for a behaviour of a model that explains a log: exact, level by level.

A level holds what can be reached with so many events of the log explained: pairs of a state and
of how far each process is, with what names stand for. Within a level come events that are not in
the log, from one level to the next the logged ones. As few as possible are supposed: interference
that nobody logs and missing events first, then other events. What lies behind is forgotten, but
for the way to each pair of the newest level, so a long log needs memory for what is open.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from fencecheck.analysis.explaining.successors import NextEvent, Successors
from fencecheck.explore import interrupt
from fencecheck.model.time_limit import time_left
from fencecheck.runs.logged.fitting import Bound, Fitting
from fencecheck.runs.logged.log import LoggedEvent
from fencecheck.runs.logged.order import Places, RunOrder

Stopped = Literal["states", "time"]
Cost = tuple[int, int, int]  # all that is supposed, missing events of it, other unlogged events


@dataclass(frozen=True, slots=True)
class SearchNode:
    """A state, how far each process is, what names stand for; what was used of what is allowed."""

    state: int
    places: Places
    bound: Bound = ()
    added: bool = False
    missing: int = 0

    def on(self, state: int, **used: Any) -> SearchNode:
        """Return the node after an event that is not in the log."""
        return replace(self, state=state, **used)


@dataclass(frozen=True, slots=True)
class Move:
    """One event of an explanation: ``way`` happened, ``logged`` is what the log says of it.

    Without ``logged`` it is not in the log: it is ``missing`` where it usually is, or ``added``.
    Without ``way`` the log's event is left out; ``skip`` is a part of it that is left open.
    """

    way: NextEvent | None
    logged: LoggedEvent | None = None
    missing: bool = False
    added: bool = False
    skip: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """The moves that lead to a node, the last one first."""

    before: Chain | None
    move: Move

    def moves(self) -> list[Move]:
        """Return the moves in their order."""
        found, chain = list[Move](), self
        while True:
            found.append(chain.move)
            if chain.before is None:
                return found[::-1]
            chain = chain.before


@dataclass(frozen=True, slots=True)
class Reached:
    """How a node was reached for the least that has to be supposed."""

    cost: Cost
    chain: Chain | None

    @property
    def moves(self) -> list[Move]:
        """Return the moves that lead to it."""
        return [] if self.chain is None else self.chain.moves()


@dataclass(frozen=True)
class Addition:
    """One thing that a log may lack or have too much: an event of ``kind`` that is not in it,

    one of its events that never was (``left_out``), or one outcome or value that was another
    (``opened``).
    """

    kind: str | None = None
    left_out: bool = False
    opened: bool = False


@dataclass(frozen=True)
class Allowance:
    """What may be supposed. ``free`` are the events that no log has, by action number.

    ``missing`` events may be unlogged that usually are, ``supposed`` bounds these and unlogged
    interference together, None: the budgets alone. ``keeps`` tells whether an event is allowed at
    all, ``starts`` likewise of an initial state (of a property that must be kept).
    """

    free: frozenset[int]
    missing: int = 0
    supposed: int | None = None
    addition: Addition | None = None
    keeps: Callable[[NextEvent], bool] | None = None
    starts: Callable[[int], bool] | None = None


@dataclass
class Explained:
    """What a search found. ``ends`` are the nodes of the last level that was reached.

    ``level`` is how many events are explained, ``whole`` whether these are all of them.
    """

    level: int
    whole: bool
    ends: dict[SearchNode, Reached]
    pairs: int
    stopped_by: Stopped | None = None

    @property
    def best(self) -> tuple[SearchNode, Reached]:
        """Return the end for which the least is supposed, and of those the first."""
        return min(self.ends.items(), key=lambda item: item[1].cost)


@dataclass
class _Level:
    """The nodes with so many events explained; ``queue`` are those still to be expanded."""

    reached: dict[SearchNode, Reached] = field(default_factory=dict)
    queue: list[tuple[Cost, int, SearchNode]] = field(default_factory=list)

    def offer(self, node: SearchNode, reached: Reached, number: int) -> None:
        """Keep a way to a node if it supposes less than the one that is known."""
        known = self.reached.get(node)
        if known is None or reached.cost < known.cost:
            self.reached[node] = reached
            heapq.heappush(self.queue, (reached.cost, number, node))

    def pop(self) -> Iterator[tuple[SearchNode, Reached]]:
        """Yield each node once, those for which the least is supposed first."""
        while self.queue:
            cost, _, node = heapq.heappop(self.queue)
            reached = self.reached[node]
            if reached.cost == cost:
                yield node, reached


class LogSearch:
    """Searches for explanations of one run."""

    def __init__(self, known: Successors, order: RunOrder, most: int) -> None:
        self.known, self.order, self.most = known, order, most
        self.fitting = Fitting(known.vocabulary.loose)
        self.pairs = 0
        self._count = itertools.count()

    def explain(self, allowed: Allowance) -> Explained:
        """Return the explanations of the longest part of the log that has any."""
        level, begun = _Level(), self.pairs
        for node in self._starts(allowed):
            level.offer(node, Reached((0, 0, 0), None), next(self._count))
        for number in itertools.count():
            after = _Level()
            stopped = self._expand(level, after, allowed)
            whole = number == self.order.count
            if whole or stopped or not after.reached:
                return Explained(number, whole, level.reached, self.pairs - begun, stopped)
            level = after
        raise AssertionError

    def _starts(self, allowed: Allowance) -> Iterator[SearchNode]:
        for state in self.known.starts:
            for bound in self._bound_at_first(state):
                if allowed.starts is None or allowed.starts(state):
                    yield SearchNode(state, self.order.start, bound)

    def _bound_at_first(self, state: int) -> Iterator[Bound]:
        """Yield what names stand for at first, if a log begins in an initial state."""
        told = self.order.run.start
        values, bound = self.known.values(state), ()
        if told is None or all(
            self.fitting.same_value(name, value, values, bound) is not None
            for name, value in told.items()
        ):
            yield bound

    def _expand(self, level: _Level, after: _Level, allowed: Allowance) -> Stopped | None:
        """Follow all that is not logged within a level, and what is logged to the next one."""
        for node, reached in level.pop():
            self.pairs += 1
            if self.pairs > self.most:
                return "states"
            if self.pairs % 256 == 0 and (stopped := self._interrupted()):
                return stopped
            ready = self.order.next_events(node.places)
            for way in self.known.ways(node.state):
                if allowed.keeps is not None and not allowed.keeps(way):
                    continue
                self._suppose(level, node, reached, way, allowed)
                for process, event in ready:
                    self._take(after, (node, reached), way, (process, event), allowed)
            if allowed.addition and allowed.addition.left_out and not node.added:
                for process, event in ready:
                    to = node.on(node.state, places=_on(node.places, process), added=True)
                    self._offer(after, to, reached, Move(None, event))
        return None

    def _interrupted(self) -> Stopped | None:
        if interrupt.heard():
            raise KeyboardInterrupt
        return "time" if time_left() < 0 else None

    def _suppose(
        self, level: _Level, node: SearchNode, reached: Reached, way: NextEvent, allowed: Allowance
    ) -> None:
        """Let an event happen that is not in the log, where that may be supposed."""
        action, addition = way.event.action, allowed.addition
        if addition and addition.kind == way.seen.name and not node.added:
            self._offer(level, node.on(way.to, added=True), reached, Move(way, added=True))
        free = action in allowed.free
        supposed = not free or self.known.system.actions[action].interference
        known, missing, others = reached.cost
        cost = (known + supposed, missing + (not free), others + (not supposed))
        if supposed and allowed.supposed is not None and cost[0] > allowed.supposed:
            return
        if not free and node.missing >= allowed.missing:
            return
        to = node.on(way.to, missing=node.missing + (not free))
        move = Chain(reached.chain, Move(way, missing=not free))
        level.offer(to, Reached(cost, move), next(self._count))

    def _take(
        self,
        after: _Level,
        at: tuple[SearchNode, Reached],
        way: NextEvent,
        told: tuple[int, LoggedEvent],
        allowed: Allowance,
    ) -> None:
        """Let an event of the log happen, where a way is what it tells of."""
        (node, reached), (process, event) = at, told
        places = _on(node.places, process)
        bound = self.fitting.fit(way.seen, event, node.bound)
        if bound is not None:
            to = node.on(way.to, places=places, bound=bound)
            self._offer(after, to, reached, Move(way, event))
        elif allowed.addition and allowed.addition.opened and not node.added:
            for skip in parts_of_event(event):
                bound = self.fitting.fit(way.seen, event, node.bound, skip)
                if bound is not None:
                    to = node.on(way.to, places=places, bound=bound, added=True)
                    self._offer(after, to, reached, Move(way, event, skip=skip))

    def _offer(self, level: _Level, node: SearchNode, reached: Reached, move: Move) -> None:
        chain = Chain(reached.chain, move)
        level.offer(node, Reached(reached.cost, chain), next(self._count))


def _on(places: Places, process: int) -> Places:
    return (*places[:process], places[process] + 1, *places[process + 1 :])


def parts_of_event(event: LoggedEvent) -> list[str]:
    """Return the parts of a logged event that could be left open, one by one."""
    parts: list[Any] = ["outcome"]
    parts += [f"args.{name}" for name in event.args]
    return parts + [f"after.{name}" for name in event.after]
