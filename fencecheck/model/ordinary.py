"""The fence around a model's ordinary Python: everything that its author wrote outside the subset.

Sizes, initial values, rules, costs and words (``label``, ``remark``, ``says``, ``show``) are called
through ``ask``: whatever they raise becomes a ModelError with their place, what they print goes to
stderr. ``refuse`` says that what they gave has the wrong shape. ``words`` are words that people
see: where they go wrong a note stands in their place, since no verdict depends on them, and
whoever is ``noting_faults`` is told.
"""

from __future__ import annotations

import contextlib
import contextvars
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from fencecheck.errors import FencecheckError, ModelError, nearest
from fencecheck.model.declaring.any_number import NoNumber
from fencecheck.model.files.aside import stdout_aside
from fencecheck.model.files.texts import is_authors, is_of_library, near


class Aside(Exception):
    """Raised on purpose through a model's function, by what it was asked with: it is passed on."""


_PASSED_ON = (KeyboardInterrupt, MemoryError, FencecheckError, Aside)
_LONGEST = 60
_OF_MODELS = "fencecheck.model."
_faults: contextvars.ContextVar[list[str] | None] = contextvars.ContextVar("faults", default=None)


def ask(what: str, function: Callable[..., Any], *args: Any) -> Any:
    """Return what an ordinary function of the model gives; ``what`` says which one it is.

    Raises ModelError, with file and line, for whatever it raises: an exit of the program too.
    """
    try:
        with stdout_aside():
            return function(*args)
    except _PASSED_ON:
        raise
    except BaseException as error:
        place = place_of_error(error) or place_of(function)
        raise ModelError(f"{place}{what} goes wrong: {in_words(error)}") from None


def refuse(what: str, function: Callable[..., Any], given: Any, wanted: str) -> NoReturn:
    """Raise the ModelError for a function that gave something else than is ``wanted``."""
    raise ModelError(f"{place_of(function)}{what} gives {shown(given)}; {wanted}")


@contextlib.contextmanager
def noting_faults() -> Iterator[list[str]]:
    """Collect, each once, what goes wrong meanwhile in words that people see."""
    found: list[str] = []
    token = _faults.set(found)
    try:
        yield found
    finally:
        _faults.reset(token)


def words(what: str, function: Callable[..., Any], *args: Any) -> Any:
    """Return the words that a function of the model gives, or a note that it goes wrong."""
    try:
        return ask(what, function, *args)
    except ModelError as error:
        return noted(error)


def noted(error: ModelError) -> str:
    """Return the note that stands in the place of words that went wrong."""
    faults, message = _faults.get(), str(error)
    if faults is not None and message not in faults:
        faults.append(message)
    return f"({message})"


def in_words(error: BaseException) -> str:
    """Return an exception in words; a name that does not exist comes with the nearest that does."""
    if isinstance(error, SystemExit):
        return "it ends the program (sys.exit), which a model may not do"
    if isinstance(error, NoNumber):
        return f"it {error}"
    hint = ""
    if isinstance(error, AttributeError) and isinstance(error.obj, types.SimpleNamespace):
        names = sorted(vars(error.obj))
        hint = f"; k has {', '.join(names)}{nearest(error.name or '', names)}"
        return f"AttributeError: k has no {error.name!r}{hint}"
    try:
        said = str(error)
    except Exception:
        said = "(its message cannot be told)"
    if isinstance(error, AttributeError) and type(error.obj).__module__.startswith(_OF_MODELS):
        names = [name for name in dir(error.obj) if not name.startswith("_")]
        said = f"{said}{nearest(error.name or '', names)}"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def shown(value: Any) -> str:
    """Return a value as Python writes it, shortened; it may be anything."""
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def is_callable(what: str, function: Any) -> None:
    """Raise ModelError unless ``function`` can be called; None stands for no function."""
    if function is not None and not callable(function):
        raise ModelError(f"{place_of_call()}{what} is {shown(function)}; write a function")


# -- places -------------------------------------------------------------------------------------
def place_of_error(error: BaseException) -> str:
    """Return ``file:line: `` of the model's own line at which something was raised, or nothing.

    Where a part of the library was made or called, that is the line that does so.
    """
    if isinstance(error, SyntaxError) and error.filename and is_authors(error.filename):
        return f"{near(error.filename)}:{error.lineno}: "
    frames = [f for f in traceback.extract_tb(error.__traceback__) if is_authors(f.filename)]
    frames = [f for f in frames if not is_of_library(f.filename)] or frames
    return f"{near(frames[-1].filename)}:{frames[-1].lineno}: " if frames else ""


def place_of(function: Any) -> str:
    """Return ``file:line: `` of a function, or nothing where it has no source."""
    code = getattr(function, "__code__", None)
    return f"{near(code.co_filename)}:{code.co_firstlineno}: " if code is not None else ""


def place_of_call() -> str:
    """Return ``file:line: `` of the model's line that is being executed, or nothing.

    A part of the library that is being made stands for the line that makes it.
    """
    frame: types.FrameType | None = sys._getframe(1)
    place = ""
    while frame is not None:
        file = frame.f_code.co_filename
        if is_authors(file):
            place = f"{near(file)}:{frame.f_lineno}: "
            if not is_of_library(file):
                return place
        frame = frame.f_back
    return place
