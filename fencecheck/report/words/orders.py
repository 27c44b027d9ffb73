"""An event order as text: numbered events, what each changed, and what was violated.

In: a trace. Out: lines of at most ``width`` columns where words
allow. Messages are told as sent and taken, so the variables that hold them are not repeated, nor
are budgets and ghosts.
"""

from __future__ import annotations

import textwrap

from fencecheck.model.wording.templates import value_text
from fencecheck.report.words.columns import Paint, columns_of, pad, plain
from fencecheck.report.words.trace_words import (
    EVIDENCE,
    ONWARD,
    evidence_texts,
    initial_values,
    loop_text,
    told_changes,
    violation_heading,
)
from fencecheck.runs.trace import Trace, TracedEvent


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


def event_line(event: TracedEvent) -> str:
    """Return the words of an event: who, what, and with what outcome."""
    return f"{event.actor}: {value_text(event.label or event.name)}"


def event_details(trace: Trace, event: TracedEvent) -> list[str]:
    """Return what an event compared, took, sent and changed, one text each."""
    details = [value_text(event.remark)] if event.remark else []
    labels = {sent.message: sent.label for other in trace.all_events for sent in other.sends}
    for take in event.takes:
        verb = "loses" if take.lost else "takes"
        details.append(f"{verb} message {take.message} ({value_text(labels[take.message])})")
    copies = {copy.message for copy in event.copies}
    for sent in event.sends:
        verb = "copies, as" if sent.message in copies else "sends"
        details.append(f"{verb} message {sent.message} ({value_text(sent.label)})")
    for lane, change in told_changes(trace, event):
        arrow = f" {change.before} → " if change.before is not None else " "
        details.append(f"{lane}.{change.name}{arrow}{change.after}")
    return details


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
    digits = len(str(len(trace.all_events)))
    start = trace.loop_start
    for number, event in enumerate(trace.all_events, 1):
        if start is not None and number == start + 1:
            lines.append(f"{indent}from here on, again and again:")
        if number == len(trace.events) + 1:
            lines.append(indent + ONWARD)
        tail = "  (interference)" if event.interference else ""
        tone = "interference" if event.interference else ""
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
    """Return what was violated, the two values that disagree, and what the property read.

    Nothing for a witness.
    """
    violation = trace.violation
    if not violation:
        return []
    lines = [indent + paint("violated", violation_heading(trace))]
    lines += wrapped(value_text(violation.says), width, indent)
    pairs = [(f"{words}:", value_text(value)) for words, value in violation.compare]
    room = max((columns_of(words) for words, _ in pairs), default=0)
    lines += [f"{indent}  {pad(words, room)}  {value}" for words, value in pairs]
    texts = evidence_texts(trace)
    if texts:
        lines += wrapped(f"{EVIDENCE}: {'; '.join(texts)}", width, indent, "  ")
    return lines
