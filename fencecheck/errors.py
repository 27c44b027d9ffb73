"""The exceptions of fencecheck, one tree; each class carries its exit code.

A message says where, what was seen, and what to write instead. Only the command line prints
them. An error of the program itself (two engines that disagree, say) is an InternalError; all
others are the user's to mend.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class FencecheckError(Exception):
    """Any error that fencecheck reports by itself; ``exit_code`` is what the process returns."""

    exit_code = 2

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to make the same error in another process, whatever its class is made from."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[FencecheckError], args: tuple[Any, ...], values: dict[str, Any]) -> Any:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(values)
    return error


class UsageError(FencecheckError):
    """A command, option or argument that makes no sense."""


class SpecError(FencecheckError):
    """One or more mistakes in specs; ``problems`` has a text for each.

    It is one line, but for a mistake in a model, which is told with the line it is in.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


class ModelError(FencecheckError):
    """A model that is outside the subset or contradicts itself, or that cannot be loaded.

    ``at`` is where in the author's text: the file, the line, and its columns in bytes if known.
    """

    at: tuple[str, int, int | None, int | None] | None = None


class ModelMistakes(ModelError):
    """Several mistakes of one model; each of ``mistakes`` is one, in the order of the file."""

    def __init__(self, message: str, mistakes: Iterable[ModelError]) -> None:
        self.mistakes = list(mistakes)
        super().__init__(message)


class EncodingError(ModelError):
    """A model or a spec that is not UTF-8 text."""


class DesignError(FencecheckError):
    """Mechanisms or bounds that a model does not have or whose combination it refuses."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("; ".join(self.problems))


class StateError(ModelError):
    """A model that went wrong in a run: ``trace`` leads to the event that failed.

    ``exploration`` are the numbers of the search that met it, where it was one.
    """

    def __init__(self, message: str, trace: Any = None) -> None:
        self.trace = trace
        self.exploration: Any = None
        super().__init__(message)


class TraceError(FencecheckError):
    """A trace file that cannot be read, or that its model no longer follows."""


class ClusterError(FencecheckError):
    """A cluster that did not do what it was asked: what is asked for is left undetermined."""

    exit_code = 3


class InternalError(FencecheckError):
    """Two parts of fencecheck that must agree and do not: a bug here, never a verdict."""

    exit_code = 70


def nearest(word: str, allowed: Iterable[str]) -> str:
    """Return `` (did you mean "x"?)`` for the closest of ``allowed``, or an empty string."""
    close = difflib.get_close_matches(word, list(allowed), n=1, cutoff=0.6)
    return f' (did you mean "{close[0]}"?)' if close else ""


def check_names(place: str, names: Iterable[str], allowed: Iterable[str]) -> None:
    """Raise UsageError for the first of some names that is not allowed.

    ``place`` says where it was written, with braces for the name, as in ``--variant {}:``.
    """
    allowed = list(dict.fromkeys(allowed))
    for name in names:
        if name not in allowed:
            raise UsageError(f"{place.format(name)} {not_among(name, allowed)}")


def not_among(word: str, allowed: Iterable[str]) -> str:
    """Return in words that something is not one of what is allowed, with the closest of it."""
    names = list(allowed)
    return f"is not one of {', '.join(names) or 'none'}{nearest(word, names)}"
