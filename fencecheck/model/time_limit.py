"""A limit on time that holds for everything done for one question, lowering and compiling included.

``time_limit(seconds)`` is in force inside its ``with``; whatever may take long calls
``check_time`` now and then, which raises TimeUp once the time has passed. A search looks at
``time_left`` by itself, since what it has found so far is worth keeping.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from fencecheck.errors import FencecheckError

_SHORT = 0.5  # seconds that a model in a hurry may take to load
_until: ContextVar[float] = ContextVar("until", default=float("inf"))
_each: ContextVar[float | None] = ContextVar("each", default=None)


class TimeUp(FencecheckError):
    """Time was up before there was anything to search: nothing is known, and nothing is wrong."""

    exit_code = 3

    def __init__(self) -> None:
        super().__init__(
            "undetermined: time was up while the model was still being compiled; "
            "allow more time or choose smaller bounds"
        )


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Let what is done inside take ``seconds`` at most (None: no limit of its own)."""
    until = _until.get()
    if seconds is not None:
        until = min(until, time.monotonic() + max(0.0, seconds))
    token = _until.set(until)
    try:
        yield
    finally:
        _until.reset(token)


@contextmanager
def hurried(seconds: float | None) -> Iterator[None]:
    """Let no model that is loaded inside take much of ``seconds`` before anything is asked of it.

    What is left undone then is done, and cut, where the model is asked (None: nothing is left).
    """
    token = _each.set(None if seconds is None else min(seconds, _SHORT))
    try:
        yield
    finally:
        _each.reset(token)


def time_to_load() -> AbstractContextManager[None]:
    """Return the limit on time for loading one model, to be in force inside a ``with``."""
    return time_limit(_each.get())


def time_left() -> float:
    """Return the seconds that the limit in force leaves, infinity if there is none."""
    return _until.get() - time.monotonic()


def check_time() -> None:
    """Raise TimeUp if the limit in force has passed."""
    if time.monotonic() > _until.get():
        raise TimeUp
