"""The words of a trace that every picture shares: headline, bounds, and which changes to show.

In: a trace dict (schema fencecheck/trace/1). Out: plain strings, and the lanes and changes worth
drawing. It knows no positions, fonts or markup; escaping belongs to the writer of each format.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

Trace = dict[str, Any]
Event = dict[str, Any]
LASTING = ("liveness", "leads_to", "recurrence")  # what breaks these has no one event


@dataclass(frozen=True)
class Change:
    """What one variable did in one event, in words; `before` is None for members of a set."""

    name: str
    before: str | None
    after: str


def value_text(value: Any) -> str:
    """Return a value of a trace in words, on one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(value_text(item) for item in value) if value else "empty"
    return " ".join(str(value).split()) or "(empty text)"


def split_variable(variable: str) -> tuple[str, str]:
    """Split LANE.NAME[INDEX] into its lane and the rest."""
    lane, _, name = variable.partition(".")
    return lane, name


def describe_change(variable: str, before: Any, after: Any) -> Change:
    """Return the words for one change; of a collection, only the members that came or went."""
    name = split_variable(variable)[1]
    if isinstance(before, list) and isinstance(after, list):
        old = Counter(value_text(item) for item in before)
        new = Counter(value_text(item) for item in after)
        came = [f"+ {item}" for item in sorted((new - old).elements())]
        went = [f"- {item}" for item in sorted((old - new).elements())]
        if came or went:
            return Change(name, None, ", ".join(came + went))
    return Change(name, value_text(before), value_text(after))


def event_changes(trace: Trace, event: Event) -> dict[str, list[Change]]:
    """Return, per lane and in the order of the trace, the changes of an event worth drawing.

    Shown are changes of stores, and of a system actor other than the event's own. An actor's own
    changes are shown only where no message and no store tells what the event did. Bags of messages
    in flight (an interference lane's variables) are told by the arrows, budgets and ghosts by none.
    """
    kinds = {lane["name"]: lane["kind"] for lane in trace["lanes"]}
    speaks = bool(event["sends"] or event["takes"] or event.get("copies"))
    touches_store = any(kinds.get(split_variable(key)[0]) == "store" for key in event["changes"])
    shown: dict[str, list[Change]] = {}
    for variable, (before, after) in event["changes"].items():
        lane = split_variable(variable)[0]
        own = lane == event["actor"]
        if lane not in kinds or (own and (speaks or touches_store)):
            continue
        if not own and kinds[lane] == "interference":
            continue
        shown.setdefault(lane, []).append(describe_change(variable, before, after))
    return shown


def initial_values(trace: Trace) -> dict[str, list[tuple[str, str]]]:
    """Return, per lane, the initial values that matter for the property, as (name, words)."""
    shown: dict[str, list[tuple[str, str]]] = {}
    for variable in trace["relevant"]:
        lane, name = split_variable(variable)
        shown.setdefault(lane, []).append((name, value_text(trace["initial"].get(variable))))
    return shown


def drawn_lanes(trace: Trace) -> list[dict[str, str]]:
    """Return the lanes that act, change, or are stores whose initial values matter, in order."""
    busy = {event["actor"] for event in trace["events"]}
    for event in trace["events"]:
        busy.update(event_changes(trace, event))
    stores = {lane["name"] for lane in trace["lanes"] if lane["kind"] == "store"}
    busy.update(stores.intersection(initial_values(trace)))
    return [lane for lane in trace["lanes"] if lane["name"] in busy]


def _count(number: int) -> str:
    return f"{number} event" if number == 1 else f"{number} events"


def headline(trace: Trace) -> str:
    """Return one line: which design, which property, and what became of it in how many events."""
    name, kind = trace["property"]["name"], trace["property"]["kind"]
    number = len(trace["events"])
    if trace["verdict"] == "witness":
        outcome = f"{name} is reached in {_count(number)}"
    elif trace["verdict"] == "error":
        outcome = f"error in the model after {_count(number)}"
    elif kind == "deadlock":
        outcome = f"{name}: stuck after {_count(number)}"
    elif kind == "possibility":
        outcome = f"{name}: out of reach after {_count(number)}"
    elif kind in LASTING:
        after = "nothing more" if loop_start_of(trace) is None else "a loop for ever"
        outcome = f"{name} fails: {_count(number)}, then {after}"
    elif number == 0:
        outcome = f"{name} is broken in the initial state"
    else:
        outcome = f"{name} breaks in {_count(number)}"
    return " · ".join(part for part in (trace.get("title") or trace["model"], outcome) if part)


def loop_start_of(trace: Trace) -> int | None:
    """Return after how many events the loop of a lasso starts, or None where there is no loop."""
    start: int | None = trace["loop_start"]
    return None if start is None or start >= len(trace["events"]) else start


def loop_text(trace: Trace) -> str | None:
    """Return what follows the last event of a lasso, or None where the run just ends."""
    start = trace["loop_start"]
    if start is None:
        return None
    if start >= len(trace["events"]):
        return "nothing more ever happens"
    return f"then again from event {start + 1}, for ever"


def bounds_text(trace: Trace) -> str:
    """Return the model and the bounds that are not zero, on one line."""
    bounds = ", ".join(
        f"{name.replace('_', ' ')} {value_text(n)}" for name, n in trace["bounds"].items() if n
    )
    return f"model {trace['model']}" + (f" · {bounds}" if bounds else "")


def violation_heading(trace: Trace) -> str:
    """Return the heading of the verdict: the property and the event that broke it."""
    event = trace["violation"]["event"]
    name, kind = trace["property"]["name"], trace["property"]["kind"]
    if kind in LASTING and trace["verdict"] != "error":
        if kind == "recurrence":
            return f"{name} fails in the loop"
        place = "" if loop_start_of(trace) is None else " in the loop"
        return f"{name} does not come about{place}"
    words = {"deadlock": f"{name}: stuck after", "possibility": f"{name}: out of reach after"}
    verb = words.get(kind, f"{name} broken at")
    verb = "error in the model at" if trace["verdict"] == "error" else verb
    return f"{verb} event {event}" if event else f"{verb} the initial state"


def broken_event(trace: Trace) -> int | None:
    """Return the number of the event that breaks the property, or None where no one event does."""
    if not trace["violation"] or trace["property"]["kind"] in LASTING:
        return None
    return trace["violation"]["event"] or None
