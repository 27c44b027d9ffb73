"""The successors of packed states: a level of a search, and who leads to a state."""

import numpy as np

from fencecheck.explore.compiled.loops.dominance import insert_needed
from fencecheck.explore.compiled.loops.intrinsics import (
    call_kernel,
    compiled,
    fetch_add,
    halves_at,
    numbers_at,
    words_at,
)
from fencecheck.explore.compiled.loops.slots import (
    CAME_BACK,
    CHUNK,
    CHUNK_UNDER_WAY,
    CODING,
    DRAIN,
    END,
    FINISHED,
    FLAGS,
    GROW,
    NEXT_CHUNK,
    NOTED,
    OFFSETS,
    OUT,
    RESERVED,
    ROOM,
    SEEN,
    SOURCE,
    SPENT,
    STATE_WORDS,
    STOP,
    STOPPED,
    TRANSITIONS,
)
from fencecheck.explore.compiled.loops.states import read_states
from fencecheck.explore.compiled.loops.tables import insert, mix_words

u64 = np.uint64


@compiled
def search_level(
    kernel, buffers, log, chunks, chunk_count, common, own, table, shape, recent, watch,
    flag_words, noted, note_count, shared,
):  # fmt: skip
    """Expand chunks of a level until there are none, the table must grow, or notes are full.

    A chunk is (first state, count). ``watch`` masks the flags of interest; states with any are
    noted as (state, flags...). ``own[CHUNK_UNDER_WAY]`` is the chunk to go on with.
    """
    out, flags = words_at(buffers[OUT]), halves_at(buffers[FLAGS])
    source, coding = words_at(buffers[SOURCE]), numbers_at(shape[CODING])
    row = 1 + flag_words
    while True:
        if common[STOP] != 0:
            own[CAME_BACK] = STOPPED
            return 0
        chunk = own[CHUNK_UNDER_WAY]
        if chunk < 0:
            chunk = fetch_add(common, NEXT_CHUNK, 1)
            if chunk >= chunk_count:
                own[CAME_BACK] = FINISHED
                return 0
            own[CHUNK_UNDER_WAY] = chunk
        first, n = chunks[2 * chunk], chunks[2 * chunk + 1]
        if own[NOTED] + n > note_count:
            own[CAME_BACK] = DRAIN
            return 0
        read_states(log, first, n, coding, source)
        made = call_kernel(kernel, source, 0, n, buffers)
        reserved = fetch_add(common, RESERVED, made) + made
        if reserved > shape[ROOM]:
            fetch_add(common, RESERVED, -made)
            own[CAME_BACK] = GROW
            return 0
        before = own[END]
        if shape[SPENT] > 0:
            fits = insert_needed(out, made, log, own, table, shape, shared) >= 0
        else:
            fits = insert(out, made, log, own, table, shape, recent, shared) >= 0
        fetch_add(common, RESERVED, own[END] - before - made)
        if not fits:
            own[CAME_BACK] = GROW
            return 0
        for i in range(n):
            hit = False
            for w in range(flag_words):
                hit |= (flags[i * flag_words + w] & watch[w]) != 0
            if hit:
                noted[own[NOTED] * row] = first + i
                for w in range(flag_words):
                    noted[own[NOTED] * row + 1 + w] = flags[i * flag_words + w] & watch[w]
                own[NOTED] += 1
        own[TRANSITIONS] += made
        own[CHUNK_UNDER_WAY] = -1


@compiled
def search_small_levels(
    kernel, buffers, log, first, own, table, shape, recent, watch, flag_words, kept, seen_words,
    ends, level_count, most, others,
):  # fmt: skip
    """Expand level after level while each is a chunk at most and nothing is to be said of it.

    The first is of the states from ``first`` to the end of this thread's log, while no other works;
    ``others`` is how many states these have. All of the level are this thread's.
    Ends before a level with a flag of ``watch``, with anything not ``seen`` before, with nothing
    new or for which there is no room: that one remains as if never looked at, but that some of its
    successors may be in the log. Ends too with ``most`` states in all, after CHUNK * 2 states
    or ``level_count`` levels. Writes to ``ends`` where each new level ends; returns how many there
    are. ``kept`` is room for ``seen_words`` words.
    """
    out, flags, seen = words_at(buffers[OUT]), halves_at(buffers[FLAGS]), halves_at(buffers[SEEN])
    start, source, coding = first, words_at(buffers[SOURCE]), numbers_at(shape[CODING])
    done = np.int64(0)
    last = own[END]
    while (
        done < level_count
        and others + last < most
        and last - first <= CHUNK
        and first - start < 2 * CHUNK
    ):
        n = last - first
        for w in range(seen_words):
            kept[w] = seen[w]
        read_states(log, first, n, coding, source)
        made = call_kernel(kernel, source, 0, n, buffers)
        told = others + last + made > shape[ROOM]
        for i in range(n):
            for w in range(flag_words):
                told |= (flags[i * flag_words + w] & watch[w]) != 0
        for w in range(seen_words):
            told |= seen[w] != kept[w]
        if told:
            for w in range(seen_words):
                seen[w] = kept[w]
            return done
        if insert(out, made, log, own, table, shape, recent, False) < 0 or own[END] == last:
            return done
        own[TRANSITIONS] += made
        first = last
        last = own[END]
        ends[done] = last
        done += 1
    return done


@compiled
def judge_states(kernel, buffers, log, first, count, coding):
    """Evaluate the flags of up to CHUNK states of the log without inserting their successors."""
    source = words_at(buffers[SOURCE])
    read_states(log, first, count, coding, source)
    return call_kernel(kernel, source, 0, count, buffers)


@compiled
def find_sources(
    kernel, buffers, log, first, last, coding, targets, target_table, places, found,
    found_count,
):  # fmt: skip
    """Write to ``found`` the states of first .. last with a successor among ``targets``.

    ``target_table`` holds 1 + the number of a target at the place of its hash; its ``places``
    are a power of two. Returns how many; stops early when ``found`` is full.
    """
    out, offsets = words_at(buffers[OUT]), halves_at(buffers[OFFSETS])
    last_place, source = u64(places - 1), words_at(buffers[SOURCE])
    words = coding[STATE_WORDS]
    count = 0
    at = first
    while at < last:
        n = min(CHUNK, last - at)
        read_states(log, at, n, coding, source)
        call_kernel(kernel, source, 0, n, buffers)
        for i in range(n):
            hit = False
            for k in range(offsets[i], offsets[i + 1]):
                place = np.int64(mix_words(out, np.int64(k) * words, words) & last_place)
                while target_table[place] != 0 and not hit:
                    target = (target_table[place] - 1) * words
                    same = True
                    for w in range(words):
                        if targets[target + w] != out[np.int64(k) * words + w]:
                            same = False
                    hit = same
                    place = np.int64(u64(place + 1) & last_place)
                if hit:
                    break
            if hit:
                if count == found_count:
                    return count
                found[count] = at + i
                count += 1
        at += n
    return count


@compiled
def index_targets(targets, count, target_table, size, words):
    """Fill the table that ``find_sources`` looks targets up in."""
    last_place = u64(size - 1)
    for i in range(count):
        place = np.int64(mix_words(targets, i * words, words) & last_place)
        while target_table[place] != 0:
            place = np.int64(u64(place + 1) & last_place)
        target_table[place] = i + 1
    return count
