"""What stands for a declaration that was refused, so that the rest of the file is still read.

While an author's file is executed a call that declares something wrong notes its mistake and
gives a ``RefusedDeclaration``. A call that is given one is not made: what it declares is not
known either.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.files.texts import is_authors
from fencecheck.model.mistakes.gathering import mistakes_so_far, take_note, unsure
from fencecheck.model.ordinary import place_of_call

_PLACED = re.compile(r"[^\n]+?\.py:\d+: ")


class RefusedDeclaration:
    """A declaration that was refused: whatever is asked of it gives another one."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for value in args:
            if isinstance(value, types.FunctionType):
                unsure(value.__name__)
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: Any) -> Any:
        return self


@contextlib.contextmanager
def declaring(own: str, shown: str) -> Iterator[None]:
    """Have declarations that are refused inside noted, and the rest of the file read.

    Where a message begins with the file's ``own`` path it then begins with the one ``shown``.
    """
    mistakes = mistakes_so_far()
    if mistakes is None:
        yield
        return
    mistakes.declaring = True
    try:
        yield
        for error in mistakes.waiting.values():
            mistakes.note(error)
    finally:
        mistakes.declaring = False
        for error in mistakes.found.values():
            if str(error).startswith(f"{own}:"):
                error.args = (f"{shown}{str(error).removeprefix(own)}",)


def refused(error: ModelError, args: tuple[Any, ...] = ()) -> Any:
    """Note the mistake of a declaration that was called with ``args``; return what stands for it.

    Raises it where nothing is being declared, or nobody gathers.
    """
    mistakes = mistakes_so_far()
    if mistakes is None or not mistakes.declaring:
        raise error
    _give_place(error)
    take_note(error)
    return _instead(args)


def _instead(args: tuple[Any, ...]) -> RefusedDeclaration:
    """Return a RefusedDeclaration; what the declaration named is not known from now on."""
    for value in args[:1]:
        if isinstance(value, str):
            unsure(value)
    return RefusedDeclaration()(*args)  # type: ignore[no-any-return]


def of_refused(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> RefusedDeclaration | None:
    """Return what stands for a declaration that is given something refused, else None."""
    for value in (*args, *kwargs.values()):
        inside = value if type(value) in (list, tuple) else ()
        if any(isinstance(one, RefusedDeclaration) for one in (value, *inside)):
            return _instead(args)
    return None


def attended(register: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a decorator that notes what is wrong with the function below it.

    One that is called above no function declares nothing, which is a mistake as well.
    """
    mistakes = mistakes_so_far()
    if mistakes is None or not mistakes.declaring:
        return register
    error = ModelError(
        f"{place_of_call()}{name}: no function stands below it, so that it declares nothing; "
        "write it as a decorator above a def, with its arguments in brackets"
    )
    _give_place(error)
    waiting = mistakes.waiting
    waiting[id(error)] = error

    @functools.wraps(register)
    def declare(function: Any) -> Any:
        waiting.pop(id(error), None)
        try:
            return register(function)
        except ModelError as wrong:
            return refused(wrong, (function,))

    return declare


def usage_of(signature: inspect.Signature, name: str) -> str:
    """Return how a function is called: its arguments, with what they are without being given."""
    parts = []
    for parameter in list(signature.parameters.values())[1:]:
        default = parameter.default
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            parts.append("..." if parameter.kind is parameter.VAR_POSITIONAL else "x=...")
        elif default is parameter.empty:
            parts.append(parameter.name)
        else:
            parts.append(f"{parameter.name}={default!r}")
    return f"{name}({', '.join(parts)})"


def _give_place(error: ModelError) -> None:
    """Give a mistake that has no place that of the author's call which is being executed."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and not is_authors(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return
    place = place_of_call()
    if not _PLACED.match(str(error)):
        error.args = (f"{place}{error}",)
    if error.at is None and str(error).startswith(place):
        error.at = frame.f_code.co_filename, frame.f_lineno, None, None


class Declaring(type):
    """The type of what a model is declared with by calls of a class, as domains are."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        unknown = of_refused(args, kwargs)
        if unknown is not None:
            return unknown
        try:
            return super().__call__(*args, **kwargs)
        except ModelError as error:
            return refused(error)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            said = str(error).replace(f"{cls.__name__}.__init__()", f"{cls.__name__}:")
            usage = usage_of(inspect.signature(cls.__init__), cls.__name__)  # type: ignore[misc]
            return refused(ModelError(f"{place_of_call()}{said}; write {usage}"))
