"""Whether an event of the model can be the one that a log tells of.

Values that are only compared with themselves are bound as they are first met: from then on each
stands for the same value of the model, and two of them never for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, ModelWentWrong, choices, execute
from fencecheck.runs.logged.log import OPEN, LoggedEvent, Stand
from fencecheck.runs.notation import fields_of
from fencecheck.runs.told.concrete import concrete_event
from fencecheck.runs.told.teller import Teller

Bound = tuple[tuple[str, Any], ...]  # what each name stands for, in the order of the names


@dataclass(frozen=True)
class Occurrence:
    """One event of the model as people see it; ``fields`` are all arguments that can be named.

    ``values`` are (shown, raw, ...) of what can be seen after it.
    """

    name: str
    args: Mapping[str, Any]
    outcome: Any
    fields: Callable[[], Mapping[str, Any]]
    values: Callable[[], Mapping[str, tuple[Any, ...]]]


class Fitting:
    """Compares what logs say with what can happen; ``loose`` are values in any order."""

    def __init__(self, loose: frozenset[str]) -> None:
        self._loose = loose

    def fit(
        self, seen: Occurrence, event: LoggedEvent, bound: Bound, skip: str = ""
    ) -> Bound | None:
        """Return what names stand for if ``seen`` is the logged event; None if it is not.

        ``skip`` is a part of the event that is left open: ``outcome``, ``args.NAME`` or
        ``after.NAME``.
        """
        if event.name not in (None, seen.name):
            return None
        if event.outcome is not OPEN and skip != "outcome" and event.outcome != seen.outcome:
            return None
        now: Bound | None = bound
        for name, told in event.args.items():
            if skip != f"args.{name}" and now is not None:
                now = self._same(told, _argument(seen, name), now)
        if now is None or not event.after:
            return now
        values = seen.values()
        for name, told in event.after.items():
            if skip != f"after.{name}" and now is not None:
                now = self.same_value(name, told, values, now)
        return now

    def same_value(
        self, name: str, told: Any, values: Mapping[str, tuple[Any, ...]], bound: Bound
    ) -> Bound | None:
        """Return what names stand for if a value is as it is told, None if it is not."""
        shown, raw, *_ = values[name]
        if told is None and raw is None:
            return bound
        return self._same(told, shown, bound, name in self._loose)

    def _same(self, told: Any, shown: Any, bound: Bound, loose: bool = False) -> Bound | None:
        if isinstance(told, Stand):
            return bind(told.name, frozen(shown), bound)
        if isinstance(told, list | tuple) and isinstance(shown, list | tuple):
            return self._same_lists(list(told), list(shown), bound, loose)
        alike = isinstance(told, bool) == isinstance(shown, bool) and told == shown
        return bound if alike else None

    def _same_lists(
        self, told: list[Any], shown: list[Any], bound: Bound, loose: bool
    ) -> Bound | None:
        if len(told) != len(shown):
            return None
        if loose:
            # which of them a name stands for is open: that would be a choice
            for value in (value for value in told if not isinstance(value, Stand)):
                if value not in shown:
                    return None
                shown.remove(value)
            return bound
        now: Bound | None = bound
        for one, other in zip(told, shown, strict=True):
            now = now if now is None else self._same(one, other, now)
        return now


def _argument(seen: Occurrence, name: str) -> Any:
    return seen.args[name] if name in seen.args else seen.fields().get(name, OPEN)


def frozen(shown: Any) -> Any:
    """Return a value as one that a name can stand for."""
    return tuple(map(frozen, shown)) if isinstance(shown, list | tuple) else shown


def bind(name: str, value: Any, bound: Bound) -> Bound | None:
    """Return what names stand for once one stands for a value; None if it cannot."""
    for other, held in bound:
        if (other == name) != (held == value):
            return None
        if other == name:
            return bound
    return tuple(sorted((*bound, (name, value))))


def can_be(
    system: System, states: tuple[State, State], event: LoggedEvent, bound: Bound = ()
) -> bool:
    """Tell whether a logged event can happen in a state; also given is the concrete one."""
    teller, (state, concrete) = Teller(system), states
    fitting = Fitting(teller.unordered())
    try:
        for action, args in choices(system, state):
            shown = concrete_event(system, concrete, execute(system, state, action, args))
            if fitting.fit(occurrence(teller, shown), event, bound) is not None:
                return True
    except ModelWentWrong:
        return False
    return False


def occurrence(teller: Teller, shown: Event) -> Occurrence:
    """Return one event of a concrete run as people see it."""
    system = teller.system

    def fields() -> Mapping[str, Any]:
        return fields_of(system.exact_args(shown.action, shown.args))

    def values() -> Mapping[str, tuple[Any, ...]]:
        return teller.values(shown.after)

    name, args = system.actions[shown.action].name, system.shown_args(shown.action, shown.args)
    return Occurrence(name, args, teller.outcome(shown), fields, values)
