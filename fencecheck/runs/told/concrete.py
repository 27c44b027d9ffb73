"""The concrete run behind a run of states: what it is when nothing is forgotten.

A model renumbers what only has an order and sets back what has lost its meaning, so that its
states stay few (``Part.forgets``). Takes a system and the events of a run; gives the same events
with the states that a run without any of that goes through, whose values are those that people
know. Each event is executed again and must lead, but for what is forgotten, to the same state.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from fencecheck.errors import ModelError
from fencecheck.model.declare import Each
from fencecheck.model.forgetting import remembering
from fencecheck.model.system import Args, State, System
from fencecheck.runs.event import MODEL_ERRORS, Event, end_of, execute, start_of_run


def concrete_run(system: System, events: Sequence[Event]) -> list[Event]:
    """Return the events of a run from the initial state as they are when nothing is forgotten.

    Raises ModelError where what the model declares as forgotten is asked for after all.
    """
    found: list[Event] = []
    system = system.starting(start_of_run(system, events))
    for event in events:
        found.append(concrete_event(system, end_of(system, found), event))
    return found


def concrete_event(system: System, state: State, event: Event) -> Event:
    """Return the event of a concrete ``state`` that an event of a run stands for.

    Raises ModelError as ``concrete_run`` does.
    """
    if not system.family.declared.forgets:
        return event
    with remembering():
        for args in _arguments(system, state, event):
            found = _executed(system, state, event, args)
            if found is not None:
                return found
    action = system.actions[event.action].name
    names = ", ".join(f.function.__name__ for f in system.family.declared.forgets)
    raise ModelError(
        f"model {system.family.name}: what is declared as forgotten is asked for: without it "
        f"{action} would lead to another state; look at {names}"
    )


def _arguments(system: System, state: State, event: Event) -> Iterator[Args]:
    """Yield the arguments that an event can have in a concrete state, its own first."""
    choices = []
    for param, value in zip(system.params[event.action].values(), event.args, strict=True):
        held = state[system.place[param.variable]] if isinstance(param, Each) else ()
        choices.append(list(dict.fromkeys([*(v for v in held if v == value), *held])) or [value])
    return itertools.product(*choices)


def _executed(system: System, state: State, event: Event, args: Args) -> Event | None:
    """Return an event with ``args`` if it is possible and leads where ``event`` does."""
    guard = system.actions[event.action].guard
    try:
        if guard is not None and not guard(system.view(state), *args):
            return None
        found = execute(system, state, event.action, args, anywhere=True)
    except MODEL_ERRORS:
        return None
    same = found.outcome == event.outcome and system.forgotten(found.after) == event.after
    return found if same else None
