"""Calls of somebody else's code: whatever it raises is told, and it may not take for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from fencecheck.errors import UsageError
from fencecheck.model.ordinary import place_of_error

_AGAIN = 1.0  # seconds: what is raised in a finalizer is lost there, so it is raised again


class AdapterError(UsageError):
    """An adapter that cannot be driven: what is wrong with it is no finding about the code."""


class _TimedOut(BaseException):
    """Raised in code that does not return in time; nobody's ``except Exception`` holds it back."""


@dataclass(frozen=True)
class Returned:
    """What came of a call: a value, or in words how it did not return."""

    value: Any = None
    failure: str | None = None


def called(function: Callable[..., Any], args: tuple[Any, ...], seconds: float) -> Returned:
    """Call a function, for ``seconds`` at most where this is the main thread."""
    late = Returned(failure=f"does not return within {seconds:g} s")
    try:
        with _alarm(seconds) as rang:
            value = function(*args)
    except KeyboardInterrupt:
        raise
    except _TimedOut:
        return late
    except BaseException as error:
        return Returned(failure=f"raises {error_in_words(error)}")
    return late if rang else Returned(value)


def error_in_words(error: BaseException) -> str:
    """Return an exception on one line, with the line of the code that raised it."""
    place = place_of_error(error).removesuffix(": ")
    said = " ".join(str(error).split())
    where = f" ({place})" if place else ""
    return f"{type(error).__name__}{f': {said}' if said else ''}{where}"


@contextmanager
def _alarm(seconds: float) -> Iterator[list[int]]:
    """Raise in what is done inside once time is up; the list that is given is not empty then."""
    rang: list[int] = []
    if threading.current_thread() is not threading.main_thread() or not seconds:
        yield rang
        return

    def ring(number: int, frame: FrameType | None) -> None:
        rang.append(number)
        raise _TimedOut

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield rang
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
