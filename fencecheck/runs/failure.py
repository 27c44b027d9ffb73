"""The error of a model that goes wrong in a run, with the trace that leads there."""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.errors import StateError
from fencecheck.model.property import Property
from fencecheck.model.system import Args, System
from fencecheck.runs.event import Event
from fencecheck.runs.telling import tell, went_wrong
from fencecheck.runs.trace import Origin


def model_failure(
    system: System,
    events: Sequence[Event],
    failing: tuple[int, Args] | None,
    origin: Origin,
    watched: Sequence[Property] | None = None,
) -> StateError:
    """Return the error to raise where a model goes wrong after ``events``.

    It does in the event ``failing`` (action and arguments), or in the state itself if that is
    None. Of the properties those ``watched`` count, all if it is None.
    """
    state = events[-1].after if events else system.initial
    why = system.why_wrong(state, failing, watched)
    place = f" in {system.actions[failing[0]].name}" if failing else ""
    trace = went_wrong(tell(system, events, None, origin), why)
    return StateError(f"model {system.family.name} goes wrong{place}: {why}", trace)
