"""How deep the syntax of a model may be nested: six hundred ``elif`` are as many levels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.ordinary import place_of

_LEVELS = 20_000  # calls of Python, which take no room on the machine's stack


@contextmanager
def room_to_recur() -> Iterator[None]:
    """Let functions call each other deeper inside than Python does by itself."""
    saved = sys.getrecursionlimit()
    sys.setrecursionlimit(max(saved, _LEVELS))
    try:
        yield
    finally:
        sys.setrecursionlimit(saved)


@contextmanager
def not_too_deep(function: Any, name: str) -> Iterator[None]:
    """Raise ModelError where lowering ``function`` needs more levels than there are."""
    try:
        yield
    except RecursionError:
        raise ModelError(
            f"{place_of(function)}{name}: it is nested too deeply; split it into functions"
        ) from None
