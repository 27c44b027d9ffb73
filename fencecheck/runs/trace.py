"""Traces: a run told event by event, as a value that stands on its own.

A trace names the model, the design and the property, and has the initial values and each event
with its arguments, what it changed, and the messages it put in flight or took. telling.py makes
them, replay.py runs them again, trace_json.py reads and writes them (schema fencecheck/trace/1).
Nothing here knows a system or a format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from fencecheck.model.declare import Lane
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.files.texts import file_reference

TraceKind = Literal["violated", "witness", "error"]


@dataclass(frozen=True)
class Origin:
    """Where a trace comes from, for its head."""

    spec: str | None = None
    variant: str | None = None
    title: str = ""


@dataclass(frozen=True)
class Sent:
    """A message put in flight; ``message`` is its number, the same wherever the trace speaks of it.

    ``back`` tells whether it goes back to who asked.
    """

    message: int
    label: str
    kind: str
    back: bool = False


@dataclass(frozen=True)
class Taken:
    """A message that is in flight no more: taken by the event's actor, or lost there."""

    message: int
    lost: bool = False


@dataclass(frozen=True)
class Copied:
    """A message that is a copy of an earlier one."""

    message: int
    of: int


@dataclass(frozen=True)
class Change:
    """What a variable was before an event and is after it, as people read values."""

    before: Any
    after: Any


@dataclass(frozen=True)
class TracedEvent:
    """One event. ``args`` are the arguments people see, ``exact`` all of them with all fields.

    ``exact`` is None in traces saved before events were identified whole. ``changes`` and
    ``ghosts`` are by variable, ``LANE.NAME`` or ``LANE.NAME[INDEX]``.

    Of a run that explains a log, an event that is not in the log is ``unlogged``; ``refused`` is
    what the log says of its event that the model does not have (runs/logged/fields.py).
    """

    name: str
    actor: str
    interference: bool
    args: Mapping[str, Any]
    exact: Mapping[str, Any] | None = None
    outcome: Any = None
    label: str = ""
    quiet: bool = False
    sends: tuple[Sent, ...] = ()
    takes: tuple[Taken, ...] = ()
    copies: tuple[Copied, ...] = ()
    changes: Mapping[str, Change] = field(default_factory=dict)
    ghosts: Mapping[str, Change] = field(default_factory=dict)
    remark: str | None = None
    unlogged: bool = False
    refused: Mapping[str, Any] | None = None

    @property
    def speaks(self) -> bool:
        """Tell whether messages say something of what it did."""
        return bool(self.sends or self.takes or self.copies)


@dataclass(frozen=True)
class TracedProperty:
    """What a run shows: a property that it breaks, or what a witness reaches.

    ``predicate`` is the text of what somebody asked about.
    """

    name: str
    kind: str
    meaning: str = ""
    predicate: str | None = None


@dataclass(frozen=True)
class Reading:
    """A variable that a property read where it broke, with its values around the event.

    Both values are the same for what is judged in one state.
    """

    variable: str
    before: Any
    after: Any
    ghost: bool = False


@dataclass(frozen=True)
class Violation:
    """How a run ends: after which event, in the model's words, with the values that disagree.

    ``evidence`` is what the property read there.
    """

    event: int
    says: str
    compare: tuple[tuple[str, Any], ...] = ()
    evidence: tuple[Reading, ...] = ()


@dataclass(frozen=True)
class Observed:
    """What an implementation did in the last event of a run, seen through its adapter.

    ``values`` is what could be seen of the state after it, by the variables' names; ``posts`` are
    the messages it put in flight, None where nobody called it. ``failure`` says how the call did
    not return.
    """

    adapter: str
    outcome: Any = None
    values: Mapping[str, Any] = field(default_factory=dict)
    posts: int | None = None
    failure: str | None = None


@dataclass(frozen=True)
class Trace:
    """A run that stands on its own.

    ``model`` is what the model is loaded by, ``name`` what people call it. ``relevant`` are the
    variables whose initial values matter to the property, ``silent`` those whose changes are told
    by arrows or not at all. Where ``loop_start`` is set, the events after that many repeat for
    ever; if there are none, nothing more ever happens. ``onward`` is one way on from the end, for
    what a run breaks by what is out of reach from there; of it, the events after ``onward_loop``
    repeat for ever. ``not_tried`` are the budgets that were zero. ``observed`` is what an
    implementation did in place of what the last event does, where that is what the trace shows.
    """

    model: str
    name: str
    mechanisms: Mapping[str, str]
    bounds: Mapping[str, HowMany]
    shows: TracedProperty
    verdict: TraceKind
    lanes: tuple[Lane, ...]
    initial: Mapping[str, Any]
    events: tuple[TracedEvent, ...]
    relevant: tuple[str, ...] = ()
    silent: frozenset[str] = frozenset()
    violation: Violation | None = None
    loop_start: int | None = None
    model_hash: str = ""
    version: str = ""
    origin: Origin = Origin()
    found_by: str | None = None
    onward: tuple[TracedEvent, ...] = ()
    onward_loop: int | None = None
    not_tried: tuple[str, ...] = ()
    observed: Observed | None = None

    @property
    def all_events(self) -> tuple[TracedEvent, ...]:
        """Return the events of the run and those of the way on."""
        return self.events + self.onward

    @property
    def title(self) -> str:
        """Return what the run is called."""
        return self.origin.title

    @property
    def variant(self) -> str | None:
        """Return the name of the design in its spec."""
        return self.origin.variant

    @property
    def loops(self) -> bool:
        """Tell whether some of its events repeat for ever."""
        return self.loop_start is not None and self.loop_start < len(self.events)


def model_name(reference: str) -> str:
    """Return what to call a model that is known only by what it is loaded by."""
    return file_reference(Path(reference).stem) if reference.endswith(".py") else reference
