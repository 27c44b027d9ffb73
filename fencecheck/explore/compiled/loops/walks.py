"""Many random walks at a time over packed states.

Each lane of a block of states is the present state of one walk; the kernel (``plan_walks``)
expands the whole block, then every lane takes one of its successors, chosen by the stream of its
own seed exactly as runs/random_run.py does. A lane whose walk ends goes on with the next seed.
"""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    call_kernel,
    compiled,
    halves_at,
    inlined,
    quarters_at,
    words_at,
)
from fencecheck.explore.compiled.loops.slots import (
    CUT,
    ENDED,
    FAILED,
    FLAGS,
    LABELS,
    LANES,
    OFFSETS,
    OUT,
)

u64 = np.uint64
_GOLDEN = u64(0x9E3779B97F4A7C15)
_MIX1, _MIX2 = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)


@inlined
def next_bits(z):
    """Return 64 bits in which every bit of ``z`` has its part."""
    z = (z ^ (z >> u64(30))) * _MIX1
    z = (z ^ (z >> u64(27))) * _MIX2
    return z ^ (z >> u64(31))


@compiled
def note_broken(bits, first, columns, walk, events):
    """Note for every property whose bit is set that it broke, unless it broke before."""
    at = walk * columns
    while bits:
        if bits & 1 and first[at] < 0:
            first[at] = events
        bits >>= 1
        at += 1
    return 0


@compiled
def walk_seeds(
    kernel, buffers, states, initial, starts, words, first_seed, count, length, broken, failed,
    walk, at, stream, first, columns, endings,
):  # fmt: skip
    """Make the walks of ``count`` seeds of at most ``length`` events; return how many events.

    ``initial`` are the ``starts`` initial states. ``broken`` and ``failed`` are the bits of
    properties and of errors in a state's flags. ``walk``, ``at`` and ``stream`` tell of each lane
    which walk it makes, how far it is, and its random bits. ``first`` says by walk after how many
    events each property first broke (-1: never), ``endings`` how it ended.
    """
    out, offsets = words_at(buffers[OUT]), halves_at(buffers[OFFSETS])
    flags, labels = halves_at(buffers[FLAGS]), quarters_at(buffers[LABELS])
    lanes, started, total = np.int64(0), np.int64(0), np.int64(0)
    while True:
        while lanes < LANES and started < count:
            stream[lanes] = next_bits(u64(first_seed + started) + _GOLDEN)
            begin = np.int64(0)
            if starts > 1:
                stream[lanes] += _GOLDEN
                begun = (next_bits(stream[lanes]) >> u64(32)) * u64(starts)
                begin = np.int64(begun >> u64(32))
            for w in range(words):
                states[lanes * words + w] = initial[begin * words + w]
            walk[lanes], at[lanes] = started, 0
            started += 1
            lanes += 1
        if lanes == 0:
            return total
        call_kernel(kernel, states, 0, lanes, buffers)
        kept = np.int64(0)
        for i in range(lanes):
            here = np.int64(flags[i])
            if here & failed:
                endings[walk[i]] = FAILED
                continue
            if here & broken:
                note_broken(here & broken, first, columns, walk[i], at[i])
            choices = np.int64(offsets[i + 1]) - np.int64(offsets[i])
            if choices == 0 or at[i] == length:
                endings[walk[i]] = ENDED if choices == 0 else CUT
                continue
            stream[i] += _GOLDEN
            drawn = (next_bits(stream[i]) >> u64(32)) * u64(choices)
            taken = np.int64(offsets[i]) + np.int64(drawn >> u64(32))
            if labels[taken]:
                note_broken(np.int64(labels[taken]), first, columns, walk[i], at[i] + 1)
            for w in range(words):
                states[kept * words + w] = out[taken * words + w]
            walk[kept], at[kept], stream[kept] = walk[i], at[i] + 1, stream[i]
            kept += 1
        total += kept
        lanes = kept
