"""An event order as text: numbered events, what each changed, and what was violated.

In: a trace dict (schema fencecheck/trace/1). Out: lines of at most ``width`` columns where words
allow. Messages are told as sent and taken, so the variables that hold them are not repeated, nor
are budgets and ghosts.
"""

from __future__ import annotations

import textwrap
from typing import Any

from fencecheck.report.words.columns import Paint, pad, plain, text_width
from fencecheck.report.words.trace_words import (
    Event,
    Trace,
    describe_change,
    initial_values,
    loop_text,
    split_variable,
    value_text,
    violation_heading,
)


def wrapped(text: str, width: int, indent: str, hang: str = "") -> list[str]:
    """Return a text in lines of at most ``width`` columns behind ``indent``."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent + hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def event_line(event: Event) -> str:
    """Return the words of an event: who, what, and with what outcome."""
    return f"{event['actor']}: {value_text(event['label'] or event['event'])}"


def event_details(trace: Trace, event: Event) -> list[str]:
    """Return what an event compared, took, sent and changed, one text each."""
    kinds = {lane["name"]: lane["kind"] for lane in trace["lanes"]}
    details = [value_text(event["remark"])] if event["remark"] else []
    labels = {
        sent["message"]: sent["label"] for other in trace["events"] for sent in other["sends"]
    }
    for take in event["takes"]:
        verb = "loses" if take["how"] == "lost" else "takes"
        details.append(f"{verb} message {_message(take['message'], labels)}")
    copies = {copy["message"] for copy in event.get("copies") or []}
    for sent in event["sends"]:
        verb = "copies, as" if sent["message"] in copies else "sends"
        details.append(f"{verb} message {_message(sent['message'], labels)}")
    for variable, (before, after) in event["changes"].items():
        lane = split_variable(variable)[0]
        if kinds.get(lane, "interference") == "interference" or before == after:
            continue
        change = describe_change(variable, before, after)
        arrow = f" {change.before} → " if change.before is not None else " "
        details.append(f"{lane}.{change.name}{arrow}{change.after}")
    return details


def _message(number: int, labels: dict[int, Any]) -> str:
    return f"{number} ({value_text(labels[number])})" if number in labels else f"{number}"


def order_lines(
    trace: Trace, width: int = 100, indent: str = "    ", paint: Paint = plain
) -> list[str]:
    """Return the events of a trace as a numbered list, with the initial values that matter."""
    lines: list[str] = []
    initial = [
        f"{lane}.{name} {value}"
        for lane, values in initial_values(trace).items()
        for name, value in values
    ]
    if initial:
        lines += wrapped(f"initially {', '.join(initial)}", width, indent, "  ")
    digits = len(str(len(trace["events"])))
    start = trace["loop_start"]
    for number, event in enumerate(trace["events"], 1):
        if start is not None and number == start + 1:
            lines.append(f"{indent}from here on, again and again:")
        tail = "  (interference)" if event["interference"] else ""
        tone = "interference" if event["interference"] else ""
        lines.append(f"{indent}{number:>{digits}}. {paint(tone, event_line(event) + tail)}")
        details = event_details(trace, event)
        if details:
            space = indent + " " * (digits + 2)
            lines += wrapped("; ".join(details), width, space, "  ")
    words = loop_text(trace)
    return [*lines, f"{indent}{words}"] if words else lines


def violation_lines(
    trace: Trace, width: int = 100, indent: str = "    ", paint: Paint = plain
) -> list[str]:
    """Return what was violated, and the two values that disagree; nothing for a witness."""
    violation = trace["violation"]
    if not violation:
        return []
    lines = [indent + paint("violated", violation_heading(trace))]
    lines += wrapped(value_text(violation["says"]), width, indent)
    pairs = [(f"{words}:", value_text(value)) for words, value in violation["compare"]]
    room = max((text_width(words) for words, _ in pairs), default=0)
    return lines + [f"{indent}  {pad(words, room)}  {value}" for words, value in pairs]
