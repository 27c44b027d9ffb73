"""Shrink a run that breaks a safety property until no stretch and no two events can be left out.

Delta debugging over events (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
input", 2002): parts of the run are left out and the rest is followed on the model, event by event,
as a replay does; it counts if every event is possible and the property breaks. What comes out is
minimal in that sense; a shortest run, which need not be a part of this one, may be shorter.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from fencecheck.model.property import Property
from fencecheck.model.system import Args, State, System
from fencecheck.model.time_limit import check_time
from fencecheck.runs.event import MODEL_ERRORS, Event, ModelWentWrong, execute, start_of_run
from fencecheck.runs.run import Run

PAIRS = 40  # events of a run up to which every stretch and every pair is tried
_COARSE = 8
Known = Callable[[int, Args], dict[str, Any]]  # by which arguments an event is known
Following = Callable[[Sequence[Event]], list[Event] | None]


def shrink(system: System, events: Sequence[Event], prop: Property) -> list[Event]:
    """Return a minimal part of a run that breaks ``prop``, a safety property, at its end.

    Raises TimeUp where a limit on time is in force and has passed.
    """
    system = system.starting(start_of_run(system, events))
    run = follow(system, events, prop)
    assert run is not None, f"the run does not break {prop.name}"
    return shrink_by(run, lambda kept: follow(system, kept, prop))


def shrink_by(run: list[Event], following: Following) -> list[Event]:
    """Return a minimal part of a run by what becomes of its parts when they are followed.

    ``following`` returns the run that a part makes where it shows what the whole run does, up to
    where that is shown, and None elsewhere. Raises TimeUp as ``shrink`` does.
    """
    while True:
        shorter = _without_stretches(run, following)
        if len(shorter) == len(run):
            pair = _without_pair(run, following)
            if pair is None:
                return run
            shorter = pair
        run = shorter


def is_minimal(system: System, events: Sequence[Event], prop: Property) -> bool:
    """Tell whether ``shrink`` would leave a run that breaks ``prop`` as it is."""
    system = system.starting(start_of_run(system, events))
    run = follow(system, events, prop)
    if run is None or len(run) < len(events):
        return False

    def following(kept: Sequence[Event]) -> list[Event] | None:
        return follow(system, kept, prop)

    shorter = _without_stretches(run, following)
    return len(shorter) == len(run) and _without_pair(run, following) is None


def _without_stretches(run: list[Event], following: Following) -> list[Event]:
    """Leave out stretches of events, long ones first, as long as that gives a shorter run."""
    size = len(run) - 1
    while size >= 1:
        step = max(1, size // _COARSE) if len(run) > PAIRS else 1
        for start in range(0, len(run) - size + 1, step):
            shorter = _left_out(run, set(range(start, start + size)), following)
            if shorter is not None:
                run = shorter
                break
        else:
            size -= step
        size = min(size, len(run) - 1)
    return run


def _without_pair(run: Sequence[Event], following: Following) -> list[Event] | None:
    if len(run) > PAIRS:
        return None
    for pair in itertools.combinations(range(len(run)), 2):
        shorter = _left_out(run, set(pair), following)
        if shorter is not None:
            return shorter
    return None


def _left_out(run: Sequence[Event], gone: set[int], following: Following) -> list[Event] | None:
    """Follow a run without some events; None unless the result is shorter and shows the same."""
    check_time()
    kept = [event for i, event in enumerate(run) if i not in gone]
    shorter = following(kept)
    return shorter if shorter is not None and len(shorter) < len(run) else None


def follow(system: System, events: Sequence[Event], prop: Property) -> list[Event] | None:
    """Follow events from the initial state up to where ``prop`` breaks; None if it does not.

    An event is known by its name and the arguments that people see; of several that look alike
    it is the very one of the run, else the first. Where none does, the numbers that a clock hands
    out may be others: fewer were handed out. None too where an event is not possible.
    """
    state, run = system.initial, list[Event]()
    try:
        if prop.breaks(Run(system, run)):
            return run
        for told in events:
            event = same_event(system, state, told)
            if event is None:
                return None
            run.append(event)
            state = event.after
            if prop.breaks(Run(system, run)):
                return run
    except MODEL_ERRORS:
        return None
    return None


def same_event(system: System, state: State, told: Event) -> Event | None:
    """Return the event of a state that stands for one of another run, None where there is none."""
    action, view = system.actions[told.action], system.view(state)
    if action.budget is not None and getattr(view, action.budget) <= 0:
        return None
    known: list[Known] = [system.shown_args]
    if system.representatives:
        known.append(system.lasting_args)
    for of in known:
        shown = of(told.action, told.args)
        for args in _alike(system.arguments(told.action, state), told.args):
            fits = args == told.args or of(told.action, args) == shown
            if fits and (action.guard is None or action.guard(view, *args)):
                with suppress(ModelWentWrong):
                    return execute(system, state, told.action, args)
    return None


def _alike(
    choices: list[tuple[object, ...]], first: tuple[object, ...]
) -> Iterator[tuple[object, ...]]:
    """Yield the choices, ``first`` before the others where it is among them."""
    if first in choices:
        yield first
    yield from (choice for choice in choices if choice != first)
