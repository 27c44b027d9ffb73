"""The words of a trace that every picture shares: headline, bounds, and which changes to show.

In: a trace. Out: plain strings, and the lanes and changes worth drawing. It knows no positions,
fonts or markup; escaping belongs to the writer of each format.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from fencecheck.checking.logged import EXPLAINED
from fencecheck.model.declare import Lane
from fencecheck.model.property import KINDS, Deadlock, Possibility, Recurrence
from fencecheck.model.wording.templates import value_text
from fencecheck.runs.trace import Reading, Trace, TracedEvent

EVIDENCE = "What the property read there"
# by the kind of a property: what became of it, after how many events
OUTCOMES = {
    Deadlock.kind: "stuck after",
    Possibility.kind: "out of reach after",
    Recurrence.kind: "fails in the loop",
}


@dataclass(frozen=True)
class ChangeWords:
    """What one variable did in one event, in words; `before` is None for members of a set."""

    name: str
    before: str | None
    after: str


def split_variable(variable: str) -> tuple[str, str]:
    """Split LANE.NAME[INDEX] into its lane and the rest."""
    lane, _, name = variable.partition(".")
    return lane, name


def describe_change(variable: str, before: Any, after: Any) -> ChangeWords:
    """Return the words for one change; of a collection, only the members that came or went."""
    name = split_variable(variable)[1]
    if isinstance(before, list) and isinstance(after, list):
        old = Counter(value_text(item) for item in before)
        new = Counter(value_text(item) for item in after)
        came = [f"+ {item}" for item in sorted((new - old).elements())]
        went = [f"- {item}" for item in sorted((old - new).elements())]
        if came or went:
            return ChangeWords(name, None, ", ".join(came + went))
    return ChangeWords(name, value_text(before), value_text(after))


def told_changes(trace: Trace, event: TracedEvent) -> list[tuple[str, ChangeWords]]:
    """Return what an event changed in words, each with its lane, in the order of the trace.

    Left out are bags of messages, which the messages tell, budgets, and what the model does not
    tell.
    """
    lanes = {lane.name for lane in trace.lanes}
    told: list[tuple[str, ChangeWords]] = []
    for variable, change in event.changes.items():
        lane = split_variable(variable)[0]
        if lane in lanes and variable not in trace.silent and change.before != change.after:
            told.append((lane, describe_change(variable, change.before, change.after)))
    return told


def event_changes(trace: Trace, event: TracedEvent) -> dict[str, list[ChangeWords]]:
    """Return what a picture shows of the changes of an event, per lane.

    An actor's own changes are shown only where no message and no store tells what the event did.
    """
    told: dict[str, list[ChangeWords]] = {}
    for lane, change in told_changes(trace, event):
        told.setdefault(lane, []).append(change)
    stores = {lane.name for lane in trace.lanes if lane.kind == "store"}
    if event.speaks or stores.intersection(told):
        told.pop(event.actor, None)
    return told


def initial_values(trace: Trace) -> dict[str, list[tuple[str, str]]]:
    """Return, per lane, the initial values that matter for the property, as (name, words)."""
    shown: dict[str, list[tuple[str, str]]] = {}
    for variable in trace.relevant:
        lane, name = split_variable(variable)
        shown.setdefault(lane, []).append((name, value_text(trace.initial.get(variable))))
    return shown


def drawn_lanes(trace: Trace) -> list[Lane]:
    """Return the lanes that act, change, or are stores whose initial values matter, in order."""
    busy = {event.actor for event in trace.all_events}
    for event in trace.all_events:
        busy.update(event_changes(trace, event))
    stores = {lane.name for lane in trace.lanes if lane.kind == "store"}
    busy.update(stores.intersection(initial_values(trace)))
    return [lane for lane in trace.lanes if lane.name in busy]


def _lasts(trace: Trace) -> bool:
    """Tell whether what breaks is judged on runs for ever, so that no one event breaks it."""
    kind = KINDS.get(trace.shows.kind)
    return kind is not None and kind.fair


def _count(number: int) -> str:
    return f"{number} event" if number == 1 else f"{number} events"


def headline(trace: Trace) -> str:
    """Return one line: which design, which property, and what became of it in how many events."""
    name, kind = trace.shows.name, trace.shows.kind
    number = len(trace.events)
    if trace.verdict == "witness" and kind == EXPLAINED:
        outcome = f"the log is explained by {_count(number)}"
    elif trace.verdict == "witness":
        outcome = f"{name} is reached in {_count(number)}"
    elif trace.verdict == "error":
        outcome = f"error in the model after {_count(number)}"
    elif kind == EXPLAINED:
        outcome = f"the log has an event that the model has not, after {_count(number - 1)}"
    elif trace.observed is not None:
        outcome = f"the implementation diverges in {_count(number)}"
    elif _lasts(trace):
        after = "a loop for ever" if trace.loops else "nothing more"
        outcome = f"{name} fails: {_count(number)}, then {after}"
    elif kind in OUTCOMES:
        outcome = f"{name}: {OUTCOMES[kind]} {_count(number)}"
    elif number == 0:
        outcome = f"{name} is broken in the initial state"
    else:
        outcome = f"{name} breaks in {_count(number)}"
    return " · ".join(part for part in (trace.title or trace.name, outcome) if part)


ONWARD = "one way on, which never comes there:"
OUT_OF_REACH = "from here it is out of reach; one way on:"


def loop_text(trace: Trace) -> str | None:
    """Return what follows the last event of a lasso, or None where the run just ends.

    Where a way on is told from the end of the run, what follows that.
    """
    if trace.onward and trace.onward_loop is None:
        return "there the system can do nothing more"
    if trace.onward and trace.onward_loop is not None:
        return f"then again from event {len(trace.events) + trace.onward_loop + 1}, for ever"
    if trace.loop_start is None:
        return None
    if not trace.loops:
        return "nothing more ever happens"
    return f"then again from event {trace.loop_start + 1}, for ever"


def bounds_text(trace: Trace) -> str:
    """Return the model and the bounds that are not zero, on one line."""
    bounds = ", ".join(
        f"{name.replace('_', ' ')} {value_text(n)}" for name, n in trace.bounds.items() if n
    )
    return f"model {trace.name}" + (f" · {bounds}" if bounds else "")


def not_tried_text(trace: Trace) -> str:
    """Return which interference had no budget in a run, as results say it; "" for none."""
    names = ", ".join(name.replace("_", " ") for name in trace.not_tried)
    return f"not tried: {names}" if names else ""


def violation_heading(trace: Trace) -> str:
    """Return the heading of the verdict: the property and the event that broke it."""
    event = trace.violation.event if trace.violation else 0
    name, kind = trace.shows.name, trace.shows.kind
    if trace.observed is not None:
        return f"model and implementation differ {'after' if event else 'in'} " + (
            f"event {event}" if event else "the initial state"
        )
    if _lasts(trace) and trace.verdict != "error":
        missing = f"does not come about{' in the loop' if trace.loops else ''}"
        return f"{name} {OUTCOMES.get(kind, missing)}"
    if kind == EXPLAINED:
        return f"not explained: event {event} is in the log, and not in the model"
    verb = f"{name}: {OUTCOMES[kind]}" if kind in OUTCOMES else f"{name} broken at"
    verb = "error in the model at" if trace.verdict == "error" else verb
    return f"{verb} event {event}" if event else f"{verb} the initial state"


def evidence_texts(trace: Trace) -> list[str]:
    """Return what the property read where it broke, one text a variable; ghosts are marked."""
    readings = trace.violation.evidence if trace.violation else ()
    return [_reading_text(reading) for reading in readings]


def _reading_text(reading: Reading) -> str:
    before, after = value_text(reading.before), value_text(reading.after)
    values = before if before == after else f"{before} → {after}"
    return f"{reading.variable} {values}" + (" (ghost)" if reading.ghost else "")


def broken_event(trace: Trace) -> int | None:
    """Return the number of the event that breaks the property, or None where no one event does."""
    if not trace.violation or _lasts(trace):
        return None
    return trace.violation.event or None
