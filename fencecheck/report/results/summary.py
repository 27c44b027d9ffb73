"""One line for each design of several results: what breaks it, in how many events, what holds.

In: results, a width. Out: lines. It is what `fencecheck compare` ends with where it was given
several specs, whatever their models: names of properties stand in the cells, not in the head.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from fencecheck.analysis.compare.together import design_name, differences, names_of
from fencecheck.checking.results import Finding, Result, VariantResult
from fencecheck.report.results.table import finding_mark
from fencecheck.report.words.columns import Entry, Paint, plain, table_lines
from fencecheck.report.words.orders import wrapped
from fencecheck.report.words.outcomes import VACUOUS, count
from fencecheck.report.words.visible import one_line

LEAST = 24  # columns for the words of a cell
BROKEN, HOLDING = "violated, in events", "holds within the bounds"


def summary_lines(results: Sequence[Result], width: int = 100, paint: Paint = plain) -> list[str]:
    """Return a table with a row for each variant of each result."""
    rows = [
        (one_line(design_name(name, result, variant)), variant)
        for name, result in zip(names_of(results), results, strict=True)
        for variant in result.variants
    ]
    longest = max((len(name) for name, _ in rows), default=0)
    room = max(LEAST, (width - min(longest, width // 3) - 6) // 2)
    table = [(name, _cells(variant, room)) for name, variant in rows]
    findings = [finding for _, variant in rows for finding in variant.findings]
    lines = [f"{count(len(rows), 'design')} of {count(len(results), 'spec')}"]
    lines += [line for text in differences(results) for line in wrapped(text, width, "", "  ")]
    if any(finding.verdict == "holds" for finding in findings):
        heads: tuple[str, ...] = (BROKEN, HOLDING)
    else:  # where nothing holds no head says so
        heads, table = (BROKEN,), [(name, cells[:1]) for name, cells in table]
    lines += ["", *table_lines("", heads, table, width, paint)]
    if any(finding.vacuous for finding in findings):
        lines += ["", f"(name)  {VACUOUS}"]
    return lines


def _cells(variant: VariantResult, room: int) -> list[Entry]:
    broken, holding = list[str](), list[str]()
    for finding in variant.findings:
        if finding.verdict == "holds":
            holding.append(f"({finding.name})" if finding.vacuous else finding.name)
        else:
            broken.append(_broken(finding))
    if variant.error is not None:
        broken.append("the model is wrong")
    open_ = any(finding.verdict == "undetermined" for finding in variant.findings)
    violated = any(finding.verdict == "violated" for finding in variant.findings)
    tone = "violated" if violated else "undetermined" if open_ else ""
    return [
        Entry(_wrapped(broken, room), tone),
        Entry(_wrapped(holding, room), "holds" if holding else ""),
    ]


def _broken(finding: Finding) -> str:
    if finding.verdict == "violated" and finding.events is not None:
        return f"{finding.name} {finding.events}"
    return f"{finding.name} {finding_mark(finding)}"


def _wrapped(words: Sequence[str], room: int) -> tuple[str, ...]:
    if not words:
        return ("-",)
    text = ", ".join(word.replace(" ", "\u00a0") for word in words)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
    return tuple(line.replace("\u00a0", " ") for line in lines)
