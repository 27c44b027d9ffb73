"""Keys: a state of several words as the numbers that its words have in exact dictionaries."""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    block_of_keys,
    compiled,
    fetch_add,
    inlined,
    load_acquire,
    prefetch,
    release,
    swap_if_zero,
    words_at,
)
from fencecheck.explore.compiled.loops.quotients import MIX1, MIX2, insert_quotients
from fencecheck.explore.compiled.loops.slots import (
    END,
    FIRST_PART,
    HELD,
    KEY_BITS,
    KEY_SHIFT,
    KEYS,
    LAST_PLACE,
    MOST_HELD,
    OWN,
    PART,
    PLACES,
    RECENT,
    ROW_SHIFT,
    ROWS,
    STATE_WORDS,
    VALUES,
)

u64 = np.uint64
_SPREAD = u64(0x9E3779B97F4A7C15)
_FULL = ~u64(0)  # no key, since no number is all ones
_AHEAD = 12  # states, for whose words places are asked for


@inlined
def mix_value(word):
    """Return a hash of a word, whose lower half says where to look."""
    word *= MIX1
    word ^= word >> u64(32)
    word *= MIX2
    return word ^ (word >> u64(29))


@inlined
def _place_of(word, coding, part):
    """Return the first place of a dictionary, two words each, where a word may be."""
    return np.int64(mix_value(word) & u64(coding[part + LAST_PLACE])) << 1


@inlined
def _number_of(word, coding, part):
    """Return the number of a word in its dictionary, a new one where it is new; -1 if it is full.

    A place holds a word, and its number plus 2 once the word is there, 1 while it is written.
    """
    places, last = words_at(coding[part + PLACES]), coding[part + LAST_PLACE]
    at = _place_of(word, coding, part)
    while True:
        held = load_acquire(places, at + 1)
        if held > u64(1):
            if places[at] == word:
                return np.int64(held) - 2
            at = ((at >> 1) + 1 & last) << 1
        elif held == u64(0):
            if coding[part + HELD] >= coding[part + MOST_HELD]:
                return np.int64(-1)
            if swap_if_zero(places, at + 1, u64(1)) == u64(0):
                number = fetch_add(coding, part + HELD, 1)
                places[at] = word
                words_at(coding[part + VALUES])[number] = word
                release()
                places[at + 1] = u64(number + 2)
                return number


@inlined
def _key_of(source, at, words, coding):
    """Return the key of a state; all ones if a dictionary is full."""
    key = u64(0)
    for w in range(words):
        part = FIRST_PART + w * PART
        number = _number_of(source[at + w], coding, part)
        if number < 0:
            return _FULL
        key |= u64(number) << u64(coding[part + KEY_SHIFT])
    return key


@compiled
def make_keys(source, count, coding, keys):
    """Write the keys of states; return how many: fewer than ``count`` if a dictionary is full."""
    words = coding[STATE_WORDS]
    for i in range(count):
        keys[i] = _key_of(source, i * words, words, coding)
        if keys[i] == _FULL:
            return i
    return count


@inlined
def is_fresh(source, at, words, recent):
    """Tell whether a state is not among those just seen, where it is from now on."""
    x, differing = u64(0), u64(0)
    for w in range(words):
        x = (x ^ source[at + w]) * _SPREAD
        x ^= x >> u64(32)
    row = RECENT + np.int64((x * _SPREAD) >> u64(ROW_SHIFT)) * words
    for w in range(words):
        differing |= recent[row + w] ^ source[at + w]
        recent[row + w] = source[at + w]
    return differing != u64(0)


@inlined
def sift(source, first, count, coding, recent, keys, words):
    """Write the keys of states that are not among those just seen.

    Returns how many, or -1 if a dictionary is full.
    """
    kept = np.int64(0)
    for i in range(first, first + count):
        keys[kept] = u64(i * words)
        kept += np.int64(is_fresh(source, i * words, words, recent))
    for i in range(kept + _AHEAD):
        if i < kept:
            for w in range(words):
                part = FIRST_PART + w * PART
                at = _place_of(source[np.int64(keys[i]) + w], coding, part)
                prefetch(words_at(coding[part + PLACES]), at)
        if i >= _AHEAD:
            key = _key_of(source, np.int64(keys[i - _AHEAD]), words, coding)
            if key == _FULL:
                return np.int64(-1)
            keys[i - _AHEAD] = key
    return kept


@inlined
def forget_rows(recent, words):
    """Empty the filter of states just seen: it holds rows where they do not belong."""
    for k in range(ROWS * words):
        recent[RECENT + k] = u64(0)
    for w in range(words):
        recent[RECENT + w] = ~u64(0)


@inlined
def sift_unrolled(source, first, count, coding, recent, keys):
    """Do as ``sift`` does; for states of two and three words its loops over words are unrolled."""
    words = coding[STATE_WORDS]
    if words == 2:
        return sift(source, first, count, coding, recent, keys, 2)
    if words == 3:
        return sift(source, first, count, coding, recent, keys, 3)
    return sift(source, first, count, coding, recent, keys, words)


@compiled
def insert_keyed(source, count, log, own, table, shape, recent, coding, shared):
    """Insert states of several words as keys; see ``insert``."""
    keys = block_of_keys()
    for at in range(0, count, KEYS):
        kept = sift_unrolled(source, at, min(KEYS, count - at), coding, recent, keys)
        fits = kept >= 0
        if fits:
            fits = insert_quotients(keys, kept, log, own, table, shape, recent, True, shared) >= 0
        if not fits:
            forget_rows(recent, coding[STATE_WORDS])  # what was not stored must not pass for seen
            return -1
    return count


@compiled
def refill_places(old, old_count, places, last):
    """Put what the places of a dictionary hold into more places; return how much that is."""
    moved = np.int64(0)
    for k in range(old_count):
        if old[2 * k + 1] != u64(0):
            at = np.int64(mix_value(old[2 * k]) & u64(last))
            while places[2 * at + 1] != u64(0):
                at = at + 1 & last
            places[2 * at], places[2 * at + 1] = old[2 * k], old[2 * k + 1]
            moved += 1
    return moved


@inlined
def changed_key(held, words, old, new):
    """Return a key with its numbers where another coding has them."""
    key = u64(0)
    for w in range(words):
        part = FIRST_PART + w * PART
        mask = ~u64(0) >> u64(64 - old[part + KEY_BITS])
        key |= (held >> u64(old[part + KEY_SHIFT]) & mask) << u64(new[part + KEY_SHIFT])
    return key


@compiled
def change_keys(log, own, threads, stride, coding, wider):
    """Turn all keys of the log into those of a wider coding, which ``coding`` then is.

    The parts of ``threads`` threads begin ``stride`` states apart and end where ``own`` says.
    """
    words = coding[STATE_WORDS]
    for thread in range(threads):
        for i in range(thread * stride, own[thread * OWN + END]):
            log[i] = changed_key(log[i], words, coding, wider)
    for k in range(FIRST_PART + words * PART):
        coding[k] = wider[k]
    return 0
