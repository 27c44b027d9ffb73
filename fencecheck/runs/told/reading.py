"""What a property reads where it breaks: the evidence beside the words of a violation.

Takes a system, a property and the two states around the end of a run; evaluates the property once
more on views that note each variable, element and field it asks for. Gives them in the order in
which they were read, with the values that were seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

from fencecheck.model.domains import Array, Domain, Record
from fencecheck.model.property import Property
from fencecheck.model.system import State, System

Portion = tuple[int | None, str | None]  # which element, which field
Note = Callable[[Portion], None]
WHOLE: Portion = (None, None)


class _View:
    """A state as a property reads it; notes what is asked for."""

    def __init__(self, system: System, state: State, notes: dict[str, dict[Portion, None]]) -> None:
        self._seen = system.view(state)
        self._domains = dict(zip(system.names, system.domains, strict=True))
        self._notes = notes

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._seen, name)
        domain = self._domains.get(name)
        if domain is None:
            return value
        parts = self._notes.setdefault(name, {})
        return _noting(domain, value, None, lambda part: parts.setdefault(part))


class _Elements(tuple[Any, ...]):
    """An array that notes which elements are read."""

    array: Array
    note: Note

    def __getitem__(self, place: Any) -> Any:
        place = self.array.position(place) if isinstance(place, str) else place
        value = super().__getitem__(place)
        if not isinstance(place, int):
            return value
        if place < 0:
            raise IndexError(f"index {place} is negative")
        return self._read(place, value)

    def __iter__(self) -> Iterator[Any]:
        for place, value in enumerate(super().__iter__()):
            yield self._read(place, value)

    def __contains__(self, value: object) -> bool:
        return any(found == value for found in self)

    def index(self, value: Any, start: SupportsIndex = 0, stop: SupportsIndex = 1 << 62) -> int:
        for part in range(len(self)):
            self.note((part, None))
        return super().index(value, start, stop)

    def _read(self, place: int, value: Any) -> Any:
        self.note((place, None))
        return _noting(self.array.element, value, place, self.note)


def _noting(domain: Domain, value: Any, place: int | None, note: Note) -> Any:
    """Return a value that notes which of its parts are read; a plain value as it is."""
    if isinstance(domain, Array) and place is None:
        elements = _Elements(value)
        elements.array, elements.note = domain, note
        return elements
    if isinstance(domain, Record):
        return _fields(domain, value, place, note)
    return value


def _fields(domain: Record, value: Any, place: int | None, note: Note) -> Any:
    def read(self: Any, name: str) -> Any:
        if name in domain.fields:
            note((place, name))
        return object.__getattribute__(self, name)

    kind = type(domain.name, (domain.make,), {"__getattribute__": read})
    return kind(*value)


def parts_read(
    system: System, prop: Property, before: State, after: State
) -> list[tuple[str, Portion, bool, bool]]:
    """Return what a property reads, as (variable, part, read before, read after), in order.

    A variable of which a part is read counts by its parts alone. Nothing is returned where the
    property cannot be evaluated in this way.
    """
    early: dict[str, dict[Portion, None]] = {}
    late: dict[str, dict[Portion, None]] = {}
    views = [_View(system, before, early), _View(system, after, late)]
    try:
        prop.holds(*(views if prop.of_events else views[1:]))
    except Exception:
        return []
    found = []
    for name in dict.fromkeys([*early, *late]):
        first, second = _least(early.get(name)), _least(late.get(name))
        for part in dict.fromkeys([*first, *second]):
            found.append((name, part, part in first, part in second))
    return found


def _least(parts: dict[Portion, None] | None) -> list[Portion]:
    """Return the parts without those of which a part is there as well."""
    if parts is None:
        return []
    whole = {place for place, name in parts if name is not None}
    kept = [part for part in parts if part[1] is not None or part[0] not in whole]
    return kept or [WHOLE]
