"""The log of states: so many bytes to each, and the words that a kernel reads."""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    bytes_of,
    compiled,
    inlined,
    word_at,
    words_at,
    write_word,
)
from fencecheck.explore.compiled.loops.slots import (
    FIRST_PART,
    KEY_BITS,
    KEY_SHIFT,
    KEYED,
    PART,
    STATE_SIZE,
    STATE_WORDS,
    VALUES,
)

u64 = np.uint64


@inlined
def append_state(log, number, size, word):
    """Write a state of one word as number ``number``; what lies behind it is not yet in use."""
    write_word(bytes_of(log), number * size, word)


@inlined
def read_words(log, first, count, size, states):
    """Write to ``states`` the words of ``count`` states of one word each."""
    whole, mask = bytes_of(log), ~u64(0) >> u64(64 - 8 * size)
    for i in range(count):
        states[i] = word_at(whole, (first + i) * size) & mask


@inlined
def read_keys(log, first, count, coding, states):
    """Write to ``states`` the words that ``count`` keys of the log stand for."""
    words = coding[STATE_WORDS]
    for w in range(words):
        part = FIRST_PART + w * PART
        values, shift = words_at(coding[part + VALUES]), u64(coding[part + KEY_SHIFT])
        mask = ~u64(0) >> u64(64 - coding[part + KEY_BITS])
        for i in range(count):
            states[i * words + w] = values[np.int64(log[first + i] >> shift & mask)]


@compiled
def read_states(log, first, count, coding, states):
    """Write to ``states`` the words of ``count`` states of the log."""
    words = coding[STATE_WORDS]
    if coding[KEYED]:
        read_keys(log, first, count, coding, states)
    elif words > 1:
        for i in range(count * words):
            states[i] = log[first * words + i]
    else:
        read_words(log, first, count, coding[STATE_SIZE], states)
    return count


@compiled
def write_states(log, first, count, coding, states):
    """Write to the log ``count`` states that are not kept as keys, the last of all it holds."""
    words, size = coding[STATE_WORDS], coding[STATE_SIZE]
    if words > 1:
        for i in range(count * words):
            log[first * words + i] = states[i]
        return count
    for i in range(count):
        append_state(log, first + i, size, states[i])
    return count
