"""StateGraph: what an exploration found, the same whichever engine made it.

States are numbered in breadth-first order; the states of one depth are a level. A search that
was cut says by what; the states it did not expand are its last level and never count as
deadlocks. ``broken`` holds, for each property, the first depth at which it breaks and the states
there, from which shortest.py chooses the counterexample.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Protocol

State = tuple[Any, ...]
Edge = tuple[int, tuple[Any, ...], int]


@dataclass(frozen=True)
class Limits:
    """Where a search stops: distinct states, bytes of memory, seconds (None: no limit).

    With ``broken`` it also stops, as ``broken``, at the end of the level in which one of these
    properties breaks: for whoever asks only whether all of them hold.
    """

    states: int | None = None
    memory: int | None = None
    seconds: float | None = None
    broken: frozenset[str] = frozenset()

    def deadline(self) -> float:
        """Return the monotonic time at which the search must stop."""
        return float("inf") if self.seconds is None else time.monotonic() + self.seconds


@dataclass
class Broken:
    """Where something first goes wrong: after how many events, and from which states.

    For what breaks in an event (``in_event``) these are the states before it, one level up.
    """

    events: int
    states: list[int]
    in_event: bool


@dataclass
class Search:
    """The outcome of an exploration that does not depend on how states are kept.

    ``levels[d]`` is the number of the first state of depth d; the last entry is the count.
    ``failure`` is set where the model itself went wrong (StateError). ``warnings`` are what people
    should know of a search although it changes no verdict.
    """

    levels: list[int] = field(default_factory=lambda: [0, 1])
    transitions: int = 0
    complete: bool = False
    stopped_by: str | None = None
    broken: dict[str, Broken] = field(default_factory=dict)
    triggered: set[str] = field(default_factory=set)
    failure: Broken | None = None
    engine: str = "reference"
    threads: int = 1
    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Return the number of distinct states."""
        return self.levels[-1]

    @property
    def depth(self) -> int:
        """Return the depth of the deepest state found, in events."""
        return len(self.levels) - 2


class StateGraph(Protocol):
    """A search with its states."""

    search: Search

    def state(self, number: int) -> State:
        """Return state ``number`` in breadth-first order."""
        ...

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        ...


@dataclass
class MemoryGraph:
    """A StateGraph of Python objects, as the reference engine makes it.

    ``marks`` has, for each state, the truths that the watch's temporal properties need, as bits.
    """

    search: Search = field(default_factory=Search)
    states: list[State] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)

    def state(self, number: int) -> State:
        """Return state ``number`` in breadth-first order."""
        return self.states[number]

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        first, last = self.search.levels[level], self.search.levels[level + 1]
        return [
            source
            for source in range(first, min(last, len(self.edges)))
            if any(target in targets for _, _, target in self.edges[source])
        ]
