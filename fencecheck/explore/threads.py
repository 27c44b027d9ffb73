"""Threads: a pool of threads that are all there before any work begins.

A thread takes addresses for its stack. Whoever has started all of them knows what is left for the
work; where they cannot be had, that is told as memory that is full before anything is under way.
"""

from __future__ import annotations

import contextlib
import ctypes
import resource
import threading
from concurrent.futures import ThreadPoolExecutor

from fencecheck.explore.machine import address_room

_STACK = 8 << 20  # bytes, where the system sets no limit
_ARENA_MAX = -8  # of mallopt(3)


class Threads(ThreadPoolExecutor):
    """``number`` threads; raises MemoryError where they cannot all be started."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        _look_for_room(number)
        ready = threading.Event()
        try:
            for _ in range(number):
                self.submit(ready.wait)  # so that the next one starts another
        except RuntimeError as error:
            ready.set()
            self.shutdown(cancel_futures=True)
            raise MemoryError(f"{number} threads cannot be started: {error}") from None
        finally:
            ready.set()  # an interrupt leaves no thread that waits


def _look_for_room(number: int) -> None:
    """Raise MemoryError where a limit on addresses leaves no room for so many threads.

    It is not left to a try: a thread that starts and then finds no memory never says that it runs.
    """
    space, needed = address_room(), number * _stack()
    if space is None:
        return
    if space < needed:
        raise MemoryError(f"{number} threads need {needed >> 20} MiB of addresses")
    with contextlib.suppress(AttributeError, OSError):  # glibc: else 64 MiB more for each thread
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def _stack() -> int:
    """Return how many bytes the stack of a thread takes."""
    limit, _ = resource.getrlimit(resource.RLIMIT_STACK)
    return threading.stack_size() or (_STACK if limit == resource.RLIM_INFINITY else limit)
