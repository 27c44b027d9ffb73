"""Events: what happens in one transition of a model, and everything that can happen in a state.

The one place, beside the search loop of the reference engine, in which an event is executed and
what a model's functions do wrong becomes ``ModelWentWrong``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fencecheck.model.system import Args, State, System
from fencecheck.model.values import DomainError, HeldBack

MODEL_ERRORS = (
    DomainError,
    ArithmeticError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
)


class ModelWentWrong(DomainError):
    """An event that a model's functions cannot execute, or that leaves a domain."""


@dataclass(frozen=True)
class Event:
    """One event of a run: what happened, in which state, and the state it led to."""

    action: int
    args: Args
    before: State
    after: State
    outcome: Any = None


def event_key(system: System, action: int, args: Args) -> tuple[Any, ...]:
    """Return what events are compared by: name, arguments people see, then all of them."""
    shown = system.shown_args(action, args)
    told = tuple((name, _comparable(value)) for name, value in sorted(shown.items(), key=_name))
    return system.actions[action].name, told, tuple(_comparable(value) for value in args)


def _name(item: tuple[str, Any]) -> str:
    return item[0]


def _comparable(value: Any) -> tuple[Any, ...]:
    """Return what a value is compared by: numbers come after none and before words."""
    if value is None:
        return (0,)
    if isinstance(value, str):
        return 2, value
    return (3, *map(_comparable, value)) if isinstance(value, tuple | list) else (1, value)


def execute(
    system: System, state: State, action: int, args: Args, *, anywhere: bool = False
) -> Event:
    """Let one event happen that is possible in a state; raises ModelWentWrong.

    With ``anywhere`` it may leave values outside their domains. What a bound holds back is not
    possible.
    """
    try:
        after, outcome = system.steps[action](state, *args)
    except HeldBack as held:
        raise ModelWentWrong(str(held)) from held
    except MODEL_ERRORS as error:
        raise ModelWentWrong(f"{type(error).__name__}: {error}") from error
    outside = None if anywhere else system.outside(after, state)
    if outside:
        raise ModelWentWrong(outside)
    return Event(action, args, state, after, outcome)


def choices(system: System, state: State) -> list[tuple[int, Args]]:
    """Return (action number, arguments) of all that can happen; raises ModelWentWrong.

    What a bound holds back cannot.
    """
    found = allowed(system, state)
    if not system.holds_back:
        return found
    return [event for event in found if why_held(system, state, *event) is None]


def allowed(system: System, state: State) -> list[tuple[int, Args]]:
    """Return everything that guards and budgets allow in a state, held back or not.

    Raises ModelWentWrong.
    """
    try:
        return list(system.enabled(system.view(state), state))
    except MODEL_ERRORS as error:
        raise ModelWentWrong(f"{type(error).__name__}: {error}") from error


def why_held(system: System, state: State, action: int, args: Args) -> str | None:
    """Return in words what holds an event back that guard and budget allow; None if nothing."""
    try:
        system.steps[action](state, *args)
    except HeldBack as held:
        return str(held)
    except MODEL_ERRORS:
        pass
    return None


def enabled(system: System, state: State) -> list[tuple[int, Args]]:
    """Return (action number, arguments) of what can happen in a state, none if a guard fails."""
    with suppress(ModelWentWrong):
        return choices(system, state)
    return []


def possible(system: System, state: State) -> Iterator[Event]:
    """Yield the events of a state that the model executes without going wrong."""
    for action, args in enabled(system, state):
        with suppress(ModelWentWrong):
            yield execute(system, state, action, args)


def is_quiet(system: System, state: State) -> bool:
    """Tell whether no system event is possible in a state, nor held back; interference may be."""
    return system.only_interference(number for number, _ in allowed(system, state))


def start_of_run(system: System, events: Sequence[Event]) -> State:
    """Return the initial state of a run, for one without events that of its system."""
    return events[0].before if events else system.initial


def end_of(system: System, events: Sequence[Event]) -> State:
    """Return the last state of a run."""
    return events[-1].after if events else system.initial
