"""The way to the compiled engine: what does not change a result, and what if it cannot be had.

Takes what an engine takes and how to go about it; gives the StateGraph. Loads the compiled engine
when it is first asked for. Where the memory allowed does not even hold that engine, the initial
state alone is explored, which is a search cut by memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fencecheck.explore.graph import Limits, MemoryGraph, StateGraph
from fencecheck.explore.machine import address_room
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System


@dataclass(frozen=True)
class Tick:
    """What a progress line shows."""

    states: int
    frontier: int
    trend: str
    depth: int
    seconds: float
    memory: int
    budget: int


@dataclass(frozen=True)
class Comfort:
    """What does not change a result: threads, spilling, checkpoints, progress.

    ``checkpoint`` is a folder; it is written at the end of a level when ``every`` seconds have
    passed since the last time, when the search is interrupted, and when it ends.
    """

    threads: int = 1
    spill: Path | None = None
    checkpoint: Path | None = None
    every: float = 20.0
    progress: Callable[[Tick], None] | None = None


def explore_compiled(
    system: System, watch: Watch, limits: Limits, comfort: Comfort | None = None
) -> StateGraph:
    """Explore with the compiled engine every state reachable from the initial one."""
    try:
        from fencecheck.explore.compiled.engine import explore as run
    except (OSError, ImportError) as error:
        if address_room() is None:
            raise
        return _initial_only(system, watch, str(error))
    try:
        return run(system, watch, limits, comfort or Comfort())
    except MemoryError as error:
        return _initial_only(system, watch, str(error))


def _initial_only(system: System, watch: Watch, why: str) -> MemoryGraph:
    graph = explore(system, watch, Limits(states=1))
    search = graph.search
    search.engine = "compiled"
    if search.failure is None:
        search.stopped_by, search.complete = "memory", False
    search.warnings.append(f"the memory allowed does not hold the compiled engine ({why})")
    return graph
