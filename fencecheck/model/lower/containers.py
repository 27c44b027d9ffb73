"""Lower what reads sets, bags, sequences and arrays.

A bag's slots ascend with the empty ones last; a set is a bit mask. Iteration visits every slot or
member there could be, each under the condition that it is present.
"""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.model.domains import Array, Bag, Record, Set
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.elements import Elements
from fencecheck.model.lower.layout import CHUNK, chunks_of, slot_of
from fencecheck.model.lower.symbols import NONE, Items, Num, Place, Rec, Vector, mark


class Containers(Elements):
    """Containers in expressions."""

    def slots(self, place: Place) -> list[Node]:
        """Return the slots of a bag or sequence place."""
        assert isinstance(place.domain, Bag)
        self.check_current(place)
        slots = list[Node]()
        for number in range(place.domain.capacity):
            node: Node | None = None
            for condition, path in reversed(place.alternatives):
                value = self.field(place.view, f"{path}#{number}")
                node = value if node is None else self.dag.select(condition, value, node)
            assert node is not None
            slots.append(node)
        return slots

    def slot_at(self, base: Place, index: Num) -> Any:
        """Return element number ``index`` of a bag or sequence."""
        assert isinstance(base.domain, Bag)
        slots, empty = self.slots(base), self.dag.const(slot_of(base.domain.element).empty)
        self.check_index(index.node, len(slots))
        node = slots[-1]
        for i in range(len(slots) - 2, -1, -1):
            node = self.dag.select(self.dag.equal(index.node, self.dag.const(i)), slots[i], node)
        self.may_fail(self.dag.equal(node, empty))
        return self.unpack(base, node, index.ghosts)

    def mask(self, place: Place, chunk: int) -> Node:
        """Return one chunk of a set place, whichever alternative it is."""
        self.check_current(place)
        node: Node | None = None
        for condition, path in reversed(place.alternatives):
            value = self.field(place.view, f"{path}|{chunk}")
            node = value if node is None else self.dag.select(condition, value, node)
        assert node is not None
        return node

    def items(self, value: Any, node: ast.AST) -> Items:
        """Return what there is to iterate over."""
        if isinstance(value, Items):
            return value
        if isinstance(value, Vector):
            return Items(tuple((self.dag.true, item) for item in value.items), value.ghosts)
        ghosts = (
            value.ghosts | ({value.name} if value.ghost else NONE)
            if isinstance(value, Place)
            else NONE
        )
        if isinstance(value, Place) and isinstance(value.domain, Bag):
            empty = self.dag.const(slot_of(value.domain.element).empty)
            pairs = [
                (
                    self.dag.negate(self.dag.equal(slot, empty)),
                    self.unpack(value, slot),
                )
                for slot in self.slots(value)
            ]
            return Items(tuple(pairs), ghosts, value)
        if isinstance(value, Place) and isinstance(value.domain, Set):
            return Items(tuple(self._members(value)), ghosts, value)
        if isinstance(value, Place) and isinstance(value.domain, Array):
            elements = [
                self.settled(self.load(self.element(value, Num(self.dag.const(i)))))
                for i in range(value.domain.length)
            ]
            return Items(tuple((self.dag.true, e) for e in elements), ghosts, value)
        self.fail(
            f"cannot iterate over {describe(value)}",
            "write range(...), a tuple, an array, a set or a bag",
            node,
        )

    def _members(self, place: Place) -> list[tuple[Node, Any]]:
        assert isinstance(place.domain, Set)
        element, pairs = place.domain.element, []
        for chunk, size in enumerate(chunks_of(place.domain)):
            mask = self.mask(place, chunk)
            for j in range(size):
                bit = self.dag.slice(mask, j, 1)
                present = self.dag.negate(self.dag.equal(bit, self.dag.const(0)))
                member = self.constant_of(element, CHUNK * chunk + j)
                pairs.append((present, self._with_ghost_fields(member, place)))
        return pairs

    def _with_ghost_fields(self, member: Any, place: Place) -> Any:
        if not isinstance(member, Rec) or not member.record.ghosts:
            return member
        fields = {
            f: mark(v, frozenset({f"{place.name}.{f}"})) if f in member.record.ghosts else v
            for f, v in member.fields.items()
        }
        return Rec(member.record, fields)

    def own_ghosts(self, place: Place) -> frozenset[str]:
        """Return what a set's content as a whole depends on: itself, its records' ghost fields."""
        element = place.domain.element  # type: ignore[attr-defined]
        fields = element.ghosts if isinstance(element, Record) else NONE
        own = {f"{place.name}.{f}" for f in fields}
        return place.ghosts | own | ({place.name} if place.ghost else NONE)

    def membership(self, item: Any, container: Any) -> Num:
        """Return whether ``item in container``."""
        if isinstance(container, Place) and isinstance(container.domain, Set):
            return self._in_set(item, container)
        items = self.items(container, self.node)
        found, ghosts = self.dag.false, items.ghosts
        for present, value in items.pairs:
            same = self.same(item, value)
            found = self.dag.either(found, self.dag.both(present, same.node))
            ghosts = ghosts | same.ghosts
        return Num(found, None, ghosts)

    def _in_set(self, item: Any, place: Place) -> Num:
        saved, self.errors = self.errors, []  # a value no member can have is just not in the set
        rank, ghosts = self.rank_of(item, place.domain.element)  # type: ignore[attr-defined]
        outside, self.errors = self.errors, saved
        found = self.dag.false
        for chunk, size in enumerate(chunks_of(place.domain)):  # type: ignore[arg-type]
            bit, here = self._bit(rank, chunk, size)
            hit = self.dag.bits_and(self.mask(place, chunk), bit)
            there = self.dag.negate(self.dag.equal(hit, self.dag.const(0)))
            found = self.dag.either(found, self.dag.both(here, there))
        for condition in outside:
            found = self.dag.both(found, self.dag.negate(condition))
        return Num(found, None, ghosts | self.own_ghosts(place))

    def _bit(self, rank: Node, chunk: int, size: int) -> tuple[Node, Node]:
        """Return the bit of ``rank`` in a chunk, and whether it lies in that chunk."""
        dag, start = self.dag, CHUNK * chunk
        here = dag.both(
            dag.negate(dag.less(rank, dag.const(start))), dag.less(rank, dag.const(start + size))
        )
        offset = dag.sub(rank, dag.const(start))
        offset = dag.minimum(dag.maximum(offset, dag.const(0)), dag.const(size - 1))
        return dag.bit(offset, size), here

    def length(self, value: Any, node: ast.AST) -> Num:
        """Return ``len(value)``."""
        if isinstance(value, Place) and isinstance(value.domain, Set):
            total = self.dag.const(0)
            for chunk in range(len(chunks_of(value.domain))):
                total = self.dag.add(total, self.dag.count_bits(self.mask(value, chunk)))
            return Num(total, None, self.own_ghosts(value))
        items = self.items(value, node)
        total = self.dag.const(0)
        for present, _ in items.pairs:
            total = self.dag.add(total, self.dag.as_int(present))
        return Num(total, None, items.ghosts)
