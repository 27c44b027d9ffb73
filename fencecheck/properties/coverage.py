"""Coverage: how often each event occurred in what was explored, and why one never did.

Takes a System and its explored StateGraph; gives one count for each event of the model. An event
that never occurred is excluded by the design (excluded.py says by what of it), or it was enabled
in no state that was expanded. On a search that was cut this is said of the part that was
explored, and proves nothing about the rest. Judges nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fencecheck.explore.graph import StateGraph
from fencecheck.model.system import System
from fencecheck.properties.excluded import excluded_events


@dataclass(frozen=True)
class EventCount:
    """One event: how many transitions it has, and after how many events it first occurs.

    Both are None where it occurred and nobody counted. ``off`` says what of the design excludes an
    event, whatever the state is: ``edits 0``, ``check atomic``; it is empty for one that occurred
    or could have.
    """

    event: str
    interference: bool
    transitions: int | None
    first: int | None
    off: str = ""


@dataclass(frozen=True)
class Coverage:
    """The counts of every event in the order of the model; ``complete`` as the search was."""

    events: tuple[EventCount, ...]
    complete: bool

    @property
    def never_enabled(self) -> list[str]:
        """Return the system events that the design does not exclude and that never occurred."""
        return [e.event for e in self._missing if not e.interference]

    @property
    def never_fired(self) -> list[str]:
        """Return the interference that never occurred although there is a budget for it."""
        return [e.event for e in self._missing if e.interference]

    @property
    def _missing(self) -> list[EventCount]:
        return [e for e in self.events if e.transitions == 0 and not e.off]


def coverage_of(system: System, graph: StateGraph, *, counted: bool = True) -> Coverage:
    """Return how often each event occurred in a graph of either engine.

    Without ``counted`` only whether it did, which costs nothing.
    """
    happened = graph.search.happened
    missing = [number for number in range(len(system.actions)) if number not in happened]
    off = excluded_events(system, missing)
    counts = graph.event_counts() if counted else None
    events = []
    for number, action in enumerate(system.actions):
        times: int | None = None if number in happened else 0
        first = None
        if counts is not None and number in happened:
            times = int(counts[:, number].sum())
            first = int(np.flatnonzero(counts[:, number])[0])
        why = off.get(number, "")
        events.append(EventCount(action.name, action.interference, times, first, why))
    return Coverage(tuple(events), graph.search.complete)
