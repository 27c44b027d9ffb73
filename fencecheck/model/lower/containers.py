"""Lower what is done with sets, bags, sequences and arrays: reading, iterating, changing them.

A bag's slots ascend with the empty ones last, so putting in is a row of minima and maxima and
taking out a shift; both keep the canonical order. A set is a bit mask. Iteration visits every
slot or member there could be, each under the condition that it is present.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fencecheck.model.domains import Array, Bag, Record, Seq, Set
from fencecheck.model.lower.alike.inside import is_loose
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.ranks import Ranks
from fencecheck.model.lower.layout import CHUNK, chunks_of, slot_of
from fencecheck.model.lower.symbols import (
    NONE,
    Items,
    Num,
    Place,
    Rec,
    View,
    mark_of,
    root_of,
)

BEFORE = View(0)
_ADDING = {("bag", "add"), ("set", "add"), ("set", "discard")}


class Containers(Ranks):
    """Containers in expressions and in effects."""

    # -- reading --------------------------------------------------------------------------------
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

    def unpack(self, place: Place, slot: Node, more: frozenset[str] = NONE) -> Any:
        """Return the element packed in a slot of a bag place, depending on ghosts ``more``."""
        assert isinstance(place.domain, Bag)
        record, fields = place.domain.element, {}
        more = more | place.ghosts | ({place.name} if place.ghost else NONE)
        if not isinstance(record, Record):
            return self.from_rank(slot, record, more)
        for field, shift, bits in slot_of(record).parts:
            inner = record.fields[field]
            raw = self.dag.slice(slot, shift, bits) if bits else self.dag.const(0)
            own = {f"{place.name}.{field}"} if field in record.ghosts else NONE
            fields[field] = self.from_rank(raw, inner, more | own)
        return Rec(record, fields, slot)

    def pack(self, given: Any, place: Place) -> Node:
        """Return an element as a slot's number; ghosts may not flow into its plain fields."""
        domain = place.domain
        assert isinstance(domain, Bag)
        if not isinstance(domain.element, Record):
            number = self.coerce(given, domain.element)
            self.forbid_ghosts(place, number.ghosts)
            return self.to_rank(number, domain.element)
        value = self.record(given)
        if value.record.make is not domain.element.make:
            self.wrong_record(value.record, domain.element)
        for field, inner in value.fields.items():
            if inner.ghosts and field not in value.record.ghosts and not place.ghost:
                self.fail(
                    f"{value.record.name}.{field} depends on ghost {', '.join(inner.ghosts)}",
                    "compute it from what the system itself knows",
                )
        if value.slot is not None:
            return value.slot
        packed = self.dag.const(0)
        for field, shift, _ in slot_of(value.record).parts:
            rank = self.to_rank(value.fields[field], domain.element.fields[field])
            packed = self.dag.bits_or(packed, self.dag.shift_left(rank, shift))
        return packed

    def slot_at(self, base: Place, index: Num) -> Any:
        """Return element number ``index`` of a bag or sequence."""
        assert isinstance(base.domain, Bag)
        if not isinstance(base.domain, Seq) and is_loose(base.domain.element):
            self.fail(
                f"{base.name} has no elements by number: nothing says which of them is first",
                "iterate over it, or keep a sequence (Seq)",
            )
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
            loose: Any = not isinstance(value.domain, Seq) and is_loose(value.domain.element)
            return Items(tuple(pairs), ghosts, value, loose=loose)
        if isinstance(value, Place) and isinstance(value.domain, Set):
            loose = is_loose(value.domain.element)
            return Items(tuple(self._members(value)), ghosts, value, loose=loose)
        if isinstance(value, Place) and isinstance(value.domain, Array):
            elements = [
                self.settled(self.load(self.element(value, Num(self.dag.const(i)))))
                for i in range(value.domain.length)
            ]
            loose = mark_of(value.domain.index) or False
            return Items(tuple((self.dag.true, e) for e in elements), ghosts, value, loose=loose)
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

    # -- changing -------------------------------------------------------------------------------
    def method(self, place: Place, name: str, args: list[Any]) -> Any:
        """Execute ``place.name(...)`` in an effect."""
        if isinstance(place.domain, Bag) and len(place.alternatives) > 1:
            return self._in_one_of(place, name, args)
        kind = "seq" if isinstance(place.domain, Seq) else type(place.domain).__name__.lower()
        known: dict[tuple[str, str], Callable[..., Any]] = {
            ("bag", "add"): self._bag_add,
            ("bag", "remove"): self._bag_remove,
            ("seq", "append"): self._append,
            ("seq", "pop"): self._pop,
            ("seq", "insert"): self._insert,
            ("seq", "remove"): self._take_first,
            ("set", "add"): lambda p, v: self._set_bit(p, v, present=True),
            ("set", "discard"): lambda p, v: self._set_bit(p, v, present=False),
            ("bag", "clear"): self._clear,
            ("seq", "clear"): self._clear,
            ("set", "clear"): self._clear,
        }
        if (kind, "count") == (kind, name) and kind == "bag" and len(args) == 1:
            return self._count(place, args[0])
        if kind == "array":
            self.fail(
                f"{place.name}.{name}(): an array has no methods",
                f"write {place.name}[i] = ..., or a sequence (Seq) in its place",
            )
        if (kind, name) not in known:
            has = [m for k, m in known if k == kind]
            more = {"bag": ["change", "count"], "seq": ["change"]}
            more["set"] = ["remove", "copy", "union", "intersection", "difference", "issubset"]
            has += more.get(kind, [])
            methods = ", ".join(sorted(has)) or "none"
            self.fail(f"{place.name}.{name}() is outside the subset", f"a {kind} has: {methods}")
        self.writable(place)
        wanted = {"clear": 0, "insert": 2}.get(name, 1)
        if len(args) != wanted and (name, args) != ("pop", []):
            instead = {
                "pop": "write pop(0) for the first, pop() for the last",
                "clear": "write clear()",
                "insert": "write insert(place, element)",
            }.get(name, "give one element")
            self.fail(f"{place.name}.{name}() takes {wanted} argument(s), not {len(args)}", instead)
        with self.adding(f"{name}s" if (kind, name) in _ADDING else ""):
            return known[kind, name](place, *args)

    def _in_one_of(self, place: Place, name: str, args: list[Any]) -> Any:
        """Execute a method of the bag or sequence, of several in an array, that is meant."""
        result: Any = None
        for condition, one in self.each_of(place):
            given = self.method(one, name, args)
            known = Num(condition, None, place.ghosts)
            result = given if result is None else self.choose(known, given, result)
        return result

    def each_of(self, place: Place) -> Iterator[tuple[Node, Place]]:
        """Yield every container that may be meant, and change it only where it is."""
        for condition, path in place.alternatives:
            with self.within(condition):
                yield condition, replace(place, alternatives=((self.dag.true, path),))

    def _count(self, place: Place, value: Any) -> Num:
        total, wanted = self.dag.const(0), self.settled(value)
        if isinstance(place.domain, Bag) and isinstance(place.domain.element, Record):
            wanted = self.record(value)
        items = self.items(place, self.node)
        ghosts = items.ghosts | wanted.ghosts
        for present, item in items.pairs:
            same = self.same(wanted, item)
            here = self.dag.both(present, same.node)
            total = self.dag.add(total, self.dag.as_int(here))
            ghosts = ghosts | same.ghosts
        return Num(total, None, ghosts)

    def writable(self, place: Place) -> None:
        """Refuse a change outside an effect, and of what is being iterated over."""
        self.check_current(place)
        if not place.view.writable:
            self.fail(f"{place.name} is changed", "only effects may change the state")
        if any(root_of(place.name) in frame.iterating for frame in self.frames):
            self.fail(
                f"{place.name} is changed while a loop runs over it",
                "write s.x = bag(... for ... in s.x) or collect first",
            )

    def store(self, path: str, value: Node) -> None:
        """Set one field, on the paths on which the frame is still running."""
        self.note_write(path)
        here = self.dag.all_of((self.frame.base, self.frame.live, self.inline))
        old = self.env[path] if path in self.env else self.field(BEFORE, path)
        self.env[path] = self.dag.select(here, value, old)
        self.stores += 1

    def forbid_ghosts(self, place: Place, ghosts: frozenset[str]) -> None:
        """Refuse that a ghost decides what a variable that is no ghost becomes."""
        seen = ghosts | self.control | self.frame.tainted | place.ghosts
        if seen and not place.ghost:
            self.fail(
                f"{place.name} depends on ghost {', '.join(sorted(seen))}",
                "no mechanism may read a ghost; make the target a ghost or the source plain",
            )

    def _slots_of(self, place: Place) -> tuple[str, Bag, Node]:
        assert isinstance(place.domain, Bag)
        self.forbid_ghosts(place, NONE)
        ((_, path),) = place.alternatives
        return path, place.domain, self.dag.const(slot_of(place.domain.element).empty)

    def _bag_add(self, place: Place, value: Any) -> None:
        path, domain, empty = self._slots_of(place)
        packed, slots = self.pack(value, place), self.slots(place)
        self.has_no_room(domain, self.dag.negate(self.dag.equal(slots[-1], empty)))
        for i, slot in enumerate(slots):
            low = self.dag.minimum(
                slot, packed if i == 0 else self.dag.maximum(slots[i - 1], packed)
            )
            self.store(f"{path}#{i}", low)

    def _bag_remove(self, place: Place, value: Any) -> None:
        path, _, empty = self._slots_of(place)
        packed, slots = self.pack(value, place), self.slots(place)
        found = self.dag.any_of(self.dag.equal(slot, packed) for slot in slots)
        self.may_fail(self.dag.negate(found))
        for i, slot in enumerate(slots):
            after = slots[i + 1] if i + 1 < len(slots) else empty
            stays = self.dag.less(slot, packed)
            self.store(f"{path}#{i}", self.dag.select(stays, slot, after))

    def _append(self, place: Place, value: Any) -> None:
        path, domain, empty = self._slots_of(place)
        packed, slots = self.pack(value, place), self.slots(place)
        self.has_no_room(domain, self.dag.negate(self.dag.equal(slots[-1], empty)))
        for i, slot in enumerate(slots):
            free = self.dag.equal(slot, empty)
            first = (
                free
                if i == 0
                else self.dag.both(free, self.dag.negate(self.dag.equal(slots[i - 1], empty)))
            )
            self.store(f"{path}#{i}", self.dag.select(first, packed, slot))

    def _pop(self, place: Place, index: Any = None) -> Any:
        raise AssertionError  # given by Sequences

    def _insert(self, place: Place, index: Any, value: Any) -> None:
        raise AssertionError  # given by Sequences

    def _take_first(self, place: Place, value: Any) -> None:
        raise AssertionError  # given by Sequences

    def _set_bit(self, place: Place, value: Any, *, present: bool) -> None:
        assert isinstance(place.domain, Set)
        saved, self.errors = self.errors, []
        rank, ghosts = self.rank_of(value, place.domain.element)
        outside, self.errors = self.errors, saved
        inside = self.dag.true
        if present:
            self.errors += outside
            if isinstance(value, Rec):  # what is there depends on its plain fields alone
                plain = [v.ghosts for f, v in value.fields.items() if f not in value.record.ghosts]
                ghosts = NONE.union(*plain)
        else:
            inside = self.dag.negate(self.dag.any_of(outside))
            ghosts = ghosts - self.own_ghosts(place)
        self.forbid_ghosts(place, ghosts)
        if present and place.domain.capacity is not None:
            full = self.dag.negate(
                self.dag.less(
                    self.length(place, self.node).node, self.dag.const(place.domain.capacity)
                )
            )
            absent = self.dag.negate(self._in_set(value, place).node)
            self.has_no_room(place.domain, self.dag.both(full, absent))
        for condition, path in place.alternatives:
            for chunk, size in enumerate(chunks_of(place.domain)):
                bit, here = self._bit(rank, chunk, size)
                here = self.dag.both(here, inside)
                old = self.field(place.view, f"{path}|{chunk}")
                change = self.dag.bits_or if present else self.dag.bits_without
                changed = self.dag.select(self.dag.both(condition, here), change(old, bit), old)
                self.store(f"{path}|{chunk}", changed)

    def _clear(self, place: Place) -> None:
        self.forbid_ghosts(place, NONE)
        for condition, path in place.alternatives:
            if isinstance(place.domain, Set):
                names = [f"{path}|{i}" for i in range(len(chunks_of(place.domain)))]
                none = self.dag.const(0)
            else:
                _, domain, none = self._slots_of(place)
                names = [f"{path}#{i}" for i in range(domain.capacity)]
            for name in names:
                old = self.field(place.view, name)
                self.store(name, self.dag.select(condition, none, old))
