"""A result as text: one line a property, then the shortest event order of each that breaks.

In: an outcome, a width, what to paint with. Out: one string, the same for the same result
whatever the machine (seconds and engines are left out). It does not decide what is as it should
be; that is the result's own.
"""

from __future__ import annotations

from fencecheck.checking.results import Finding, Result, VariantResult
from fencecheck.report.results.table import scenario_table
from fencecheck.report.words.claims import claim_lines
from fencecheck.report.words.columns import Paint, pad, plain
from fencecheck.report.words.coverage import alike_texts, coverage_table, gap_texts
from fencecheck.report.words.orders import order_lines, violation_lines, wrapped
from fencecheck.report.words.outcomes import (
    VACUOUS,
    Failure,
    Outcome,
    code_of,
    conclusion,
    count,
    expectation,
    expected_words,
    fairness_words,
    heading,
    model_in_words,
    reason_words,
    search_words,
    settings_words,
)
from fencecheck.report.words.reachability import answer_lines, witness_lines
from fencecheck.report.words.scope import held_back_words, holds_words, limits_words
from fencecheck.report.words.visible import one_line

VERDICT_WIDTH = len("undetermined")
SITUATION = " " * (VERDICT_WIDTH + 4)  # below the names of properties


def render_text(
    outcome: Outcome, *, width: int = 100, paint: Paint = plain, orders: bool = True
) -> str:
    """Return an outcome as text; without ``orders`` no event order is told."""
    lines = [paint("head", heading(outcome))]
    if isinstance(outcome, Failure):
        lines += ["", paint("violated", "error"), outcome.message]
        return "\n".join(lines) + "\n"
    lines.append(f"model {model_in_words(outcome.model)}")
    if outcome.note:
        lines += wrapped(outcome.note, width, "")
    for variant in outcome.variants:
        lines += ["", *variant_lines(variant, outcome, width, paint)]
        if orders:
            lines += counterexample_lines(variant, width, paint)
            lines += witness_lines(variant, width, paint)
    fair = next((v for v in outcome.variants if v.fairness), None)
    if fair is not None:
        said = fairness_words(fair.fairness, fair.strengths)
        lines += ["", *wrapped(f"weak fairness: {said}", width, "", "  ")]
    if outcome.alike:
        lines += ["", *(t for text in alike_texts(outcome) for t in wrapped(text, width, "", "  "))]
    if outcome.cells:
        lines += ["", *scenario_table(outcome.cells, width, paint)]
    if outcome.claims:
        lines += ["", *claim_lines(outcome, width, paint, orders=orders)]
    if conclusion(outcome):
        lines += ["", paint(_tone(outcome), conclusion(outcome))]
    return "\n".join(lines) + "\n"


def _tone(result: Result) -> str:
    if conclusion(result).startswith("undetermined"):
        return "undetermined"
    return {0: "holds", 1: "violated", 2: "violated"}.get(result.exit_code, "undetermined")


def variant_lines(
    variant: VariantResult, result: Result, width: int = 100, paint: Paint = plain
) -> list[str]:
    """Return a design, one line a property, and the numbers of the search."""
    design = variant.design
    lines = [paint("head", one_line(variant.name))]
    lines += wrapped(f"design: {settings_words(design.mechanisms)}", width, "  ", "  ")
    lines += wrapped(f"bounds: {settings_words(design.bounds)}", width, "  ", "  ")
    lines += wrapped(held_back_words(variant), width, "  ", "  ")
    lines += wrapped(limits_words(variant), width, "  ", "  ")
    name_width = max((len(f.name) for f in variant.findings), default=0)
    for finding in variant.findings:
        lines.append("  " + _property_line(finding, variant, result, name_width, paint))
        if finding.vacuous and finding.situation:
            told = wrapped(f"never happens: {finding.situation}", width, SITUATION, SITUATION)
            lines += [paint("vacuous", line) for line in told]
    lines += [f"  {line}" for line in answer_lines(variant, paint)]
    lines += wrapped(f"search {search_words(variant.exploration)}", width, "  ", "  ")
    for text in variant.exploration.warnings:
        lines += wrapped(f"warning: {text}", width, "  ", "    ")
    if variant.error is not None:
        lines += [f"  {paint('violated', 'error')}"]
        lines += [f"  {line}" for line in variant.error.message.splitlines()]
    for text in gap_texts(variant):
        lines += [paint("vacuous", line) for line in wrapped(text, width, "  ", "  ")]
    if result.show_coverage:
        lines += ["", *("  " + line for line in coverage_table(variant, width - 2, paint))]
    return lines


def _property_line(
    finding: Finding, variant: VariantResult, result: Result, name_width: int, paint: Paint
) -> str:
    parts = [
        paint(finding.verdict, finding.verdict)
        + " " * (VERDICT_WIDTH - len(finding.verdict))
        + f"  {pad(finding.name, name_width)}"
    ]
    notes = [] if finding.events is None else [count(finding.events, "event")]
    if finding.verdict == "holds" and not finding.vacuous:
        notes += filter(None, [holds_words(variant)])
    if finding.vacuous:
        notes.append(paint("vacuous", VACUOUS))
    if finding.reason is not None:
        notes.append(reason_words(finding.reason))
    wanted = expectation(finding)
    if wanted is None:
        notes.append("reported, not required")
    elif finding.verdict == "undetermined" or not result.has_expectations:
        pass  # What was expected is no news before there is an answer, or where nothing was said.
    elif code_of(finding, result) == 0:
        notes.append("as expected")
    else:
        notes.append(paint("violated", f"not as expected: {expected_words(wanted)}"))
    return (parts[0] + ("  " + "; ".join(notes) if notes else "")).rstrip()


def _order_words(variant: VariantResult) -> str:
    """Return what an event order is; of an implementation that is not driven in every order."""
    conduct = variant.exploration.conduct
    if conduct is None or conduct.by == "lockstep":
        return "a shortest event order"
    return "the saved run" if conduct.by == "trace" else "an event order that cannot be shortened"


def counterexample_lines(
    variant: VariantResult, width: int = 100, paint: Paint = plain
) -> list[str]:
    """Return the shortest event order of each property that breaks, with what was violated."""
    lines: list[str] = []
    for finding in variant.findings:
        if finding.trace is None:
            continue
        events = count(finding.events or 0, "event")
        lines += ["", f"  {paint('head', finding.name)}: {_order_words(variant)}, {events}"]
        if finding.trace.violation is None or finding.trace.violation.says != finding.meaning:
            lines += wrapped(finding.meaning, width, "    ")
        lines += order_lines(finding.trace, width, "    ", paint)
        lines += violation_lines(finding.trace, width, "    ", paint)
        for other in finding.others:
            head = f"{finding.name}: {other.differs}, {count(other.events, 'event')}"
            lines += ["", f"  {paint('head', head)}"]
            lines += order_lines(other.trace, width, "    ", paint)
            lines += violation_lines(other.trace, width, "    ", paint)
    return lines
