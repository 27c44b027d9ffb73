"""Counts: up to "n or more", where they stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencecheck.model.domains.records import Record
from fencecheck.model.domains.scalars import Domain, Int, Show, Size


class CountedUp(int):
    """A Count while an effect runs: what is added to it makes it ``most`` at most."""

    most: int

    def __new__(cls, value: int, most: int) -> CountedUp:
        made = super().__new__(cls, value)
        made.most = most
        return made

    def __add__(self, other: int) -> CountedUp:
        return CountedUp(min(int(self) + other, self.most), self.most)

    def __reduce__(self) -> Any:
        return int, (int(self),)


class Count(Int):
    """0 to ``most``, which stands for "so many or more": ``+= 1`` leaves it there."""

    def __init__(self, most: Size, show: Show | None = None) -> None:
        super().__init__(0, most, show)

    def resolve_held(self, sizes: Any) -> Count:
        domain = Count(self._declared[1], self._declared[2])
        resolved = super().resolve_held(sizes)
        domain.low, domain.high, domain.count = resolved.low, resolved.high, resolved.count
        domain.default, domain._sizes = 0, sizes
        return domain

    def contains(self, value: Any) -> bool:
        return type(value) in (int, CountedUp) and 0 <= value <= self.high

    def show(self, value: Any) -> Any:
        return super().show(int(value))

    def in_motion(self, value: Any) -> CountedUp:
        """Return a value as an effect reads it."""
        return CountedUp(value, self.high)

    def describe(self) -> str:
        return f"0 to {self.high}"


def counting(domain: Domain) -> Callable[[Any], Any] | None:
    """Return what gives a scalar or record as an effect reads it; None: as it is."""
    if isinstance(domain, Count):
        return domain.in_motion
    if not isinstance(domain, Record):
        return None
    parts = [counting(field) for field in domain.fields.values()]
    if not any(parts):
        return None
    return lambda record: record._make(
        item if part is None else part(item) for part, item in zip(parts, record, strict=True)
    )
