"""Logs of real runs, as values: runs, their events, and what a log leaves open.

What is not logged is open. A value ``{"as": X}`` is only ever compared with itself: it stands for
whatever the model has there when it is first met. Readers make these values; names are held
against a model in names.py, the order of events is in order.py. Nothing here reads a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencecheck.errors import FencecheckError

LOG = "fencecheck/log/1"


class _Open:
    """What a log does not say."""

    def __repr__(self) -> str:
        return "open"


OPEN: Any = _Open()


class LogError(FencecheckError):
    """Mistakes in logs, or in what reads them; ``problems`` has a line for each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(dict.fromkeys(problems))
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True)
class Stand:
    """A value that is only compared with itself: ``name`` stands for some value of the model."""

    name: str

    def __str__(self) -> str:
        return f"as {self.name}"


@dataclass(frozen=True)
class LoggedEvent:
    """One event as a log tells it; ``place`` is its file and line.

    ``name`` is None where the log does not say which event it was; ``outcome`` is OPEN likewise.
    ``time`` are seconds of a wall clock. ``state`` is the whole state after it, in ITF.
    """

    place: str
    process: str
    name: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    outcome: Any = OPEN
    after: Mapping[str, Any] = field(default_factory=dict)
    id: str | None = None
    causes: tuple[str, ...] = ()
    time: float | None = None
    state: Mapping[str, Any] | None = None

    @property
    def words(self) -> str:
        """Return the event as people read it: ``executor.apply(step=1) -> applied``."""
        shown = ", ".join(f"{name}={value}" for name, value in self.args.items())
        told = f"{self.name or 'an event'}" + (f"({shown})" if shown else "")
        return told if self.outcome in (OPEN, None) else f"{told} -> {self.outcome}"


@dataclass(frozen=True)
class LoggedRun:
    """One run of an implementation; the events of each process stand in the order they happened.

    ``skipped`` is how many records of its files are no event for the reader. ``start`` is the
    state in which it begins, in ITF, where it is a sequence of states.
    """

    name: str
    events: tuple[LoggedEvent, ...]
    skipped: int = 0
    start: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Logging:
    """What the program that wrote the logs logs at all.

    ``produced`` are the events that whatever reads the logs can produce, None where it may be any:
    then who logs one of its events logs all of them. ``hidden`` are never logged, ``ignored`` are
    words of the log that are no events of the model.
    """

    produced: frozenset[str] | None = None
    hidden: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()

    def joined(self, other: Logging) -> Logging:
        """Return what two sources of one command log together."""
        both = (self.produced, other.produced)
        produced = None if None in both else frozenset().union(*(p for p in both if p is not None))
        return Logging(produced, self.hidden | other.hidden, self.ignored | other.ignored)


@dataclass(frozen=True)
class Logs:
    """The runs of a command, and what is logged of them."""

    runs: tuple[LoggedRun, ...]
    logging: Logging = Logging()
