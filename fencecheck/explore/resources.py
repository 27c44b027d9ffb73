"""What does not change a result: threads, spilling, checkpoints; and how far a search has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class OwnerTick:
    """How far one owner has come: a process that has a part of the states of a search.

    ``memory`` are its resident bytes, ``speed`` the states that it finds in a second of work: what
    it waits for others does not count.
    """

    states: int
    memory: int
    speed: float


@dataclass(frozen=True)
class Tick:
    """How far a search has come: what a progress line shows.

    ``budget`` is 0 where memory has no limit. ``broken`` names what is violated so far.
    ``compiling`` is set while a kernel is made: the numbers are those of before then. Where
    ``owners`` have the states, ``states`` and ``memory`` are theirs together.
    """

    states: int = 0
    frontier: int = 0
    trend: str = "growing"
    depth: int = 0
    seconds: float = 0.0
    memory: int = 0
    budget: int = 0
    broken: tuple[str, ...] = ()
    compiling: bool = False
    owners: tuple[OwnerTick, ...] = ()


@dataclass(frozen=True)
class Resources:
    """Threads, the folder for memory-mapped files, the checkpoint's folder, who hears progress.

    A checkpoint is written at the end of a level when ``every`` seconds have passed since the
    last time, when the search is interrupted, and when it ends.
    """

    threads: int = 1
    spill: Path | None = None
    checkpoint: Path | None = None
    every: float = 20.0
    progress: Callable[[Tick], None] | None = None
