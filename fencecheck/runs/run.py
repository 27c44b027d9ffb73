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
from fencecheck.runs.event import MODEL_ERRORS, Event, choices, end_of, is_quiet, possible
from fencecheck.runs.fairness import Classes

_FAR = 10_000  # states beyond the end of a run that are looked through


class Run:
    """A run of a system from its initial state; ``loop_start`` is the number of events before."""

    def __init__(
        self, system: System, events: Sequence[Event], loop_start: int | None = None
    ) -> None:
        self.system, self.events, self.loop_start = system, events, loop_start

    @property
    def states(self) -> list[State]:
        """Return the initial state and the state after each event."""
        return [self.system.initial, *(event.after for event in self.events)]

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

    def last_event(self) -> tuple[str, Any, Any] | None:
        """Return the last event's name and the views before and after; None if there is none."""
        if not self.events:
            return None
        last, view = self.events[-1], self.system.view
        return self.system.actions[last.action].name, view(last.before), view(last.after)

    def loop(self) -> list[str]:
        """Return the names of the events that happen for ever."""
        if self.loop_start is None:
            return []
        return [self.system.actions[e.action].name for e in self.events[self.loop_start :]]

    def can_go_on(self) -> bool:
        """Tell whether a system event is possible at its end."""
        return not is_quiet(self.system, end_of(self.system, self.events))

    def can_reach(self, truth: Callable[[Any], bool]) -> bool:
        """Tell whether system events lead from its end to a state with ``truth``."""
        view = self.system.view
        return any(truth(view(state)) for state in beyond(self.system, self.events))

    def why_not_for_ever(self) -> str | None:
        """Return why it is no weakly fair behaviour: it neither ends nor loops as one does."""
        if self.loop_start is None:
            return "it ends, but the system can still do something" if self.can_go_on() else None
        if not 0 <= self.loop_start < len(self.events):
            return "its loop has no events"
        states = self.states
        if states[-1] != states[self.loop_start]:
            return "its loop does not come back to where it started"
        classes, loop = Classes(self.system), self.events[self.loop_start :]
        taken = {classes.label(event.action, event.args) for event in loop}
        always = set.intersection(*(self._fair(classes, event.before) for event in loop))
        if starved := sorted(always - taken, key=classes.key):
            what = classes.words(starved[0])
            return f"its loop is not fair: {what} stays possible and never happens"
        return None

    def _fair(self, classes: Classes, state: State) -> set[int]:
        """Return the classes of the system events that are possible in a state."""
        system = self.system
        return {
            classes.label(action, args)
            for action, args in choices(system, state)
            if not system.actions[action].interference
        }


def beyond(system: System, events: Sequence[Event]) -> set[State]:
    """Return the last state of a run and those that system events reach from it (10,000)."""
    end = end_of(system, events)
    found, stack = {end}, [end]
    while stack and len(found) < _FAR:
        for event in possible(system, stack.pop()):
            if not system.actions[event.action].interference and event.after not in found:
                found.add(event.after)
                stack.append(event.after)
    return found


def breaking(system: System, state: State, prop: Property) -> list[Event]:
    """Return the events of a state of which ``prop`` is not true."""
    view, broken = system.view(state), []
    for event in possible(system, state):
        with suppress(*MODEL_ERRORS):
            name = system.actions[event.action].name
            if not prop.evaluate_event(name, view, system.view(event.after)):
                broken.append(event)
    return broken
