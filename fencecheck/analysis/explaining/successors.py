"""The states of a system as a search over logs meets them, and what leads on from each.

A state is known by two: as the model keeps it, and as it is when nothing is forgotten, whose
values are those that a log has. Each pair is numbered when it is first met, and what can happen
in it is worked out once, however many logs of a command come by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, ModelWentWrong, choices, event_key, execute
from fencecheck.runs.logged.fitting import Occurrence, occurrence
from fencecheck.runs.logged.names import Vocabulary
from fencecheck.runs.told.concrete import concrete_event
from fencecheck.runs.told.failure import model_failure
from fencecheck.runs.trace import Origin


@dataclass(frozen=True)
class NextEvent:
    """One event that can happen: as the model keeps it, as people see it, and where it leads."""

    event: Event
    shown: Event
    seen: Occurrence
    to: int

    @property
    def words(self) -> str:
        """Return the event as people name it: ``executor.reject(1) -> stale_rev``."""
        args = ", ".join(str(value) for value in self.seen.args.values())
        told = self.seen.name + (f"({args})" if args else "")
        return told if self.seen.outcome is None else f"{told} -> {self.seen.outcome}"


class SeenValues(Mapping[str, tuple[Any, ...]]):
    """What can be seen of a state, by name; told as it is asked for."""

    def __init__(self, vocabulary: Vocabulary, state: State) -> None:
        self._vocabulary, self._state = vocabulary, state

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        place = self._vocabulary.place[name]
        return self._vocabulary.teller.value(place, self._state[place])[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._vocabulary.seen)

    def __len__(self) -> int:
        return len(self._vocabulary.seen)


class Successors:
    """The states met so far, by number, with what can happen in each."""

    def __init__(self, system: System) -> None:
        self.system, self.vocabulary = system, Vocabulary(system)
        self.teller = self.vocabulary.teller
        self._pairs: list[tuple[State, State]] = []
        self._numbers: dict[tuple[State, State], int] = {}
        self._ways: list[list[NextEvent] | None] = []

    def __len__(self) -> int:
        return len(self._pairs)

    @cached_property
    def starts(self) -> list[int]:
        """Return the initial states."""
        return [self._number(state, state) for state in self.system.initials]

    def state(self, number: int) -> State:
        """Return a state as the model keeps it."""
        return self._pairs[number][0]

    def concrete(self, number: int) -> State:
        """Return a state as it is when nothing is forgotten."""
        return self._pairs[number][1]

    def values(self, number: int) -> Mapping[str, tuple[Any, ...]]:
        """Return (shown, raw, ...) of what can be seen of a state, by name."""
        return SeenValues(self.vocabulary, self.concrete(number))

    def ways(self, number: int) -> list[NextEvent]:
        """Return what can happen in a state, in canonical order.

        Raises StateError where the model goes wrong in it.
        """
        found = self._ways[number]
        if found is None:
            found = self._ways[number] = self._worked_out(number)
        return found

    def met(self) -> list[NextEvent]:
        """Return every way that was worked out."""
        return [way for ways in self._ways for way in ways or ()]

    def _worked_out(self, number: int) -> list[NextEvent]:
        system, (state, concrete) = self.system, self._pairs[number]
        found = []
        try:
            enabled = choices(system, state)
        except ModelWentWrong:
            raise model_failure(system, [], None, Origin()) from None
        for action, args in sorted(enabled, key=lambda chosen: event_key(system, *chosen)):
            try:
                event = execute(system, state, action, args)
            except ModelWentWrong:
                raise model_failure(system, [], (action, args), Origin()) from None
            found.append(self._way(event, concrete_event(system, concrete, event)))
        return found

    def _way(self, event: Event, shown: Event) -> NextEvent:
        to = self._number(event.after, shown.after)
        seen = replace(occurrence(self.teller, shown), values=partial(self.values, to))
        return NextEvent(event, shown, seen, to)

    def _number(self, state: State, concrete: State) -> int:
        pair = (state, concrete)
        number = self._numbers.get(pair)
        if number is None:
            number = self._numbers[pair] = len(self._pairs)
            self._pairs.append(pair)
            self._ways.append(None)
        return number
