"""Refutation: whether a run that was replayed still shows what it is said to show."""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.model.ordinary import in_words
from fencecheck.model.property import Property
from fencecheck.model.system import System
from fencecheck.runs.event import MODEL_ERRORS, Event
from fencecheck.runs.run import Run


def misfit_of(
    system: System, events: Sequence[Event], loop_start: int | None, prop: Property
) -> str | None:
    """Return why a run does not refute ``prop``, or None where it does."""
    try:
        return prop.misfit(Run(system, events, loop_start))
    except MODEL_ERRORS as error:
        return f"{prop.name} goes wrong on it: {in_words(error)}"
