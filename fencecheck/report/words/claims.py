"""Claims and what came out for them, in words that all formats share.

In: the claims of a result. Out: lines of text. Undetermined claims are said to be so; what a
model cannot express stands with its reason, and counts neither for nor against a claim.
"""

from __future__ import annotations

from fencecheck.checking.results import ClaimResult, Result
from fencecheck.report.words.columns import Paint, plain
from fencecheck.report.words.orders import order_lines, violation_lines, wrapped
from fencecheck.report.words.outcomes import count

TONES = {"holds": "holds", "refuted": "violated", "undetermined": "undetermined"}


def claims_summary(result: Result) -> str:
    """Return how many claims came out how; empty where none is made."""
    if not result.claims:
        return ""
    kinds = ("holds", "refuted", "undetermined", "not expressible")
    counts = {kind: sum(c.verdict == kind for c in result.claims) for kind in kinds}
    told = ", ".join(_so_many(number, kind) for kind, number in counts.items() if number)
    return f"{count(len(result.claims), 'claim')}: {told}"


def _so_many(number: int, verdict: str) -> str:
    """Return ``1 holds``, ``3 hold``, ``2 refuted``."""
    return f"{number} {'hold' if verdict == 'holds' and number != 1 else verdict}"


def unexpected_words(claim: ClaimResult) -> str:
    """Return that a claim did not come out as the spec expects, or an empty text."""
    return "" if claim.as_expected is not False else f"not as expected: {claim.expected}"


def claim_lines(
    result: Result, width: int = 100, paint: Paint = plain, *, orders: bool = True
) -> list[str]:
    """Return each claim with its source, what came out, and the event order that refutes it."""
    lines = [paint("head", claims_summary(result))] if result.claims else []
    for claim in result.claims:
        verdict = paint(TONES.get(claim.verdict, ""), claim.verdict)
        unexpected = unexpected_words(claim)
        tail = f"  {paint('violated', unexpected)}" if unexpected else ""
        lines += ["", f"{verdict}: {claim.name}{tail}"]
        lines += wrapped(f"“{claim.text}” ({claim.source})", width, "  ")
        for words in claim.why:
            lines += wrapped(words, width, "  ", "  ")
        if orders and claim.verdict == "refuted" and claim.trace is not None:
            lines += order_lines(claim.trace, width, "    ", paint)
            lines += violation_lines(claim.trace, width, "    ", paint)
    return lines
