"""Lower what is done with elements at their places: sequences, and elements that change in a bag.

The slots of a sequence in use come first. What stands at a computed place is chosen among all.
"""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.model.domains import Bag, Domain, Record, Seq
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.contents import Contents
from fencecheck.model.lower.symbols import Num, Place, Rec, SeqSlot, Vector


class Sequences(Contents):
    """Elements at places of a sequence, read, put in, taken out and changed."""

    def _place_in(self, seq: Place, index: Any) -> Num:
        """Return the place of an element as a number; below 0 is no place."""
        if not (isinstance(index, Num) and index.kind == "int"):
            self.fail(f"{describe(index)} is no place in {seq.name}", "write a whole number")
        if index.node.high < 0:
            self.fail(f"{seq.name} has no places below 0", "write pop() for the last element")
        self.forbid_ghosts(seq, index.ghosts)
        return self.present(index)

    def _put(self, place: Place, slots: list[Node]) -> None:
        path, _, _ = self._slots_of(place)
        for i, slot in enumerate(slots):
            self.store(f"{path}#{i}", slot)

    def _pop(self, place: Place, index: Any = None) -> Any:
        """Take out the element at a place, without one the last."""
        if index is None:
            last = self.dag.sub(self.length(place, self.node).node, self.dag.const(1))
            index = Num(self.dag.maximum(last, self.dag.const(0)))
        at = self._place_in(place, index)
        _, _, empty = self._slots_of(place)
        slots = self.slots(place)
        taken = self.slot_at(place, at)
        rest = [*slots[1:], empty]
        before = [self.dag.less(self.dag.const(i), at.node) for i in range(len(slots))]
        self._put(place, [self.dag.select(*each) for each in zip(before, slots, rest, strict=True)])
        return taken

    def _insert(self, place: Place, index: Any, value: Any) -> None:
        """Put an element in before the one at a place, or at the end."""
        at, dag = self._place_in(place, index), self.dag
        _, _, empty = self._slots_of(place)
        packed, slots = self.pack(value, place), self.slots(place)
        self.check_index(at.node, len(slots))
        self.may_fail(dag.negate(dag.equal(slots[-1], empty)))
        after = []
        for i, slot in enumerate(slots):
            here, before = dag.equal(at.node, dag.const(i)), dag.less(dag.const(i), at.node)
            if i:
                self.may_fail(dag.both(here, dag.equal(slots[i - 1], empty)))
            moved = slots[i - 1] if i else packed
            after.append(dag.select(before, slot, dag.select(here, packed, moved)))
        self._put(place, after)

    def _first(self, place: Place, packed: Node) -> list[Node]:
        """Return for each slot whether it is the first that holds a record, which must be there."""
        found, first = self.dag.false, []
        for slot in self.slots(place):
            same = self.dag.equal(slot, packed)
            first.append(self.dag.both(same, self.dag.negate(found)))
            found = self.dag.either(found, same)
        self.may_fail(self.dag.negate(found))
        return first

    def _take_first(self, place: Place, value: Any) -> None:
        """Take out the first element with a value."""
        _, _, empty = self._slots_of(place)
        slots, gone, after = self.slots(place), self.dag.false, []
        first = self._first(place, self.pack(value, place))
        for here, slot, following in zip(first, slots, [*slots[1:], empty], strict=True):
            gone = self.dag.either(gone, here)
            after.append(self.dag.select(gone, following, slot))
        self._put(place, after)

    def change_element(self, place: Place, node: ast.Call) -> None:
        """Execute ``place.change(element, field=value, ...)``."""
        domain: Any = place.domain
        if not isinstance(domain, Bag):
            self.method(place, "change", [])
        if len(node.args) != 1 or not node.keywords:
            self.fail(
                f"`{ast.unparse(node)}` changes fields of one element of a bag or sequence",
                f"write {place.name}.change(element, field=value)",
            )
        if not isinstance(domain.element, Record):
            self.fail(
                f"`{ast.unparse(node)}`: the elements of {place.name} have no fields",
                "take out the element and put in another one",
            )
        old = self.record(self.expression(node.args[0]))
        changed = self.with_fields(old, node.keywords)
        self.writable(place)
        for _, one in self.each_of(place):
            self._change(one, old, changed)

    def _change(self, place: Place, old: Rec, changed: Rec) -> None:
        if not isinstance(place.domain, Seq):
            self._bag_remove(place, old)
            self._bag_add(place, changed)
            return
        self._slots_of(place)
        first = self._first(place, self.pack(old, place))
        packed = self.pack(changed, place)
        pairs = zip(first, self.slots(place), strict=True)
        self._put(place, [self.dag.select(here, packed, slot) for here, slot in pairs])

    def with_fields(self, old: Rec, fields: list[ast.keyword]) -> Rec:
        raise AssertionError  # given by Calls

    def _with_part(self, held: Any, value: Any, path: tuple[str | Num, ...]) -> Any:
        """Return a record or array with another value where a path leads."""
        if not path:
            return value
        step, rest = path[0], path[1:]
        if isinstance(step, str):
            changed = self._with_part(held.fields[step], value, rest)
            return Rec(held.record, held.fields | {step: changed})
        items = []
        for i, item in enumerate(held.items):
            here = Num(self.dag.equal(step.node, self.dag.const(i)), None, step.ghosts)
            items.append(self.choose(here, self._with_part(item, value, rest), item))
        return Vector(held.array, tuple(items))

    # -- elements as places ----------------------------------------------------------------------
    def load_slot(self, slot: SeqSlot) -> Any:
        """Return what stands at a place of a sequence, or a field of it."""
        found = self.slot_at(slot.seq, slot.index)
        for step in slot.path:
            if isinstance(step, str):
                found = found.fields[step]
            else:
                found = self.chosen_of(found.items, step)
        return found

    def part_of_slot(self, slot: SeqSlot) -> Domain:
        """Return the domain of an element of a sequence, or of the part of it that is meant."""
        domain: Any = slot.seq.domain.element  # type: ignore[attr-defined]
        for step in slot.path:
            domain = domain.fields[step] if isinstance(step, str) else domain.element
        return domain  # type: ignore[no-any-return]

    def assign_slot(self, slot: SeqSlot, value: Any) -> None:
        """Give a place of a sequence, or a part of what stands there, another value."""
        seq, at = slot.seq, self._place_in(slot.seq, slot.index)
        held = self.slot_at(seq, at)
        part = self.fitted(value, self.part_of_slot(slot))
        packed = self.pack(self._with_part(held, part, slot.path), seq)
        here = [self.dag.equal(at.node, self.dag.const(i)) for i in range(len(self.slots(seq)))]
        for _, one in self.each_of(seq):
            pairs = zip(here, self.slots(one), strict=True)
            self._put(one, [self.dag.select(there, packed, old) for there, old in pairs])
