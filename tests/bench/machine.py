"""What the machine can do at most, and what it has done: memory accesses, processor seconds.

A table of states can be no faster than random read-modify-writes with misses overlapping, since
every state is looked up at a random place.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fencecheck.explore.native.code import NativeCode

_CODE = NativeCode("tests.bench", ("touching",))
_touch = _CODE.declare("i64 touch(u64* table, i64 count, i64 bits)")


def random_access(mebibytes: int, touches: int = 1 << 24) -> float:
    """Return random read-modify-writes a second in a table of so many MiB (a power of two)."""
    words = mebibytes << 17
    table, bits = np.ones(words, np.uint64), words.bit_length() - 1
    _touch(table, 1 << 16, bits)
    started = time.perf_counter()
    _touch(table, touches, bits)
    return touches / (time.perf_counter() - started)


@dataclass(frozen=True)
class Spent:
    """Seconds that passed, and processor seconds that were taken."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class Clock:
    """The time, and the processor seconds that each process has taken: this one, those below it."""

    time: float
    taken: Mapping[int, float]

    @staticmethod
    def now() -> Clock:
        """Return what there is by now."""
        return Clock(time.perf_counter(), taken_below(os.getpid()))

    def since(self, other: Clock) -> Spent:
        """Return what was spent since then by the processes that still run."""
        more = (taken - other.taken.get(pid, 0.0) for pid, taken in self.taken.items())
        return Spent(self.time - other.time, sum(more))


def taken_below(top: int) -> dict[int, float]:
    """Return the processor seconds of a process and of those that it has started, and they."""
    parents, times = dict[int, int](), dict[int, float]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid, ticks = int(path.parent.name), int(fields[11]) + int(fields[12])
        parents[pid], times[pid] = int(fields[1]), ticks / os.sysconf("SC_CLK_TCK")
    below, reached = dict[int, float](), {top} & parents.keys()
    while reached:
        below |= {pid: times[pid] for pid in reached}
        reached = {pid for pid, parent in parents.items() if parent in reached}
    return below
