"""The edges of a graph whose states are packed, in the order of their states."""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    block_of_words,
    call_kernel,
    compiled,
    halves_at,
    inlined,
    prefetch,
    quarters_at,
    words_at,
)
from fencecheck.explore.compiled.loops.slots import AHEAD, CHUNK, FLAGS, LABELS, OFFSETS, OUT
from fencecheck.explore.compiled.loops.tables import mix_words

u64 = np.uint64
_UPPER = u64(0xFFFFFFFF00000000)


@compiled
def index_states(log, first, end, table, size, words):
    """Put states ``first`` .. ``end`` - 1 into a table of (32 bits of a hash, 1 + number).

    Its size is a power of two.
    """
    last_place = u64(size - 1)
    hashes = block_of_words()
    for i in range(first, end + AHEAD):
        if i < end:
            g = mix_words(log, i * words, words)
            hashes[i & 63] = g
            prefetch(table, np.int64(g & last_place))
        if i >= first + AHEAD:
            h = hashes[(i - AHEAD) & 63]
            place = np.int64(h & last_place)
            while table[place] != u64(0):
                place = np.int64(u64(place + 1) & last_place)
            table[place] = (h & _UPPER) | u64(i - AHEAD + 1)
    return end


@inlined
def place_of_state(log, table, last_place, words, states, k):
    """Return the number in a log of state ``k`` of ``states``, -1 if it is not there."""
    h = mix_words(states, k * words, words)
    tag = h >> u64(32)
    place = np.int64(h & last_place)
    while True:
        held = table[place]
        if held >> u64(32) == tag:
            found = np.int64(held & u64(0xFFFFFFFF)) - 1
            same = True
            for w in range(words):
                if log[found * words + w] != states[k * words + w]:
                    same = False
                    break
            if same:
                return found
        if held == u64(0):
            return np.int64(-1)
        place = np.int64(u64(place + 1) & last_place)


@inlined
def numbers_of_states(log, table, size, words, states, count, numbers, first):
    """Write the numbers of ``count`` states from ``numbers[first]`` on; see ``find_states``."""
    last_place, done = u64(size - 1), np.int64(0)
    for i in range(min(AHEAD, count)):
        prefetch(table, np.int64(mix_words(states, i * words, words) & last_place))
    while done < count:
        ahead = done + AHEAD
        if ahead < count:
            prefetch(table, np.int64(mix_words(states, ahead * words, words) & last_place))
        found = place_of_state(log, table, last_place, words, states, done)
        if found < 0:
            break
        numbers[first + done] = found
        done += 1
    return done


@compiled
def find_states(log, table, size, words, states, count, numbers):
    """Write the numbers in a log of ``count`` states; ``table`` is of ``index_states``.

    Returns how many were found: all, or those before the first that is not among them.
    """
    return numbers_of_states(log, table, size, words, states, count, numbers, np.int64(0))


@compiled
def find_edges(
    kernel, buffers, log, first, count, table, size, words, starts, targets, labels, edge_count,
    marks, mark_words,
):  # fmt: skip
    """Write the edges of states ``first`` .. + ``count`` of a log in order of number.

    Edges are ``starts`` (where those of a state begin), ``targets`` and ``labels``; ``marks`` are
    the flags of each state; ``table`` is of ``index_states``. Returns how many states were done:
    fewer than ``count`` if the edges do not fit, -1 if a successor is not among the states.
    """
    out, offsets = words_at(buffers[OUT]), halves_at(buffers[OFFSETS])
    flags, kinds = halves_at(buffers[FLAGS]), quarters_at(buffers[LABELS])
    end = starts[first]
    done = np.int64(0)
    while done < count:
        n = min(CHUNK, count - done)
        made = call_kernel(kernel, log, (first + done) * words, n, buffers)
        if end + made > edge_count:
            return done
        if numbers_of_states(log, table, size, words, out, made, targets, end) < made:
            return -1
        for k in range(made):
            labels[end + k] = kinds[k]
        for i in range(n):
            starts[first + done + i + 1] = end + offsets[i + 1]
            for w in range(mark_words):
                marks[(first + done + i) * mark_words + w] = flags[i * mark_words + w]
        end += made
        done += n
    return done
