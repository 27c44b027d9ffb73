"""A trace as one Mermaid sequenceDiagram, which review threads draw by themselves.

In: a trace. Out: the text of the diagram, without a code fence. A sequence diagram has no
slanted arrows: a message is announced in a note where it is sent, and its arrow stands where it was
taken or lost. Interference, and the event that breaks the property, stand on coloured grounds.
"""

from __future__ import annotations

import re
from typing import Any

from fencecheck.model.wording.templates import value_text
from fencecheck.report.words.trace_words import (
    EVIDENCE,
    ONWARD,
    ChangeWords,
    bounds_text,
    broken_event,
    drawn_lanes,
    event_changes,
    evidence_texts,
    headline,
    initial_values,
    loop_text,
    not_tried_text,
    violation_heading,
)
from fencecheck.runs.trace import Sent, Trace, TracedEvent

INTERFERENCE = "rect rgba(230, 159, 0, 0.22)"
BREAKING = "rect rgba(213, 94, 0, 0.35)"
BREAKS = "✗ breaks here"
# Characters that end a statement, start an entity or a comment, or open markup in a label.
_SPECIAL = set('#;:%<>&"{}\\`$')
_KEYWORD = re.compile(r"\b(end)\b", re.IGNORECASE)


def escape_text(text: Any) -> str:
    """Return a text that Mermaid shows as it is: special characters become numbered entities."""
    line = " ".join(str(text).split())
    line = "".join(char if char.isprintable() else " " for char in line)
    # In a message the word would close a block; with an entity in it, it is no keyword.
    marked = _KEYWORD.sub(lambda found: f"\0{ord(found[0][0])}\1{found[0][1:]}", line)
    escaped = "".join(f"#{ord(char)};" if char in _SPECIAL else char for char in marked)
    return escaped.replace("\0", "#").replace("\1", ";") or " "


def _change_text(change: ChangeWords) -> str:
    if change.before is None:
        return f"{change.name} {change.after}"
    return f"{change.name} {change.before} → {change.after}"


def _lines(texts: list[str]) -> str:
    return "<br/>".join(escape_text(text) for text in texts)


class _Writer:
    """Collects the statements of one diagram."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.lanes = drawn_lanes(trace)
        self.breaking = broken_event(trace)
        self.ids = {lane.name: f"L{number}" for number, lane in enumerate(self.lanes)}
        self.senders: dict[int, tuple[str, Sent]] = {}
        for event in trace.all_events:
            for sent in event.sends:
                self.senders[sent.message] = (event.actor, sent)
        self.out: list[str] = []

    def add(self, statement: str, depth: int = 1) -> None:
        self.out.append("    " * depth + statement)

    def span(self) -> str:
        """Return the participants that a note over the whole picture spans."""
        ids = list(self.ids.values())
        return ids[0] if len(ids) == 1 else f"{ids[0]},{ids[-1]}"

    def participants(self) -> None:
        for lane in self.lanes:
            role = "actor" if lane.kind == "interference" else "participant"
            self.add(f"{role} {self.ids[lane.name]} as {escape_text(lane.name)}")

    def initial(self) -> None:
        for lane, values in initial_values(self.trace).items():
            if lane in self.ids:
                texts = ["initially", *(f"{name} {value}" for name, value in values)]
                self.add(f"Note over {self.ids[lane]}: {_lines(texts)}")

    def event(self, number: int, event: TracedEvent) -> None:
        """Add the statements of one event: what it took, what it is, what it changed."""
        breaks = number == self.breaking
        grounds = [INTERFERENCE] * event.interference + [BREAKING] * breaks
        for outside, ground in enumerate(grounds, 1):
            self.add(ground, outside)
        depth = 1 + len(grounds)
        me = self.ids[event.actor]
        for take in event.takes:
            if take.message in self.senders:
                sender, sent = self.senders[take.message]
                lost = take.lost
                arrow = "-x" if lost else "-->>" if sent.back else "->>"
                words = f"{sent.label} (lost)" if lost else sent.label
                self.add(f"{self.ids[sender]}{arrow}{me}: {escape_text(words)}", depth)
        lead = "interference, " if event.interference else ""
        texts = [f"{number}. {lead}{event.label or event.name}"]
        copies = {copy.message for copy in event.copies}
        for sent in event.sends:
            verb = "copies" if sent.message in copies else "sends"
            texts.append(f"{verb} {sent.label}")
        changes = event_changes(self.trace, event)
        texts += [_change_text(change) for change in changes.get(event.actor, [])]
        if event.remark:
            texts.append(event.remark)
        texts += [BREAKS] * breaks
        self.add(f"Note over {me}: {_lines(texts)}", depth)
        for lane, items in changes.items():
            if lane != event.actor:
                words = _lines([_change_text(change) for change in items])
                self.add(f"{me}->>{self.ids[lane]}: {words}", depth)
        for outside in range(len(grounds), 0, -1):
            self.add("end", outside)

    def events(self) -> None:
        start, many = self.trace.loop_start, len(self.trace.events)
        if self.trace.onward_loop is not None:
            start = many + self.trace.onward_loop
        for number, event in enumerate(self.trace.all_events, 1):
            if number == many + 1:
                self.add(f"Note over {self.span()}: {escape_text(ONWARD)}")
            if start is not None and number == start + 1:
                self.add("loop for ever")
            self.event(number, event)
        if start is not None and start < len(self.trace.all_events):
            self.add("end")
        words = loop_text(self.trace)
        if words:
            self.add(f"Note over {self.span()}: {escape_text(words)}")

    def ending(self) -> None:
        taken = {take.message for event in self.trace.all_events for take in event.takes}
        flying = [sent.label for m, (_, sent) in self.senders.items() if m not in taken]
        if flying:
            texts = [f"still in flight: {label}" for label in flying]
            self.add(f"Note over {self.span()}: {_lines(texts)}")
        violation = self.trace.violation
        if violation:
            pairs = [f"{words}: {value_text(value)}" for words, value in violation.compare]
            texts = [violation_heading(self.trace), value_text(violation.says), *pairs]
            read = evidence_texts(self.trace)
            texts += [f"{EVIDENCE}:", *read] if read else []
            self.add(f"Note over {self.span()}: {_lines(texts)}")


def trace_to_mermaid(trace: Trace) -> str:
    """Return the Mermaid source of a trace; the same trace always gives the same text."""
    writer = _Writer(trace)
    if writer.lanes:
        writer.participants()
        writer.initial()
        writer.events()
        writer.ending()
    else:
        # Nothing acted and no store matters: one participant carries the verdict.
        writer.ids = {trace.name: "L0"}
        writer.add(f"participant L0 as {escape_text(trace.name)}")
        writer.ending()
    title = f"    title {escape_text(headline(trace))}"
    told = filter(None, (bounds_text(trace), not_tried_text(trace)))
    notes = [f"    %% {escape_text(text).replace('#58;', ':')}" for text in told]
    return "\n".join(["sequenceDiagram", title, *notes, *writer.out]) + "\n"
