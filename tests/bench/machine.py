"""What the machine can do at most: random read-modify-writes a second, misses overlapping.

A table of states can be no faster than this, since every state is looked up at a random place.
"""

from __future__ import annotations

import time
from typing import Any

import numba
import numpy as np

from fencecheck.explore.compiled.loop import prefetch

_AHEAD = 32
_MIX = np.uint64(0x9E3779B97F4A7C15)


@numba.njit(nogil=True)
def _touch(table: Any, count: Any, shift: Any) -> None:
    for i in range(count):
        prefetch(table, np.int64((np.uint64(i + _AHEAD) * _MIX) >> shift))
        place = np.int64((np.uint64(i) * _MIX) >> shift)
        table[place] += np.uint64(1)


def random_access(mebibytes: int, touches: int = 1 << 24) -> float:
    """Return random read-modify-writes a second in a table of so many MiB (a power of two)."""
    words = mebibytes << 17
    table, shift = np.ones(words, np.uint64), np.uint64(64 - (words.bit_length() - 1))
    _touch(table, 1 << 16, shift)
    started = time.perf_counter()
    _touch(table, touches, shift)
    return touches / (time.perf_counter() - started)
