"""Records: named tuples of scalars."""

from __future__ import annotations

from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.domains.scalars import Domain, Scalar, Show
from fencecheck.model.held.in_place import record_type
from fencecheck.model.ordinary import is_callable, words


class Ghost:
    """Marks a record field as ghost: no guard and no non-ghost effect may read it."""

    def __init__(self, domain: Scalar) -> None:
        self.domain = domain


class Record(Domain):
    """A named tuple of scalars; calling it makes one. Fields compare in the order declared.

    ``show(record, k)`` gives the words in which a diagram names it.
    """

    def __init__(self, name: str, /, show: Show | None = None, **fields: Scalar | Ghost) -> None:
        if not fields:
            raise ModelError(f"Record {name}: write at least one field")
        is_callable(f"Record {name}: show", show)
        self.name, self._show, self._sizes = name, show, None
        self.ghosts = frozenset(f for f, d in fields.items() if isinstance(d, Ghost))
        self.fields: dict[str, Scalar] = {
            f: d.domain if isinstance(d, Ghost) else d for f, d in fields.items()
        }
        for field, domain in self.fields.items():
            if not isinstance(domain, Scalar):
                raise ModelError(f"Record {name}: field {field} must be a scalar or Ghost(scalar)")
        self.make = record_type(name, list(fields))
        self.count = 0

    def __call__(self, **values: Any) -> Any:
        return self.make(**values)

    def resolve(self, sizes: Any) -> Record:
        record = object.__new__(Record)
        record.name, record._show, record.ghosts = self.name, self._show, self.ghosts
        record.make, record._sizes = self.make, sizes
        record.fields = {f: d.resolve(sizes) for f, d in self.fields.items()}  # type: ignore[misc]
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
        return next(
            domain.misfit(f"{name}.{field}", item)
            for (field, domain), item in zip(self.fields.items(), value, strict=True)
            if not domain.contains(item)
        )

    def rank(self, value: Any) -> int:
        """Return the place of a record among all of its kind, in ascending order."""
        rank = 0
        for domain, item in zip(self.fields.values(), value, strict=True):
            rank = rank * domain.count + domain.rank(item)
        return rank

    def value(self, rank: int) -> Any:
        """Return the record at ``rank``; the inverse of ``rank``."""
        items: list[Any] = []
        for domain in reversed(self.fields.values()):
            rank, digit = divmod(rank, domain.count)
            items.append(domain.value(digit))
        return self.make(*reversed(items))

    def show(self, value: Any) -> Any:
        if self._show:
            return words(f"show of {self.name}", self._show, value, self._sizes)
        pairs = zip(self.fields.items(), value, strict=True)
        return " ".join(f"{f} {d.show(v)}" for (f, d), v in pairs)

    def describe(self) -> str:
        return f"{self.name}({', '.join(self.fields)})"


def replace(record: Any, **fields: Any) -> Any:
    """Return a copy of ``record`` in which ``fields`` have new values."""
    return record._replace(**fields)
