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

    ``off`` says what of the design excludes an event, whatever the state is: ``edits 0``,
    ``check atomic``; it is empty for one that occurred or could have.
    """

    event: str
    interference: bool
    transitions: int
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
        return [e for e in self.events if not e.transitions and not e.off]


def coverage_of(system: System, graph: StateGraph) -> Coverage:
    """Return how often each event occurred in a graph of either engine."""
    counts = graph.event_counts()
    total = counts.sum(axis=0)
    off = excluded_events(system, [n for n, times in enumerate(total) if not times])
    events = []
    for number, action in enumerate(system.actions):
        times = int(total[number])
        first = int(np.flatnonzero(counts[:, number])[0]) if times else None
        why = off.get(number, "")
        events.append(EventCount(action.name, action.interference, times, first, why))
    return Coverage(tuple(events), graph.search.complete)
