"""Results as CSV: a row for each variant and property, each scripted event order
and each gap; with the coverage asked for also one for each event.

In: outcomes. Out: text with one head line. An empty cell means that there is no such value. A
model that went wrong has one row of kind ``error``. A text that a spreadsheet would take for a
formula stands behind an apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from fencecheck.checking.results import (
    Cell,
    Finding,
    Gap,
    ReachAnswer,
    Result,
    VariantResult,
    gaps_of,
)
from fencecheck.model.declaring.any_number import AnyNumber
from fencecheck.report.words.outcomes import Failure, Outcome
from fencecheck.report.words.reachability import status
from fencecheck.report.words.visible import visible

COLUMNS = (
    "spec",
    "model",
    "variant",
    "kind",
    "property",
    "required",
    "verdict",
    "events",
    "vacuous",
    "expected",
    "expected_events",
    "as_expected",
    "states",
    "transitions",
    "depth",
    "complete",
    "stopped_by",
    "outcome",
    "claim",
    "not_tried",
    "constraints",
    "cut",
    "any_number",
    "held_back",
    "dominance",
)
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # wide ones count too
Row = dict[str, object]


def render_csv(outcomes: Sequence[Outcome]) -> str:
    """Return the rows of every outcome below one head line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for outcome in outcomes:
        for row in _rows(outcome):
            writer.writerow({name: _shown(value) for name, value in row.items()})
    return out.getvalue()


def _shown(value: object) -> object:
    """Return a value as it stands in a cell; a spreadsheet must not calculate with a text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = visible(value)
        return f"'{text}" if text.lstrip().startswith(FORMULA) or text.startswith("\t") else text
    return "" if value is None else value


def _rows(outcome: Outcome) -> list[Row]:
    head: Row = {"spec": outcome.spec, "model": outcome.model}
    if isinstance(outcome, Failure):
        return [{**head, "kind": "error", "verdict": "error", "outcome": outcome.message}]
    return [{**head, **row} for row in _result_rows(outcome)]


def _result_rows(result: Result) -> list[Row]:
    rows = [_finding_row(variant, f) for variant in result.variants for f in variant.findings]
    rows += [
        {
            "variant": variant.name,
            "kind": "counterexample",
            "property": finding.name,
            "events": other.events,
            "outcome": other.differs,
        }
        for variant in result.variants
        for finding in variant.findings
        for other in finding.others
    ]
    rows += [
        {
            "variant": variant.name,
            "kind": "error",
            "verdict": "error",
            "outcome": variant.error.message,
        }
        for variant in result.variants
        if variant.error is not None
    ]
    rows += [_answer_row(variant, a) for variant in result.variants for a in variant.answers]
    rows += [_cell_row(cell) for cell in result.cells]
    rows += [
        {
            "kind": "claim",
            "property": claim.name,
            "verdict": claim.verdict,
            "expected": claim.expected,
            "as_expected": claim.as_expected,
            "outcome": "; ".join(claim.why),
            "claim": claim.text,
        }
        for claim in result.claims
    ]
    rows += [_gap_row(gap) for gap in gaps_of(result) if gap.kind != "vacuous"]
    if result.show_coverage:
        rows += [row for variant in result.variants for row in _coverage_rows(variant)]
    return rows


def _answer_row(variant: VariantResult, answer: ReachAnswer) -> Row:
    return {
        "variant": variant.name,
        "kind": "reach",
        "property": answer.text,
        "verdict": status(answer),
        "events": answer.events,
        "complete": variant.exploration.complete,
        "stopped_by": variant.exploration.stopped_by,
        **_scope(variant),
    }


def _scope(variant: VariantResult) -> Row:
    """Return what the verdicts of a variant speak of, names apart by blanks."""
    held = (f"{b}:{','.join(events)}" for b, events in variant.held_back.items())
    unlimited = (n for n, number in variant.design.bounds.items() if isinstance(number, AnyNumber))
    return {
        "not_tried": " ".join(variant.not_tried),
        "constraints": " ".join(variant.constraints),
        "cut": variant.exploration.cut if variant.constraints else None,
        "any_number": " ".join(unlimited),
        "held_back": " ".join(held),
    }


def _gap_row(gap: Gap) -> Row:
    return {"variant": gap.variant, "kind": "gap", "property": gap.name, "outcome": gap.kind}


def _coverage_rows(variant: VariantResult) -> list[Row]:
    """Return a row for each event: how many transitions, and after how many events the first."""
    events = variant.coverage.events if variant.coverage is not None else ()
    return [
        {
            "variant": variant.name,
            "kind": "coverage",
            "property": event.event,
            "events": event.first,
            "transitions": event.transitions,
            "complete": variant.exploration.complete,
            "stopped_by": variant.exploration.stopped_by,
            "outcome": event.off,
        }
        for event in events
    ]


def _finding_row(variant: VariantResult, finding: Finding) -> Row:
    search, expected = variant.exploration, finding.expected
    return {
        "variant": variant.name,
        "kind": finding.kind,
        "property": finding.name,
        "required": finding.required,
        "verdict": finding.verdict,
        "events": finding.events,
        "vacuous": finding.vacuous,
        "expected": expected and expected.verdict,
        "expected_events": expected and expected.events,
        "as_expected": finding.as_expected,
        "states": search.states,
        "transitions": search.transitions,
        "depth": search.depth,
        "complete": search.complete,
        "stopped_by": search.stopped_by,
        "dominance": search.dominance or None,
        **_scope(variant),
    }


def _cell_row(cell: Cell) -> Row:
    return {
        "variant": cell.variant,
        "kind": "scenario",
        "property": cell.scenario,
        "as_expected": cell.agrees,
        "outcome": cell.outcome,
        "claim": cell.claim,
    }
