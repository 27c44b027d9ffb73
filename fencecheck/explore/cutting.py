"""Cut what is long and no search: by the limit on time in force, or by an interrupt.

What comes after a search (the edges of its graph, walks over them) keeps no part of an answer, so
it is left by an exception: TimeUp, or KeyboardInterrupt. Plain Python calls ``check_cut`` now and
then; compiled loops run under ``cut_short``.

What is found of a search is told although its time and memory are used up: that may take as much
again inside ``telling_within``, looked after by ``check_told``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from fencecheck.errors import FencecheckError
from fencecheck.explore.interrupt import heard
from fencecheck.explore.machine import resident
from fencecheck.model.time_limit import check_time, time_limit

_LOOK = 0.1  # seconds between looks at the clock
_GLANCES = 256  # steps of what is told between two looks at the memory
_LEAST_SECONDS, _LEAST_ROOM = 2.0, 64 << 20
_room: ContextVar[int | None] = ContextVar("room", default=None)


class MemoryUp(FencecheckError):
    """Memory was full before what was found could be told: it stays undetermined."""

    exit_code = 3

    def __init__(self) -> None:
        super().__init__(
            "undetermined: memory was full before an event order was found; raise --max-memory"
        )


@contextmanager
def telling_within(seconds: float | None, memory: int | None) -> Iterator[None]:
    """Let what is told of a search take as long again, and an eighth of its memory more.

    ``seconds`` and ``memory`` are the limits of the search (None: no limit). Two seconds and 64
    MiB are enough for what is small, however small the limits.
    """
    room = None
    if memory is not None:
        room = max(memory, resident()) + max(memory // 8, _LEAST_ROOM)
    token = _room.set(room)
    try:
        with time_limit(None if seconds is None else max(seconds, _LEAST_SECONDS)):
            yield
    finally:
        _room.reset(token)


def check_told(step: int) -> None:
    """Raise TimeUp or MemoryUp where what is told takes more than it may; ``step`` counts steps."""
    check_time()
    room = _room.get()
    if room is not None and step % _GLANCES == 0 and resident() > room:
        raise MemoryUp


def check_cut() -> None:
    """Raise TimeUp where a limit on time has passed, KeyboardInterrupt where one was heard."""
    if heard():
        raise KeyboardInterrupt
    check_time()


def cut_short(walk: Callable[..., Any], *args: Any) -> Any:
    """Return what a compiled loop gives, cut by the limit on time and by an interrupt.

    The loop gets, before its other arguments, an array of one number, and ends soon after that is
    set. Raises TimeUp or KeyboardInterrupt where it was cut.
    """
    check_cut()
    stop = np.zeros(1, np.int64)
    with ThreadPoolExecutor(1) as pool:
        try:
            future = pool.submit(walk, stop, *args)
            while wait([future], timeout=_LOOK).not_done:
                check_cut()
        except BaseException:
            stop[0] = 1
            raise
    return future.result()
