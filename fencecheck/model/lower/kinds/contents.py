"""Lower what changes sets, bags and sequences.

Putting into a bag is a row of minima and maxima, taking out a shift; both keep the canonical order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fencecheck.model.domains import Bag, Record, Seq, Set
from fencecheck.model.lower.containers import Containers
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.layout import chunks_of, slot_of
from fencecheck.model.lower.symbols import NONE, Num, Place, Rec, View, root_of

BEFORE = View(0)


class Contents(Containers):
    """Containers in effects."""

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
        path, _, empty = self._slots_of(place)
        packed, slots = self.pack(value, place), self.slots(place)
        self.may_fail(self.dag.negate(self.dag.equal(slots[-1], empty)))
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
        path, _, empty = self._slots_of(place)
        packed, slots = self.pack(value, place), self.slots(place)
        self.may_fail(self.dag.negate(self.dag.equal(slots[-1], empty)))
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
