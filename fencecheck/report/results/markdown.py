"""Results and traces as Markdown: tables, the event orders, and a Mermaid diagram of each.

In: outcomes, or one trace. Out: text for a pull request or a wiki (GitHub's dialect). Texts
of models and specs are escaped, so that nothing in them becomes markup.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from fencecheck.checking.results import Cell, Finding, Result, VariantResult
from fencecheck.model.wording.templates import value_text
from fencecheck.report.picture.mermaid import trace_to_mermaid
from fencecheck.report.words.claims import claims_summary, unexpected_words
from fencecheck.report.words.coverage import HEADS, PART, alike_texts, coverage_rows, gap_texts
from fencecheck.report.words.orders import event_details, event_line
from fencecheck.report.words.outcomes import (
    Failure,
    Outcome,
    code_of,
    conclusion,
    count,
    expectation,
    expected_words,
    finding_words,
    limits_words,
    model_in_words,
    search_words,
    settings_words,
    where,
)
from fencecheck.report.words.reachability import answer_words
from fencecheck.report.words.trace_words import (
    EVIDENCE,
    ONWARD,
    bounds_text,
    evidence_texts,
    headline,
    initial_values,
    loop_text,
    violation_heading,
)
from fencecheck.report.words.visible import one_line, visible
from fencecheck.runs.trace import Trace

_MARKUP = re.compile(r"[`*_\[\]~$]")
MARK = "<!-- fencecheck/markdown/1 -->"
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
# what begins a list, a rule or an underlined title
_LEADING = re.compile(r"^(\d*)((?<=\d)[.)]|(?<!\d)[-+=])")


def escape(text: object) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    shown = _SPECIAL.sub(r"\\\1", one_line(text))
    return _LEADING.sub(r"\1\\\2", shown)


def code(text: object) -> str:
    """Return a text as code on one line, in a table too; nothing in it ends the code."""
    shown = one_line(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    if "|" in shown:  # it would end a table's cell, and its escape would be seen elsewhere
        words = html.escape(shown, quote=False).replace("|", "&#124;").replace("\\", "&#92;")
        return f"<code>{_MARKUP.sub(lambda match: f'&#{ord(match[0])};', words)}</code>"
    return f"{fence}{space}{shown}{space}{fence}"


def table_markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table's lines; the texts are escaped already."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def render_markdown(outcomes: Sequence[Outcome], *, orders: bool = True) -> str:
    """Return every outcome as a section; without ``orders`` no event order is told."""
    lines = [MARK]
    for outcome in outcomes:
        lines += ["", f"# {escape(outcome.title)}", ""]
        lines.append(f"{code(where(outcome))}, model {code(model_in_words(outcome.model))}")
        if isinstance(outcome, Failure):
            lines += ["", "**error**", "", *_code(outcome.message, "text")]
            continue
        if conclusion(outcome):
            lines += ["", f"**{escape(conclusion(outcome))}**"]
        lines += ["", escape(outcome.note)] if outcome.note else []
        for variant in outcome.variants:
            lines += _variant(variant, outcome, orders)
        for text in alike_texts(outcome):
            lines += ["", escape(text[:1].upper() + text[1:] + ".")]
        lines += _scenarios(outcome.cells) if outcome.cells else []
        lines += _claims(outcome, orders) if outcome.claims else []
    return "\n".join(lines) + "\n"


def _code(text: str, language: str) -> list[str]:
    """Return a fenced block whose fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", visible(text).rstrip("\n"), fence]


def _variant(variant: VariantResult, result: Result, orders: bool) -> list[str]:
    lines = ["", f"## {escape(variant.name)}", ""]
    lines.append(f"Design: {escape(settings_words(variant.design.mechanisms))}.")
    lines.append(f"Bounds: {escape(settings_words(variant.design.bounds))}.")
    words = limits_words(variant)
    lines += [f"{escape(words[:1].upper() + words[1:])}."] if words else []
    rows = [_finding(finding, variant, result) for finding in variant.findings]
    rows += [[f"reach {code(a.text)}", f"**{answer_words(a)}**", ""] for a in variant.answers]
    lines += ["", *table_markdown(("property", "verdict", ""), rows)]
    lines += ["", f"Search {escape(search_words(variant.exploration))}."]
    for text in variant.exploration.warnings:
        lines += ["", f"Warning: {escape(text)}."]
    if variant.error is not None:
        lines += ["", "**error**", "", *_code(variant.error.message, "text")]
    for text in gap_texts(variant):
        lines += ["", f"**{escape(text[:1].upper() + text[1:])}.**"]
    if result.show_coverage and variant.coverage is not None:
        table = [[code(event), *map(escape, more)] for event, *more in coverage_rows(variant)]
        lines += ["", *table_markdown(("event", *HEADS), table)]
        lines += [] if variant.coverage.complete else ["", PART]
    if variant.costs:
        told = (f"{escape(n.replace('_', ' '))} {v:g}" for n, v in variant.costs.items())
        lines += ["", f"Costs of an undisturbed run: {', '.join(told)}."]
    for answer in variant.answers:
        if orders and answer.trace is not None:
            lines += ["", f"### reach {code(answer.text)}: {answer_words(answer)}"]
            lines += ["", *order_markdown(answer.trace)]
    for finding in variant.findings:
        if orders and finding.trace is not None:
            events = count(finding.events or 0, "event")
            lines += ["", f"### {code(finding.name)}: a shortest event order, {events}"]
            lines += ["", escape(finding.meaning), "", *order_markdown(finding.trace)]
        for other in finding.others if orders else ():
            head = f"{escape(other.differs)}, {count(other.events, 'event')}"
            lines += ["", f"### {code(finding.name)}: {head}", "", *order_markdown(other.trace)]
    return lines


def _finding(finding: Finding, variant: VariantResult, result: Result) -> list[str]:
    verdict = escape(finding_words(finding))
    if finding.verdict != "holds":
        verdict = f"**{verdict}**"
    wanted = expectation(finding)
    note = ""
    if wanted is None:
        note = "reported, not required"
    elif finding.verdict != "undetermined" and result.has_expectations:
        right = code_of(finding, result) == 0
        note = "as expected" if right else f"not as expected: {expected_words(wanted)}"
    return [code(finding.name), verdict, escape(note)]


def _claims(result: Result, orders: bool) -> list[str]:
    lines = ["", "## Claims", "", f"{escape(claims_summary(result))}."]
    rows = []
    for claim in result.claims:
        verdict = f"**{claim.verdict}**"
        why = "<br>".join(escape(words) for words in claim.why)
        said = f"{escape(claim.text)}<br>({escape(claim.source)})"
        rows.append([verdict, said, f"{why} {escape(unexpected_words(claim))}".strip()])
    lines += ["", *table_markdown(("", "claim", "by"), rows)]
    for claim in result.claims:
        if orders and claim.verdict == "refuted" and claim.trace is not None:
            lines += ["", f"### refuted: {escape(claim.name)}", "", *order_markdown(claim.trace)]
    return lines


def _scenarios(cells: Sequence[Cell]) -> list[str]:
    rows = []
    for cell in cells:
        claim = "" if cell.claim is None else cell.claim
        agrees = {None: "", True: "agrees", False: "**differs**"}[cell.agrees]
        rows.append(
            [
                escape(cell.variant),
                escape(cell.scenario),
                escape(cell.outcome),
                escape(claim),
                agrees,
            ]
        )
    heads = ("variant", "event order", "outcome", "claimed", "")
    return ["", "## Scripted event orders", "", *table_markdown(heads, rows)]


def trace_to_markdown(trace: Trace) -> str:
    """Return one trace as a document of its own: the event order and its diagram."""
    lines = [MARK, "", f"# {escape(headline(trace))}", "", escape(bounds_text(trace))]
    meaning = trace.shows.meaning
    lines += ["", escape(meaning)] if meaning else []
    return "\n".join([*lines, "", *order_markdown(trace)]) + "\n"


def order_markdown(trace: Trace) -> list[str]:
    """Return an event order as a numbered list, what it violates, and its diagram."""
    lines = []
    initial = [
        f"{lane}.{name} {value}"
        for lane, values in initial_values(trace).items()
        for name, value in values
    ]
    if initial:
        lines += [f"Initially {escape(', '.join(initial))}.", ""]
    for number, event in enumerate(trace.all_events, 1):
        if number == len(trace.events) + 1:
            lines += ["", f"{escape(ONWARD)}", ""]
        words = f"**{escape(event_line(event))}**" + " (interference)" * event.interference
        details = "; ".join(event_details(trace, event))
        lines.append(f"{number}. {words}" + (f"<br>{escape(details)}" if details else ""))
    lines += [f"\n{escape(loop_text(trace))}"] if loop_text(trace) else []
    violation = trace.violation
    if violation:
        lines += [
            "",
            f"**{escape(violation_heading(trace))}**: {escape(value_text(violation.says))}",
        ]
        pairs = [[escape(words), escape(value_text(value))] for words, value in violation.compare]
        lines += ["", *table_markdown(("", ""), pairs)] if pairs else []
        texts = evidence_texts(trace)
        lines += ["", f"{EVIDENCE}: {escape('; '.join(texts))}."] if texts else []
    return [*lines, "", *_code(trace_to_mermaid(trace), "mermaid")]
