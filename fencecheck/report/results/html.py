"""The verdict table as a small piece of HTML, for notebooks: no script, no style sheet."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fencecheck.checking.results import Result, VariantResult
from fencecheck.report.results.table import ABSENT, finding_mark, legend, property_names
from fencecheck.report.words.outcomes import (
    conclusion,
    finding_words,
    limits_words,
    search_words,
)

_TONES = {"violated": "#b3261e", "undetermined": "#8a5a00", "holds": "#1b5e20"}


def verdicts_html(result: Result, variants: Sequence[VariantResult]) -> str:
    """Return a table with a row for each variant and a column for each property.

    Every name is escaped; a cell's title says in words what its mark means.
    """
    names = property_names(result)
    heads = "".join(f'<th scope="col">{escape(n.replace("_", " "))}</th>' for n in names)
    rows = "".join(_row(variant, names) for variant in variants)
    told = [*legend(result), conclusion(result)]
    told += [variant.error.message for variant in variants if variant.error is not None]
    lines = "".join(f"<div>{escape(line)}</div>" for line in told)
    return (
        f"<table><caption>{escape(result.title)}</caption>"
        f'<thead><tr><th scope="col">design</th>{heads}<th scope="col">search</th></tr></thead>'
        f"<tbody>{rows}</tbody></table><small>{lines}</small>"
    )


def _row(variant: VariantResult, names: Sequence[str]) -> str:
    findings = {finding.name: finding for finding in variant.findings}
    cells = []
    for name in names:
        finding = findings.get(name)
        if finding is None:
            cells.append(f"<td>{ABSENT}</td>")
            continue
        tone, words = _TONES[finding.verdict], escape(f"{name}: {finding_words(finding)}")
        cells.append(
            f'<td style="color:{tone}" title="{words}">{escape(finding_mark(finding))}</td>'
        )
    told = [search_words(variant.exploration), limits_words(variant)]
    search = escape("; ".join(text for text in told if text))
    return f'<tr><th scope="row">{escape(variant.name)}</th>{"".join(cells)}<td>{search}</td></tr>'
