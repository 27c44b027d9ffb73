"""Events: what happens in one transition of a model, and everything that can happen in a state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fencecheck.model.system import Args, State, System
from fencecheck.model.values import DomainError

MODEL_ERRORS = (
    DomainError,
    IndexError,
    ValueError,
    ZeroDivisionError,
    TypeError,
    KeyError,
    AttributeError,
)


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
    return system.actions[action].name, tuple(sorted(shown.items())), args


def possible(system: System, state: State) -> Iterator[Event]:
    """Yield the events of a state that the model executes without going wrong."""
    for action, args in enabled(system, state):
        with suppress(*MODEL_ERRORS):
            after, outcome = system.steps[action](state, *args)
            if system.outside(after) is None:
                yield Event(action, args, state, after, outcome)


def enabled(system: System, state: State) -> list[tuple[int, Args]]:
    """Return (action number, arguments) of what can happen in a state, none if a guard fails."""
    with suppress(*MODEL_ERRORS):
        return list(system.enabled(system.view(state), state))
    return []
