"""Lower the ranks of values, by which slots, sets and tagged values hold them; their ghosts."""

from __future__ import annotations

from typing import Any

from fencecheck.model.domains import Int, Maybe, OneOf, Record
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.expressions import Expressions
from fencecheck.model.lower.layout import span
from fencecheck.model.lower.symbols import NONE, Num, Place, Rec, mark, mark_of


class Ranks(Expressions):
    """Values of scalars and records as their ranks, and back."""

    def from_rank(self, raw: Node, domain: Any, ghosts: frozenset[str] = NONE) -> Num:
        """Return the value of ``domain`` whose rank is ``raw``."""
        dag = self.dag
        if domain.count == 2 and type(domain).__name__ == "Bool":
            return Num(dag.negate(dag.equal(raw, dag.const(0))), None, ghosts)
        if isinstance(domain, OneOf):
            return Num(raw, None, ghosts, one_of=domain)
        enum = domain if type(domain).__name__ == "Enum" else None
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

    def constant_of(self, domain: Any, rank: int) -> Any:
        """Return the symbol of the constant at ``rank`` of a scalar or record domain."""
        value = domain.value(rank)
        if isinstance(domain, Record):
            pairs = zip(domain.fields.items(), value, strict=True)
            return Rec(domain, {f: self.constant_of(d, d.rank(v)) for (f, d), v in pairs})
        if (of := mark_of(domain)) is not None:
            number = self.dag.const(rank + span(domain)[0])
            return Num(number, optional=isinstance(domain, Maybe), mark=of)
        return self.coerce(self.constant(value), domain)

    def rank_of(self, value: Any, domain: Any) -> tuple[Node, frozenset[str]]:
        """Return the rank of a value among a set's possible members, and its ghosts."""
        if isinstance(domain, Record):
            record = self.record(value)
            if record.record.make is not domain.make:
                self.wrong_record(record.record, domain)
            rank = self.dag.const(0)
            for field, inner in domain.fields.items():
                digit = self.to_rank(record.fields[field], inner)
                rank = self.dag.add(self.dag.mul(rank, self.dag.const(inner.count)), digit)
            return rank, record.ghosts
        num = self.coerce(value, domain)
        return self.to_rank(num, domain), num.ghosts

    # -- ghosts in elements ---------------------------------------------------------------------
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
