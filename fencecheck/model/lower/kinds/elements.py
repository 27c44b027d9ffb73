"""Lower what elements of containers are as numbers: packed in a slot, or a place among all.

An element is a scalar or a record; its scalars, the most significant first, are what counts.
"""

from __future__ import annotations

from typing import Any

from fencecheck.model.domains import Bag, Bool, Enum, Int, Maybe, OneOf, Record
from fencecheck.model.domains.leaves import leaves, scalars_of
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.expressions import Expressions
from fencecheck.model.lower.layout import slot_of, span
from fencecheck.model.lower.symbols import (
    NONE,
    Num,
    Place,
    Rec,
    mark_of,
    out_of_scalars,
    scalars_in,
)


class Elements(Expressions):
    """Elements of containers as numbers."""

    def from_rank(self, raw: Node, domain: Any, ghosts: frozenset[str] = NONE) -> Num:
        """Return the value of a scalar domain whose rank is ``raw``."""
        dag = self.dag
        if isinstance(domain, Bool):
            return Num(dag.negate(dag.equal(raw, dag.const(0))), None, ghosts)
        if isinstance(domain, OneOf):
            return Num(raw, None, ghosts, one_of=domain)
        enum = domain if isinstance(domain, Enum) else None
        low = span(domain)[0] if isinstance(domain, Int) else 0
        optional, of = isinstance(domain, Maybe), mark_of(domain)
        return Num(dag.add(raw, dag.const(low)), enum, ghosts, optional=optional, mark=of)

    def to_rank(self, value: Num, domain: Any) -> Node:
        """Return the rank of a value; one outside the domain is an error of the run."""
        if value.kind == "bool":
            return self.dag.as_int(value.node)
        if value.kind in ("enum", "tagged"):
            if value.node.high >= domain.count:
                self.may_fail(self.dag.less(self.dag.const(domain.count - 1), value.node))
            return self.dag.minimum(value.node, self.dag.const(domain.count - 1))
        low, high = span(domain)
        if value.node.low < low:
            self.may_fail(self.dag.less(value.node, self.dag.const(low)))
        if value.mark and value.kind != "count" and self.reach.get(value.mark.of, 0) <= high:
            bounded = self.dag.maximum(value.node, self.dag.const(low))
            return self.dag.sub(bounded, self.dag.const(low))
        if value.node.high > high:
            self.may_fail(self.dag.less(self.dag.const(high), value.node))
        bounded = self.dag.minimum(
            self.dag.maximum(value.node, self.dag.const(low)), self.dag.const(high)
        )
        return self.dag.sub(bounded, self.dag.const(low))

    def unpack(self, place: Place, slot: Node, more: frozenset[str] = NONE) -> Any:
        """Return the element packed in a slot of a bag place, depending on ghosts ``more``."""
        assert isinstance(place.domain, Bag)
        element, found = place.domain.element, []
        more = more | place.ghosts | ({place.name} if place.ghost else NONE)
        if isinstance(element, OneOf):
            return self.from_rank(slot, element, more)
        hidden = element.ghosts if isinstance(element, Record) else NONE
        for leaf, shift, bits in slot_of(element).parts:
            raw = self.dag.slice(slot, shift, bits) if bits else self.dag.const(0)
            own = {f"{place.name}.{leaf.field}"} if leaf.field in hidden else NONE
            found.append(self.from_rank(raw, leaf.domain, more | own))
        value = out_of_scalars(element, iter(found))
        return Rec(value.record, value.fields, slot) if isinstance(value, Rec) else value

    def pack(self, given: Any, place: Place) -> Node:
        """Return an element as a slot's number; ghosts may not flow into its plain fields."""
        assert isinstance(place.domain, Bag)
        element = place.domain.element
        value = self.fitted(given, element)
        if not isinstance(value, Rec):
            self.forbid_ghosts(place, value.ghosts)
            return self.to_rank(value, element)
        for field, inner in value.fields.items():
            if inner.ghosts and field not in value.record.ghosts and not place.ghost:
                self.fail(
                    f"{value.record.name}.{field} depends on ghost {', '.join(inner.ghosts)}",
                    "compute it from what the system itself knows",
                )
        if value.slot is not None:
            return value.slot
        packed = self.dag.const(0)
        for (leaf, shift, _), number in zip(slot_of(element).parts, scalars_in(value), strict=True):
            rank = self.to_rank(number, leaf.domain)
            packed = self.dag.bits_or(packed, self.dag.shift_left(rank, shift))
        return packed

    def constant_of(self, domain: Any, rank: int) -> Any:
        """Return the symbol of the constant at ``rank`` of a scalar or record domain."""
        pairs = zip(leaves(domain), scalars_of(domain, domain.value(rank)), strict=True)
        return out_of_scalars(domain, (self._scalar(leaf.domain, v) for leaf, v in pairs))

    def _scalar(self, domain: Any, value: Any) -> Num:
        """Return the symbol of a constant of a scalar domain."""
        if isinstance(domain, OneOf):  # what it holds may be a number that no constant names
            return Num(self.dag.const(domain.rank(value)), one_of=domain)
        if (of := mark_of(domain)) is None:
            return self.coerce(self.constant(value), domain)
        number = self.dag.const(domain.rank(value) + span(domain)[0])
        return Num(number, optional=isinstance(domain, Maybe), mark=of)

    def rank_of(self, value: Any, domain: Any) -> tuple[Node, frozenset[str]]:
        """Return the rank of a value among a set's possible members, and its ghosts."""
        fitted, rank = self.fitted(value, domain), self.dag.const(0)
        for leaf, number in zip(leaves(domain), scalars_in(fitted), strict=True):
            digit = self.to_rank(number, leaf.domain)
            rank = self.dag.add(self.dag.mul(rank, self.dag.const(leaf.domain.count)), digit)
        return rank, fitted.ghosts

    def forbid_ghosts(self, place: Place, ghosts: frozenset[str]) -> None:
        raise AssertionError  # given by Contents
