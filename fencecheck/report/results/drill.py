"""The drills as text, Markdown, HTML or JSON: controls, recoveries, failure domains, a table each.

In: a Drills value. Out: one string. The tables are worded once, as heads and rows of cells, and
written in either form; what a search that was cut leaves open reads ``undetermined``.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.analysis.drill.drill import ControlRow, Recovery
from fencecheck.analysis.drill.drills import DomainRow, Drills
from fencecheck.report.results.markdown import MARK, escape
from fencecheck.report.words.columns import Entry, Paint, plain, table_lines
from fencecheck.report.words.orders import wrapped
from fencecheck.report.words.outcomes import count
from fencecheck.report.words.scope import tried_words
from fencecheck.report.words.visible import json_text
from fencecheck.runs.trace import Trace, TracedEvent
from fencecheck.runs.trace_json import trace_or_none

SCHEMA = "fencecheck/drills/1"
OPEN = "undetermined"
OTHERWISE = "not as expected: something came out otherwise than the plan says"


@dataclass(frozen=True)
class Sheet:
    """One table in words: a cell is its lines."""

    title: str
    note: str
    corner: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]


def sheets(drills: Drills) -> list[Sheet]:
    """Return the three tables of the drills."""
    return [_controls(drills.controls), _recoveries(drills.recoveries), _domains(drills.domains)]


def labels(trace: Trace | None) -> list[str]:
    """Return the events of a trace in words; one of several of a kind is named with its event."""
    return [_label(event) for event in trace.events] if trace else []


def _label(event: TracedEvent) -> str:
    kind = event.name.partition(".")[0]
    return event.label if event.actor == kind else f"{event.actor} {event.label}"


def _order(trace: Trace | None) -> str:
    return ", ".join(labels(trace))


def _controls(rows: Sequence[ControlRow]) -> Sheet:
    told = []
    for row in rows:
        if row.absence is not None:
            events = count(len(row.absence.events), "event")
            symptom = f"{row.control.symptom} breaks in {events}"
        else:
            symptom = OPEN if row.symptom == OPEN else f"no symptom: {row.control.symptom} holds"
        if row.answered is not None:
            verdict = f"{row.control.verdict} in {count(len(row.answered.events), 'event')}"
        else:
            verdict = "no order is answered" if row.searched else OPEN
        tried = (tried_words(row.tried.bounds, row.tried.at_most),)
        without, with_it = ((symptom,), (_order(row.absence),)), ((verdict, *_kept(row)),)
        told.append((row.control.name, (tried, *without, *with_it, (_order(row.answered),))))
    return Sheet(
        "Controls",
        "What each control is for: the shortest order that shows its absence, and the shortest "
        "one that the design with it answers; what comes of its property with it, for as much of "
        "the failure as it was tried with.",
        "control",
        ("tried with", "without it", "order", "with it", "order "),
        tuple(told),
    )


def _kept(row: ControlRow) -> tuple[str, ...]:
    """Return what came out of a control's property in the design with it."""
    name, kept = row.control.symptom, row.kept
    if kept.verdict != "violated":
        return (f"{name} {kept.verdict}", *_unexpected(row.unexpected, row.control.expect))
    broken = f"{name} breaks in {count(kept.events or 0, 'event')}: {_order(kept.trace)}"
    return (broken, *_unexpected(row.unexpected, row.control.expect))


def _unexpected(unexpected: bool, expected: str | None) -> tuple[str, ...]:
    return (f"NOT AS EXPECTED: {expected}",) if unexpected else ()


def _recoveries(rows: Sequence[Recovery]) -> Sheet:
    told = []
    for name in dict.fromkeys(row.failure.name for row in rows):
        same = [row for row in rows if row.failure.name == name]
        tried = dict.fromkeys(tried_words(row.tried.bounds, row.tried.at_most) for row in same)
        told.append((name, (tuple(tried), *(_recovery(row) for row in same))))
    designs = tuple(dict.fromkeys(row.design for row in rows))
    return Sheet(
        "Recoveries",
        "From the worst state that a failure leads to: the fewest system events to where every "
        "step is closed and no invariant is broken, and who answers for the one that settles it. "
        "With any number of a failure, it may have come as often before.",
        "failure",
        ("tried with", *designs),
        tuple(told),
    )


def _recovery(row: Recovery) -> tuple[str, ...]:
    more = _unexpected(row.unexpected, row.failure.expected(row.design))
    if row.verdict == "recovers":
        return (f"in {count(row.events or 0, 'event')}", row.owner, *more)
    if row.verdict == "none":
        return ("no recovery, after", f"{_order(row.trace)}", *more)
    return (row.verdict, *more)


def _domains(rows: Sequence[DomainRow]) -> Sheet:
    designs = tuple(cell.variant for cell in rows[0].cells) if rows else ()
    told = tuple(
        (
            row.name,
            (
                (", ".join(row.fault),),
                (row.detected,),
                (row.owner,),
                *(tuple(cell.outcome.split("; ")) for cell in row.cells),
            ),
        )
        for row in rows
    )
    return Sheet(
        "Failure domains",
        "How each is detected, whose the recovery is, and what each design answers.",
        "domain",
        ("fault", "detected by", "recovery owner", *designs),
        told,
    )


def render_drill_text(drills: Drills, *, width: int = 100, paint: Paint = plain) -> str:
    """Return the drills as text of at most ``width`` columns where words allow."""
    lines: list[str] = []
    for sheet in sheets(drills):
        lines += ["", ""] if lines else []
        lines += [paint("head", sheet.title), *wrapped(sheet.note, width, ""), ""]
        room = max(24, width // 4)
        rows = [
            (name, [Entry(tuple(part for line in cell for part in _lines(line, room)))
                    for cell in cells])
            for name, cells in sheet.rows
        ]  # fmt: skip
        lines += table_lines(sheet.corner, sheet.heads, rows, width, paint)
    lines += ["", paint("violated", OTHERWISE)] if drills.unexpected else []
    lines += ["", paint("undetermined", f"{OPEN}: a search was cut")] if drills.undetermined else []
    return "\n".join(lines) + "\n"


def _lines(text: str, room: int) -> list[str]:
    return wrapped(text, room, "") or [""]


def render_drill_markdown(drills: Drills) -> str:
    """Return the drills as Markdown."""
    lines = [MARK, "", "# Drills", "", f"Model `{drills.model}`."]
    for sheet in sheets(drills):
        lines += ["", f"## {escape(sheet.title)}", "", escape(sheet.note), ""]
        heads = [sheet.corner, *(head.strip() for head in sheet.heads)]
        lines += [f"| {' | '.join(map(escape, heads))} |", "|" + " --- |" * len(heads)]
        for name, cells in sheet.rows:
            told = ["<br>".join(escape(line) for line in cell) for cell in cells]
            lines.append(f"| {' | '.join([escape(name), *told])} |")
    lines += ["", f"**{OTHERWISE}**"] if drills.unexpected else []
    lines += ["", f"**{OPEN}: a search was cut**"] if drills.undetermined else []
    return "\n".join(lines) + "\n"


def render_drill_html(drills: Drills) -> str:
    """Return the drills as a piece of HTML: a table each, no script and no style sheet."""
    parts = [_table(sheet) for sheet in sheets(drills)]
    parts += [f"<p><strong>{html.escape(OTHERWISE)}</strong></p>"] if drills.unexpected else []
    if drills.undetermined:
        parts.append(f"<p><strong>{OPEN}: a search was cut</strong></p>")
    return "\n".join(parts) + "\n"


def _table(sheet: Sheet) -> str:
    heads = [sheet.corner, *(head.strip() for head in sheet.heads)]
    columns = "".join(f'<th scope="col">{html.escape(head)}</th>' for head in heads)
    rows = []
    for name, cells in sheet.rows:
        told = ["<br>".join(html.escape(line) for line in cell) for cell in cells]
        cells_of = "".join(f"<td>{cell}</td>" for cell in told)
        rows.append(f'<tr><th scope="row">{html.escape(name)}</th>{cells_of}</tr>')
    return (
        f"<table><caption>{html.escape(sheet.title)}. {html.escape(sheet.note)}</caption>\n"
        f"<thead><tr>{columns}</tr></thead>\n<tbody>" + "\n".join(rows) + "</tbody></table>"
    )


def render_drill_json(drills: Drills) -> str:
    """Return the drills with all their traces (schema fencecheck/drills/1)."""
    told: dict[str, Any] = {
        "schema": SCHEMA,
        "model": drills.model,
        "model_hash": drills.model_hash,
        "undetermined": drills.undetermined,
        "as_expected": not drills.unexpected,
        "controls": [
            {
                "control": row.control.name,
                "property": row.control.symptom,
                "without": row.symptom,
                "verdict": row.control.verdict,
                "absence": trace_or_none(row.absence),
                "answered": trace_or_none(row.answered),
                "bounds": dict(row.tried.bounds),
                "at_most": dict(row.tried.at_most),
                "with": row.kept.verdict,
                "expected": row.control.expect,
                "broken": trace_or_none(row.kept.trace),
            }
            for row in drills.controls
        ],
        "recoveries": [
            {
                "failure": row.failure.name,
                "design": row.design,
                "verdict": row.verdict,
                "bounds": dict(row.tried.bounds),
                "at_most": dict(row.tried.at_most),
                "expected": row.failure.expected(row.design),
                "events": row.events,
                "owner": row.owner or None,
                "decisive": row.decisive or None,
                "injected": row.injected,
                "trace": trace_or_none(row.trace),
            }
            for row in drills.recoveries
        ],
        "domains": [
            {
                "domain": row.name,
                "fault": list(row.fault),
                "detected": row.detected,
                "owner": row.owner,
                "answers": [
                    {
                        "design": cell.variant,
                        "outcome": cell.outcome,
                        "trace": trace_or_none(cell.trace),
                    }
                    for cell in row.cells
                ],
            }
            for row in drills.domains
        ],
    }
    return json_text(told)
