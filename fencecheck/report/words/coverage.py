"""What never happened, and how often each event did: lines that all formats share.

In: a result or one of its variants. Out: plain texts, and table rows for those that show the
coverage. Of a search that was cut they speak of the part that was explored, and say so.
"""

from __future__ import annotations

from fencecheck.checking.results import Result, VariantResult, alike_words
from fencecheck.report.words.columns import Entry, Paint, plain, table_lines

HEADS = ("transitions", "first depth", "")
PART = (
    "Coverage of the part that was explored: the search was cut, and what did not occur there "
    "may still occur."
)


def gap_texts(variant: VariantResult) -> list[str]:
    """Return one text for each kind of thing that a variant's search never came to."""
    conduct, coverage = variant.exploration.conduct, variant.coverage
    if conduct is not None and conduct.never:
        return [f"never happened: {', '.join(conduct.never)}"]
    if coverage is None:
        return []
    tail = "" if coverage.complete else " (in the part that was explored)"
    kinds = {"never enabled": coverage.never_enabled, "never fired": coverage.never_fired}
    whats = {"never enabled": "never enabled", "never fired": "never fired, within its budget"}
    return [f"{whats[kind]}{tail}: {', '.join(names)}" for kind, names in kinds.items() if names]


def alike_texts(result: Result) -> list[str]:
    """Return one text for each switch that made no difference to what came out."""
    return [f"made no difference: {alike_words(alike)}" for alike in result.alike]


def coverage_rows(variant: VariantResult) -> list[tuple[str, str, str, str]]:
    """Return event, transitions, depth of the first and remark for each event of the model.

    An event that the design excludes is ``off``, with what of the design does so.
    """
    coverage = variant.coverage
    if coverage is None:
        return []
    never = "never occurred" if coverage.complete else "did not occur"
    rows = []
    for event in coverage.events:
        first = "" if event.first is None else str(event.first)
        remark = f"off: {event.off}" if event.off else ""
        if event.transitions == 0 and not event.off:
            remark = f"{never}, though there is a budget" if event.interference else never
        rows.append((event.event, f"{event.transitions or 0:,}", first, remark))
    return rows


def coverage_table(variant: VariantResult, width: int = 100, paint: Paint = plain) -> list[str]:
    """Return the coverage of a variant as a table."""
    rows = [
        (event, [Entry((times,), right=True), Entry((first,), right=True), Entry((remark,))])
        for event, times, first, remark in coverage_rows(variant)
    ]
    lines = table_lines("event", HEADS, rows, width, paint)
    partial = variant.coverage is not None and not variant.coverage.complete
    return [*lines, PART] if partial else lines
