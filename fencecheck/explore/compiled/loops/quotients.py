"""Tables of quotients: states of one word, each found by what its line does not tell of it."""

import numpy as np

from fencecheck.explore.compiled.loops.intrinsics import (
    block_of_words,
    compiled,
    fetch_add,
    inlined,
    lowest_bit,
    prefetch,
    swap_if_zero,
    words_at,
)
from fencecheck.explore.compiled.loops.lines import hold, look_at, put_into, slot_held, slots_of
from fencecheck.explore.compiled.loops.slots import (
    BITS,
    BLOCK,
    END,
    FAR,
    FAR_COUNT,
    FAR_SIZE,
    FARTHEST,
    LINES,
    RECENT,
    RECENT_SHIFT,
    REST,
    SIZE,
    WIDTH,
)
from fencecheck.explore.compiled.loops.states import append_state, read_words

u64 = np.uint64
MIX1, MIX2 = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)
_SPREAD = u64(0x9E3779B97F4A7C15)
_ALL = ~u64(0)


@inlined
def mix_bits(x, mask, half):
    """Return a bijection of the numbers up to ``mask``."""
    x ^= x >> half
    x = (x * MIX1) & mask
    x ^= x >> half
    x = (x * MIX2) & mask
    x ^= x >> half
    return x


@inlined
def mask_of(bits):
    """Return the largest number of so many bits, 1 to 64."""
    return _ALL >> (u64(64) - bits)


@inlined
def home_of(h, lift, lines):
    """Return the home line of a mixed state, from its upper 32 bits; ``lift`` moves them up."""
    return (((h << lift) >> u64(32)) * lines) >> u64(32)


@inlined
def least_of(home, lines, lift):
    """Return the least mixed state whose home is a line, or is further on."""
    upper = ((home << u64(32)) + lines - u64(1)) // lines
    if lift <= u64(32):
        return upper << (u64(32) - lift)
    return (upper + (u64(1) << (lift - u64(32))) - u64(1)) >> (lift - u64(32))


@inlined
def forget(recent):
    """Empty the filter of states just seen: it holds numbers where they do not belong."""
    for k in range(RECENT):
        recent[k] = u64(0)
    recent[0] = _ALL


@inlined
def keep_far(h, shape, shared):
    """Put a mixed state among those far from home: 1 if it is new, 0 if not, -1 if they are full.

    They are kept whole, plus 1; the one state for which that is 0 is kept in no such way.
    """
    far, last, held = words_at(shape[FAR]), u64(shape[FAR_SIZE] - 1), h + u64(1)
    if held == u64(0):
        return -1
    at = np.int64((h * _SPREAD >> u64(20)) & last)
    while True:
        there = far[at]
        if there == held:
            return 0
        if there != u64(0):
            at = np.int64(u64(at + 1) & last)
            continue
        if shape[FAR_COUNT] << 2 >= 3 * shape[FAR_SIZE]:
            return -1
        if shared:
            if swap_if_zero(far, at, held) != u64(0):
                continue
            fetch_add(shape, FAR_COUNT, 1)
        else:
            far[at] = held
            shape[FAR_COUNT] += 1
        return 1


@inlined
def find_or_put(h, line, table, shape, lines, rest_mask, shared, width):
    """Find a mixed state or put it in: 1 if it is new, 0 if not, -1 if there is no place for it."""
    further = u64(1) << u64(width - 2)
    value = further | (h & rest_mask)
    for _ in range(FARTHEST):
        seen = look_at(table, line, value, width)
        while not seen & 0xFFFF and seen:
            if put_into(table, line, u64(lowest_bit(seen) - 16), value, width, shared):
                return 1
            seen = look_at(table, line, value, width)
        if seen:
            return 0
        line += u64(1)
        if line == lines:
            line = u64(0)
        value += further
    return keep_far(h, shape, shared)


@compiled
def insert_quotients(source, count, log, own, table, shape, recent, sifted, shared):
    """Insert states of one word; see ``insert``. ``sifted``: no filter is to be asked any more.

    Works in two blocks: while the lines of one are on their way from memory, the other is filled
    with states that ``recent``, an exact filter of those just seen, does not hold.
    """
    bits, lines, width = u64(shape[BITS]), u64(shape[LINES]), shape[WIDTH]
    rest_mask, mask = mask_of(u64(shape[REST])), mask_of(bits)
    half, lift, size = (bits + u64(1)) >> u64(1), u64(64) - bits, shape[SIZE]
    hashes, states = block_of_words(), block_of_words()
    end, at, here, waiting = own[END], np.int64(0), np.int64(0), np.int64(0)
    while waiting > 0 or at < count:
        there = BLOCK - here
        kept = there
        stop = min(at + BLOCK, count)
        for i in range(at, stop):
            x = source[i]
            spot = np.int64((x * _SPREAD) >> u64(RECENT_SHIFT))
            fresh = sifted | (recent[spot] != x)
            recent[spot] = x
            states[kept] = x
            kept += np.int64(fresh)
        at = stop
        for i in range(there, kept):
            hashes[i] = mix_bits(states[i], mask, half)
        for i in range(there, kept):
            prefetch(table, np.int64(home_of(hashes[i], lift, lines) << u64(3)))
        for i in range(here, here + waiting):
            h = hashes[i]
            line = home_of(h, lift, lines)
            new = find_or_put(h, line, table, shape, lines, rest_mask, shared, width)
            if new > 0:
                append_state(log, end, size, states[i])
                end += 1
            elif new < 0:
                forget(recent)  # what was not stored must not pass for seen
                own[END] = end
                return -1
        waiting, here = kept - there, there
    own[END] = end
    return count


@inlined
def put_quotient(table, h, shape, shared):
    """Put a mixed state known to be new into a table of quotients; False if it has no place.

    ``shared`` tells whether other threads may write to the same lines.
    """
    lines, width = u64(shape[LINES]), shape[WIDTH]
    line = home_of(h, u64(64 - shape[BITS]), lines)
    value = h & mask_of(u64(shape[REST]))
    for distance in range(1, FARTHEST + 1):
        while True:
            empty = look_at(table, line, _ALL, width) >> 16
            if not empty:
                break
            whole = (u64(distance) << u64(width - 2)) | value
            if put_into(table, line, u64(lowest_bit(empty)), whole, width, shared):
                return True
        line += u64(1)
        if line == lines:
            line = u64(0)
    return keep_far(h, shape, True) > 0


@compiled
def reinsert_quotients(log, first, count, table, shape, shared):
    """Put states of one word into a fresh table; see ``reinsert``."""
    bits, lines = u64(shape[BITS]), u64(shape[LINES])
    mask, half, lift = mask_of(bits), (bits + u64(1)) >> u64(1), u64(64) - bits
    hashes = block_of_words()
    for start in range(first, first + count, BLOCK):
        n = min(BLOCK, first + count - start)
        read_words(log, start, n, shape[SIZE], hashes)
        for i in range(n):
            hashes[i] = mix_bits(hashes[i], mask, half)
            prefetch(table, np.int64(home_of(hashes[i], lift, lines) << u64(3)))
        for i in range(n):
            if not put_quotient(table, hashes[i], shape, shared):
                return -1
    return count


@inlined
def put_in_turn(table, h, shape, filled):
    """Put a mixed state known to be new where no other thread writes to.

    ``filled`` knows of 16 lines how many slots are in use, so that lines need not be looked at
    that were just written to, which takes long. False if there is no place for the state.
    """
    width, home = shape[WIDTH], home_of(h, u64(64 - shape[BITS]), u64(shape[LINES]))
    at, slots = np.int64(home & u64(15)), u64(slots_of(width))
    if filled[at] != home:
        empty = look_at(table, home, _ALL, width) >> 16
        filled[at] = home
        filled[16 + at] = u64(lowest_bit(empty)) if empty else slots
    slot = filled[16 + at]
    if slot < slots:
        value = (u64(1) << u64(width - 2)) | (h & mask_of(u64(shape[REST])))
        hold(table, home, slot, value, width)
        filled[16 + at] = slot + u64(1)
        return True
    for k in range(16):
        filled[k] = _ALL
    return put_quotient(table, h, shape, False)


@inlined
def take_out(old, old_shape, line, hashes):
    """Empty a line of a table; return how many states were in it, their mixes in ``hashes``.

    A mixed state is the one number among those of its home line that ends in the bits kept.
    """
    lines, lift = u64(old_shape[LINES]), u64(64 - old_shape[BITS])
    mask, width = mask_of(u64(old_shape[REST])), old_shape[WIDTH]
    n, of_line = np.int64(0), least_of(line, lines, lift)
    for slot in range(slots_of(width)):
        held = slot_held(old, line, u64(slot), width)
        if held == u64(0):
            break
        least, distance = of_line, held >> u64(width - 2)
        if distance != u64(1):
            home = line + u64(1)
            if home < distance:
                home += lines
            least = least_of(home - distance, lines, lift)
        hashes[n] = least + ((held - least) & mask)
        n += 1
    for word in range(8):
        old[np.int64(line << u64(3)) + word] = u64(0)
    return n


@compiled
def move_quotients(old, old_shape, first, last, onto, before, table, shape):
    """Take states out of lines of a table and put them into a larger one; see ``move``."""
    lines, lift = u64(shape[LINES]), u64(64 - shape[BITS])
    least, most = u64(onto), u64(before if before == shape[LINES] else before - FARTHEST)
    hashes, filled = block_of_words(), block_of_words()
    for k in range(16):
        filled[k] = _ALL
    moved = np.int64(0)
    for line in range(first, last):
        n = take_out(old, old_shape, u64(line), hashes)
        for i in range(n):
            home = home_of(hashes[i], lift, lines)
            if home < least or home >= most or not put_in_turn(table, hashes[i], shape, filled):
                return -1
        moved += n
    return moved


@compiled
def move_far(far, size, table, shape):
    """Put the states of a table's ``far`` into another; return how many, -1 if one has no place."""
    moved = np.int64(0)
    for at in range(size):
        if far[at] != u64(0):
            if not put_quotient(table, far[at] - u64(1), shape, False):
                return -1
            moved += 1
    return moved
