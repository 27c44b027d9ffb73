"""What a state says of each value of a symmetric Index, as formulas.

The definition is that of model/representatives/symmetry.py. A code is a list of parts that compare
one after another. Where a code can have several lengths (a bag, a set, a sequence) each element
that there can be is one part, 0 where it is not there, so that a shorter code comes first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from fencecheck.model.domains import (
    Array,
    Bag,
    Domain,
    Fresh,
    Index,
    Int,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
)
from fencecheck.model.lower.alike.fresh import ascending
from fencecheck.model.lower.alike.inside import bit_of, digits_of, tags_of
from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.lower.layout import CHUNK, slot_of, span
from fencecheck.model.representatives.renaming import kinds_in

_WORD = 1 << 30  # how many values a part of a slice has at most, unless one alone has more


class SlicePart(NamedTuple):
    """A number of a code, 0 .. ``size`` - 1; ``adds`` where it counts in sums over an array."""

    node: Node
    size: int
    adds: bool = True


class PackedRecord(NamedTuple):
    """A record as it is packed in a slot."""

    node: Node


SliceParts = list[SlicePart]
Told = str | Node | PackedRecord  # the path of a field, or a rank, or a packed record


class SliceCodes:
    """What the values of domains say of one value of the Index ``own``.

    ``read`` gives the number of a field by its path. ``unordered`` are the other symmetric indices
    whose values may not be told apart yet.
    """

    def __init__(
        self, dag: Dag, read: Callable[[str], Node], own: Index, unordered: Collection[Index]
    ) -> None:
        self.dag, self.read, self.own, self.unordered = dag, read, own, unordered

    # -- reading --------------------------------------------------------------------------------
    def _rank(self, domain: Any, value: Any) -> Node:
        if isinstance(value, Node):
            return value
        node = self.read(value)
        if node.truth:
            return self.dag.as_int(node)
        low = span(domain)[0] if isinstance(domain, Int) else 0
        return self.dag.sub(node, self.dag.const(low))

    def _fields(self, record: Record, value: Told) -> Iterator[tuple[Any, Told]]:
        """Yield the fields of a record with their values."""
        if isinstance(value, str):
            yield from ((domain, f"{value}.{name}") for name, domain in record.fields.items())
        elif isinstance(value, PackedRecord):
            for leaf, shift, bits in slot_of(record).parts:
                zero = self.dag.const(0)
                rank = self.dag.slice(value.node, shift, bits) if bits else zero
                yield leaf.domain, rank
        else:
            yield from digits_of(self.dag, record, value)

    def _elements(self, domain: Any, path: str) -> Iterator[tuple[Node, Told]]:
        """Yield (whether it is there, value) for each element that a container can have."""
        dag = self.dag
        if isinstance(domain, Set):
            for rank in range(domain.element.count):
                chunk, place = divmod(rank, CHUNK)
                yield bit_of(dag, self.read(f"{path}|{chunk}"), place), dag.const(rank)
            return
        empty = dag.const(slot_of(domain.element).empty)
        for place in range(domain.capacity):
            node = self.read(f"{path}#{place}")
            packed = PackedRecord(node) if isinstance(domain.element, Record) else node
            yield dag.negate(dag.equal(node, empty)), packed

    # -- what is said of one --------------------------------------------------------------------
    def said(self, domain: Domain, value: str, one: int) -> SliceParts:
        """Return what a value says of one of the Index; nothing where it cannot name one."""
        if self.own.origin not in kinds_in(domain):
            return []
        if isinstance(domain, Array):
            return self._said_by_array(domain, value, one)
        if isinstance(domain, Set | Bag):
            return self._listed(domain, value, one, all_of_them=False)
        if isinstance(domain, Record):
            fields = self._fields(domain, value)
            return [part for inner, at in fields for part in self.said(inner, at, one)]  # type: ignore[arg-type]
        return [SlicePart(self.dag.as_int(self._names(domain, value, one)), 2)]

    def _said_by_array(self, domain: Array, path: str, one: int) -> SliceParts:
        inner = [self.said(domain.element, f"{path}[{i}]", one) for i in range(domain.length)]
        if not self._is_own(domain.index):
            return list(itertools.chain.from_iterable(inner))
        own = self.code(domain.element, f"{path}[{one}]", one)
        return [part._replace(adds=False) for part in own] + self._sums(inner)

    def _names(self, domain: Any, value: Told, one: int) -> Node:
        """Return whether a scalar or record names one of the Index."""
        dag = self.dag
        if isinstance(domain, Record):
            return dag.any_of(self._names(d, at, one) for d, at in self._fields(domain, value))
        if isinstance(domain, OneOf):
            tags = tags_of(dag, domain, self._rank(domain, value))
            return dag.any_of(
                dag.both(here, self._names(held, rank, one))
                for _, held, here, rank in tags
                if held is not None
            )
        plain, rank = domain, one
        if isinstance(domain, Maybe):
            plain, rank = domain.index, one + 1
        if not self._is_own(plain):
            return dag.false
        return dag.equal(self._rank(domain, value), dag.const(rank))

    # -- what a value is ------------------------------------------------------------------------
    def code(self, domain: Any, value: Any, one: int) -> SliceParts:
        """Return a value part by part, as it is for one of the Index."""
        if isinstance(domain, Array):
            inner = [self.code(domain.element, f"{value}[{i}]", one) for i in range(domain.length)]
            if self._is_own(domain.index):
                return inner[one] + self._sums(inner)
            return list(itertools.chain.from_iterable(inner))
        if isinstance(domain, Set | Bag):
            return self._listed(domain, value, one, all_of_them=True)
        if isinstance(domain, Record):
            fields = self._fields(domain, value)
            return [part for inner, at in fields for part in self.code(inner, at, one)]
        if isinstance(domain, OneOf):
            return self._code_of_tagged(domain, self._rank(domain, value), one)
        rank = self._rank(domain, value)
        if not isinstance(domain, Maybe):
            return [self._code_of_rank(domain, rank, one)]
        dag, zero, step = self.dag, self.dag.const(0), self.dag.const(1)
        held = self._code_of_rank(domain.index, dag.sub(rank, step), one)
        there = dag.select(dag.equal(rank, zero), zero, dag.add(held.node, step))
        return [SlicePart(there, held.size + 1)]

    def _code_of_rank(self, domain: Any, rank: Node, one: int) -> SlicePart:
        dag = self.dag
        if self._is_own(domain):
            return SlicePart(dag.as_int(dag.equal(rank, dag.const(one))), 2)
        if isinstance(domain, Index) and any(domain.origin is i.origin for i in self.unordered):
            return SlicePart(dag.const(0), 1)
        if isinstance(domain, Fresh):
            return SlicePart(dag.as_int(dag.negate(dag.equal(rank, dag.const(0)))), 2)
        return SlicePart(rank, domain.count)

    def _code_of_tagged(self, domain: OneOf, rank: Node, one: int) -> SliceParts:
        """Return the place of a tag among all, and what it holds, as one part that adds nothing."""
        dag, place, held_code, size = self.dag, self.dag.const(0), self.dag.const(0), 1
        for number, held, here, inner in tags_of(dag, domain, rank):
            place = dag.select(here, dag.const(number), place)
            if held is not None:
                packed = packed_parts(dag, self.code(held, inner, one))
                held_code = dag.select(here, packed.node, held_code)
                size = max(size, packed.size)
        return [SlicePart(place, len(domain.tags)), SlicePart(held_code, size, adds=False)]

    def _listed(self, domain: Any, path: str, one: int, *, all_of_them: bool) -> SliceParts:
        """Return the codes of elements, the largest first but for a sequence's."""
        dag, zero, size, nodes = self.dag, self.dag.const(0), 1, list[Node]()
        for there, value in self._elements(domain, path):
            if not all_of_them:
                there = dag.both(there, self._names(domain.element, value, one))
            code = packed_parts(dag, self.code(domain.element, value, one))
            nodes.append(dag.select(there, dag.add(code.node, dag.const(1)), zero))
            size = max(size, code.size + 1)
        ordered = nodes if isinstance(domain, Seq) else ascending(dag, nodes)[::-1]
        return [SlicePart(node, size, adds=False) for node in ordered]

    def _sums(self, codes: Sequence[SliceParts]) -> SliceParts:
        """Return the sums of codes part by part, of the parts that add."""
        columns = zip(*([part for part in parts if part.adds] for parts in codes), strict=True)
        return [self._sum(column) for column in columns]

    def _sum(self, parts: Sequence[SlicePart]) -> SlicePart:
        total = self.dag.const(0)
        for part in parts:
            total = self.dag.add(total, part.node)
        return SlicePart(total, sum(part.size - 1 for part in parts) + 1)

    def _is_own(self, domain: Any) -> bool:
        return isinstance(domain, Index) and domain.symmetric and domain.origin is self.own.origin


def packed_parts(dag: Dag, parts: Iterable[SlicePart]) -> SlicePart:
    """Return the parts of a code as one number that compares as they do."""
    total, size = dag.const(0), 1
    for part in parts:
        total = dag.add(dag.mul(total, dag.const(part.size)), part.node)
        size *= part.size
    return SlicePart(total, size)


def words_of(dag: Dag, parts: Iterable[SlicePart]) -> list[Node]:
    """Return the parts of a slice as few numbers, which compare one after another."""
    words, together, size = list[Node](), list[SlicePart](), 1
    for part in parts:
        if together and size * part.size > _WORD:
            words.append(packed_parts(dag, together).node)
            together, size = [], 1
        together.append(part)
        size *= part.size
    return [*words, packed_parts(dag, together).node]


def before(dag: Dag, a: Sequence[Node], b: Sequence[Node]) -> Node:
    """Return whether the first of two lists of numbers comes before the second."""
    result = dag.false
    for x, y in reversed(list(zip(a, b, strict=True))):
        result = dag.either(dag.less(x, y), dag.both(dag.equal(x, y), result))
    return result
