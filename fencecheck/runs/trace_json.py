"""Traces as JSON, schema fencecheck/trace/1: both directions, and nowhere else.

What comes from a file may be anything: whatever is not of the schema is a TraceError that names
the place, so that no renderer and no replay meets it. A model of one's own is named by its path,
relative to the folder of the trace's file where that is known. What older traces lack is filled in.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencecheck.errors import TraceError
from fencecheck.model.declare import Lane
from fencecheck.model.files.texts import file_reference, named_file
from fencecheck.runs.checked_json import CheckedObject
from fencecheck.runs.logged.fields import read_refused
from fencecheck.runs.trace import (
    Copied,
    Observed,
    Origin,
    Reading,
    Sent,
    Taken,
    Trace,
    TracedEvent,
    TracedProperty,
    Violation,
    model_name,
)

SCHEMA = "fencecheck/trace/1"
TRACE_KINDS = ("violated", "witness", "error")
LANES = ("interference", "system", "store")


# -- writing ------------------------------------------------------------------------------------
def trace_or_none(trace: Trace | None) -> dict[str, Any] | None:
    """Return a trace as an object within results, None as it is."""
    return None if trace is None else trace_object(trace)


def trace_object(trace: Trace, folder: Path | None = None) -> dict[str, Any]:
    """Return a trace as an object of the schema, for a file in ``folder`` if that is given."""
    told = {
        "schema": SCHEMA,
        "fencecheck": trace.version,
        "model": model_reference(trace.model, folder),
        "model_name": trace.name,
        "model_hash": trace.model_hash,
        "spec": trace.origin.spec and file_reference(trace.origin.spec),
        "variant": trace.origin.variant,
        "title": trace.origin.title,
        "mechanisms": dict(trace.mechanisms),
        "bounds": dict(trace.bounds),
        "not_tried": list(trace.not_tried),
        "property": _property(trace.shows),
        "verdict": trace.verdict,
        "lanes": [{"name": lane.name, "kind": lane.kind} for lane in trace.lanes],
        "initial": dict(trace.initial),
        "relevant": list(trace.relevant),
        "silent": sorted(trace.silent),
        "events": [_event(event) for event in trace.events],
        "violation": None if trace.violation is None else _violation(trace.violation),
        "loop_start": trace.loop_start,
        "continuation": _continuation(trace),
    }
    if trace.observed is not None:
        told["observed"] = _observed(trace.observed)
    return told if trace.found_by is None else {**told, "found_by": trace.found_by}


def model_reference(model: str, folder: Path | None) -> str:
    """Return what a model is loaded by; a file's path is relative to ``folder`` where it can be."""
    if folder is None or not os.path.isabs(model):
        return file_reference(model)
    place = named_file(str(folder)).resolve()
    try:
        return file_reference(Path(os.path.relpath(model, place)).as_posix())
    except ValueError:  # another drive
        return file_reference(model)


def _property(told: TracedProperty) -> dict[str, Any]:
    shown = {"name": told.name, "kind": told.kind, "meaning": told.meaning}
    return shown if told.predicate is None else {**shown, "predicate": told.predicate}


def _event(event: TracedEvent) -> dict[str, Any]:
    told = {
        "event": event.name,
        "actor": event.actor,
        "interference": event.interference,
        "args": dict(event.args),
        "exact": None if event.exact is None else dict(event.exact),
        "outcome": event.outcome,
        "label": event.label,
        "quiet": event.quiet,
        "sends": [
            {"message": s.message, "label": s.label, "kind": s.kind, "back": s.back}
            for s in event.sends
        ],
        "takes": [
            {"message": t.message, "how": "lost" if t.lost else "taken"} for t in event.takes
        ],
        "copies": [{"message": c.message, "of": c.of} for c in event.copies],
        "changes": {name: [c.before, c.after] for name, c in event.changes.items()},
        "ghosts": {name: [c.before, c.after] for name, c in event.ghosts.items()},
        "remark": event.remark,
    }
    if event.exact is None:
        del told["exact"]
    if event.unlogged:
        told["unlogged"] = True
    if event.refused is not None:
        told["not_in_model"] = dict(event.refused)
    return told


def _observed(observed: Observed) -> dict[str, Any]:
    return {
        "adapter": observed.adapter,
        "outcome": observed.outcome,
        "posts": observed.posts,
        "failure": observed.failure,
        "values": dict(observed.values),
    }


def _continuation(trace: Trace) -> dict[str, Any] | None:
    if not trace.onward:
        return None
    return {"events": [_event(event) for event in trace.onward], "loop_start": trace.onward_loop}


def _violation(violation: Violation) -> dict[str, Any]:
    return {
        "event": violation.event,
        "says": violation.says,
        "compare": [[words, value] for words, value in violation.compare],
        "evidence": [
            {"variable": r.variable, "ghost": r.ghost, "before": r.before, "after": r.after}
            for r in violation.evidence
        ],
    }


# -- reading ------------------------------------------------------------------------------------
def read_trace(document: Any, place: str, folder: Path | None = None) -> Trace:
    """Return the trace of a JSON object that came from a file in ``folder``.

    Raises TraceError, with the place that is wrong, where it is not of the schema.
    """
    told = CheckedObject(document, place, SCHEMA)
    reference = told.text("model")
    model = reference
    if folder is not None and reference.endswith(".py"):
        model = str((folder / named_file(reference)).resolve())
    start = told.fields.get("loop_start")
    bounds, mechanisms = told.inner("bounds"), told.inner("mechanisms")
    trace = Trace(
        model=model,
        name=told.text_or("model_name", model_name(reference)),
        mechanisms={name: mechanisms.text(name) for name in mechanisms.names()},
        bounds={name: bounds.how_many(name) for name in bounds.names()},
        shows=_read_property(told),
        verdict=told.choice("verdict", TRACE_KINDS),  # type: ignore[arg-type]
        lanes=tuple(_read_lane(item) for item in told.objects("lanes")),
        initial=told.inner("initial").values(),
        events=tuple(_read_event(item) for item in told.objects("events")),
        relevant=tuple(told.texts("relevant")),
        violation=_read_violation(told),
        loop_start=None if start is None else told.number("loop_start", start),
        model_hash=told.text_or("model_hash", ""),
        version=told.text_or("fencecheck", ""),
        origin=Origin(
            told.text_or_none("spec"),
            told.text_or_none("variant"),
            told.text_or_none("title") or "",
        ),
        found_by=told.text_or_none("found_by"),
        not_tried=tuple(told.texts("not_tried")) if "not_tried" in told.fields else (),
        observed=_read_observed(told),
    )
    trace = _read_onward(told, trace)
    trace = replace(trace, silent=_read_silent(told, trace))
    _check_lanes(told, trace)
    _check_numbers(told, trace)
    return trace


def _read_onward(told: CheckedObject, trace: Trace) -> Trace:
    if told.fields.get("continuation") is None:
        return trace
    more = told.inner("continuation")
    events = tuple(_read_event(item) for item in more.objects("events"))
    start = more.fields.get("loop_start")
    if start is not None:
        start = more.number("loop_start", start, most=len(events))
    return replace(trace, onward=events, onward_loop=start)


def _read_lane(told: CheckedObject) -> Lane:
    return Lane(told.text("name"), told.choice("kind", LANES))  # type: ignore[arg-type]


def _read_property(told: CheckedObject) -> TracedProperty:
    if told.fields.get("property") is None and told.fields.get("verdict") != "violated":
        error = told.fields.get("verdict") == "error"
        return TracedProperty(
            "the event that goes wrong" if error else "the end of the order", "reach"
        )
    shown = told.inner("property")
    return TracedProperty(
        shown.text("name"),
        shown.text("kind"),
        shown.text_or_none("meaning") or "",
        shown.text_or_none("predicate"),
    )


def _read_event(told: CheckedObject) -> TracedEvent:
    exact = None
    if told.fields.get("exact") is not None:
        whole = told.inner("exact")
        exact = {name: _read_argument(whole, name) for name in whole.names()}
    return TracedEvent(
        name=told.text("event"),
        actor=told.text("actor"),
        interference=told.truth("interference"),
        args=told.inner("args").values(),
        exact=exact,
        outcome=told.value("outcome", told.fields.get("outcome")),
        label=told.text_or("label", ""),
        quiet=told.truth("quiet", False),
        sends=tuple(
            Sent(s.number("message"), s.text("label"), s.text("kind"), s.truth("back", False))
            for s in told.objects("sends")
        ),
        takes=tuple(
            Taken(t.number("message"), t.choice("how", ("taken", "lost")) == "lost")
            for t in told.objects("takes")
        ),
        copies=tuple(
            Copied(c.number("message"), c.number("of")) for c in told.objects("copies", [])
        ),
        changes=told.inner("changes").changes(),
        ghosts=told.inner("ghosts", {}).changes(),
        remark=told.text_or_none("remark"),
        unlogged=told.truth("unlogged", False),
        refused=_read_refused(told),
    )


def _read_refused(told: CheckedObject) -> dict[str, Any] | None:
    """Return what a log says of an event that the model does not have."""
    if told.fields.get("not_in_model") is None:
        return None
    said = told.inner("not_in_model")
    _, _, problems = read_refused(said.fields, said.place)
    if problems:
        raise TraceError(problems[0])
    return said.fields


def _read_argument(told: CheckedObject, name: str) -> Any:
    """Return an argument of an event: a value, or the fields of a record."""
    if isinstance(told.fields[name], dict):
        return told.inner(name).values()
    return told.value(name, told.fields[name])


def _read_violation(told: CheckedObject) -> Violation | None:
    if told.fields.get("violation") is None:
        return None
    violation = told.inner("violation")
    pairs = (violation.pair("compare", item) for item in violation.listed("compare"))
    return Violation(
        violation.number("event"),
        violation.text_or("says", ""),
        tuple((words if isinstance(words, str) else str(words), value) for words, value in pairs),
        tuple(
            Reading(
                r.text("variable"),
                r.value("before", r.required("before")),
                r.value("after", r.required("after")),
                r.truth("ghost", False),
            )
            for r in violation.objects("evidence", [])
        ),
    )


def _read_observed(told: CheckedObject) -> Observed | None:
    if told.fields.get("observed") is None:
        return None
    observed = told.inner("observed")
    posts = observed.fields.get("posts")
    return Observed(
        observed.text_or("adapter", ""),
        observed.value("outcome", observed.fields.get("outcome")),
        observed.inner("values", {}).values(),
        None if posts is None else observed.number("posts", posts),
        observed.text_or_none("failure"),
    )


def _read_silent(told: CheckedObject, trace: Trace) -> frozenset[str]:
    """Return what is told by arrows or not at all.

    In older traces it is what belongs to interference, as that was then taken for messages.
    """
    if "silent" in told.fields:
        return frozenset(told.texts("silent"))
    lanes = {lane.name for lane in trace.lanes if lane.kind == "interference"}
    names = {*trace.initial, *(name for event in trace.all_events for name in event.changes)}
    return frozenset(name for name in names if name.partition(".")[0] in lanes)


def _check_lanes(told: CheckedObject, trace: Trace) -> None:
    """Refuse a trace with two lanes of a name, or whose events have none."""
    lanes = [lane.name for lane in trace.lanes]
    for i, name in enumerate(lanes):
        if name in lanes[:i]:
            told.refuse(f"lanes[{i}]: there is another lane {name}")
    for i, event in enumerate(trace.all_events):
        if event.actor not in lanes:
            told.refuse(f"events[{i}]: actor {event.actor!r} is not among lanes")


def _check_numbers(told: CheckedObject, trace: Trace) -> None:
    """Refuse numbers of events and messages that are none of this trace."""
    many = len(trace.events)
    if trace.loop_start is not None:
        told.number("loop_start", trace.loop_start, most=many)
    if trace.violation is not None:
        told.inner("violation").number("event", trace.violation.event, most=many)
    flying: set[int] = set()
    sent: set[int] = set()
    for i, event in enumerate(trace.all_events):
        for take in event.takes:
            if take.message not in flying:
                told.refuse(f"events[{i}]: takes: message {take.message} is not in flight")
            flying.remove(take.message)
        originals = set(flying)
        for message in event.sends:
            if message.message in sent:
                told.refuse(f"events[{i}]: sends: message {message.message} was sent before")
            sent.add(message.message)
            flying.add(message.message)
        for copy in event.copies:
            if copy.of not in originals or copy.message not in flying - originals:
                told.refuse(f"events[{i}]: copies: message {copy.message} is no copy of {copy.of}")
