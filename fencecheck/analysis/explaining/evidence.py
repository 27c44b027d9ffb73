"""Explanations of logs as traces: a run of the model, and what of it is not in the log.

Of a log that is not explained the run goes as far as any does, and has one event more, which the
log has and the model has not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fencecheck.analysis.explaining.search import Move, SearchNode
from fencecheck.analysis.explaining.successors import Successors
from fencecheck.checking.logged import EXPLAINED, MEANING
from fencecheck.model.declare import Lane
from fencecheck.model.system import State
from fencecheck.runs.logged.fields import refused_fields
from fencecheck.runs.logged.log import OPEN, LoggedEvent, Stand
from fencecheck.runs.replay import replayed
from fencecheck.runs.telling import tell
from fencecheck.runs.trace import Change, Origin, Trace, TracedEvent, TracedProperty, Violation

NOT_LOGGED = "not in the log"
SHOWN = TracedProperty(EXPLAINED, EXPLAINED, MEANING)


def explaining_trace(known: Successors, moves: Sequence[Move], origin: Origin) -> Trace:
    """Return the run of an explanation, in which events that are not in the log are marked."""
    events = [move.way.event for move in moves if move.way is not None]
    trace = tell(known.system, events, None, origin)
    return replace(mark_unlogged(trace, moves), shows=SHOWN)


def mark_unlogged(trace: Trace, moves: Sequence[Move]) -> Trace:
    """Return the trace of an explanation in which events that are not in the log are marked."""
    real = [move for move in moves if move.way is not None]
    events = [
        event if move.logged is not None else _unlogged(event)
        for event, move in zip(trace.events, real, strict=True)
    ]
    return replace(trace, events=tuple(events))


def _unlogged(event: TracedEvent) -> TracedEvent:
    return replace(event, unlogged=True, label=f"{event.label or event.name} ({NOT_LOGGED})")


def refused_run(
    known: Successors,
    end: tuple[SearchNode, Sequence[Move]],
    blocked: LoggedEvent,
    origin: Origin,
    told: tuple[str, Sequence[str]],
) -> Trace:
    """Return the run that leads to an end and the event of the log that comes next there.

    ``told`` is why the model does not have it, and what it allows instead.
    """
    node, moves = end
    trace = explaining_trace(known, moves, origin)
    event = _refused(known, node, blocked, trace)
    why, allowed = told
    says = f"The log has {blocked.words} ({blocked.place}); the model does not: {why}"
    compare = (
        ("the log says", said(blocked)),
        ("the model allows", "; ".join(allowed) or "nothing"),
    )
    events = (*trace.events, event)
    found = replace(
        trace, events=events, verdict="violated", violation=Violation(len(events), says, compare)
    )
    return replayed(known.system.starting(first_state(known, moves)), found)


def first_state(known: Successors, moves: Sequence[Move]) -> State:
    """Return the state in which an explanation begins."""
    first = next((move.way for move in moves if move.way is not None), None)
    return known.system.initial if first is None else first.event.before


def said(event: LoggedEvent) -> str:
    """Return an event with all that a log says of it."""
    after = ", ".join(f"{name} {value}" for name, value in event.after.items())
    return event.words + (f"; after it {after}" if after else "")


def _refused(known: Successors, node: SearchNode, event: LoggedEvent, trace: Trace) -> TracedEvent:
    action = known.vocabulary.actions.get(event.name or "")
    values, bound = known.values(node.state), dict(node.bound)
    args, after = _closed(event.args, bound), _closed(event.after, bound)
    outcome = None if event.outcome is OPEN else event.outcome
    verb = action.verb.replace("_", " ") if action else "an event"
    words = " ".join([verb, *map(str, args.values())])
    return TracedEvent(
        name=event.name or "an event",
        actor=_lane(trace.lanes, action.actor if action else event.process, args, event.process),
        interference=bool(action and action.interference),
        args=args,
        outcome=outcome,
        label=words + (f": {outcome}" if outcome else ""),
        changes={
            name: Change(values[name][0], value)
            for name, value in after.items()
            if value != values[name][0]
        },
        remark=f"in the log of {event.process}, not in the model",
        refused=refused_fields(event, node.bound),
    )


def _closed(told: Mapping[str, Any], bound: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as people read them, without those of names that stand for nothing yet."""
    found = {n: bound.get(v.name, OPEN) if isinstance(v, Stand) else v for n, v in told.items()}
    return {name: value for name, value in found.items() if value is not OPEN}


def _lane(lanes: Sequence[Lane], actor: str, args: Mapping[str, Any], process: str) -> str:
    """Return the lane in which an event stands: that of its actor, or of its process."""
    names = [lane.name for lane in lanes]
    for name in (actor, f"{actor} {args.get(actor)}", process):
        if name in names:
            return name
    own = [name for name in names if name.startswith(f"{actor} ")]
    return (own or names)[0]
