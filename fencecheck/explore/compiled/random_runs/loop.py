"""Many random walks at a time over packed states, compiled once by numba.

Everything that is compiled stands in this one file: numba's cache of a function that calls into
another file does not notice when that file changes.

Each lane of a block of states is the present state of one walk; the kernel (``plan_walks``)
expands the whole block, then every lane takes one of its successors, chosen by the stream of its
own seed exactly as runs/random_run.py does. A lane whose walk ends goes on with the next seed.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from fencecheck.explore.jit import compiled

LANES = 512  # walks under way at a time
OVER, CUT, FAILED = 0, 1, 2

u64 = np.uint64
_GOLDEN = u64(0x9E3779B97F4A7C15)
_MIX1, _MIX2 = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)


@intrinsic
def _expand(typing: Any, address: Any, n: Any, places: Any) -> Any:
    """Call the kernel at ``address`` on ``n`` states; ``places`` are its buffers' addresses."""
    signature = numba.types.int64(address, n, places)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        i64, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        given = [
            builder.inttoptr(builder.extract_value(args[2], k), pointer)
            for k in range(len(sig.args[2]))
        ]
        kind = ir.FunctionType(i64, [pointer, i64, *[pointer] * (len(given) - 1)])
        function = builder.inttoptr(args[0], kind.as_pointer())
        return builder.call(function, [given[0], args[1], *given[1:]])

    return signature, generate


@numba.njit(inline="always")
def _mixed(z: Any) -> Any:
    """Return 64 bits in which every bit of ``z`` has its part."""
    z = (z ^ (z >> u64(30))) * _MIX1
    z = (z ^ (z >> u64(27))) * _MIX2
    return z ^ (z >> u64(31))


@compiled
def _note(bits: Any, first: Any, walk: Any, events: Any) -> None:
    """Note for every property whose bit is set that it broke, unless it broke before."""
    k = 0
    while bits:
        if bits & 1 and first[walk, k] < 0:
            first[walk, k] = events
        bits >>= 1
        k += 1


@compiled
def walk_seeds(
    kernel: Any, initial: Any, seeds: Any, masks: Any, buffers: Any, results: Any
) -> Any:
    """Make the walks of ``seeds`` (first, count, length) and return how many events they have.

    ``initial`` are the initial states, a row of words each.
    ``masks`` are the bits of properties and of errors in a state's flags. ``buffers`` are (states,
    out, offsets, switches, flags, seen, scratch, labels); ``results`` are, by walk, after how many
    events each property first broke (-1: never), and its ending.
    """
    states, out, offsets, switches, flags, seen, scratch, labels = buffers
    first, endings = results
    (starts, words), (first_seed, count, length) = initial.shape, seeds
    places = (
        states.ctypes.data, out.ctypes.data, offsets.ctypes.data, switches.ctypes.data,
        flags.ctypes.data, seen.ctypes.data, scratch.ctypes.data, labels.ctypes.data,
    )  # fmt: skip
    walk, at = np.empty(LANES, np.int64), np.zeros(LANES, np.int64)
    stream = np.empty(LANES, np.uint64)
    lanes, started, total = np.int64(0), np.int64(0), np.int64(0)
    while True:
        while lanes < LANES and started < count:
            stream[lanes] = _mixed(u64(first_seed + started) + _GOLDEN)
            begin = np.int64(0)
            if starts > 1:
                stream[lanes] += _GOLDEN
                begun = (_mixed(stream[lanes]) >> u64(32)) * u64(starts)
                begin = np.int64(begun >> u64(32))
            for w in range(words):
                states[lanes * words + w] = initial[begin, w]
            walk[lanes], at[lanes] = started, 0
            started += 1
            lanes += 1
        if lanes == 0:
            return total
        _expand(kernel, lanes, places)
        kept = np.int64(0)
        for i in range(lanes):
            here = np.int64(flags[i])
            if here & masks[1]:
                endings[walk[i]] = FAILED
                continue
            if here & masks[0]:
                _note(here & masks[0], first, walk[i], at[i])
            choices = np.int64(offsets[i + 1]) - np.int64(offsets[i])
            if choices == 0 or at[i] == length:
                endings[walk[i]] = OVER if choices == 0 else CUT
                continue
            stream[i] += _GOLDEN
            drawn = (_mixed(stream[i]) >> u64(32)) * u64(choices)
            taken = np.int64(offsets[i]) + np.int64(drawn >> u64(32))
            if labels[taken]:
                _note(np.int64(labels[taken]), first, walk[i], at[i] + 1)
            for w in range(words):
                states[kept * words + w] = out[taken * words + w]
            walk[kept], at[kept], stream[kept] = walk[i], at[i] + 1, stream[i]
            kept += 1
        total += kept
        lanes = kept
