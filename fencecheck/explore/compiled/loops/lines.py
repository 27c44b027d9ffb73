"""Lines of a table: 64 bytes of slots, each of 32, 40, 48 or 64 bits, that are looked at together.

A slot of 40 or 48 bits stands in two places: its lower half among those of its line, 32 bits each,
and what is above it in a second row behind them. What is above is never 0 in a slot that is in use,
and is written last; the last four bytes of such a line are its lock, which whoever writes to a line
that threads share holds. Slots of a line are filled in their order.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from fencecheck.explore.compiled.loops.intrinsics import (
    bytes_of,
    halves_of,
    inlined,
    quarters_of,
    release,
    swap_half_if,
    swap_if_zero,
)

u64, u32 = np.uint64, np.uint32
_I64, _I32 = ir.IntType(64), ir.IntType(32)
# where the upper row of a line begins, in bytes, by the bits of a slot
_ABOVE = {40: 48, 48: 40}
_SLOTS = {32: 16, 40: 12, 48: 10, 64: 8}


def _vector(builder: Any, place: Any, bits: int) -> Any:
    """Load a line as a vector of numbers of so many bits."""
    kind = ir.VectorType(ir.IntType(bits), 512 // bits)
    return builder.load(builder.bitcast(place, kind.as_pointer()), align=64)


def _which(builder: Any, line: Any, number: Any) -> Any:
    """Return a bit for each number of a vector that is equal to ``number``, of 64 bits."""
    kind = line.type
    one = builder.trunc(number, kind.element) if kind.element.width < 64 else number
    lone = builder.insert_element(ir.Constant(kind, ir.Undefined), one, _I32(0))
    picks = ir.Constant(ir.VectorType(_I32, kind.count), [0] * kind.count)
    every = builder.shuffle_vector(lone, ir.Constant(kind, ir.Undefined), picks)
    found = builder.bitcast(builder.icmp_unsigned("==", line, every), ir.IntType(kind.count))
    return builder.zext(found, _I64) if kind.count < 64 else found


def _look(builder: Any, place: Any, value: Any, width: int) -> tuple[Any, Any]:
    """Return which slots of a line hold a value, and which are empty."""
    if width in (32, 64):
        line = _vector(builder, place, width)
        return _which(builder, line, value), _which(builder, line, _I64(0))
    upper = width - 32
    first, mask = _ABOVE[width] * 8 // upper, (1 << _SLOTS[width]) - 1
    above = _vector(builder, place, upper)
    builder.fence("acquire")  # what is above is read first, since it is written last

    def in_row(found: Any) -> Any:
        return builder.and_(builder.lshr(found, _I64(first)), _I64(mask))

    like = in_row(_which(builder, above, builder.lshr(value, _I64(32))))
    empty = in_row(_which(builder, above, _I64(0)))
    below = _which(builder, _vector(builder, place, 32), value)
    return builder.and_(like, below), empty


def _looking(width: int) -> Any:
    @intrinsic
    def look(typing: Any, table: Any, line: Any, value: Any) -> Any:
        signature = numba.types.int64(table, line, numba.types.uint64)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            place = builder.gep(args[0], [builder.shl(args[1], _I64(3))])
            equal, empty = _look(builder, place, args[2], width)
            return builder.or_(equal, builder.shl(empty, _I64(16)))

        return signature, generate

    return look


_look_32, _look_40, _look_48, _look_64 = (_looking(width) for width in (32, 40, 48, 64))


@inlined
def slots_of(width):
    """Return how many slots of so many bits a line has."""
    if width == 32:
        return 16
    if width == 40:
        return 12
    if width == 48:
        return 10
    return 8


@inlined
def look_at(table, line, value, width):
    """Return bits 0 to 15 for the slots of a line that hold ``value``, 16 to 31 for empty ones."""
    if width == 32:
        return _look_32(table, line, value)
    if width == 40:
        return _look_40(table, line, value)
    if width == 48:
        return _look_48(table, line, value)
    return _look_64(table, line, value)


@inlined
def slot_held(table, line, slot, width):
    """Return what a slot holds."""
    if width == 64:
        return table[(line << 3) + slot]
    low = u64(halves_of(table)[(line << 4) + slot])
    if width == 40:
        return low | u64(bytes_of(table)[(line << 6) + 48 + slot]) << u64(32)
    if width == 48:
        return low | u64(quarters_of(table)[(line << 5) + 20 + slot]) << u64(32)
    return low


@inlined
def hold(table, line, slot, value, width):
    """Write to a slot, what is above its lower half last."""
    if width == 64:
        table[(line << 3) + slot] = value
        return
    halves_of(table)[(line << 4) + slot] = u32(value)
    if width == 32:
        return
    release()
    above = value >> u64(32)
    if width == 40:
        bytes_of(table)[(line << 6) + 48 + slot] = np.uint8(above)
    else:
        quarters_of(table)[(line << 5) + 20 + slot] = np.uint16(above)


@inlined
def put_into(table, line, slot, value, width, shared):
    """Fill the first empty slot of a line; False if another thread was faster."""
    if not shared:
        hold(table, line, slot, value, width)
        return True
    if width == 64:
        return swap_if_zero(table, (line << 3) + slot, value) == u64(0)
    halves = halves_of(table)
    if width == 32:
        return swap_half_if(halves, (line << 4) + slot, 0, value) == 0
    lock = (line << 4) + 15
    while swap_half_if(halves, lock, 0, 1) != 0:
        pass
    free = slot_held(table, line, slot, width) >> u64(32) == u64(0)
    if free:
        hold(table, line, slot, value, width)
    release()
    halves[lock] = u32(0)
    return free
