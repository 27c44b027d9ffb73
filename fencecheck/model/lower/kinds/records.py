"""Lower records as values: what they hold, made anew or read from the state.

A record is as a whole what its fields are; an array in one is a value too.
"""

from __future__ import annotations

from typing import Any, NoReturn

from fencecheck.errors import nearest
from fencecheck.model.domains import Array, Domain, Record
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.places import Places
from fencecheck.model.lower.symbols import Items, Num, Place, Rec, Vector, mark


class Records(Places):
    """Records and the arrays in them, as values."""

    def record(self, value: Any) -> Rec:
        """Return a record place as a record."""
        if isinstance(value, Place) and isinstance(value.domain, Record):
            parts = {f: self.load(self.part(value, f)) for f in value.domain.fields}
            return Rec(value.domain, {f: self.settled(part) for f, part in parts.items()})
        if isinstance(value, Rec):
            return value
        self.fail(f"a record is needed here, not {describe(value)}")

    def wrong_record(self, seen: Record, needed: Record) -> NoReturn:
        """Refuse a record of another kind than its place holds."""
        self.fail(f"a {seen.name} where a {needed.name} is needed", f"write {needed.name}(...)")

    def no_field(self, record: Record, name: str) -> NoReturn:
        """Refuse a field that a record does not have."""
        hint = nearest(name, record.fields)
        self.fail(f"{record.name} has no field {name}{hint}", f"it has {', '.join(record.fields)}")

    def make_record(self, record: Record, values: dict[str, Any]) -> Rec:
        """Return a new record with a value for each field."""
        for name in values:
            if name not in record.fields:
                self.no_field(record, name)
        if missing := [f for f in record.fields if f not in values]:
            self.fail(
                f"{record.name}(...) lacks {', '.join(missing)}",
                f"write all of {', '.join(record.fields)}",
            )
        return Rec(record, {f: self.fitted(values[f], d) for f, d in record.fields.items()})

    def fitted(self, value: Any, domain: Domain) -> Any:
        """Return ``value`` as a Num, Rec or Vector of a domain that a record's field can have."""
        if isinstance(domain, Record):
            record = self.record(value)
            if record.record.make is not domain.make:
                self.wrong_record(record.record, domain)
            return record
        if isinstance(domain, Array):
            return self.vector(value, domain)
        return self.coerce(value, domain)

    def vector(self, value: Any, domain: Array) -> Vector:
        """Return an array, or as many values as one has, as an array that a record holds."""
        items: Any = value.items if isinstance(value, Vector) else None
        if isinstance(value, Place) and isinstance(value.domain, Array):
            places = [self.element(value, self.number(i)) for i in range(value.domain.length)]
            items = [mark(self.settled(self.load(place)), value.ghosts) for place in places]
        elif isinstance(value, Items) and value.ordered:
            items = [one for there, one in value.pairs if there is self.dag.true]
            items = items if len(items) == len(value.pairs) else None
        if items is None or len(items) != domain.length:
            self.fail(
                f"{describe(value)} where {domain.describe()} is needed",
                f"write {domain.length} values in brackets, or tuple(... for ... in ...)",
            )
        return Vector(domain, tuple(self.fitted(item, domain.element) for item in items))

    def number(self, value: int) -> Num:
        """Return the symbol of a whole number."""
        return Num(self.dag.const(value))

    def element(self, base: Place, index: Num) -> Place:
        raise AssertionError  # given by Expressions
