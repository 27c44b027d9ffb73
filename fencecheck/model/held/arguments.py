"""The arguments of an event as people see them, and whole.

Takes for each parameter its name, the fields of an element that an ``Each`` shows, and the domain
of the values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fencecheck.model.domains import Array, Index, Maybe, OneOf, Record, Subset, counted

Told = Iterable[tuple[str, tuple[str, ...], Any]]
_TOLD = (Index, Maybe, OneOf, Subset)  # whose values people are told in words


def shown_arguments(told: Told, args: tuple[Any, ...]) -> dict[str, Any]:
    """Return the arguments of an event as people see them: steps, files, workers from 1."""
    shown: dict[str, Any] = {}
    for (name, fields, domain), value in zip(told, args, strict=True):
        for field in fields:
            shown[field] = counted(domain.fields[field], getattr(value, field))
        if not fields:
            shown[name] = counted(domain, value)
    return shown


def exact_arguments(told: Told, args: tuple[Any, ...]) -> dict[str, Any]:
    """Return the arguments of an event whole, so that no two events of a name are alike.

    A record is told with all its fields, also those that people do not see, and what stands in
    one by its path: ``at.cell``, ``marks[1]``.
    """
    exact: dict[str, Any] = {}
    for (name, _, domain), value in zip(told, args, strict=True):
        parts = dict(_parts("", domain, value))
        exact[name] = parts if isinstance(domain, Record) else parts[""]
    return exact


def _parts(name: str, domain: Any, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(domain, Record):
        for (field, inner), item in zip(domain.fields.items(), value, strict=True):
            yield from _parts(f"{name}.{field}" if name else field, inner, item)
    elif isinstance(domain, Array):
        for place, item in enumerate(value):
            yield from _parts(f"{name}[{domain.label(place)}]", domain.element, item)
    else:
        yield name, counted(domain, value) if isinstance(domain, _TOLD) else value
