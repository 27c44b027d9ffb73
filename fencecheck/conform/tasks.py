"""Tasks: code of this process held at its points, so that a test says who goes on when.

A task is a thread of which only one runs at a time: the test waits while it goes to its next point.
``kill`` raises at the point; ``finally`` clauses run then, so it is no crash. What a crash leaves
is seen with processes.py only.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fencecheck.conform.points import HOLD, point


class Killed(BaseException):
    """Raised at the point at which a task is killed."""


class Task:
    """A call held at its points, from before its first line on.

    ``at`` is the point it stands at, None before it began and after its end. ``result`` is what it
    returned.
    """

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self.at: str | None = None
        self.result: Any = None
        self.done = False
        self._call = functools.partial(function, *args)
        self._error: BaseException | None = None
        self._kill = False
        self._go, self._stopped = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, daemon=True)
        setattr(self._thread, HOLD, self._hold)

    def on(self) -> str | None:
        """Let it go to its next point, and return that point's name; None where it has ended.

        What it raised is raised here.
        """
        if self.done:
            raise RuntimeError("the task has ended")
        if self._thread.ident is None:
            self._thread.start()
        self._go.release()
        self._stopped.acquire()
        if self.done:
            self._thread.join()
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return self.at

    def to(self, name: str) -> None:
        """Let it go on to the point of a name; raises RuntimeError where it does not come there."""
        while (at := self.on()) != name:
            if at is None:
                raise RuntimeError(f"the task ended without coming to {name}")

    def end(self) -> Any:
        """Let it go on to its end, past every point, and return what it returned."""
        while not self.done:
            self.on()
        return self.result

    def kill(self) -> None:
        """Raise ``Killed`` at the point where it stands; one that never began just never does."""
        if not self.done and self._thread.ident is not None:
            self._kill = True
            while not self.done:
                self.on()
        self.done, self.at = True, None

    def _run(self) -> None:
        self._go.acquire()
        try:
            self.result = self._call()
        except Killed:
            pass
        except BaseException as error:
            self._error = error
        self.at, self.done = None, True
        self._stopped.release()

    def _hold(self, name: str) -> None:
        self.at = name
        self._stopped.release()
        self._go.acquire()
        if self._kill:
            raise Killed


@contextmanager
def holding(*, after: Callable[..., Any], name: str = "") -> Iterator[str]:
    """Make a point of the end of every call of a function, inside, without touching the code.

    The point has the function's name unless another is given. Whoever took the function out of its
    module before (``from os import replace``) calls the one without a point.
    """
    module, attribute = sys.modules[_module_of(after)], after.__name__
    told = name or attribute

    @functools.wraps(after)
    def held(*args: Any, **named: Any) -> Any:
        result = after(*args, **named)
        point(told)
        return result

    setattr(module, attribute, held)
    try:
        yield told
    finally:
        setattr(module, attribute, after)


def _module_of(function: Callable[..., Any]) -> str:
    """Return the module in which people find a function: that of ``os.replace`` is os, not posix.

    Raises TypeError for one that is found in none.
    """
    own = function.__module__
    for name in ("os", own, *sys.modules):
        if getattr(sys.modules.get(name), function.__name__, None) is function:
            return name
    raise TypeError(f"{function!r} is found in no module; name a function of one")
