"""Decide the claims of a spec by what came out for it.

Takes a Spec and its Result with costs and cells filled in; gives each claim as holding, refuted
(with an event order where one refutes it), undetermined, or not expressible and why. A claim
holds if everything that decides it came out as claimed; it is refuted by the first thing that did
not, whatever else is still open. Explores nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

from fencecheck.checking.results import ClaimResult, Finding, Result, VariantResult
from fencecheck.runs.trace import Trace
from fencecheck.spec.values import Claim, CostClaim, Expectation, Spec

_HOLDS = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip


@dataclass(frozen=True)
class _Part:
    """One thing that decides a claim: whether it came out so, the words, the order behind it."""

    right: bool | None
    words: str
    trace: Trace | None = None


def decide_claims(spec: Spec, result: Result) -> list[ClaimResult]:
    """Return what came out for each claim of ``spec``, in order."""
    return [_decided(claim, result) for claim in spec.statements]


def _decided(claim: Claim, result: Result) -> ClaimResult:
    if claim.not_expressible:
        said = ("not expressible", (claim.not_expressible,))
        return ClaimResult(claim.name, claim.text, claim.source, *said)
    parts = list(_parts(claim, result))
    wrong = [part for part in parts if part.right is False]
    if wrong:
        verdict, shown = "refuted", wrong
    elif any(part.right is None for part in parts):
        verdict, shown = "undetermined", [part for part in parts if part.right is None]
    else:
        verdict, shown = "holds", parts
    trace = next((part.trace for part in shown if part.trace is not None), None)
    words = tuple(part.words for part in shown)
    return ClaimResult(claim.name, claim.text, claim.source, verdict, words, trace, claim.expected)


def _parts(claim: Claim, result: Result) -> Iterator[_Part]:
    variants = {variant.name: variant for variant in result.variants}
    for name, verdicts in claim.verdicts.items():
        for prop, wanted in verdicts.items():
            found = next((f for f in variants[name].findings if f.name == prop), None)
            unchecked = _Part(None, f"{name}: {prop} was not checked")
            yield unchecked if found is None else _by_verdict(name, found, wanted)
    for name, cells in claim.cells.items():
        for scenario, outcome in cells.items():
            yield _by_cell(result, (name, scenario), outcome)
    for cost in claim.costs:
        yield _by_cost(variants, cost)


def _by_verdict(variant: str, finding: Finding, wanted: Expectation) -> _Part:
    came = str(finding.verdict)
    if finding.events is not None:
        came += f" in {finding.events} events"
    words = f"{variant}: {finding.name} {came}"
    if finding.verdict == "undetermined":
        return _Part(None, f"{words}: the search was cut")
    right = finding.verdict == wanted.verdict and wanted.events in (None, finding.events)
    if not right:
        claimed = wanted.verdict + (f" in {wanted.events} events" if wanted.events else "")
        words += f"; claimed: {claimed}"
    return _Part(right, words, finding.trace)


def _by_cell(result: Result, where: tuple[str, str], outcome: str) -> _Part:
    cell = next((c for c in result.cells if (c.variant, c.scenario) == where), None)
    if cell is None:
        return _Part(None, f"{where[0]}: {where[1]} was not run")
    words = f"{cell.variant}: {cell.scenario}: {cell.outcome}"
    right = cell.outcome == outcome
    return _Part(right, words if right else f"{words}; claimed: {outcome}", cell.trace)


def _by_cost(variants: dict[str, VariantResult], claim: CostClaim) -> _Part:
    of = variants[claim.of].costs.get(claim.cost)
    than = claim.than
    other = variants[than].costs.get(claim.cost) if isinstance(than, str) else float(than)
    named = f" ({than})" if isinstance(than, str) else ""
    if of is None or other is None:
        missing = claim.of if of is None else str(than)
        return _Part(None, f"{claim.cost}: no undisturbed run of {missing} reaches the goal")
    right = bool(_HOLDS[claim.relation](of, other))
    words = f"{claim.cost}: {of:g} ({claim.of}), {other:g}{named}"
    return _Part(right, words if right else f"{words}; claimed: {claim.relation}")
