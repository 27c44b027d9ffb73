"""Results written by hand, one of each kind that a report must tell apart."""

from __future__ import annotations

from typing import Any

from fencecheck.checking.results import (
    Cell,
    Exploration,
    Finding,
    ModelFault,
    Result,
    VariantResult,
)
from fencecheck.model.family import Design
from fencecheck.report.words.outcomes import Failure
from fencecheck.spec.values import Expectation
from tests.report.pictures import load_document, load_trace, traced

DESIGN = Design({"fence": "none", "journal": "none"}, {"steps": 2, "edits": 1, "swaps": 0})
COMPLETE = Exploration(28, 33, 9, True, None, "reference", 1, 0.25)
CUT = Exploration(104, 146, 7, False, "states", "reference", 1, 0.5)


def holds(name: str = "fresh_apply", **more: Any) -> Finding:
    """Return a finding that holds."""
    return Finding(name, "transition", "Stamps are fresh.", True, "holds", **more)


def vacuous() -> Finding:
    """Return a finding that holds since nothing it speaks of happens."""
    return Finding("journal_covers", "transition", "Keys stay.", True, "holds", vacuous=True)


def violated(**more: Any) -> Finding:
    """Return a finding with the trace of three events."""
    trace = load_trace("3_events")
    name, meaning = trace.shows.name, trace.shows.meaning
    values = {"required": True, "verdict": "violated", "events": 3, "trace": trace, **more}
    return Finding(name, "transition", meaning, **values)


def undetermined(name: str = "no_stuck", **more: Any) -> Finding:
    """Return a finding of a search that was cut."""
    values = {"required": True, "verdict": "undetermined", **more}
    return Finding(name, "deadlock", "It comes to an end.", **values)


def result(*variants: VariantResult, expectations: bool = False, **more: Any) -> Result:
    """Return a result of a spec."""
    return Result(
        "specs/x.toml", "fence", "0123456789abcdef", "Two designs", "", list(variants),
        expectations, **more,
    )  # fmt: skip


def variant(
    name: str, *findings: Finding, search: Exploration = COMPLETE, **costs: float
) -> VariantResult:
    """Return what came out for one design."""
    return VariantResult(name, DESIGN, search, list(findings), dict(costs))


def mixed() -> Result:
    """Return a result with a violation, a vacuous verdict and one that is only reported."""
    reported = holds("no_spurious_rejection")
    reported.required = False
    return result(variant("no fence", holds(), vacuous(), violated(), reported, durable_writes=1.5))


def cut() -> Result:
    """Return a result of a search that was cut before any answer."""
    findings = (undetermined("fresh_apply"), undetermined())
    return result(variant("no fence", *findings, search=CUT))


def expected() -> Result:
    """Return a result of a spec with expectations: two are met, two are not."""
    met = violated(expected=Expectation("violated", 3))
    longer = violated(expected=Expectation("violated", 5))
    wrong = holds("fresh_apply", expected=Expectation("violated"))
    return result(
        variant("no fence", met, holds("no_stuck")),
        variant("step fence", longer, wrong),
        expectations=True,
    )


def scripted() -> Result:
    """Return a result with scripted orders: one agrees, one differs, one has no claim."""
    trace = load_trace("11_events")
    cells = [
        Cell("concurrent edit", "no fence", "applied", "applied", trace),
        Cell("re-plan drift", "no fence", "applied twice", "rejected: stale_rev", trace),
        Cell("concurrent edit", "step fence", "rejected: stale_rev", None, trace),
    ]
    return result(variant("no fence", holds()), cells=cells)


def lasting() -> Result:
    """Return a result with what fails in a loop for ever: the first event, then nothing new."""
    document = load_document("3_events")
    document["property"].update(name="finishes", kind="liveness", meaning="All work ends.")
    document["violation"].update(event=3, says="s1 stays sent for ever", compare=[], evidence=[])
    document["loop_start"] = 1
    trace = traced(document)
    found = Finding("finishes", "liveness", "All work ends.", True, "violated", 3, trace=trace)
    return result(variant("no fence", found))


def wrong() -> Result:
    """Return a result of a design whose model goes wrong in a run, beside one that holds."""
    stopped = Exploration(12, 14, 4, False, "error", "reference", 1, 0.1)
    bad = variant("no fence", undetermined("fresh_apply"), search=stopped)
    message = "model queue goes wrong in worker.take: runs is 3, which is not 0..2"
    bad.error = ModelFault(message, load_trace("3_events"))
    return result(bad)


def failure() -> Failure:
    """Return the failure of a model that went wrong in a run."""
    message = "model queue goes wrong in worker.take: runs is 3, which is not 0..2"
    return Failure("specs/x.toml", "queue.py", "A queue", message, load_trace("3_events"))
