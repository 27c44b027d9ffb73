"""Tables of states under dominance: a state is found by any that covers it.

The ``shape`` of such a table goes on behind SPENT, the number of budgets that are only spent: a
mask of each word without them, then for each its word, shift, mask, and its place in what is left.
A slot holds upper bits of a hash of the rest of a state, what is left (LEFT_BITS bits, the budgets
one beside the other) and the number of the state in the log. States with the same rest share their
home line. A state that was struck leaves a slot that nobody finds.
"""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    block_of_words,
    call_kernel,
    compiled,
    halves_at,
    inlined,
    look_at_line,
    lowest_bit,
    prefetch,
    quarters_at,
    words_at,
)
from fencecheck.explore.compiled.loops.quotients import MIX1, MIX2
from fencecheck.explore.compiled.loops.slots import (
    AHEAD,
    BORDERS,
    CHUNK,
    END,
    FLAGS,
    LABELS,
    LEFT_BITS,
    LINES,
    OFFSETS,
    OUT,
    SPENT,
    WORDS,
)
from fencecheck.explore.compiled.loops.tables import line_of, put, put_number

u64 = np.uint64
_NUMBER = u64(0xFFFFFFFF)  # as a number: struck
_NO_NUMBER = np.int64(1) << np.int64(62)  # of a state that is not in the log: larger than any


@inlined
def mix_rest(source, at, words, shape):
    """Return a hash of the words of a state without what is left of budgets."""
    x = source[at] & u64(shape[SPENT + 1])
    for j in range(1, words):
        x ^= x >> u64(32)
        x = (x + (source[at + j] & u64(shape[SPENT + 1 + j]))) * MIX1
    x ^= x >> u64(30)
    x *= MIX2
    x ^= x >> u64(29)
    x *= MIX1
    x ^= x >> u64(31)
    return x


@inlined
def left_of(source, at, words, shape):
    """Return what is left of the budgets of a state, one beside the other."""
    left, field = u64(0), SPENT + 1 + words
    for _ in range(shape[SPENT]):
        part = (source[at + shape[field]] >> u64(shape[field + 1])) & u64(shape[field + 2])
        left |= part << u64(shape[field + 3])
        field += 4
    return left


@inlined
def covers(more, less, borders):
    """Tell whether there is no less of any budget: no subtraction borrows across a border."""
    return ((more ^ less ^ (more - less)) & borders) == u64(0)


@inlined
def same_rest(log, number, source, at, words, shape):
    """Tell whether state ``number`` of the log and another have the same rest."""
    differing = u64(0)
    for w in range(words):
        differing |= (log[number * words + w] ^ source[at + w]) & u64(shape[SPENT + 1 + w])
    return differing == u64(0)


@inlined
def insert_into(source, count, log, own, table, shape, shared, words):
    """Insert states of so many words that none covers; append them to the log."""
    lines, end, borders = u64(shape[LINES]), own[END], u64(shape[BORDERS])
    left_mask = (u64(1) << u64(shape[LEFT_BITS])) - u64(1)
    tag_mask = ~((left_mask << u64(32)) | _NUMBER)
    hashes = block_of_words()
    for i in range(count + AHEAD):
        if i < count:
            g = mix_rest(source, i * words, words, shape)
            hashes[i & 63] = g
            prefetch(table, np.int64(line_of(g, lines) << u64(3)))
        i -= AHEAD
        if i < 0:
            continue
        h = hashes[i & 63]
        tag, line, left = (
            h & tag_mask,
            line_of(h, lines),
            left_of(source, i * words, words, shape),
        )
        while True:
            base = np.int64(line << u64(3))
            seen = look_at_line(table, base, tag, tag_mask)
            empty = seen >> 8
            like, found = seen & ~empty & 255, False
            while like:
                held = table[base + lowest_bit(like)]
                number = held & _NUMBER
                if covers((held >> u64(32)) & left_mask, left, borders) and number != _NUMBER:
                    found = same_rest(log, np.int64(number) - 1, source, i * words, words, shape)
                    if found:
                        break
                like &= like - 1
            if found:
                break
            if empty:
                for w in range(words):
                    log[end * words + w] = source[i * words + w]
                slot, value = base + lowest_bit(empty), tag | (left << u64(32)) | u64(end + 1)
                if put(table, slot, value, shared):
                    end += 1
                    break
                continue
            line += u64(1)
            if line == lines:
                line = u64(0)
    own[END] = end
    return count


@compiled
def insert_needed(source, count, log, own, table, shape, shared):
    """Insert states; append those that no state of the table covers to the thread's end of the log.

    Returns ``count``. Threads that insert at the same time may both keep what one of them covers:
    what to strike is found at the end of a level.
    """
    if shape[WORDS] == 1:
        return insert_into(source, count, log, own, table, shape, shared, 1)
    if shape[WORDS] == 2:
        return insert_into(source, count, log, own, table, shape, shared, 2)
    if shape[WORDS] == 3:
        return insert_into(source, count, log, own, table, shape, shared, 3)
    return insert_into(source, count, log, own, table, shape, shared, shape[WORDS])


@compiled
def reinsert_needed(log, first, count, table, shape, shared):
    """Put states ``first`` .. of the log into a fresh table; returns ``count``."""
    words, lines = shape[WORDS], u64(shape[LINES])
    left_mask = (u64(1) << u64(shape[LEFT_BITS])) - u64(1)
    tag_mask = ~((left_mask << u64(32)) | _NUMBER)
    hashes = block_of_words()
    for i in range(first, first + count + AHEAD):
        if i < first + count:
            g = mix_rest(log, i * words, words, shape)
            hashes[i & 63] = g
            prefetch(table, np.int64(line_of(g, lines) << u64(3)))
        i -= AHEAD
        if i < first:
            continue
        h = hashes[i & 63]
        left, line = left_of(log, i * words, words, shape), line_of(h, lines)
        value = (h & tag_mask) | (left << u64(32)) | u64(i + 1)
        put_number(table, line, lines, value, shared)
    return count


@inlined
def covering(source, at, h, log, table, shape, words, number):
    """Return the number of another state that covers one of this hash, -1 where there is none.

    What is equal covers only one of a larger ``number``.
    """
    lines, borders = u64(shape[LINES]), u64(shape[BORDERS])
    left_mask = (u64(1) << u64(shape[LEFT_BITS])) - u64(1)
    tag_mask = ~((left_mask << u64(32)) | _NUMBER)
    left, line = left_of(source, at, words, shape), line_of(h, lines)
    found, empty = np.int64(-1), np.int64(0)
    while found < 0 and not empty:
        base = np.int64(line << u64(3))
        seen = look_at_line(table, base, h & tag_mask, tag_mask)
        empty = seen >> 8
        like = seen & ~empty & 255
        while like and found < 0:
            held = table[base + lowest_bit(like)]
            other, has = np.int64(held & _NUMBER) - 1, (held >> u64(32)) & left_mask
            more = (has != left or other < number) and covers(has, left, borders)
            more = more and held & _NUMBER != _NUMBER
            if more and same_rest(log, other, source, at, words, shape):
                found = other
            like &= like - 1
        line += u64(1)
        if line == lines:
            line = u64(0)
    return found


@compiled
def strike_covered(log, first, count, table, shape, struck):
    """Mark in ``struck`` the states ``first`` .. of the log that another one covers.

    Of two that are equal that of the larger number is struck. Returns how many.
    """
    words, lines = shape[WORDS], u64(shape[LINES])
    hashes, many = block_of_words(), np.int64(0)
    for i in range(first, first + count + AHEAD):
        if i < first + count:
            g = mix_rest(log, i * words, words, shape)
            hashes[i & 63] = g
            prefetch(table, np.int64(line_of(g, lines) << u64(3)))
        i -= AHEAD
        if i < first:
            continue
        found = covering(log, i * words, hashes[i & 63], log, table, shape, words, i)
        struck[i - first] = found >= 0
        many += np.int64(found >= 0)
    return many


@compiled
def close_gaps(log, first, count, table, shape, struck):
    """Move the states ``first`` .. that are not ``struck`` together, and renumber their slots.

    Returns where they end.
    """
    words, lines, end = shape[WORDS], u64(shape[LINES]), first
    left_mask = (u64(1) << u64(shape[LEFT_BITS])) - u64(1)
    tag_mask = ~((left_mask << u64(32)) | _NUMBER)
    for i in range(first, first + count):
        if end == i and not struck[i - first]:
            end += 1
            continue
        h = mix_rest(log, i * words, words, shape)
        line, slot = line_of(h, lines), np.int64(-1)
        while slot < 0:
            base = np.int64(line << u64(3))
            like = look_at_line(table, base, h & tag_mask, tag_mask) & 255
            while like:
                place = base + lowest_bit(like)
                if table[place] & _NUMBER == u64(i + 1):
                    slot = place
                    break
                like &= like - 1
            line += u64(1)
            if line == lines:
                line = u64(0)
        if struck[i - first]:
            table[slot] |= _NUMBER
            continue
        table[slot] = (table[slot] & ~_NUMBER) | u64(end + 1)
        for w in range(words):
            log[end * words + w] = log[i * words + w]
        end += 1
    return end


@compiled
def find_needed_edges(
    kernel, buffers, log, first, count, table, shape, starts, targets, labels, edge_count, marks,
    mark_words,
):  # fmt: skip
    """Write the edges of states as ``find_edges`` does, each to a state that covers its target.

    ``table`` is of ``reinsert_needed``. Returns how many states were done: fewer than ``count`` if
    the edges do not fit, -1 if no state covers a successor.
    """
    out, offsets = words_at(buffers[OUT]), halves_at(buffers[OFFSETS])
    flags, kinds = halves_at(buffers[FLAGS]), quarters_at(buffers[LABELS])
    words, end, done = shape[WORDS], starts[first], np.int64(0)
    while done < count:
        n = min(CHUNK, count - done)
        made = call_kernel(kernel, log, (first + done) * words, n, buffers)
        if end + made > edge_count:
            return done
        for k in range(made):
            if k + AHEAD < made:
                h = mix_rest(out, (k + AHEAD) * words, words, shape)
                prefetch(table, np.int64(line_of(h, u64(shape[LINES])) << u64(3)))
            h = mix_rest(out, k * words, words, shape)
            found = covering(out, k * words, h, log, table, shape, words, _NO_NUMBER)
            if found < 0:
                return -1
            targets[end + k] = found
            labels[end + k] = kinds[k]
        for i in range(n):
            starts[first + done + i + 1] = end + offsets[i + 1]
            for w in range(mark_words):
                marks[(first + done + i) * mark_words + w] = flags[i * mark_words + w]
        end += made
        done += n
    return done
