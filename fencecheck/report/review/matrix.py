"""The verdict table as Markdown: variants down, properties across, as ``compare`` prints it.

In: a result. Out: pieces: the table, what is not as expected in words, and what the marks mean.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.checking.results import Finding, Result, VariantResult
from fencecheck.report.results.markdown import code, escape, table_markdown
from fencecheck.report.results.table import ABSENT, UNEXPECTED, finding_mark, legend, property_names
from fencecheck.report.review.size import Passage, clipped
from fencecheck.report.words.outcomes import (
    code_of,
    expectation,
    expected_words,
    finding_words,
    reason_words,
    where,
)

NAME = 160  # characters of a name in the table
FEW = 40  # rows of a table that is cut


def matrix_piece(result: Result, rank: int) -> Passage:
    """Return the table of a result; cut, the rows that are not as they should be come first."""
    names = property_names(result)
    if not names:
        return Passage(rank, (), ())
    rows = [(_is_wrong(v, result), v) for v in result.variants]
    first = sorted(rows, key=lambda row: not row[0])[:FEW]
    few = [variant for _, variant in first]
    note = f"{len(few)} of {len(rows)} designs: those that are not as they should be come first."
    cut = "\n".join([*_table(result, few, names), "", note])
    whole = "\n".join(_table(result, result.variants, names))
    return Passage(rank, (whole, cut), ("row of a table", "table"))


def _is_wrong(variant: VariantResult, result: Result) -> bool:
    return any(code_of(finding, result) != 0 for finding in variant.findings)


def _table(result: Result, variants: Sequence[VariantResult], names: Sequence[str]) -> list[str]:
    heads = [code(clipped(where(result), NAME))]
    heads += [escape(clipped(name.replace("_", " "), NAME)) for name in names]
    rows = [
        [escape(clipped(variant.name, NAME)), *(_mark(variant, name, result) for name in names)]
        for variant in variants
    ]
    return table_markdown(heads, rows)


def _mark(variant: VariantResult, name: str, result: Result) -> str:
    finding = next((f for f in variant.findings if f.name == name), None)
    if finding is None:
        return ABSENT
    mark = finding_mark(finding)
    if result.has_expectations and code_of(finding, result) == 1:
        mark += f" {UNEXPECTED}"
    return mark if finding.verdict == "holds" else f"**{mark}**"


def legend_piece(results: Sequence[Result], rank: int) -> Passage:
    """Return what the marks of all tables mean, each said once."""
    lines = dict.fromkeys(line for result in results for line in legend(result))
    told = "<br>\n".join(_sign(line) for line in lines)
    return Passage(rank, (told,), ("legend",)) if told else Passage(rank, (), ())


def _sign(line: str) -> str:
    sign, space, words = line.partition("  ")
    if not space:
        return escape(clipped(line, 2_000))
    return f"{escape(sign)} &nbsp; {escape(clipped(words.strip(), 2_000))}"


def unexpected_piece(result: Result, rank: int) -> Passage:
    """Return in words what is not as expected, and what has no answer and why."""
    lines = []
    for variant in result.variants:
        for finding in variant.findings:
            words = _not_as_expected(finding, result)
            if words:
                name = escape(clipped(variant.name, NAME))
                lines.append(f"- {name}: {code(clipped(finding.name, NAME))} {words}")
    if not lines:
        return Passage(rank, (), ())
    few = [*lines[:FEW], f"- and {len(lines) - FEW} more"]
    return Passage(rank, ("\n".join(lines), "\n".join(few)), ("list of verdicts", "list"))


def _not_as_expected(finding: Finding, result: Result) -> str:
    if finding.verdict == "undetermined":
        return escape(reason_words(finding.reason)) if finding.reason else ""
    wanted = expectation(finding)
    if code_of(finding, result) == 0 or wanted is None or not result.has_expectations:
        return ""
    return f"**{escape(finding_words(finding))}**; expected: {escape(expected_words(wanted))}"
