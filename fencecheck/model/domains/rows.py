"""Rows: arrays at rest that are read by names, ``s.stock["apples"]``, or that records hold.

What a record holds is a value: it never changes. In an effect that changes parts of records in
place, setting an element of such a row changes the place that it was read from.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from fencecheck.model.held.in_place import Parts


class NamedRow(tuple[Any, ...]):
    """An array over an Enum at rest: one element for each name, in the order of the names."""

    places: Mapping[str, int]

    def __getitem__(self, name: Any) -> Any:
        return super().__getitem__(self.places[name])


class HeldRow(Parts, tuple[Any, ...]):
    """An array that a record holds; it refuses negative indices."""

    def __getitem__(self, index: Any) -> Any:
        if index < 0:
            raise IndexError(f"index {index} is negative")
        return super().__getitem__(index)


class HeldNamedRow(Parts, NamedRow):
    """The same, over an Enum."""


@functools.lru_cache(1024)
def named_row(names: tuple[str, ...], *, in_record: bool = False) -> type[NamedRow]:
    """Return the type of the arrays over an Enum of these names."""
    kind = HeldNamedRow if in_record else NamedRow
    return type(kind.__name__, (kind,), {"places": {name: i for i, name in enumerate(names)}})
