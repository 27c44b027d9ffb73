"""What of outcomes a person has to see: one issue for each thing that is not as it should be.

In: an outcome. Out: issues with a level, a place, words and the event order. Levels are ``error``
(it fails the run), ``warning`` (it passes, and says little) and ``note``. What has no answer is
never less than a warning, and an error where it keeps the run from an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fencecheck.checking.results import Finding, Result, VariantResult, gaps_of
from fencecheck.report.words.claims import unexpected_words
from fencecheck.report.words.outcomes import (
    NOTHING_CHECKED,
    Failure,
    Outcome,
    code_of,
    expectation,
    expected_words,
    finding_words,
    reason_words,
    search_words,
    untested_words,
)
from fencecheck.report.words.reachability import answer_words
from fencecheck.runs.trace import Trace

LEVELS = ("error", "warning", "note")


@dataclass(frozen=True)
class Issue:
    """One thing to see; ``rule`` is the property or the kind of thing it is about."""

    level: str
    rule: str
    variant: str
    title: str
    message: str
    trace: Trace | None = None


def issues_of(outcome: Outcome) -> list[Issue]:
    """Return the issues of an outcome, errors first; none where all is as it should be."""
    if isinstance(outcome, Failure):
        return [
            Issue("error", "model-error", "", "error in the model", outcome.message, outcome.trace)
        ]
    found = [issue for variant in outcome.variants for issue in _of_variant(variant, outcome)]
    found += [*_of_claims(outcome), *_of_strict(outcome)]
    if outcome.is_empty:
        found.append(Issue("error", "undetermined", "", NOTHING_CHECKED, NOTHING_CHECKED))
    return sorted(found, key=lambda issue: LEVELS.index(issue.level))


def _of_variant(variant: VariantResult, result: Result) -> Iterator[Issue]:
    if variant.error is not None:
        fault = variant.error
        title = "error in the model"
        yield Issue("error", "model-error", variant.name, title, fault.message, fault.trace)
    for text in variant.exploration.warnings:
        yield Issue("warning", "search-warning", variant.name, "warning of the search", text)
    for finding in variant.findings:
        issue = _of_finding(finding, variant, result)
        if issue is not None:
            yield issue
    for answer in variant.answers:
        level = "error" if answer.reached is None else "note"
        words = f"reach {answer.text}: {answer_words(answer)}"
        yield Issue(level, "question", variant.name, words, words, answer.trace)


def _of_finding(finding: Finding, variant: VariantResult, result: Result) -> Issue | None:
    name, code = finding.name, code_of(finding, result)
    title = f"{name}: {finding_words(finding)}"
    if finding.verdict == "undetermined":
        open_ = code == 3 or result.is_open
        why = reason_words(finding.reason) if finding.reason else ""
        words = why or f"search {search_words(variant.exploration)}"
        level = "error" if open_ else "warning"
        return Issue(level, name, variant.name, title, f"undetermined: {words}")
    wanted = expectation(finding)
    if code:
        if wanted is not None and result.has_expectations:
            title += f"; expected: {expected_words(wanted)}"
        return Issue("error", name, variant.name, title, finding.meaning, finding.trace)
    if finding.verdict == "violated" and wanted is None:
        title += "; reported, not required"
        return Issue("note", name, variant.name, title, finding.meaning, finding.trace)
    if finding.vacuous:
        level = "error" if result.strict else "warning"
        return Issue(level, name, variant.name, f"{name}: vacuous", untested_words(finding))
    return None


def _of_claims(result: Result) -> Iterator[Issue]:
    for claim in result.claims:
        wrong = claim.verdict == "undetermined" or claim.as_expected is False
        if wrong or (claim.verdict == "refuted" and claim.expected is None):
            title = f"claim {claim.verdict}: {claim.name}"
            words = "\n".join(filter(None, [claim.text, *claim.why, unexpected_words(claim)]))
            yield Issue("error" if wrong else "note", "claim", "", title, words, claim.trace)
    for cell in result.cells:
        if cell.agrees is False:
            title = f"{cell.scenario}: {cell.outcome}; claimed: {cell.claim}"
            yield Issue("note", "scripted-order", cell.variant, title, title, cell.trace)


def _of_strict(result: Result) -> Iterator[Issue]:
    if not result.strict:
        return
    for gap in gaps_of(result):
        if gap.kind != "vacuous":  # that stands with its property
            words = f"strict: {gap.kind}: {gap.name}"
            yield Issue("error", gap.kind.replace(" ", "-"), gap.variant or "", words, words)
    for variant in result.variants:
        if not variant.exploration.complete and variant.error is None:
            words = "strict: undetermined, since the search was cut"
            yield Issue("error", "undetermined", variant.name, words, words)
