"""What an element of a container consists of: scalars, each with the field that it belongs to.

Elements of sets, bags and sequences are scalars or records, whose fields may be records and arrays
in turn. Their scalars in order are what is packed and ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fencecheck.model.domains.containers import Array
from fencecheck.model.domains.records import Record
from fencecheck.model.domains.scalars import Scalar


@dataclass(frozen=True)
class ElementPart:
    """A scalar of an element, and the record's field that it is or is part of ("" without one)."""

    field: str
    domain: Scalar


def leaves(domain: Any, field: str = "") -> Iterator[ElementPart]:
    """Yield the scalars of an element, the most significant first."""
    if isinstance(domain, Record):
        for name, inner in domain.fields.items():
            yield from leaves(inner, field or name)
    elif isinstance(domain, Array):
        for _ in range(domain.length):
            yield from leaves(domain.element, field)
    else:
        yield ElementPart(field, domain)


def scalars_of(domain: Any, value: Any) -> Iterator[Any]:
    """Yield the values of the scalars of an element at rest."""
    if isinstance(domain, Record):
        for inner, item in zip(domain.fields.values(), value, strict=True):
            yield from scalars_of(inner, item)
    elif isinstance(domain, Array):
        for item in value:
            yield from scalars_of(domain.element, item)
    else:
        yield value


def of_scalars(domain: Any, values: Iterator[Any]) -> Any:
    """Return the element whose scalars have these values; the inverse of ``scalars_of``."""
    if isinstance(domain, Record):
        return domain.make(*(of_scalars(inner, values) for inner in domain.fields.values()))
    if isinstance(domain, Array):
        return domain.row(of_scalars(domain.element, values) for _ in range(domain.length))
    return next(values)
