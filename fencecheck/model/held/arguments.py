"""The arguments of an event as people see them, whole, and with other names.

Takes for each parameter its name, the fields of an element that an ``Each`` shows, and the domain
of the values.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fencecheck.model.checks.sizes import places_in
from fencecheck.model.declare import Each
from fencecheck.model.domains import (
    Array,
    Domain,
    Index,
    Maybe,
    OneOf,
    Record,
    Subset,
    counted,
)
from fencecheck.model.fair import ranged_over
from fencecheck.model.representatives.renaming import Names, Rename, renaming
from fencecheck.model.representatives.representative import Representatives

Told = Iterable[tuple[str, tuple[str, ...], Any]]
_TOLD = (Index, Maybe, OneOf, Subset)  # whose values people are told in words


def seen_arguments(told: Told, args: tuple[Any, ...]) -> Iterator[tuple[str, Any, Any]]:
    """Yield (name, domain, value) of what people see of the arguments of an event."""
    for (name, fields, domain), value in zip(told, args, strict=True):
        for field in fields:
            yield field, domain.fields[field], getattr(value, field)
        if not fields:
            yield name, domain, value


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


class ToldArguments:
    """What a System says of the arguments of its actions, which are known by their number."""

    names: list[str]
    domains: list[Domain]
    params: Sequence[Mapping[str, Any]]
    representatives: Representatives

    def shown_args(self, number: int, args: tuple[Any, ...]) -> dict[str, Any]:
        """Return the arguments of an event as people see them: steps, files, workers from 1."""
        seen = seen_arguments(self._told[number], args)
        return {name: counted(domain, value) for name, domain, value in seen}

    def lasting_args(self, number: int, args: tuple[Any, ...]) -> dict[str, Any]:
        """Return them without those that hold a number which a clock hands out."""
        seen = seen_arguments(self._told[number], args)
        return {name: counted(d, value) for name, d, value in seen if not places_in(d)}

    def renamed_args(self, number: int, args: tuple[Any, ...], names: Names) -> tuple[Any, ...]:
        """Return the arguments of an event with other names."""
        pairs = zip(self._renaming[number], args, strict=True)
        return tuple(v if rename is None else rename(v, names) for rename, v in pairs)

    @functools.cached_property
    def _renaming(self) -> list[list[Rename | None]]:
        """Return what renames each argument of each action."""
        keys = self.representatives.keys
        return [[renaming(domain, keys) for _, _, domain in told] for told in self._told]

    def exact_args(self, number: int, args: tuple[Any, ...]) -> dict[str, Any]:
        """Return the arguments of an event whole, so that no two events of a name are alike."""
        return exact_arguments(self._told[number], args)

    @functools.cached_property
    def _told(self) -> list[list[tuple[str, tuple[str, ...], Any]]]:
        """Return, for each action, what its arguments are told by."""
        domains = dict(zip(self.names, self.domains, strict=True))
        return [
            [
                (name, p.args if isinstance(p, Each) else (), ranged_over(p, domains))
                for name, p in params.items()
            ]
            for params in self.params
        ]
