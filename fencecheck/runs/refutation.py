"""Endings: whether a run that was replayed still shows what it is said to show.

Takes a system, the events of a run and where its loop starts, and judges from the model's own
functions alone: the violation of a safety property at the end; a state the system cannot leave;
a trap from which the goal cannot be reached; a loop that closes, is weakly fair class by class,
and avoids what it must avoid. Independent of the graph algorithms that found the run.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.model.property import Liveness, Possibility, Property, Recurrence
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, possible
from fencecheck.runs.fairness import Classes

_TRAP = 10_000  # states of a trap that are looked through


def misfit_of(
    system: System, events: Sequence[Event], loop_start: int | None, prop: Property
) -> str | None:
    """Return why a run does not refute ``prop``, or None where it does."""
    state = events[-1].after if events else system.initial
    view = system.view(state)
    if prop.of_events:
        if not events or not prop.speaks_of(system.actions[events[-1].action].name):
            return f"{prop.name} does not speak of its last event"
        return _kept(prop) if prop.holds(system.view(events[-1].before), view) else None
    if prop.of_states:
        return _kept(prop) if prop.holds(view) else None
    if prop.of_ends:
        if not _quiet(system, state):
            return "at its end the system can still do something"
        return _kept(prop) if prop.holds(view) else None
    if isinstance(prop, Possibility):
        return _not_trapped(system, state, prop)
    return _not_lasting(system, events, loop_start, prop)


def _kept(prop: Property) -> str:
    return f"at its end {prop.name} is not violated any more"


def _quiet(system: System, state: State) -> bool:
    acts = (system.actions[number] for number, _ in system.enabled(system.view(state), state))
    return all(action.interference for action in acts)


def _not_trapped(system: System, state: State, prop: Property) -> str | None:
    found, stack = {state}, [state]
    while stack and len(found) < _TRAP:
        here = stack.pop()
        if prop.holds(system.view(here)):
            return f"from its end the system can still reach what {prop.name} asks for"
        for event in possible(system, here):
            if not system.actions[event.action].interference and event.after not in found:
                found.add(event.after)
                stack.append(event.after)
    return None


def _classes_at(system: System, classes: Classes, state: State) -> set[int]:
    enabled = system.enabled(system.view(state), state)
    return {classes.label(a, x) for a, x in enabled if not system.actions[a].interference}


def _not_lasting(
    system: System, events: Sequence[Event], loop_start: int | None, prop: Property
) -> str | None:
    """Return why a behaviour is no fair one that breaks a liveness property."""
    states = [system.initial, *(event.after for event in events)]
    if loop_start is None:
        if not _quiet(system, states[-1]):
            return "it ends, but the system can still do something"
        recurring = states[-1:]
    else:
        if not loop_start < len(events):
            return "its loop has no events"
        if states[-1] != states[loop_start]:
            return "its loop does not come back to where it started"
        recurring = states[loop_start:]
        classes = Classes(system)
        taken = {classes.label(e.action, e.args) for e in events[loop_start:]}
        always = set.intersection(*(_classes_at(system, classes, s) for s in recurring))
        if starved := sorted(always - taken, key=classes.key):
            what = classes.words(starved[0])
            return f"its loop is not fair: {what} stays possible and never happens"
    return _reaches(system, (states, recurring, events[loop_start or 0 :]), prop)


def _reaches(
    system: System, run: tuple[list[State], list[State], Sequence[Event]], prop: Property
) -> str | None:
    """Return where a run does what its property asks for."""
    states, recurring, loop = run
    if isinstance(prop, Recurrence):
        names = {system.actions[e.action].name for e in loop}
        if not names & set(prop.events):
            return f"its loop has none of {', '.join(prop.events)}"
        return _first_good(system, recurring, prop)
    if isinstance(prop, Liveness):
        return _first_good(system, states, prop)
    good = [i for i, s in enumerate(states) if prop.holds(system.view(s))]
    after = states[good[-1] + 1 :] if good else states
    assert prop.trigger is not None
    if not any(prop.trigger(system.view(s)) for s in after):
        return f"nothing on it leads to what {prop.name} asks for"
    return _first_good(system, recurring, prop)


def _first_good(system: System, states: Sequence[State], prop: Property) -> str | None:
    if any(prop.holds(system.view(s)) for s in states):
        return f"it reaches what {prop.name} asks for"
    return None
