"""What comes out of logs that are held against a model, as plain values.

A run is ``explained`` (holds), it is not (violated), or the search was cut (undetermined). What is
told of a run that is not explained is of all behaviours that explain as much of it as any does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencecheck.runs.trace import Trace
from fencecheck.spec.values import Verdict

EXPLAINED = "explained"
MEANING = "Some behaviour of the model explains the log."
BROKEN = "No explanation of the log keeps it."


@dataclass(frozen=True)
class Counted:
    """A text, and of how many of the states that are left it is true."""

    text: str
    states: int


@dataclass(frozen=True)
class BlockedEvent:
    """An event that is next in its process and that no state admits.

    ``states`` are the states in which it is next, ``reasons`` what keeps it from happening there,
    ``instead`` what the model allows whoever acts.
    """

    words: str
    process: str
    place: str
    states: int
    reasons: tuple[Counted, ...]
    instead: tuple[Counted, ...]


@dataclass(frozen=True)
class JudgedProperty:
    """Whether some explanation of a run keeps a property; ``trace`` leads to where it breaks."""

    name: str
    kind: str
    verdict: Verdict
    trace: Trace | None = None


@dataclass
class RunReport:
    """What came out for one run of ``events`` logged events, of which so many are ``explained``.

    ``supposed`` are events that the explanation has and the log has not: interference and missing
    ones. ``ends`` is in how many states the run may have ended, or in how many what is explained, 0
    where a limit kept that from being known;
    ``open_values`` are what can be seen and differs among them. ``additions`` would
    explain all; ``additions_known`` is False where a search for them was cut.
    """

    name: str
    verdict: Verdict
    events: int
    explained: int
    ends: int
    pairs: int
    trace: Trace | None = None
    supposed: tuple[str, ...] = ()
    open_values: tuple[str, ...] = ()
    blocked: tuple[BlockedEvent, ...] = ()
    additions: tuple[str, ...] = ()
    additions_known: bool = True
    judged: tuple[JudgedProperty, ...] = ()
    stopped_by: str | None = None
    skipped: int = 0


@dataclass
class LogsReport:
    """What came out for all runs of a command on one design.

    ``never`` are the events of the design that no explained run had, and the outcomes that an
    event of theirs could have had. ``unlogged`` are the events that no log is expected to have.
    """

    runs: list[RunReport] = field(default_factory=list)
    never: tuple[str, ...] = ()
    never_outcomes: tuple[str, ...] = ()
    unlogged: tuple[str, ...] = ()
    supposed_at_most: int = 0

    @property
    def gaps(self) -> tuple[str, ...]:
        """Return what never happened: events, and outcomes of events."""
        return (*self.never, *self.never_outcomes)
