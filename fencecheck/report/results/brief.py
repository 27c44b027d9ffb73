"""Many results in few lines: one for each spec, details of what is not as it should be, totals.

In: outcomes, a width, what to paint with. Out: text. What is as it should be takes one line; of
the rest, designs and properties that are not so are told in full, with their event orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fencecheck.checking.results import Finding, Result, VariantResult, gaps_of
from fencecheck.report.results.text import counterexample_lines, variant_lines
from fencecheck.report.words.columns import Paint, plain
from fencecheck.report.words.coverage import alike_texts
from fencecheck.report.words.orders import wrapped
from fencecheck.report.words.outcomes import (
    NOTHING_CHECKED,
    Failure,
    Outcome,
    code_of,
    conclusion,
    count,
    expectation,
    findings_of,
    where,
)


def brief_text(
    outcome: Outcome, *, width: int = 100, paint: Paint = plain, orders: bool = True
) -> str:
    """Return one line for an outcome, and below it what of it is not as it should be."""
    name = where(outcome)
    if isinstance(outcome, Failure):
        return "\n".join([f"{name}: {paint('violated', 'error')}", "", outcome.message, "", ""])
    told = list[str]()
    for variant in amiss(outcome):
        told += ["", *variant_lines(variant, outcome, width, paint)]
        told += counterexample_lines(variant, width, paint) if orders else []
    if outcome.strict:
        told += [line for text in alike_texts(outcome) for line in wrapped(text, width, "", "  ")]
    head = f"{name}: {paint(_tone(outcome), conclusion(outcome) or 'undetermined')}"
    return "\n".join([head, *told, *([""] if told else []), ""])


def _tone(result: Result) -> str:
    if conclusion(result).startswith("undetermined"):
        return "undetermined"
    return {0: "holds", 3: "undetermined"}.get(result.exit_code, "violated")


def amiss(result: Result) -> list[VariantResult]:
    """Return the variants of which something is not as it should be, with just those findings.

    A variant whose model is wrong, whose search warns of something, or of which ``--strict`` has
    something to say is among them whatever its findings.
    """
    strict = {gap.variant for gap in gaps_of(result)} if result.strict else set()
    found = []
    for variant in result.variants:
        findings = [f for f in variant.findings if is_amiss(f, result)]
        cut = result.strict and not variant.exploration.complete
        other = variant.error is not None or variant.exploration.warnings or cut
        if findings or other or variant.name in strict:
            found.append(replace(variant, findings=findings))
    return found


def is_amiss(finding: Finding, result: Result) -> bool:
    """Tell whether a finding is violated, unexpected or open where that matters to the result."""
    if code_of(finding, result) != 0 or (result.strict and finding.vacuous):
        return True
    return finding.verdict == "undetermined" and result.is_open


def totals_line(outcomes: Sequence[Outcome], seconds: float, passed_over: int = 0) -> str:
    """Return the last line: specs, verdicts, how many came out how, and the seconds it took.

    ``passed_over`` is how many TOML files of the folders name no model.
    """
    told = [(r, f) for r in outcomes if isinstance(r, Result) for _, f in findings_of(r)]
    specs = f"{count(len(outcomes), 'spec')}, {count(len(told), 'verdict')}"
    tail = [f"{seconds:.1f} s"]
    if passed_over:
        tail.append(f"passed over: {count(passed_over, 'TOML file')} without a model")
    return "; ".join([f"{specs}: {_sorts(outcomes, told)}", *tail])


def _sorts(outcomes: Sequence[Outcome], told: Sequence[tuple[Result, Finding]]) -> str:
    """Return how many verdicts came out how, and how many models are wrong."""
    sorts = [_sort(finding, result) for result, finding in told]
    wrong = sum(
        1 if isinstance(o, Failure) else sum(v.error is not None for v in o.variants)
        for o in outcomes
    )
    strict = sum(len(gaps_of(o)) for o in outcomes if isinstance(o, Result) and o.strict)
    numbers = [
        (sorts.count("expected"), "as expected"),
        (sorts.count("not"), "not as expected"),
        (sorts.count("undetermined"), "undetermined"),
        (sorts.count("reported"), "only reported"),
        (strict, "never put to the test (--strict)"),
    ]
    parts = [f"{number:,} {words}" for number, words in numbers if number]
    parts += [f"{count(wrong, 'model')} wrong"] if wrong else []
    return ", ".join(parts) or NOTHING_CHECKED


def _sort(finding: Finding, result: Result) -> str:
    if finding.verdict == "undetermined":
        return "undetermined"
    if expectation(finding) is None:
        return "reported"
    return "expected" if code_of(finding, result) == 0 else "not"
