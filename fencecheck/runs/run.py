"""Runs: a list of events with what a property asks of it, and the events that break a property.

A run that goes on for ever has a loop: its last event leads back to the state in which the loop
starts. What is said of a run comes from the model's own functions alone, independent of the
graph algorithms that found it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.event import (
    MODEL_ERRORS,
    Event,
    allowed,
    end_of,
    event_key,
    is_quiet,
    possible,
    start_of_run,
)
from fencecheck.runs.fairness import Classes

_FAR = 10_000  # states beyond the end of a run that are looked through
_NEAR = 1_000  # such states among which a way on is looked for


class Run:
    """A run of a system from an initial state; ``loop_start`` is the number of events before."""

    def __init__(
        self, system: System, events: Sequence[Event], loop_start: int | None = None
    ) -> None:
        self.system, self.events, self.loop_start = system, events, loop_start

    @property
    def states(self) -> list[State]:
        """Return the initial state and the state after each event."""
        return [start_of_run(self.system, self.events), *(event.after for event in self.events)]

    def end(self) -> Any:
        """Return the view of the last state."""
        return self.system.view(end_of(self.system, self.events))

    def views(self) -> list[Any]:
        """Return the view of every state."""
        return [self.system.view(state) for state in self.states]

    def recurring(self) -> list[Any]:
        """Return the views of the states in which the run stays for ever."""
        first = len(self.events) if self.loop_start is None else self.loop_start
        return self.views()[first:]

    def last_event(self) -> tuple[Any, Sequence[Any], Any, Any] | None:
        """Return the last event's action and arguments, and the views before and after."""
        if not self.events:
            return None
        last, view = self.events[-1], self.system.view
        return self.system.actions[last.action], last.args, view(last.before), view(last.after)

    def loop(self) -> list[tuple[Any, Sequence[Any]]]:
        """Return the events that happen for ever: action and arguments of each."""
        if self.loop_start is None:
            return []
        return [(self.system.actions[e.action], e.args) for e in self.events[self.loop_start :]]

    def can_go_on(self) -> bool:
        """Tell whether a system event is possible at its end."""
        return not is_quiet(self.system, end_of(self.system, self.events))

    def can_reach(self, truth: Callable[[Any], bool]) -> bool:
        """Tell whether system events lead from its end to a state with ``truth``."""
        view = self.system.view
        return any(truth(view(state)) for state in beyond(self.system, self.events)[0])

    def why_not_for_ever(self) -> str | None:
        """Return why it is no fair behaviour: it neither ends nor loops as one does."""
        if self.loop_start is None:
            return None if self._rests() else "it ends, but the system can still do something"
        if not 0 <= self.loop_start < len(self.events):
            return "its loop has no events"
        named, states = self.system.identified, self.states
        if named(states[-1]) != named(states[self.loop_start]):
            return "its loop does not come back to where it started"
        for action, _ in self.loop():
            if not self.system.design.lets_last(action):
                return f"its loop has {action.name} in it, and no interference goes on for ever"
        classes, loop = Classes(self.system), self.events[self.loop_start :]
        taken = {classes.label(event.action, event.args) for event in loop}
        owed = [self._owed(classes, event.before) for event in loop]
        for starved, how in (
            (set.intersection(*owed) - taken, "stays possible"),
            ({k for k in set.union(*owed) - taken if classes.strong()[k]}, "is possible again"),
        ):
            if starved:
                what = classes.words(min(starved, key=classes.key))
                return f"its loop is not fair: {what} {how} and never happens"
        return None

    def _owed(self, classes: Classes, state: State) -> set[int]:
        """Return the classes possible in a state that a fair behaviour lets happen in the end.

        What a bound holds back counts as possible: without the bound it would be.
        """
        system = self.system
        return {
            classes.label(action, args)
            for action, args in allowed(system, state)
            if system.actions[action].owed
        }

    def _rests(self) -> bool:
        """Tell whether nothing that is possible at its end has to happen."""
        return not self._owed(Classes(self.system), end_of(self.system, self.events))


def beyond(system: System, events: Sequence[Event]) -> tuple[set[State], bool]:
    """Return the last state of a run and those that system events reach from it.

    They are representatives. The second value tells whether these are all of them: about 10,000 are
    looked through.
    """
    named = system.representative
    end = named(end_of(system, events))
    found, stack = {end}, [end]
    while stack and len(found) < _FAR:
        for event in possible(system, stack.pop()):
            after = named(event.after)
            if not system.actions[event.action].interference and after not in found:
                found.add(after)
                stack.append(after)
    return found, not stack


def way_on(system: System, events: Sequence[Event]) -> tuple[list[Event], int | None]:
    """Return one way on from the end of a run by system events, the shortest that shows an end.

    It leads to a state in which the system can do nothing more; where there is none, to a state
    that it comes back to for ever, and the number says after how many events that loop begins.
    Nothing is said of an end beyond which there are more than 1,000 states.
    """
    waiting = [end_of(system, events)]
    ways: dict[State, list[Event]] = {waiting[0]: []}
    found = set(map(system.identified, waiting))
    for state in waiting:
        own = _own(system, state)
        if not own:
            return ways[state], None
        for event in own:
            after = system.identified(event.after)
            if after not in found and len(ways) < _NEAR:
                found.add(after)
                ways[event.after] = [*ways[state], event]
                waiting.append(event.after)
    if len(ways) == _NEAR:
        return [], None
    loops = [(way, loop) for state, way in ways.items() if (loop := _loop(system, state))]
    way, loop = min(loops, key=lambda found: len(found[0]) + len(found[1]))
    return [*way, *loop], len(way)


def _own(system: System, state: State) -> list[Event]:
    """Return the system events of a state, the smallest first."""
    own = [e for e in possible(system, state) if not system.actions[e.action].interference]
    return sorted(own, key=lambda event: event_key(system, event.action, event.args))


def _loop(system: System, home: State) -> list[Event]:
    """Return the shortest way by system events from a state back to it; empty if there is none."""
    ways: dict[State, list[Event]] = {home: []}
    waiting, named = [home], system.identified
    back = named(home)
    found = {back}
    for state in waiting:
        for event in _own(system, state):
            after = named(event.after)
            if after == back:
                return [*ways[state], event]
            if after not in found:
                found.add(after)
                ways[event.after] = [*ways[state], event]
                waiting.append(event.after)
    return []


def breaking(system: System, state: State, prop: Property) -> list[Event]:
    """Return the events of a state of which ``prop`` is not true."""
    view, broken = system.view(state), []
    for event in possible(system, state):
        with suppress(*MODEL_ERRORS):
            action, after = system.actions[event.action], system.view(event.after)
            if not prop.evaluate_event(action, event.args, view, after):
                broken.append(event)
    return broken
