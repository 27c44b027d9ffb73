"""What the machine can do at most: random read-modify-writes a second, misses overlapping.

A table of states can be no faster than this, since every state is looked up at a random place.
"""

from __future__ import annotations

import time

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
