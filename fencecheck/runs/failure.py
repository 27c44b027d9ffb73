"""A model that goes wrong in a run: the one place that says so, with the events that lead there.

Takes a system, the run so far and the event that failed (None: the state itself, in a guard or a
property); gives the StateError to raise. Its message names variant, event, what went wrong, and
file and line; its trace is the run.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.errors import StateError
from fencecheck.model.property import Property
from fencecheck.model.system import Args, System
from fencecheck.runs.event import Event, ModelWentWrong, enabled, end_of, execute
from fencecheck.runs.telling import tell, went_wrong
from fencecheck.runs.trace import Origin, Trace

Chosen = tuple[int, Args]


def model_failure(
    system: System,
    events: Sequence[Event],
    failing: Chosen | None,
    origin: Origin,
    watched: Sequence[Property] | None = None,
) -> StateError:
    """Return the error to raise where a model goes wrong after ``events``.

    It does in the event ``failing`` (action and arguments), or in the state itself if that is
    None. Of the properties those ``watched`` count, all if it is None.
    """
    why = system.why_wrong(end_of(system, events), failing, watched)
    trace = went_wrong(tell(system, events, None, origin), why)
    place = f" in {system.actions[failing[0]].name}" if failing else ""
    variant = f'variant "{origin.variant}": ' if origin.variant else ""
    message = f"{variant}model {system.family.name} goes wrong{place}: {why}"
    return StateError(f"{message}\n{_after(trace)}", trace)


def _after(trace: Trace) -> str:
    """Return the events of a run that went wrong, a line each."""
    if not trace.events:
        return "in the initial state"
    lines = [f"  {i}. {event.name} {event.label}" for i, event in enumerate(trace.events, 1)]
    return "\n".join(["after these events:", *lines])


def failing_event(system: System, events: Sequence[Event]) -> Chosen | None:
    """Return the first event that goes wrong behind a run; None if it is the state itself."""
    state = end_of(system, events)
    for chosen in enabled(system, state):
        try:
            execute(system, state, *chosen)
        except ModelWentWrong:
            return chosen
    return None
