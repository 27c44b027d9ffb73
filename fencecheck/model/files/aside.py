"""Standard output is for results: what a model writes there, by whatever means, goes to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator

_lock = threading.Lock()
_depth = 0
_kept: int | None = None  # a copy of file 1 while it leads to where file 2 does


@contextlib.contextmanager
def stdout_aside() -> Iterator[None]:
    """Send to stderr what is printed meanwhile, also past ``sys.stdout`` and by other programs.

    It may be nested, and several threads may be in it: the last one out restores what was.
    """
    _enter()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        _leave()


def _enter() -> None:
    global _depth, _kept
    with _lock:
        _depth += 1
        if _depth > 1:
            return
        _flush()
        with contextlib.suppress(OSError):  # one of the two is closed
            os.fstat(2)
            _kept = os.dup(1)
            os.dup2(2, 1)


def _leave() -> None:
    global _depth, _kept
    with _lock:
        _depth -= 1
        if _depth or _kept is None:
            return
        _flush()
        os.dup2(_kept, 1)
        os.close(_kept)
        _kept = None


def _flush() -> None:
    """Write out what Python's own stream of file 1 still holds, to where it leads now."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.__stdout__.flush()  # type: ignore[union-attr]
