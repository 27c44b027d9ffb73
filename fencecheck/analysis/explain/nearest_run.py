"""Follow an event order on another design: the run there that stays closest to it.

Takes a trace document and a system of another design; gives a run in which the same interference
comes in the same order, and in which the system does what it did as far as this design lets it.
Closest is the least cost of departures: another event of the same actor in the place of one, an
event left out, an event more. Of runs of the same cost, the first in the order of the model.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.checking.judge import Deadline
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, possible
from fencecheck.runs.trace import Trace, TracedEvent

_MOST = 50_000  # (state, place) pairs that are looked at
_OTHER_OUTCOME, _OTHER_EVENT, _LEFT_OUT, _ONE_MORE, _NO_INTERFERENCE = 1, 4, 6, 7, 20
_END_LEFT_OUT = 2  # on top: what is asked is above all what comes of the last event


@dataclass(frozen=True)
class Followed:
    """The closest run: ``places[i]`` is the number in ``events`` of the order's event i, or None.

    ``parts`` is the place of the order's first event of the system that comes otherwise; the
    length of the order where none does.
    """

    events: list[Event]
    places: list[int | None]
    parts: int


@dataclass(frozen=True)
class _Step:
    """How a run got to a (state, place): the event taken, if any, and what came before."""

    event: Event | None
    advances: bool
    previous: _Step | None


def follow_nearest(
    system: System, trace: Trace, deadline: Deadline | None = None
) -> Followed | None:
    """Return the run of a system that stays closest to a trace; None where none is found.

    A search of limited size: it gives up on an order that this design departs from too far, and
    when time is up.
    """
    until = deadline or Deadline()
    order: Sequence[TracedEvent] = trace.events
    named = system.representative
    best = {(named(state), 0): 0 for state in system.initials}
    heap: list[tuple[int, int, tuple[State, int], _Step | None]] = [
        (0, number, (start, 0), None) for number, start in enumerate(system.initials)
    ]
    count = len(heap)
    while heap and len(best) < _MOST and until.left() > 0:
        cost, _, (state, place), last = heapq.heappop(heap)
        if cost > best[named(state), place]:
            continue
        if place == len(order):
            return _followed(system, order, last)
        for more, event, advances in _moves(system, state, order[place]):
            if event is None and place == len(order) - 1:
                more += _END_LEFT_OUT
            target = (state if event is None else event.after, place + advances)
            total, known = cost + more, (named(target[0]), target[1])
            if total < best.get(known, total + 1):
                best[known] = total
                count += 1
                step = _Step(event, advances, last)
                heapq.heappush(heap, (total, count, target, step))
    return None


def _moves(
    system: System, state: State, told: TracedEvent
) -> Iterator[tuple[int, Event | None, bool]]:
    """Yield (cost, event, whether the order advances) of what can be done about one event."""
    for event in possible(system, state):
        action = system.actions[event.action]
        args = system.shown_args(event.action, event.args)
        exact = action.name == told.name and args == told.args
        if exact:
            yield (0 if event.outcome == told.outcome else _OTHER_OUTCOME), event, True
        if action.interference:
            continue
        yield _ONE_MORE, event, False
        alike = action.actor == told.name.partition(".")[0] and action.quiet == told.quiet
        if alike and not exact and _about_the_same(args, told.args):
            yield _OTHER_EVENT, event, True
    yield (_NO_INTERFERENCE if told.interference else _LEFT_OUT), None, True


def _about_the_same(args: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    return all(told[name] == value for name, value in args.items() if name in told)


def _followed(system: System, order: Sequence[TracedEvent], last: _Step | None) -> Followed:
    steps: list[_Step] = []
    while last is not None:
        steps.append(last)
        last = last.previous
    events: list[Event] = []
    places: list[int | None] = []
    parts = len(order)
    for step in reversed(steps):
        if step.event is not None:
            events.append(step.event)
        if not step.advances:
            parts = min(parts, len(places))
            continue
        told = order[len(places)]
        places.append(None if step.event is None else len(events) - 1)
        if not told.interference and not _same(system, step.event, told):
            parts = min(parts, len(places) - 1)
    return Followed(events, places, parts)


def _same(system: System, event: Event | None, told: TracedEvent) -> bool:
    if event is None:
        return False
    name = system.actions[event.action].name
    return bool(name == told.name and event.outcome == told.outcome)
