"""Watch: which properties break, and where first, told while states are being explored.

Takes a System and the names of the properties that matter to a run; evaluates the model's own
functions on states and transitions and writes what it sees into a Search. Possibility and
liveness need the whole graph and are judged elsewhere. Also the place where an error inside the
model's functions becomes a failure of the search instead of an exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fencecheck.explore.graph import Broken, Search
from fencecheck.model.property import Function, Property
from fencecheck.model.system import State, System
from fencecheck.runs.event import MODEL_ERRORS


class Watch:
    """The properties of one run, sorted by when they are evaluated."""

    def __init__(self, system: System, names: list[str] | None = None) -> None:
        self.system = system
        self.properties = system.properties(names)
        self.invariants = [p for p in self.properties if p.of_states]
        self.deadlocks = [p for p in self.properties if p.of_ends]
        truths = lasting_truths(self.properties)
        self.lasting = [(1 << bit, truth) for bit, (_, _, truth) in enumerate(truths)]
        self.waiting = [p for p in self.properties if p.of_events and p.triggered_by_states]
        self.on_event: list[list[tuple[Property, bool, bool]]] = [
            _asked_of(self.properties, action.name) for action in system.actions
        ]

    def state(self, search: Search, number: int, state: State, depth: int) -> int:
        """Judge a state that has just been found, ``depth`` events from the start.

        Returns which of the truths ``lasting`` hold in it, as bits.
        """
        marks = 0
        if not (self.invariants or self.waiting or self.lasting):
            return marks
        try:
            view = self.system.view(state)
            for prop in self.invariants:
                self._judge(search, prop, (view,), (depth, number, False))
            for prop in self.waiting:
                if prop.trigger is not None and prop.trigger(view):
                    search.triggered.add(prop.name)
            for bit, truth in self.lasting:
                if truth(view):
                    marks |= bit
        except MODEL_ERRORS:
            failed(search, depth, number, in_event=False)
        return marks

    def quiet(self, search: Search, number: int, view: Any, depth: int) -> None:
        """Judge an expanded state in which no system event is possible."""
        for prop in self.deadlocks:
            self._judge(search, prop, (view,), (depth, number, False))

    def event(
        self, search: Search, source: int, action: int, states: tuple[Any, State, int]
    ) -> None:
        """Judge a transition; ``states`` are the view before, the state after, the depth after."""
        before, after, depth = states
        watched = self.on_event[action]
        if watched:
            view = self.system.view(after)
            for prop, spoken_of, triggering in watched:
                if triggering and (prop.trigger is None or prop.trigger(before, view)):
                    search.triggered.add(prop.name)
                if spoken_of and not prop.holds(before, view):
                    broken = search.broken.setdefault(prop.name, Broken(depth, [], in_event=True))
                    note(broken, depth, source)

    def _judge(
        self, search: Search, prop: Property, args: tuple[Any, ...], where: tuple[int, int, bool]
    ) -> None:
        if prop.trigger is None or prop.trigger(*args):
            search.triggered.add(prop.name)
        if not prop.holds(*args):
            depth, number, in_event = where
            note(search.broken.setdefault(prop.name, Broken(depth, [], in_event)), depth, number)


def lasting_truths(properties: Sequence[Property]) -> list[tuple[str, str, Function]]:
    """Return the truths of states that temporal properties need, in order.

    Each is (name of the property, ``holds`` or ``trigger``, the model's function).
    """
    truths = list[tuple[str, str, Function]]()
    for prop in properties:
        if prop.temporal:
            truths.append((prop.name, "holds", prop.holds))
            if prop.trigger is not None:
                truths.append((prop.name, "trigger", prop.trigger))
    return truths


def _asked_of(properties: Sequence[Property], event: str) -> list[tuple[Property, bool, bool]]:
    """Return (property, whether it speaks of an event, whether that may put it to the test)."""
    asked = [(p, p.speaks_of(event), p.triggered_on(event)) for p in properties]
    return [
        (p, spoken_of, triggering) for p, spoken_of, triggering in asked if spoken_of or triggering
    ]


def note(broken: Broken, depth: int, number: int) -> None:
    """Add a state to those at which something first breaks, unless it breaks later there."""
    if broken.events == depth and (not broken.states or broken.states[-1] != number):
        broken.states.append(number)


def failed(search: Search, depth: int, number: int, *, in_event: bool) -> None:
    """Record that the model went wrong in or after state ``number``."""
    if search.failure is None or depth < search.failure.events:
        search.failure = Broken(depth, [], in_event)
    note(search.failure, depth, number)
