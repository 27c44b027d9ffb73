"""The fixed search loop of the compiled engine: model-independent, compiled once by numba.

Everything that is compiled stands in this one file, by whose content the cache knows it.

Words of state s of the log start at ``s * words``. A table is exact and comes in two kinds. With
one word a state it holds quotients: a bijection mixes the ``bits`` of a state, the product with
the number of lines gives the line of 8 slots, and the low bits, which with the line identify the
state, are kept beside the distance from home (1 + lines walked) in the top six bits of a slot.
With more words a slot holds the upper 32 bits of a hash, which give the line, and the number of a
state in the log, whose words are compared. A slot of 0 is empty. Lines ascend with the hash however
many there are, so a table moves into a larger one from front to back, without jumping about.

The ``shape`` of a table, what is ``common`` to the threads of a level, and what is a thread's
``own`` are small arrays; their slots have the names below.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from fencecheck.explore.jit import compiled

FINISHED, GROW, DRAIN, STOPPED = 0, 1, 2, 3  # what a thread comes back for
# shape: words and bits of a state, lines, bits of a remainder, states there is room for,
# and 2**bits divided by the lines: how many to each, how many over
WORDS, BITS, LINES, REST, ROOM, EACH, OVER = range(7)
NEXT_CHUNK, RESERVED, STOP = range(3)  # common
END, LEVEL_END, CHUNK_UNDER_WAY, TRANSITIONS, NOTED, CAME_BACK = range(6)  # own
CHUNK = 2048
AHEAD = 32  # how far ahead memory is asked for
BLOCK = 128  # the same for tables of quotients

u64 = np.uint64
_MIX1, _MIX2 = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)
_UPPER = u64(0xFFFFFFFF00000000)


@intrinsic
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of ``array[index]``."""
    signature = numba.types.void(array, index)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        place = builder.gep(data, [args[1]])
        i32 = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, i32, i32, i32])
        function = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(function, [place, i32(0), i32(3), i32(1)])
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def swap_if_zero(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Atomically set ``array[index]`` if it is 0; return what it held before."""
    signature = numba.types.uint64(array, index, value)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        place = builder.gep(data, [args[1]])
        zero = ir.Constant(ir.IntType(64), 0)
        pair = builder.cmpxchg(place, zero, args[2], "acq_rel", "acquire")
        return builder.extract_value(pair, 0)

    return signature, generate


@intrinsic
def fetch_add(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Atomically add to ``array[index]``; return what it held before."""
    signature = numba.types.int64(array, index, value)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        place = builder.gep(data, [args[1]])
        return builder.atomic_rmw("add", place, args[2], "acq_rel")

    return signature, generate


@intrinsic
def high_product(typing: Any, a: Any, b: Any) -> Any:
    """Return the upper 64 bits of the product of two unsigned numbers."""
    signature = numba.types.uint64(numba.types.uint64, numba.types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return signature, generate


@intrinsic
def look_at_line(typing: Any, table: Any, base: Any, value: Any, mask: Any) -> Any:
    """Compare the slots of the line at ``table[base]`` with ``value`` in the bits of ``mask``.

    Returns bits 0 to 7 for the slots that are equal, bits 8 to 15 for those that are empty.
    """
    signature = numba.types.int64(table, base, numba.types.uint64, numba.types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        i64, i32, i8 = ir.IntType(64), ir.IntType(32), ir.IntType(8)
        line = ir.VectorType(i64, 8)
        array, index, wanted, mask = args
        data = context.make_array(sig.args[0])(context, builder, array).data
        place = builder.bitcast(builder.gep(data, [index]), line.as_pointer())
        held = builder.load(place, align=8)

        def everywhere(number: Any) -> Any:
            one = builder.insert_element(ir.Constant(line, ir.Undefined), number, i32(0))
            picks = ir.Constant(ir.VectorType(i32, 8), [0] * 8)
            return builder.shuffle_vector(one, ir.Constant(line, ir.Undefined), picks)

        def bits(condition: Any) -> Any:
            return builder.zext(builder.bitcast(condition, i8), i64)

        masked = builder.and_(held, everywhere(mask))
        equal = bits(builder.icmp_unsigned("==", masked, everywhere(wanted)))
        empty = bits(builder.icmp_unsigned("==", held, ir.Constant(line, [0] * 8)))
        return builder.or_(equal, builder.shl(empty, i64(8)))

    return signature, generate


@intrinsic
def lowest_bit(typing: Any, number: Any) -> Any:
    """Return the number of trailing zeros of a number that is not 0."""
    signature = numba.types.int64(numba.types.int64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return signature, generate


@intrinsic
def call_kernel(
    typing: Any,
    address: Any,
    log: Any,
    at: Any,
    n: Any,
    out: Any,
    offsets: Any,
    switches: Any,
    flags: Any,
    seen: Any,
    scratch: Any,
    labels: Any,
) -> Any:
    """Call the kernel at ``address`` on ``n`` states whose words start at ``log[at]``."""
    signature = numba.types.int64(
        address, log, at, n, out, offsets, switches, flags, seen, scratch, labels
    )

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer, i64 = ir.IntType(8).as_pointer(), ir.IntType(64)

        def data(k: int) -> Any:
            return context.make_array(sig.args[k])(context, builder, args[k]).data

        address, _, at, n, *_ = args
        source = builder.bitcast(builder.gep(data(1), [at]), pointer)
        rest = [builder.bitcast(data(k), pointer) for k in range(4, 11)]
        kind = ir.FunctionType(i64, [pointer, i64, *[pointer] * 7])
        function = builder.inttoptr(address, kind.as_pointer())
        return builder.call(function, [source, n, *rest])

    return signature, generate


@numba.njit(inline="always")
def mix_bits(x: Any, mask: Any, half: Any) -> Any:
    """Return a bijection of the numbers up to ``mask``."""
    x ^= x >> half
    x = (x * _MIX1) & mask
    x ^= x >> half
    x = (x * _MIX2) & mask
    x ^= x >> half
    return x


@numba.njit(inline="always")
def mix_words(source: Any, at: Any, words: Any) -> Any:
    """Return a hash of several words."""
    x = source[at]
    for j in range(1, words):
        x ^= x >> u64(32)
        x = (x + source[at + j]) * _MIX1
    x ^= x >> u64(30)
    x *= _MIX2
    x ^= x >> u64(31)
    return x


@numba.njit(inline="always")
def line_of(h: Any, lines: Any) -> Any:
    """Return the line of a hash of several words, from its upper half alone."""
    return ((h >> u64(32)) * lines) >> u64(32)


@numba.njit(inline="always")
def put(table: Any, slot: Any, value: Any, shared: Any) -> Any:
    """Fill an empty slot; False if another thread was faster."""
    if shared:
        return swap_if_zero(table, slot, value) == u64(0)
    table[slot] = value
    return True


@compiled
def insert(
    source: Any, count: Any, log: Any, own: Any, table: Any, shape: Any, recent: Any, shared: Any
) -> Any:
    """Insert ``count`` states; append those that are new to the thread's end of the log.

    Returns ``count``, or -1 if a state would be too far from its home: the table must grow, and
    the same states be inserted again.
    """
    if shape[WORDS] == 1:
        return insert_one(source, count, log, own, table, shape, recent, shared)
    return insert_more(source, count, log, own, table, shape, shared)


@compiled
def insert_one(
    source: Any, count: Any, log: Any, own: Any, table: Any, shape: Any, recent: Any, shared: Any
) -> Any:
    """Insert states of one word into a table of quotients.

    Works in two blocks: while the lines of one are on their way from memory, the other is filled
    with states that ``recent``, an exact filter of those just seen, does not hold.
    """
    bits, lines = u64(shape[BITS]), u64(shape[LINES])
    rest_mask = (u64(1) << u64(shape[REST])) - u64(1)
    mask = ~u64(0) if bits == u64(64) else (u64(1) << bits) - u64(1)
    half, lift = (bits + u64(1)) >> u64(1), u64(64) - bits
    recent_mask, one_further = u64(recent.size - 1), u64(1) << u64(58)
    hashes, states = np.empty(2 * BLOCK, np.uint64), np.empty(2 * BLOCK, np.uint64)
    end, at, here, waiting = own[END], np.int64(0), np.int64(0), np.int64(0)
    while waiting > 0 or at < count:
        there = BLOCK - here
        kept = there
        stop = min(at + BLOCK, count)
        for i in range(at, stop):
            x = source[i]
            h = mix_bits(x, mask, half)
            spot = np.int64(h & recent_mask)
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
                    for k in range(recent.size):  # what was not stored must not pass for seen
                        recent[k] = u64(k) ^ u64(1)
                    own[END] = end
                    return -1
        waiting, here = kept - there, there
    own[END] = end
    return count


@numba.njit(inline="always")
def insert_words(
    source: Any, count: Any, log: Any, own: Any, table: Any, shape: Any, shared: Any, words: Any
) -> Any:
    """Insert states of so many words into a table of numbers in the log."""
    lines, end = u64(shape[LINES]), own[END]
    hashes = np.empty(64, np.uint64)
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
def insert_more(
    source: Any, count: Any, log: Any, own: Any, table: Any, shape: Any, shared: Any
) -> Any:
    """Insert states of several words; for two or three the loops over words are unrolled."""
    if shape[WORDS] == 2:
        return insert_words(source, count, log, own, table, shape, shared, 2)
    if shape[WORDS] == 3:
        return insert_words(source, count, log, own, table, shape, shared, 3)
    return insert_words(source, count, log, own, table, shape, shared, shape[WORDS])


@numba.njit(inline="always")
def put_quotient(table: Any, line: Any, lines: Any, rest: Any, shared: Any) -> Any:
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


@numba.njit(inline="always")
def put_number(table: Any, line: Any, lines: Any, value: Any, shared: Any) -> None:
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
def reinsert(log: Any, first: Any, count: Any, table: Any, shape: Any, shared: Any) -> Any:
    """Put states ``first`` .. of the log, known to be distinct, into a fresh table.

    Returns ``count``, or -1 if a state would be too far from its home.
    """
    words, bits, lines = shape[WORDS], u64(shape[BITS]), u64(shape[LINES])
    rest_mask = (u64(1) << u64(shape[REST])) - u64(1)
    mask = ~u64(0) if bits == u64(64) else (u64(1) << bits) - u64(1)
    half, lift = (bits + u64(1)) >> u64(1), u64(64) - bits
    hashes = np.empty(64, np.uint64)
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
    old: Any,
    old_shape: Any,
    first: Any,
    last: Any,
    table: Any,
    shape: Any,
    onto: Any,
    shared: Any,
) -> Any:
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


@compiled
def search_level(
    kernel: Any,
    log: Any,
    chunks: Any,
    common: Any,
    own: Any,
    table: Any,
    shape: Any,
    buffers: Any,
    switches: Any,
    watch: Any,
    noted: Any,
    shared: Any,
) -> None:
    """Expand chunks of a level until there are none, the table must grow, or notes are full.

    A chunk is (first state, count). ``watch`` masks the flags of interest; states with any are
    noted as (state, flags...). ``own[CHUNK_UNDER_WAY]`` is the chunk to go on with.
    """
    out, offsets, flags, seen, scratch, recent = buffers
    words, flag_words = shape[WORDS], watch.size
    while True:
        if common[STOP] != 0:
            own[CAME_BACK] = STOPPED
            return
        chunk = own[CHUNK_UNDER_WAY]
        if chunk < 0:
            chunk = fetch_add(common, NEXT_CHUNK, 1)
            if chunk >= chunks.shape[0]:
                own[CAME_BACK] = FINISHED
                return
            own[CHUNK_UNDER_WAY] = chunk
        first, n = chunks[chunk, 0], chunks[chunk, 1]
        if own[NOTED] + n > noted.shape[0]:
            own[CAME_BACK] = DRAIN
            return
        made = call_kernel(
            kernel, log, first * words, n, out, offsets, switches, flags, seen, scratch, scratch
        )
        reserved = fetch_add(common, RESERVED, made) + made
        if reserved > shape[ROOM]:
            fetch_add(common, RESERVED, -made)
            own[CAME_BACK] = GROW
            return
        before = own[END]
        fits = insert(out, made, log, own, table, shape, recent, shared) >= 0
        fetch_add(common, RESERVED, own[END] - before - made)
        if not fits:
            own[CAME_BACK] = GROW
            return
        for i in range(n):
            hit = False
            for w in range(flag_words):
                hit |= (flags[i * flag_words + w] & watch[w]) != 0
            if hit:
                noted[own[NOTED], 0] = first + i
                for w in range(flag_words):
                    noted[own[NOTED], 1 + w] = flags[i * flag_words + w] & watch[w]
                own[NOTED] += 1
        own[TRANSITIONS] += made
        own[CHUNK_UNDER_WAY] = -1


@compiled
def judge_states(
    kernel: Any, log: Any, first: Any, count: Any, buffers: Any, switches: Any, words: Any
) -> None:
    """Evaluate the flags of up to CHUNK states without inserting their successors."""
    out, offsets, flags, seen, scratch, _ = buffers
    call_kernel(
        kernel, log, first * words, count, out, offsets, switches, flags, seen, scratch, scratch
    )


@compiled
def find_sources(
    kernel: Any,
    log: Any,
    first: Any,
    last: Any,
    targets: Any,
    target_table: Any,
    shape: Any,
    buffers: Any,
    switches: Any,
    found: Any,
) -> Any:
    """Write to ``found`` the states of first .. last with a successor among ``targets``.

    ``target_table`` holds 1 + the number of a target at the place of its hash. Returns how many;
    stops early when ``found`` is full.
    """
    out, offsets, flags, seen, scratch, _ = buffers
    words, size = shape[WORDS], u64(target_table.size - 1)
    count = 0
    at = first
    while at < last:
        n = min(CHUNK, last - at)
        call_kernel(
            kernel, log, at * words, n, out, offsets, switches, flags, seen, scratch, scratch
        )
        for i in range(n):
            hit = False
            for k in range(offsets[i], offsets[i + 1]):
                place = np.int64(mix_words(out, np.int64(k) * words, words) & size)
                while target_table[place] != 0 and not hit:
                    target = (target_table[place] - 1) * words
                    same = True
                    for w in range(words):
                        if targets[target + w] != out[np.int64(k) * words + w]:
                            same = False
                    hit = same
                    place = np.int64(u64(place + 1) & size)
                if hit:
                    break
            if hit:
                if count == found.size:
                    return count
                found[count] = at + i
                count += 1
        at += n
    return count


@compiled
def index_targets(targets: Any, count: Any, target_table: Any, words: Any) -> None:
    """Fill the table that ``find_sources`` looks targets up in."""
    size = u64(target_table.size - 1)
    for i in range(count):
        place = np.int64(mix_words(targets, i * words, words) & size)
        while target_table[place] != 0:
            place = np.int64(u64(place + 1) & size)
        target_table[place] = i + 1


@compiled
def index_states(log: Any, first: Any, end: Any, table: Any, words: Any) -> None:
    """Put states ``first`` .. ``end`` - 1 into a table of (32 bits of a hash, 1 + number).

    Its size is a power of two.
    """
    size = u64(table.size - 1)
    hashes = np.empty(64, np.uint64)
    for i in range(first, end + AHEAD):
        if i < end:
            g = mix_words(log, i * words, words)
            hashes[i & 63] = g
            prefetch(table, np.int64(g & size))
        if i >= first + AHEAD:
            h = hashes[(i - AHEAD) & 63]
            place = np.int64(h & size)
            while table[place] != u64(0):
                place = np.int64(u64(place + 1) & size)
            table[place] = (h & _UPPER) | u64(i - AHEAD + 1)


@compiled
def find_edges(
    kernel: Any,
    log: Any,
    first: Any,
    count: Any,
    table: Any,
    words: Any,
    buffers: Any,
    switches: Any,
    kinds: Any,
    edges: Any,
) -> Any:
    """Write the edges of states ``first`` .. + ``count`` of a log in order of number.

    ``edges`` are (offsets, targets, labels, predicate flags); ``table`` is of ``index_states``.
    Returns how many states were done: fewer than ``count`` if the edges do not fit, -1 if a
    successor is not among the states.
    """
    out, offsets, flags, seen, scratch, _ = buffers
    starts, targets, labels, marks = edges
    size = u64(table.size - 1)
    end = starts[first]
    done = np.int64(0)
    while done < count:
        n = min(CHUNK, count - done)
        made = call_kernel(
            kernel,
            log,
            (first + done) * words,
            n,
            out,
            offsets,
            switches,
            flags,
            seen,
            scratch,
            kinds,
        )
        if end + made > targets.size:
            return done
        for i in range(min(AHEAD, made)):
            prefetch(table, np.int64(mix_words(out, i * words, words) & size))
        for k in range(made):
            j = k + AHEAD
            if j < made:
                prefetch(table, np.int64(mix_words(out, j * words, words) & size))
            h = mix_words(out, k * words, words)
            tag = h >> u64(32)
            place = np.int64(h & size)
            while True:
                held = table[place]
                if held >> u64(32) == tag:
                    found = np.int64(held & u64(0xFFFFFFFF)) - 1
                    at = found * words
                    same = True
                    for w in range(words):
                        if log[at + w] != out[k * words + w]:
                            same = False
                            break
                    if same:
                        break
                if held == u64(0):
                    return -1
                place = np.int64(u64(place + 1) & size)
            targets[end + k] = found
            labels[end + k] = kinds[k]
        for i in range(n):
            starts[first + done + i + 1] = end + offsets[i + 1]
            for w in range(marks.shape[1]):
                marks[first + done + i, w] = flags[i * marks.shape[1] + w]
        end += made
        done += n
    return done
