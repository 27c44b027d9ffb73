"""Rows: arrays at rest and in an effect that are read by names, ``s.stock["apples"]``."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any


class NamedRow(tuple[Any, ...]):
    """An array over an Enum at rest: one element for each name, in the order of the names."""

    places: Mapping[str, int]

    def __getitem__(self, name: Any) -> Any:
        return super().__getitem__(self.places[name])


@functools.lru_cache(1024)
def named_row(names: tuple[str, ...]) -> type[NamedRow]:
    """Return the type of the arrays over an Enum of these names."""
    return type("NamedRow", (NamedRow,), {"places": {name: i for i, name in enumerate(names)}})
