"""The log of states: so many bytes to each, and the words that a kernel reads."""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    bytes_of,
    compiled,
    inlined,
    word_at,
    write_word,
)

u64 = np.uint64


@inlined
def append_state(log, number, size, word):
    """Write a state of one word as number ``number``; what lies behind it is not yet in use."""
    write_word(bytes_of(log), number * size, word)


@compiled
def read_states(log, first, count, size, words, states):
    """Write to ``states`` the words of ``count`` states of the log."""
    if words > 1:
        for i in range(count * words):
            states[i] = log[first * words + i]
        return count
    whole, mask = bytes_of(log), ~u64(0) >> u64(64 - 8 * size)
    for i in range(count):
        states[i] = word_at(whole, (first + i) * size) & mask
    return count


@compiled
def write_states(log, first, count, size, words, states):
    """Write to the log ``count`` states, given as words, the last of all that it holds."""
    if words > 1:
        for i in range(count * words):
            log[first * words + i] = states[i]
        return count
    for i in range(count):
        append_state(log, first + i, size, states[i])
    return count
