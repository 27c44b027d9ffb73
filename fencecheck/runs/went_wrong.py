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
from fencecheck.runs.trace import Document, Origin, tell

Chosen = tuple[int, Args]


def went_wrong(
    system: System,
    events: Sequence[Event],
    event: Chosen | None,
    origin: Origin,
    watched: Sequence[Property] | None = None,
) -> StateError:
    """Return the error of a model that goes wrong in ``event``, or in the state behind the run.

    Of the properties those ``watched`` are evaluated, all if it is None.
    """
    state = end_of(system, events)
    why = system.why_wrong(state, event, watched)
    document = tell(system, events, None, origin)
    document["verdict"] = "error"
    document["property"] = {"name": "model", "kind": "error", "meaning": "The model goes wrong."}
    document["violation"] = {"event": len(events), "says": why, "compare": []}
    place = f" in {system.actions[event[0]].name}" if event else ""
    variant = f'variant "{origin.variant}": ' if origin.variant else ""
    return StateError(
        f"{variant}model {system.family.name} goes wrong{place}: {why}\n{_after(document)}",
        document,
    )


def _after(document: Document) -> str:
    """Return the events of a run that went wrong, a line each."""
    if not document["events"]:
        return "in the initial state"
    told = [f"  {i}. {e['event']} {e['label']}" for i, e in enumerate(document["events"], 1)]
    return "\n".join(["after these events:", *told])


def failing(system: System, events: Sequence[Event]) -> Chosen | None:
    """Return the first event that goes wrong behind a run; None if it is the state itself."""
    state = end_of(system, events)
    for chosen in enabled(system, state):
        try:
            execute(system, state, *chosen)
        except ModelWentWrong:
            return chosen
    return None
