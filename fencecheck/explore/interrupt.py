"""An interrupt (Ctrl-C) as a limit of a search, like one of time.

While somebody listens, the first interrupt is noted. A search under way looks for it, as it looks
at the clock, and ends with what it has found; anything else is left by KeyboardInterrupt at once,
and so is everything by a second interrupt. Where nobody listens (the Python interface, pytest)
an interrupt stays what it is in Python.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType


class _Listener:
    """Whether an interrupt was heard, and how many searches would rather end by themselves."""

    def __init__(self) -> None:
        self.heard = False
        self.searches = 0

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Note an interrupt; raise it where no search looks for it."""
        again, self.heard = self.heard, True
        if again or not self.searches:
            raise KeyboardInterrupt


_listener = _Listener()


@contextlib.contextmanager
def listening() -> Iterator[None]:
    """Hear interrupts inside; where that cannot be done (not in the main thread) change nothing."""
    _listener.heard, _listener.searches = False, 0
    try:
        before = signal.signal(signal.SIGINT, _listener.hear)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _listener.heard = False


def heard() -> bool:
    """Tell whether an interrupt was heard since somebody listens."""
    return _listener.heard


@contextlib.contextmanager
def looked_for() -> Iterator[None]:
    """Say that inside, ``heard`` is looked at often enough for nobody to wait."""
    _listener.searches += 1
    try:
        yield
    finally:
        _listener.searches -= 1
