"""Cut what is long and no search: by the limit on time in force, or by an interrupt.

What comes after a search (the edges of its graph, walks over them) keeps no part of an answer, so
it is left by an exception: TimeUp, or KeyboardInterrupt. Plain Python calls ``check_cut`` now and
then; compiled loops run under ``cut_short``.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from fencecheck.explore.interrupt import heard
from fencecheck.model.time_limit import check_time

_LOOK = 0.1  # seconds between looks at the clock


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
        future = pool.submit(walk, stop, *args)
        try:
            while wait([future], timeout=_LOOK).not_done:
                check_cut()
        except BaseException:
            stop[0] = 1
            raise
    return future.result()
