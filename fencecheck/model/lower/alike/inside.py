"""The marked values inside a field of the state: found, and given other numbers.

A field is a scalar, a slot of a bag or sequence, or members of a set (layout.py). A marked value is
told by its domain, a Version, a Fresh or a symmetric Index, and by its rank in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from fencecheck.model.domains import (
    Array,
    Domain,
    Int,
    Maybe,
    OneOf,
    Record,
    Unlimited,
    Version,
    held_here,
)
from fencecheck.model.domains.leaves import leaves
from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.lower.layout import CHUNK, Field, parted, slot_of, span
from fencecheck.model.representatives.renaming import key_of

Found = tuple[Node, Any, Node]  # whether it is there, its domain, its rank
Change = Callable[[Any, Node], Node]  # from a domain and a rank in it to another rank
Member = Callable[[Dag, Field, Node, int], Node]


def is_marked(domain: Domain | None) -> bool:
    """Tell whether the values of a domain themselves are marked: names, but not their clock."""
    if domain is None or (isinstance(domain, Unlimited) and domain.is_clock):
        return False
    return key_of(domain) is not None


def has_marked(domain: Domain | None) -> bool:
    """Tell whether there is a marked value inside the values of a domain."""
    if isinstance(domain, Maybe):
        return is_marked(domain.of)
    if isinstance(domain, OneOf):
        return any(map(has_marked, held_here(domain)))
    if isinstance(domain, Record):
        return any(map(has_marked, domain.fields.values()))
    return has_marked(domain.element) if isinstance(domain, Array) else is_marked(domain)


def is_loose(domain: Domain | None) -> bool:
    """Tell whether values of a domain stand in another order in a representative."""
    if isinstance(domain, OneOf):
        return any(map(is_loose, held_here(domain)))
    if isinstance(domain, Record):
        return any(map(is_loose, domain.fields.values()))
    if isinstance(domain, Array):
        return is_loose(domain.element)
    inner = domain.of if isinstance(domain, Maybe) else domain
    return is_marked(inner) and not isinstance(inner, Version)


def shape_of_field(field: Field) -> str:
    """Return whether a field is a scalar, a slot or some members of a set."""
    if "#" in field.path:
        return "slot"
    return "members" if "|" in field.path else "scalar"


def values_in(dag: Dag, field: Field, node: Node) -> Iterator[Found]:
    """Yield every marked value that there can be in a field whose number is ``node``."""
    domain: Any = field.holds
    if not has_marked(domain):
        return
    kind = shape_of_field(field)
    if kind == "members":
        yield from members_in(dag, [field], [node])
    elif kind == "slot":
        there = dag.negate(dag.equal(node, dag.const(slot_of(domain).empty)))
        for inner, rank in _parts(dag, domain, node):
            for here, of, found in _in_rank(dag, inner, rank):
                yield dag.both(there, here), of, found
    else:
        yield from _in_rank(dag, domain, _ranked(dag, domain, node))


def members_in(
    dag: Dag, fields: Sequence[Field], nodes: Sequence[Node], mask: Change | None = None
) -> Iterator[Found]:
    """Yield the marked values in the members of a set that masks hold, in ascending order.

    With ``mask`` the members ascend by what they are with the ranks that it gives.
    """
    domain: Any = fields[0].holds
    members = []
    for field, node in zip(fields, nodes, strict=True):
        start = CHUNK * int(field.path.rpartition("|")[2])
        members += [(start + i, node, i) for i in range(field.high.bit_length())]
    if mask is not None:
        keys = {r: _rank_changed(dag, domain, dag.const(r), mask).low for r, _, _ in members}
        members.sort(key=lambda member: (keys[member[0]], member[0]))
    for rank, node, place in members:
        there = bit_of(dag, node, place)
        for here, of, found in _in_rank(dag, domain, dag.const(rank)):
            yield dag.both(there, here), of, found


def bit_of(dag: Dag, mask: Node, place: int) -> Node:
    """Return whether a mask has a bit."""
    return dag.negate(dag.equal(dag.slice(mask, place, 1), dag.const(0)))


def _ranked(dag: Dag, domain: Any, node: Node) -> Node:
    """Return the rank of a scalar's number."""
    low = span(domain)[0] if isinstance(domain, Int) else 0
    return dag.sub(node, dag.const(low))


def _parts(dag: Dag, domain: Any, slot: Node) -> Iterator[tuple[Any, Node]]:
    """Yield the domains of what is packed in a slot, each with the rank it has there."""
    if isinstance(domain, OneOf):
        yield domain, slot
        return
    for leaf, shift, bits in slot_of(domain).parts:
        if has_marked(leaf.domain):
            yield leaf.domain, dag.slice(slot, shift, bits) if bits else dag.const(0)


def _in_rank(dag: Dag, domain: Any, rank: Node) -> Iterator[Found]:
    """Yield the marked values in the value of ``domain`` that has a rank."""
    if is_marked(domain):
        yield dag.true, domain, rank
    elif isinstance(domain, Maybe) and is_marked(domain.of):
        there, inner = _in_maybe(dag, rank)
        yield there, domain.index, inner
    elif isinstance(domain, OneOf):
        for _, held, here, inner in tags_of(dag, domain, rank):
            for there, of, found in _in_rank(dag, held, inner) if has_marked(held) else ():
                yield dag.both(here, there), of, found
    elif isinstance(domain, Record):
        for field, digit in digits_of(dag, domain, rank):
            yield from _in_rank(dag, field, digit)


def _in_maybe(dag: Dag, rank: Node) -> tuple[Node, Node]:
    """Return whether an optional value is one, and its rank; some rank where it is none."""
    zero = dag.const(0)
    return dag.less(zero, rank), dag.maximum(dag.sub(rank, dag.const(1)), zero)


def tags_of(dag: Dag, domain: OneOf, rank: Node) -> Iterator[tuple[int, Domain | None, Node, Node]]:
    """Yield (place among the tags, what it holds, whether it is this tag, its rank there)."""
    for number, (tag, held) in enumerate(domain.tags.items()):
        start, size = domain.starts[tag], domain.size(tag)
        if not size:
            continue
        below = dag.less(rank, dag.const(start))
        above = dag.less(dag.const(start + size - 1), rank)
        inner = dag.sub(rank, dag.const(start))
        inner = dag.minimum(dag.maximum(inner, dag.const(0)), dag.const(size - 1))
        yield number, held, dag.negate(dag.either(below, above)), inner


def digits_of(dag: Dag, record: Record, rank: Node) -> list[tuple[Any, Node]]:
    """Return the scalars of a record by their ranks, in order."""
    found: list[tuple[Any, Node]] = []
    for leaf in reversed(list(leaves(record))):
        count = dag.const(leaf.domain.count)
        found.append((leaf.domain, dag.mod(rank, count)))
        rank = dag.floordiv(rank, count)
    return found[::-1]


# -- other numbers -------------------------------------------------------------------------------
def changed(dag: Dag, field: Field, node: Node, change: Change) -> Node:
    """Return the number of a scalar or slot in which every marked value has another rank."""
    domain: Any = field.holds
    if shape_of_field(field) == "scalar":
        rank = _rank_changed(dag, domain, _ranked(dag, domain, node), change)
        low = span(domain)[0] if isinstance(domain, Int) else 0
        return dag.add(rank, dag.const(low))
    slot = slot_of(domain)
    there = dag.negate(dag.equal(node, dag.const(slot.empty)))
    if isinstance(domain, OneOf):
        return dag.select(there, _rank_changed(dag, domain, node, change), node)
    taken, after = 0, dag.const(0)
    for leaf, shift, bits in slot.parts:
        if bits and has_marked(leaf.domain):
            rank = _rank_changed(dag, leaf.domain, dag.slice(node, shift, bits), change)
            taken |= ((1 << bits) - 1) << shift
            after = dag.bits_or(after, dag.shift_left(rank, shift))
    kept = dag.bits_without(node, dag.const(taken))
    return dag.select(there, dag.bits_or(kept, after), node)


def _rank_changed(dag: Dag, domain: Any, rank: Node, change: Change) -> Node:
    if is_marked(domain):
        return change(domain, rank)
    if isinstance(domain, Maybe) and is_marked(domain.of):
        there, inner = _in_maybe(dag, rank)
        return dag.select(there, dag.add(change(domain.index, inner), dag.const(1)), rank)
    if isinstance(domain, OneOf):
        after, starts = rank, list(domain.starts.values())
        for number, held, here, inner in tags_of(dag, domain, rank):
            if has_marked(held):
                moved = _rank_changed(dag, held, inner, change)
                after = dag.select(here, dag.add(moved, dag.const(starts[number])), after)
        return after
    if isinstance(domain, Record):
        total = dag.const(0)
        for field, digit in digits_of(dag, domain, rank):
            digit = _rank_changed(dag, field, digit, change)
            total = dag.add(dag.mul(total, dag.const(field.count)), digit)
        return total
    return rank


def members_changed(
    dag: Dag, fields: Sequence[Field], nodes: Sequence[Node], change: Change
) -> list[Node]:
    """Return the masks of a set, all of its fields, in which every member has other values."""
    domain: Any = fields[0].holds
    after = [dag.const(0) for _ in fields]
    for rank in range(domain.count):
        chunk, place = divmod(rank, CHUNK)
        there = bit_of(dag, nodes[chunk], place)
        moved = _rank_changed(dag, domain, dag.const(rank), change)
        for number, size in enumerate(parted(domain.count)):
            bit, inside = bit_in(dag, moved, CHUNK * number, size)
            here = dag.both(there, inside)
            after[number] = dag.bits_or(after[number], dag.select(here, bit, dag.const(0)))
    return after


def bit_in(dag: Dag, place: Node, start: int, size: int) -> tuple[Node, Node]:
    """Return the bit of ``place`` in a mask of places from ``start`` on, and whether it has one."""
    offset = dag.sub(place, dag.const(start))
    below, above = dag.less(offset, dag.const(0)), dag.less(dag.const(size - 1), offset)
    inside = dag.negate(dag.either(below, above))
    offset = dag.minimum(dag.maximum(offset, dag.const(0)), dag.const(size - 1))
    return dag.bit(offset, size), inside
