"""What the loops need of the machine and Python does not have, as numba emits it."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from fencecheck.explore.compiled.loops.slots import BLOCK, KEYS

# what Python or C would call them by is left out, since native/build.py makes that of its own
_BARE = {"error_model": "numpy", "boundscheck": False} | dict.fromkeys(
    ("no_cpython_wrapper", "no_cfunc_wrapper"), True
)
# functions that others of these files call; those within the first are typed with its constants
inlined = numba.njit(forceinline=True, **_BARE)
compiled = numba.njit(**_BARE)

_I64 = ir.IntType(64)
U64S, U32S = numba.types.CPointer(numba.types.uint64), numba.types.CPointer(numba.types.uint32)
U16S, U8S = numba.types.CPointer(numba.types.uint16), numba.types.CPointer(numba.types.uint8)


@intrinsic
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of ``array[index]``."""
    signature = numba.types.void(array, index)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.gep(args[0], [args[1]])
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
        place = builder.gep(args[0], [args[1]])
        pair = builder.cmpxchg(place, _I64(0), args[2], "acq_rel", "acquire")
        return builder.extract_value(pair, 0)

    return signature, generate


@intrinsic
def swap_half_if(typing: Any, array: Any, index: Any, held: Any, value: Any) -> Any:
    """Atomically set ``array[index]``, of 32 bits, if it is ``held``; return what it held."""
    whole = numba.types.uint64
    signature = numba.types.uint32(array, index, whole, whole)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        i32 = ir.IntType(32)
        place = builder.gep(args[0], [args[1]])
        expected, new = (builder.trunc(number, i32) for number in args[2:])
        pair = builder.cmpxchg(place, expected, new, "acq_rel", "acquire")
        return builder.extract_value(pair, 0)

    return signature, generate


@intrinsic
def load_acquire(typing: Any, array: Any, index: Any) -> Any:
    """Return ``array[index]`` as it is now, before whatever is read after it.

    What another thread is waited for must be read so: a plain read may be moved out of the loop.
    """
    signature = numba.types.uint64(array, index)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load_atomic(builder.gep(args[0], [args[1]]), "acquire", 8)

    return signature, generate


@intrinsic
def release(typing: Any) -> Any:
    """Keep what was written before apart from what is written after it."""
    signature = numba.types.void()

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.fence("release")
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def fetch_add(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Atomically add to ``array[index]``; return what it held before."""
    signature = numba.types.int64(array, index, value)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.gep(args[0], [args[1]])
        return builder.atomic_rmw("add", place, args[2], "acq_rel")

    return signature, generate


@intrinsic
def look_at_line(typing: Any, table: Any, base: Any, value: Any, mask: Any) -> Any:
    """Compare the slots of the line at ``table[base]`` with ``value`` in the bits of ``mask``.

    Returns bits 0 to 7 for the slots that are equal, bits 8 to 15 for those that are empty.
    """
    signature = numba.types.int64(table, base, numba.types.uint64, numba.types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        i32, i8 = ir.IntType(32), ir.IntType(8)
        line = ir.VectorType(_I64, 8)
        table, index, wanted, mask = args
        place = builder.bitcast(builder.gep(table, [index]), line.as_pointer())
        held = builder.load(place, align=8)

        def everywhere(number: Any) -> Any:
            one = builder.insert_element(ir.Constant(line, ir.Undefined), number, i32(0))
            picks = ir.Constant(ir.VectorType(i32, 8), [0] * 8)
            return builder.shuffle_vector(one, ir.Constant(line, ir.Undefined), picks)

        def bits(condition: Any) -> Any:
            return builder.zext(builder.bitcast(condition, i8), _I64)

        masked = builder.and_(held, everywhere(mask))
        equal = bits(builder.icmp_unsigned("==", masked, everywhere(wanted)))
        empty = bits(builder.icmp_unsigned("==", held, ir.Constant(line, [0] * 8)))
        return builder.or_(equal, builder.shl(empty, _I64(8)))

    return signature, generate


@intrinsic
def lowest_bit(typing: Any, number: Any) -> Any:
    """Return the number of trailing zeros of a number that is not 0."""
    signature = numba.types.int64(numba.types.int64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return signature, generate


@intrinsic
def block_of_words(typing: Any) -> Any:
    """Return an array of 2 * BLOCK words that lives as long as the function runs."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = cgutils.alloca_once(builder, ir.ArrayType(_I64, 2 * BLOCK))
        return builder.bitcast(array, _I64.as_pointer())

    return U64S(), generate


@intrinsic
def block_of_keys(typing: Any) -> Any:
    """Return an array of KEYS words, and a spare one, that lives as long as the function runs."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = cgutils.alloca_once(builder, ir.ArrayType(_I64, KEYS + 1))
        return builder.bitcast(array, _I64.as_pointer())

    return U64S(), generate


def _array_at(kind: Any) -> Any:
    """Return the intrinsic that reads an address as an array of one kind of number."""

    @intrinsic
    def array_at(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(kind))

        return kind(numba.types.int64), generate

    return array_at


@intrinsic
def word_at(typing: Any, array: Any, byte: Any) -> Any:
    """Return the eight bytes from a place in an array of bytes on, as a word."""
    signature = numba.types.uint64(array, byte)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.bitcast(builder.gep(args[0], [args[1]]), _I64.as_pointer())
        return builder.load(place, align=1)

    return signature, generate


@intrinsic
def write_word(typing: Any, array: Any, byte: Any, word: Any) -> Any:
    """Write a word over the eight bytes from a place in an array of bytes on."""
    signature = numba.types.void(array, byte, numba.types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.bitcast(builder.gep(args[0], [args[1]]), _I64.as_pointer())
        builder.store(args[2], place, align=1)
        return context.get_dummy_value()

    return signature, generate


def _seen_as(kind: Any) -> Any:
    """Return the intrinsic that takes an array of words as one of another kind of number."""

    @intrinsic
    def seen_as(typing: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.bitcast(args[0], context.get_value_type(kind))

        return kind(U64S), generate

    return seen_as


halves_of, quarters_of, bytes_of = _seen_as(U32S), _seen_as(U16S), _seen_as(U8S)
words_at, halves_at, quarters_at = _array_at(U64S), _array_at(U32S), _array_at(U16S)
numbers_at = _array_at(numba.types.CPointer(numba.types.int64))


@intrinsic
def call_kernel(typing: Any, kernel: Any, log: Any, at: Any, n: Any, buffers: Any) -> Any:
    """Call the kernel at an address on ``n`` states whose words start at ``log[at]``.

    ``buffers`` are the addresses of its arrays, in the order of their slots.
    """
    signature = numba.types.int64(kernel, log, at, n, buffers)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        address, log, at, n, buffers = args
        source = builder.bitcast(builder.gep(log, [at]), pointer)
        rest = [
            builder.inttoptr(builder.load(builder.gep(buffers, [_I64(k)])), pointer)
            for k in range(7)
        ]
        kind = ir.FunctionType(_I64, [pointer, _I64, *[pointer] * 7])
        function = builder.inttoptr(address, kind.as_pointer())
        return builder.call(function, [source, n, *rest])

    return signature, generate
