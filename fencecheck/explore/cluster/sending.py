"""The loop over the successors that an owner has made: whose each is, unless it was just found.

Its hash of the masked words is that of dealing.py, one state at a time.
"""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import compiled

_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(32)


@compiled
def deal_fresh(found, count, width, recent, shift, masks, owner_of, parts, owners):
    """Move those of ``count`` states to the front that are not in ``recent``; return how many.

    A state has ``width`` words. ``recent`` has a state for each value of the upper bits of a hash,
    behind ``shift`` others, and what is found takes its place. ``masks`` are the bits of each word
    that tell which of ``parts`` a state belongs to, and ``owner_of`` the owner of each part: those
    of the states in front are written to ``owners``.
    """
    kept = 0
    for i in range(count):
        at, spread = i * width, np.uint64(0)
        for word in range(width):
            spread = (spread ^ found[at + word]) * _MIX
        place = np.int64(spread >> np.uint64(shift)) * width
        known = True
        for word in range(width):
            known &= recent[place + word] == found[at + word]
        if known:
            continue
        x, to = np.uint64(0), kept * width
        for word in range(width):
            state = found[at + word]
            recent[place + word] = state
            found[to + word] = state
            if masks[word]:
                x = (x ^ (state & masks[word])) * _MIX
                x ^= x >> _FOLD
        x *= _MIX
        owners[kept] = owner_of[np.int64((x >> _FOLD) * np.uint64(parts) >> _FOLD)]
        kept += 1
    return kept
