"""Records: named tuples of scalars, other records and arrays of these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.domains.scalars import Domain, Scalar, Show
from fencecheck.model.held.in_place import record_type
from fencecheck.model.ordinary import is_callable, words


class Ghost:
    """Marks a record field as ghost: no guard and no non-ghost effect may read it."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain


class Record(Domain):
    """A named tuple of scalars, records and arrays of these; calling it makes one.

    Fields compare in the order declared.

    ``show(record, k)`` gives the words in which a diagram names it.
    """

    def __init__(self, name: str, /, show: Show | None = None, **fields: Domain | Ghost) -> None:
        if not fields:
            raise ModelError(f"Record {name}: write at least one field")
        is_callable(f"Record {name}: show", show)
        self.name, self._show, self._sizes = name, show, None
        self.ghosts = frozenset(f for f, d in fields.items() if isinstance(d, Ghost))
        self.fields: dict[str, Any] = {
            f: _as_field(name, f, d.domain if isinstance(d, Ghost) else d)
            for f, d in fields.items()
        }
        self.nested = not all(isinstance(d, Scalar) for d in self.fields.values())
        self.make = record_type(name, list(fields), nested=self.nested)
        self.count = 0

    def __call__(self, **values: Any) -> Any:
        if self.nested:
            known = self.fields
            values = {f: known[f].held(v) if f in known else v for f, v in values.items()}
        return self.make(**values)

    def as_field(self) -> Domain | None:
        return self

    @property
    def in_words(self) -> bool:
        """Tell whether the model says in which words it is told."""
        return self._show is not None

    def resolve(self, sizes: Any) -> Record:
        record = object.__new__(Record)
        record.name, record._show, record.ghosts = self.name, self._show, self.ghosts
        record.make, record._sizes, record.nested = self.make, sizes, self.nested
        record.fields = {f: d.resolve(sizes) for f, d in self.fields.items()}
        record.default = self.make(**{f: d.default for f, d in record.fields.items()})
        record.count = 1
        for domain in record.fields.values():
            record.count *= domain.count
        return record

    def contains(self, value: Any) -> bool:
        return type(value) is self.make and all(
            d.contains(v) for d, v in zip(self.fields.values(), value, strict=True)
        )

    def misfit(self, name: str, value: Any) -> str:
        if type(value) is not self.make:
            return super().misfit(name, value)
        said: str = next(
            domain.misfit(f"{name}.{field}", item)
            for (field, domain), item in zip(self.fields.items(), value, strict=True)
            if not domain.contains(item)
        )
        return said

    def rank(self, value: Any) -> int:
        """Return the place of a record among all of its kind, in ascending order."""
        return rank_of(zip(self.fields.values(), value, strict=True))

    def value(self, rank: int) -> Any:
        """Return the record at ``rank``; the inverse of ``rank``."""
        return self.make(*values_at(rank, list(self.fields.values())))

    def show(self, value: Any) -> Any:
        if self._show:
            return words(f"show of {self.name}", self._show, value, self._sizes)
        pairs = zip(self.fields.items(), value, strict=True)
        return " ".join(f"{f} {_shown(d, v)}" for (f, d), v in pairs)

    def describe(self) -> str:
        return f"{self.name}({', '.join(self.fields)})"


def _as_field(record: str, field: str, domain: Any) -> Domain:
    """Return the domain of a field; refuse what a record cannot hold."""
    found: Any = domain.as_field() if isinstance(domain, Domain) else None
    if found is None:
        raise ModelError(
            f"Record {record}: field {field} must be a scalar, a record or an array of these; "
            "in place of a Set write Array(INDEX, Bool())"
        )
    inner = found
    while not isinstance(inner, Scalar | Record):
        inner = inner.element
    if isinstance(inner, Record) and inner.ghosts:
        raise ModelError(
            f"Record {record}: field {field}: {inner.name} has ghosts, and a record within a "
            f"record has none; take Ghost out of {inner.name}, or write Ghost({inner.name}) here"
        )
    checked: Domain = found
    return checked


def _shown(domain: Domain, value: Any) -> Any:
    """Return the value of a field as people see it, a record in brackets."""
    shown = domain.show(value)
    return f"({shown})" if isinstance(domain, Record) else shown


def rank_of(parts: Iterable[tuple[Any, Any]]) -> int:
    """Return the place among all of their kind of several (domain, value)."""
    rank = 0
    for domain, item in parts:
        rank = rank * domain.count + domain.rank(item)
    return rank


def values_at(rank: int, domains: Sequence[Any]) -> list[Any]:
    """Return the values of several domains at a rank; the inverse of ``rank_of``."""
    items: list[Any] = []
    for domain in reversed(domains):
        rank, digit = divmod(rank, domain.count)
        items.append(domain.value(digit))
    return items[::-1]


def replace(record: Any, **fields: Any) -> Any:
    """Return a copy of ``record`` in which ``fields`` have new values."""
    return record._replace(**fields)
