"""What the machine can do at most, and what it has done: memory accesses, processor seconds.

A table of states can be no faster than random read-modify-writes with misses overlapping, since
every state is looked up at a random place.
"""

from __future__ import annotations

import os
import time
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
class Clock:
    """Seconds, and processor seconds of this process and of all below it."""

    seconds: float
    cpu: float

    @staticmethod
    def now() -> Clock:
        """Return what has passed by now."""
        return Clock(time.perf_counter(), time.process_time() + cpu_below(os.getpid()))

    def since(self, other: Clock) -> Clock:
        """Return what has passed since then."""
        return Clock(self.seconds - other.seconds, self.cpu - other.cpu)


def cpu_below(top: int) -> float:
    """Return the processor seconds of the processes that a process has started, and they."""
    parents, times = dict[int, int](), dict[int, int]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(path.parent.name)
        parents[pid], times[pid] = int(fields[1]), int(fields[11]) + int(fields[12])
    below, reached = 0, {top}
    while reached:
        reached = {pid for pid, parent in parents.items() if parent in reached}
        below += sum(times[pid] for pid in reached)
    return below / os.sysconf("SC_CLK_TCK")
