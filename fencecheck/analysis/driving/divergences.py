"""Divergences: where an implementation does something else than its model, as traces.

A divergence is a run of the model, and what was observed of the implementation in its last event.
The first of each kind is kept: of the same event, with the same difference.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from fencecheck.analysis.driving.driver import Driver
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event
from fencecheck.runs.replay import replayed
from fencecheck.runs.shrinking import same_event, shrink_by
from fencecheck.runs.telling import tell
from fencecheck.runs.told.observed import OUTCOME, RETURNS, Difference, as_observed, in_sentences
from fencecheck.runs.trace import Observed, Origin, Trace, TracedProperty, Violation

CONFORMS = TracedProperty(
    "conforms",
    "conformance",
    "After every event, what can be seen of the implementation is what the model says.",
)


@dataclass(frozen=True)
class Divergence:
    """A run of the model whose last event the implementation carries out in another way.

    Without events it differs in the initial state ``start``.
    """

    start: State
    events: tuple[Event, ...]
    differences: tuple[Difference, ...]
    observed: Observed

    @property
    def kind(self) -> Hashable:
        """Return what divergences have in common that are told once: event and difference."""
        last = self.events[-1].action if self.events else None
        return last, tuple(_kind(difference) for difference in self.differences)


def _kind(difference: Difference) -> Hashable:
    """Return a difference without the values that another run would show otherwise."""
    if difference.of == RETURNS:
        return difference.of, str(difference.seen).split(":", 1)[0]
    if difference.of == OUTCOME:
        return difference.of, repr(difference.model), repr(difference.seen)
    return (difference.of,)


@dataclass
class Divergences:
    """The divergences that were found, the shortest of each kind, in the order in which it came."""

    found: dict[Hashable, Divergence] = field(default_factory=dict)

    def add(self, divergence: Divergence) -> None:
        """Keep a divergence, unless one of its kind has no more events."""
        known = self.found.get(divergence.kind)
        if known is None or len(divergence.events) < len(known.events):
            self.found[divergence.kind] = divergence

    def first(self, most: int) -> list[Divergence]:
        """Return the shortest ones, ``most`` at most."""
        return sorted(self.found.values(), key=lambda d: len(d.events))[:most]


def run_again(driver: Driver, start: State, events: Sequence[Event]) -> Divergence | None:
    """Drive a fresh adapter along events; return where it first differs, None where nowhere.

    None too where an event is not possible, or the implementation chose another.
    """
    place, observed, differences = driver.start(start)
    if differences:
        return Divergence(start, (), tuple(differences), observed)
    done: list[Event] = []
    for event in events:
        call = driver.call_of(place, (event.action, event.args))
        if call is None:
            return None
        step = driver.step(place, call)
        done.append(step.event)
        if step.differences:
            return Divergence(start, tuple(done), step.differences, step.observed)
        if step.event != event:
            return None
        place = step.place
    return None


def shrunk(driver: Driver, divergence: Divergence) -> Divergence:
    """Return a divergence of the same kind from which no stretch and no two events can go."""
    best = divergence

    def follow(events: Sequence[Event]) -> list[Event] | None:
        nonlocal best
        start = divergence.start
        again = run_again(driver, start, _as_possible(driver.system, start, events))
        if again is None or again.kind != divergence.kind:
            return None
        if len(again.events) <= len(best.events):
            best = again
        return list(again.events)

    shrink_by(list(divergence.events), follow)
    return best


def _as_possible(system: System, state: State, events: Sequence[Event]) -> list[Event]:
    """Return the events of another run as they are where some of it was left out."""
    found = list[Event]()
    for told in events:
        event = same_event(system, state, told)
        if event is None:
            return found
        found.append(event)
        state = event.after
    return found


def told_divergence(system: System, divergence: Divergence, origin: Origin) -> Trace:
    """Return a divergence as a trace; one that does not replay is never shown."""
    system = system.starting(divergence.start)
    says, compare = in_sentences(divergence.differences)
    trace = tell(system, divergence.events, None, origin)
    names = [d.of for d in divergence.differences if d.of in trace.initial]
    trace = replace(
        trace,
        shows=CONFORMS,
        verdict="violated",
        relevant=tuple(dict.fromkeys([*trace.relevant, *names])),
        violation=Violation(len(divergence.events), f"{says}.", _plain(compare)),
        observed=divergence.observed,
    )
    return replayed(system, trace)


def _plain(compare: Sequence[tuple[str, object]]) -> tuple[tuple[str, object], ...]:
    return tuple((words, as_observed(value)) for words, value in compare)
