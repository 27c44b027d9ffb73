"""Tables of states: put a state in where it is new, and move states into a larger table."""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    block_of_words,
    compiled,
    high_product,
    inlined,
    look_at_line,
    lowest_bit,
    prefetch,
    swap_if_zero,
)
from fencecheck.explore.compiled.loops.slots import (
    AHEAD,
    BITS,
    BLOCK,
    EACH,
    END,
    LINES,
    OVER,
    RECENT,
    REST,
    WORDS,
)

u64 = np.uint64
_MIX1, _MIX2 = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)
_UPPER = u64(0xFFFFFFFF00000000)


@inlined
def mix_bits(x, mask, half):
    """Return a bijection of the numbers up to ``mask``."""
    x ^= x >> half
    x = (x * _MIX1) & mask
    x ^= x >> half
    x = (x * _MIX2) & mask
    x ^= x >> half
    return x


@inlined
def mix_words(source, at, words):
    """Return a hash of several words."""
    x = source[at]
    for j in range(1, words):
        x ^= x >> u64(32)
        x = (x + source[at + j]) * _MIX1
    x ^= x >> u64(30)
    x *= _MIX2
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
    if shape[WORDS] == 1:
        return insert_one(source, count, log, own, table, shape, recent, shared)
    return insert_more(source, count, log, own, table, shape, shared)


@compiled
def insert_one(source, count, log, own, table, shape, recent, shared):
    """Insert states of one word into a table of quotients.

    Works in two blocks: while the lines of one are on their way from memory, the other is filled
    with states that ``recent``, an exact filter of those just seen, does not hold.
    """
    bits, lines = u64(shape[BITS]), u64(shape[LINES])
    rest_mask = (u64(1) << u64(shape[REST])) - u64(1)
    mask = ~u64(0) if bits == u64(64) else (u64(1) << bits) - u64(1)
    half, lift = (bits + u64(1)) >> u64(1), u64(64) - bits
    one_further = u64(1) << u64(58)
    hashes, states = block_of_words(), block_of_words()
    end, at, here, waiting = own[END], np.int64(0), np.int64(0), np.int64(0)
    while waiting > 0 or at < count:
        there = BLOCK - here
        kept = there
        stop = min(at + BLOCK, count)
        for i in range(at, stop):
            x = source[i]
            h = mix_bits(x, mask, half)
            spot = np.int64(h & u64(RECENT - 1))
            fresh = recent[spot] != h
            recent[spot] = h
            hashes[kept], states[kept] = h, x
            prefetch(table, np.int64(high_product(h << lift, lines) << u64(3)))
            kept += np.int64(fresh)
        at = stop
        for i in range(here, here + waiting):
            h = hashes[i]
            line, value = high_product(h << lift, lines), one_further | (h & rest_mask)
            while True:
                base = np.int64(line << u64(3))
                seen = look_at_line(table, base, value, ~u64(0))
                if seen & 255:
                    break
                if seen:
                    if put(table, base + lowest_bit(seen) - 8, value, shared):
                        log[end] = states[i]
                        end += 1
                        break
                    continue
                line += u64(1)
                if line == lines:
                    line = u64(0)
                value += one_further
                if value >> u64(58) == u64(0):  # the distance no longer fits its six bits
                    for k in range(RECENT):  # what was not stored must not pass for seen
                        recent[k] = u64(k) ^ u64(1)
                    own[END] = end
                    return -1
        waiting, here = kept - there, there
    own[END] = end
    return count


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
def put_quotient(table, line, lines, rest, shared):
    """Put a state known to be new into a table of quotients; False if it ends too far away."""
    distance = u64(1)
    while distance < u64(64):
        base = np.int64(line << u64(3))
        empty = look_at_line(table, base, u64(0), u64(0)) >> 8
        if empty:
            value = (distance << u64(58)) | rest
            if put(table, base + lowest_bit(empty), value, shared):
                return True
            continue
        line += u64(1)
        if line == lines:
            line = u64(0)
        distance += u64(1)
    return False


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
    words, bits, lines = shape[WORDS], u64(shape[BITS]), u64(shape[LINES])
    rest_mask = (u64(1) << u64(shape[REST])) - u64(1)
    mask = ~u64(0) if bits == u64(64) else (u64(1) << bits) - u64(1)
    half, lift = (bits + u64(1)) >> u64(1), u64(64) - bits
    hashes = block_of_words()
    for i in range(first, first + count + AHEAD):
        if i < first + count:
            if words == 1:
                h = mix_bits(log[i], mask, half)
                line = high_product(h << lift, lines)
            else:
                h = mix_words(log, i * words, words)
                line = line_of(h, lines)
            hashes[i & 63] = h
            prefetch(table, np.int64(line << u64(3)))
        i -= AHEAD
        if i < first:
            continue
        h = hashes[i & 63]
        if words == 1:
            line = high_product(h << lift, lines)
            if not put_quotient(table, line, lines, h & rest_mask, shared):
                return -1
        else:
            put_number(table, line_of(h, lines), lines, (h & _UPPER) | u64(i + 1), shared)
    return count


@compiled
def move(
    old,
    old_shape,
    first,
    last,
    table,
    shape,
    onto,
    shared,
):
    """Take the states out of lines ``first`` .. ``last`` - 1 of a table and put them into a larger.

    Both may share their memory: what moves must belong in line ``onto`` of the larger or beyond.
    A quotient's hash is the one number among those of its home line that ends in the bits kept.
    Returns how many, or -1 if a state does not belong there or would be too far from its home.
    """
    lines, rest_mask = u64(shape[LINES]), (u64(1) << u64(shape[REST])) - u64(1)
    old_lines, old_mask = u64(old_shape[LINES]), (u64(1) << u64(old_shape[REST])) - u64(1)
    each, over, lift = u64(old_shape[EACH]), u64(old_shape[OVER]), u64(64) - u64(old_shape[BITS])
    numbers, moved = old_shape[WORDS] > 1, np.int64(0)
    for slot in range(first << 3, last << 3):
        held = old[slot]
        if held == u64(0):
            continue
        old[slot] = u64(0)
        moved += 1
        if numbers:
            line = line_of(held, lines)
            if line < u64(onto):
                return -1
            put_number(table, line, lines, held, shared)
            continue
        home, distance = u64(slot >> 3) + u64(1), held >> u64(58)
        if home < distance:
            home += old_lines
        home -= distance
        least = home * each + (home * over + old_lines - u64(1)) // old_lines
        h = least + ((held - least) & old_mask)
        line = high_product(h << lift, lines)
        if line < u64(onto) or not put_quotient(table, line, lines, h & rest_mask, shared):
            return -1
    return moved
