"""Tables of states: put a state in where it is new, and move states into a larger table."""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    block_of_words,
    compiled,
    inlined,
    look_at_line,
    lowest_bit,
    numbers_at,
    prefetch,
    swap_if_zero,
)
from fencecheck.explore.compiled.loops.keys import insert_keyed
from fencecheck.explore.compiled.loops.quotients import (
    MIX1,
    MIX2,
    insert_quotients,
    move_quotients,
    reinsert_quotients,
)
from fencecheck.explore.compiled.loops.slots import AHEAD, CODING, END, KEYED, LINES, WORDS

u64 = np.uint64
_UPPER = u64(0xFFFFFFFF00000000)


@inlined
def mix_words(source, at, words):
    """Return a hash of several words."""
    x = source[at]
    for j in range(1, words):
        x ^= x >> u64(32)
        x = (x + source[at + j]) * MIX1
    x ^= x >> u64(30)
    x *= MIX2
    x ^= x >> u64(31)
    return x


@inlined
def line_of(h, lines):
    """Return the line of a hash of several words, from its upper half alone."""
    return ((h >> u64(32)) * lines) >> u64(32)


@inlined
def put(table, slot, value, shared):
    """Fill an empty slot; False if another thread was faster."""
    if shared:
        return swap_if_zero(table, slot, value) == u64(0)
    table[slot] = value
    return True


@compiled
def insert(source, count, log, own, table, shape, recent, shared):
    """Insert ``count`` states; append those that are new to the thread's end of the log.

    Returns ``count``, or -1 if a state would be too far from its home: the table must grow, and
    the same states be inserted again.
    """
    coding = numbers_at(shape[CODING])
    if coding[KEYED]:
        return insert_keyed(source, count, log, own, table, shape, recent, coding, shared)
    if shape[WORDS] == 1:
        return insert_quotients(source, count, log, own, table, shape, recent, False, shared)
    return insert_more(source, count, log, own, table, shape, shared)


@inlined
def insert_words(source, count, log, own, table, shape, shared, words):
    """Insert states of so many words into a table of numbers in the log."""
    lines, end = u64(shape[LINES]), own[END]
    hashes = block_of_words()
    for i in range(count + AHEAD):
        if i < count:
            g = mix_words(source, i * words, words)
            hashes[i & 63] = g
            prefetch(table, np.int64(line_of(g, lines) << u64(3)))
        i -= AHEAD
        if i < 0:
            continue
        h = hashes[i & 63]
        tag, line = h & _UPPER, line_of(h, lines)
        while True:
            base = np.int64(line << u64(3))
            seen = look_at_line(table, base, tag, _UPPER)
            empty = seen >> 8
            like, found = seen & ~empty & 255, False
            while like:
                held = table[base + lowest_bit(like)]
                at = (np.int64(held & ~_UPPER) - 1) * words
                differing = u64(0)
                for w in range(words):
                    differing |= log[at + w] ^ source[i * words + w]
                found = differing == u64(0)
                if found:
                    break
                like &= like - 1
            if found:
                break
            if empty:
                for w in range(words):
                    log[end * words + w] = source[i * words + w]
                if put(table, base + lowest_bit(empty), tag | u64(end + 1), shared):
                    end += 1
                    break
                continue
            line += u64(1)
            if line == lines:
                line = u64(0)
    own[END] = end
    return count


@compiled
def insert_more(source, count, log, own, table, shape, shared):
    """Insert states of several words; for two or three the loops over words are unrolled."""
    if shape[WORDS] == 2:
        return insert_words(source, count, log, own, table, shape, shared, 2)
    if shape[WORDS] == 3:
        return insert_words(source, count, log, own, table, shape, shared, 3)
    return insert_words(source, count, log, own, table, shape, shared, shape[WORDS])


@inlined
def put_number(table, line, lines, value, shared):
    """Put a state known to be new into a table of numbers."""
    while True:
        base = np.int64(line << u64(3))
        empty = look_at_line(table, base, u64(0), u64(0)) >> 8
        if empty:
            if put(table, base + lowest_bit(empty), value, shared):
                return
            continue
        line += u64(1)
        if line == lines:
            line = u64(0)


@compiled
def reinsert(log, first, count, table, shape, shared):
    """Put states ``first`` .. of the log, known to be distinct, into a fresh table.

    Returns ``count``, or -1 if a state would be too far from its home.
    """
    if shape[WORDS] == 1:
        return reinsert_quotients(log, first, count, table, shape, shared)
    words, lines = shape[WORDS], u64(shape[LINES])
    hashes = block_of_words()
    for i in range(first, first + count + AHEAD):
        if i < first + count:
            h = mix_words(log, i * words, words)
            hashes[i & 63] = h
            prefetch(table, np.int64(line_of(h, lines) << u64(3)))
        i -= AHEAD
        if i < first:
            continue
        h = hashes[i & 63]
        put_number(table, line_of(h, lines), lines, (h & _UPPER) | u64(i + 1), shared)
    return count


@compiled
def move(old, old_shape, first, last, onto, before, table, shape, shared):
    """Take the states out of lines ``first`` .. ``last`` - 1 of a table and put them into a larger.

    Both may share their memory: what moves must belong in lines ``onto`` .. ``before`` - 1 of the
    larger, to which no other thread writes meanwhile; states of several words may end up further
    on, so with those ``shared`` says whether there are other threads. Returns how many, or -1 if a
    state does not belong there or would be too far from its home.
    """
    if shape[WORDS] == 1:
        return move_quotients(old, old_shape, first, last, onto, before, table, shape)
    lines, moved = u64(shape[LINES]), np.int64(0)
    for slot in range(first << 3, last << 3):
        held = old[slot]
        if held == u64(0):
            continue
        old[slot] = u64(0)
        moved += 1
        line = line_of(held, lines)
        if line < u64(onto) or line >= u64(before):
            return -1
        put_number(table, line, lines, held, shared)
    return moved
