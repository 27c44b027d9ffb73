"""Watch: which properties break, and where first, told while states are being explored.

Takes a System and the names of the properties that matter to a run; evaluates the model's own
functions on states and transitions and writes what it sees into a Search. Possibility and
liveness need the whole graph and are judged elsewhere. Also the place where an error inside the
model's functions becomes a failure of the search instead of an exception.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from fencecheck.explore.edges import LastingTruth
from fencecheck.explore.graph import Broken, Search
from fencecheck.model.declare import Action
from fencecheck.model.property import Function, Property
from fencecheck.model.system import Args, State, System
from fencecheck.runs.event import MODEL_ERRORS


class Watch:
    """The properties of one run, sorted by when they are evaluated."""

    def __init__(self, system: System, names: list[str] | None = None) -> None:
        self.system = system
        self.properties = system.properties(names)
        self.invariants = [p for p in self.properties if p.of_states]
        self.deadlocks = [p for p in self.properties if p.of_ends]
        truths = lasting_truths(self.properties)
        self.lasting = [(1 << bit, truth.function) for bit, truth in enumerate(truths)]
        self.waiting = [p for p in self.properties if p.of_events and p.triggered_by_states]

    @functools.cached_property
    def on_event(self) -> list[list[_Asked]]:
        """Return what is asked of the transitions of each action."""
        return [_asked_of(self.properties, action) for action in self.system.actions]

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
        self,
        search: Search,
        source: int,
        event: tuple[int, Args],
        states: tuple[Any, State, int],
    ) -> None:
        """Judge a transition; ``states`` are the view before, the state after, the depth after."""
        before, after, depth = states
        action, args = event
        watched = self.on_event[action]
        if watched:
            view = self.system.view(after)
            for prop, truth, trigger in watched:
                if trigger is not None and trigger.of(before, view, args):
                    search.triggered.add(prop.name)
                if truth is not None and not truth.of(before, view, args):
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


def lasting_truths(properties: Sequence[Property]) -> list[LastingTruth]:
    """Return the truths of states that temporal properties need, in order."""
    truths = list[LastingTruth]()
    for prop in properties:
        for number, one in enumerate(prop.each() if prop.temporal else ()):
            truths.append(LastingTruth(prop.name, number, "holds", one.holds))
            if one.trigger is not None:
                truths.append(LastingTruth(prop.name, number, "trigger", one.trigger))
    return truths


class _OfEvent(NamedTuple):
    """A truth of the transitions of one action; it takes the arguments in ``places``.

    Without a function it is always true.
    """

    function: Function | None
    places: tuple[int, ...]

    def of(self, before: Any, after: Any, args: Args) -> bool:
        """Return whether it is true of a transition."""
        if self.function is None:
            return True
        if not self.places:
            return bool(self.function(before, after))
        return bool(self.function(before, after, *[args[place] for place in self.places]))


_Asked = tuple[Property, _OfEvent | None, _OfEvent | None]


def _asked_of(properties: Sequence[Property], action: Action) -> list[_Asked]:
    """Return (property, its truth, its trigger), None where that is not asked of the action."""
    place, asked = {name: i for i, name in enumerate(action.params)}, list[_Asked]()
    for prop in properties:
        truth = trigger = None
        if prop.speaks_of(action.name):
            function, takes = prop.truth_on(action)
            truth = _OfEvent(function, tuple(place[name] for name in takes))
        if prop.triggered_on(action.name):
            trigger = _OfEvent(prop.trigger, tuple(place[name] for name in prop.trigger_takes))
        if truth or trigger:
            asked.append((prop, truth, trigger))
    return asked


def note(broken: Broken, depth: int, number: int) -> None:
    """Add a state to those at which something first breaks, unless it breaks later there."""
    if broken.events == depth and (not broken.states or broken.states[-1] != number):
        broken.states.append(number)


def failed(search: Search, depth: int, number: int, *, in_event: bool) -> None:
    """Record that the model went wrong in or after state ``number``."""
    if search.failure is None or depth < search.failure.events:
        search.failure = Broken(depth, [], in_event)
    note(search.failure, depth, number)
