"""Results as CSV: a row for each variant and property, and for each scripted event order.

In: outcomes. Out: text with one head line. An empty cell means that there is no such value. A
model that went wrong has one row of kind ``error``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from fencecheck.report.outcomes import Failure, Outcome
from fencecheck.results import Cell, Finding, Result, VariantResult

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
)
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
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def _rows(outcome: Outcome) -> list[Row]:
    head: Row = {"spec": outcome.spec, "model": outcome.model}
    if isinstance(outcome, Failure):
        return [{**head, "kind": "error", "verdict": "error", "outcome": outcome.message}]
    return [{**head, **row} for row in _result_rows(outcome)]


def _result_rows(result: Result) -> list[Row]:
    rows = [_finding_row(variant, f) for variant in result.variants for f in variant.findings]
    return rows + [_cell_row(cell) for cell in result.cells]


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
