"""Layout: a state as a flat list of small whole numbers, one for each field.

Scalars are one field each, arrays and records one for each part, a set is a bit mask (split into
chunks), a bag or sequence one field for each slot: the element bit-packed, ``empty`` above all
elements, so that ascending slots are the canonical order. Both the lowering and the packed words
of the compiled engine are built on this; the reference engine does not need it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.domains import (
    Array,
    Bag,
    Bool,
    Domain,
    Int,
    Maybe,
    Record,
    Scalar,
    Set,
)
from fencecheck.model.domains.containers import kind_of
from fencecheck.model.domains.leaves import ElementPart, leaves, of_scalars, scalars_of

LIMIT = 1 << 62
NUMBERS = 20_000  # numbers of a state at most
MEMBERS = 4096  # possible members of a set at most
SLOT_BITS = 62
CHUNK = 30  # bits of a set in one field: half a word at most


@dataclass(frozen=True)
class Field:
    """One number of the flat state: ``low`` .. ``high`` as the lowering sees it.

    ``truth``: it holds a Bool, and is a truth wherever it is read or written.
    """

    path: str
    low: int
    high: int
    ghost: bool
    truth: bool = False

    @property
    def bits(self) -> int:
        """Return how many bits hold every value (0 for a field with one value)."""
        return (self.high - self.low).bit_length()


@dataclass(frozen=True)
class Slot:
    """How an element is bit-packed into a slot: (scalar, shift, bits) and the mark of emptiness."""

    parts: tuple[tuple[ElementPart, int, int], ...]
    empty: int


def slot_of(element: Domain) -> Slot:
    """Return how elements of this kind are packed, the first scalar the most significant.

    Raises ModelError for elements of more than SLOT_BITS bits.
    """
    scalars = list(leaves(element))
    widths = [(leaf.domain.count - 1).bit_length() for leaf in scalars]
    shift, top = sum(widths), 0
    parts = []
    for leaf, width in zip(scalars, widths, strict=True):
        shift -= width
        parts.append((leaf, shift, width))
        top |= (leaf.domain.count - 1) << shift
    if top.bit_length() > SLOT_BITS:
        what = f"{'a record ' if isinstance(element, Record) else ''}{kind_of(element)}"
        raise ModelError(
            f"{what} in a bag needs {top.bit_length()} bits, more than {SLOT_BITS}; "
            "narrow the domains of what it holds"
        )
    return Slot(tuple(parts), top + 1)


def chunks_of(domain: Set) -> list[int]:
    """Return how many members each chunk of a set's mask stands for.

    Raises ModelError for a set of more than MEMBERS possible members.
    """
    count = domain.element.count
    if count > MEMBERS:
        raise ModelError(
            f"a set of {domain.element.describe()} has {count} possible members, "
            f"more than {MEMBERS}; narrow their domains or keep a bag of those present"
        )
    return [min(CHUNK, count - start) for start in range(0, count, CHUNK)]


def _fields(path: str, domain: Domain, ghost: bool) -> Iterable[Field]:
    if isinstance(domain, Array):
        for i in range(domain.length):
            yield from _fields(f"{path}[{i}]", domain.element, ghost)
    elif isinstance(domain, Record):
        for name, inner in domain.fields.items():
            yield from _fields(f"{path}.{name}", inner, ghost or name in domain.ghosts)
    elif isinstance(domain, Set):
        for i, size in enumerate(chunks_of(domain)):
            yield Field(f"{path}|{i}", 0, (1 << size) - 1, ghost)
    elif isinstance(domain, Bag):
        empty = _fitting(path, slot_of, domain.element).empty
        for i in range(domain.capacity):
            yield Field(f"{path}#{i}", 0, empty, ghost)
    elif isinstance(domain, Int):
        if domain.low < -LIMIT or domain.high > LIMIT:
            raise ModelError(f"{path}: {domain.describe()} needs more than 62 bits; narrow it")
        yield Field(path, domain.low, domain.high, ghost)
    else:
        assert isinstance(domain, Scalar)
        yield Field(path, 0, domain.count - 1, ghost, isinstance(domain, Bool))


def _fitting(path: str, how: Callable[[Any], Any], domain: Domain) -> Any:
    """Return how a part of the state is laid out; say of which variable it is if it cannot be."""
    try:
        return how(domain)
    except ModelError as error:
        raise ModelError(f"variable {path.partition('[')[0]}: {error}") from None


def pack_element(element: Domain, slot: Slot, value: Any) -> int:
    """Return ``value`` as the number its slot holds."""
    packed = 0
    for (leaf, shift, _), item in zip(slot.parts, scalars_of(element, value), strict=True):
        packed |= leaf.domain.rank(item) << shift
    return packed


def unpack_element(element: Domain, slot: Slot, packed: int) -> Any:
    """Return the element that a slot's number stands for."""
    values = (leaf.domain.value((packed >> sh) & ((1 << w) - 1)) for leaf, sh, w in slot.parts)
    return of_scalars(element, values)


Numbers = Callable[[Any], list[int]]
Take = Callable[[Any], Any]


def _encoder(domain: Domain) -> Numbers:
    if isinstance(domain, Array):
        inner = _encoder(domain.element)
        return lambda value: [n for item in value for n in inner(item)]
    if isinstance(domain, Record):
        parts = [_encoder(d) for d in domain.fields.values()]
        return lambda value: [n for e, v in zip(parts, value, strict=True) for n in e(v)]
    if isinstance(domain, Set):
        rank, starts = domain.element.rank, len(chunks_of(domain))

        def mask(value: Any) -> list[int]:
            bits = sum(1 << rank(item) for item in value)
            return [(bits >> (CHUNK * i)) & ((1 << CHUNK) - 1) for i in range(starts)]

        return mask
    if isinstance(domain, Bag):
        element, slot, capacity = domain.element, slot_of(domain.element), domain.capacity

        def slots(value: Any) -> list[int]:
            used = [pack_element(element, slot, item) for item in value]
            return used + [slot.empty] * (capacity - len(used))

        return slots
    if isinstance(domain, Maybe):
        return lambda value: [-1 if value is None else value]
    if isinstance(domain, Int):
        return lambda value: [value]
    assert isinstance(domain, Scalar)
    rank_of = domain.rank
    return lambda value: [rank_of(value)]


def _decoder(domain: Domain) -> Take:
    """Return a function that takes a value's numbers from an iterator."""
    if isinstance(domain, Array):
        inner, length, row = _decoder(domain.element), domain.length, domain.row
        return lambda numbers: row(inner(numbers) for _ in range(length))
    if isinstance(domain, Record):
        parts, make = [_decoder(d) for d in domain.fields.values()], domain.make
        return lambda numbers: make(*(part(numbers) for part in parts))
    if isinstance(domain, Set):
        element, sizes = domain.element, chunks_of(domain)

        def members(numbers: Any) -> tuple[Any, ...]:
            found = []
            for i, size in enumerate(sizes):
                mask = next(numbers)
                found += [element.value(CHUNK * i + j) for j in range(size) if mask >> j & 1]
            return tuple(found)

        return members
    if isinstance(domain, Bag):
        element, slot, capacity = domain.element, slot_of(domain.element), domain.capacity

        def used(numbers: Any) -> tuple[Any, ...]:
            packed = [next(numbers) for _ in range(capacity)]
            return tuple(unpack_element(element, slot, n) for n in packed if n != slot.empty)

        return used
    if isinstance(domain, Maybe):
        return lambda numbers: None if (number := next(numbers)) < 0 else number
    if isinstance(domain, Int):
        return lambda numbers: next(numbers)
    assert isinstance(domain, Scalar)
    value_of = domain.value
    return lambda numbers: value_of(next(numbers))


def _numbers_of(domain: Domain) -> int:
    """Return how many numbers a value of a domain is."""
    if isinstance(domain, Array):
        return domain.length * _numbers_of(domain.element)
    if isinstance(domain, Record):
        return sum(map(_numbers_of, domain.fields.values()))
    if isinstance(domain, Set):
        return len(chunks_of(domain))
    return domain.capacity if isinstance(domain, Bag) else 1


def _check_size(variables: list[tuple[str, Domain, bool]]) -> None:
    """Refuse a state of more than NUMBERS numbers, which no search would ever get through."""
    sizes = {name: _fitting(name, _numbers_of, domain) for name, domain, _ in variables}
    total, largest = sum(sizes.values()), max(sizes, key=sizes.__getitem__, default="")
    if total > NUMBERS:
        raise ModelError(
            f"a state is {total:,} numbers, {sizes[largest]:,} of them in variable {largest}, and "
            f"{NUMBERS:,} is the most there can be; choose smaller bounds"
        )


class Layout:
    """The fields of a list of (name, domain, ghost), with conversion both ways."""

    def __init__(self, variables: Iterable[tuple[str, Domain, bool]]) -> None:
        self.variables = list(variables)
        _check_size(self.variables)
        self.fields = [
            f for name, domain, ghost in self.variables for f in _fields(name, domain, ghost)
        ]
        self.place = {f.path: i for i, f in enumerate(self.fields)}
        self._encoders = [_encoder(domain) for _, domain, _ in self.variables]
        self._decoders = [_decoder(domain) for _, domain, _ in self.variables]

    def numbers(self, state: Iterable[Any]) -> list[int]:
        """Return a state, a tuple of values at rest, as its flat numbers."""
        return [n for encode, v in zip(self._encoders, state, strict=True) for n in encode(v)]

    def state(self, numbers: Iterable[int]) -> tuple[Any, ...]:
        """Return the state that flat numbers stand for; the inverse of ``numbers``."""
        rest = iter(numbers)
        return tuple(decode(rest) for decode in self._decoders)
