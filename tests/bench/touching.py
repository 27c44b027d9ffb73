"""Random read-modify-writes, misses overlapping, as numba compiles them."""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import compiled, prefetch

_AHEAD = 32
_MIX = np.uint64(0x9E3779B97F4A7C15)


@compiled
def touch(table, count, bits):
    """Add 1 at ``count`` places of a table of 2**``bits`` words."""
    shift = np.uint64(64 - bits)
    for i in range(count):
        prefetch(table, np.int64((np.uint64(i + _AHEAD) * _MIX) >> shift))
        place = np.int64((np.uint64(i) * _MIX) >> shift)
        table[place] += np.uint64(1)
    return count
