"""Results as JSON, schema fencecheck/results/1: what programs read.

In: outcomes. Out: one JSON object for one outcome, an array for several. Everything that a result
knows is in it, traces included; nothing is rounded or left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fencecheck.checking.results import (
    Cell,
    ClaimResult,
    Conduct,
    Finding,
    ModelFault,
    ReachAnswer,
    VariantResult,
)
from fencecheck.properties.coverage import Coverage
from fencecheck.report.logs.json import logs_object
from fencecheck.report.words.outcomes import Failure, Outcome
from fencecheck.report.words.reachability import status
from fencecheck.report.words.visible import json_text
from fencecheck.runs.trace import Trace
from fencecheck.runs.trace_json import model_reference, trace_object, trace_or_none
from fencecheck.version import __version__

SCHEMA = "fencecheck/results/1"


def render_json(
    outcomes: Sequence[Outcome], *, array: bool = False, folder: Path | None = None
) -> str:
    """Return one object, or an array of objects where ``array`` is set or there are several.

    Paths of models are relative to ``folder``, where the text is to stand, if that is given.
    """
    told = [outcome_object(outcome) for outcome in outcomes]
    if folder is not None:
        told = [_moved(outcome, folder) for outcome in told]
    shown: Any = told if array or len(told) != 1 else told[0]
    return json_text(shown)


def _moved(told: Any, folder: Path) -> Any:
    """Return a value of JSON in which every model's path is relative to a folder."""
    if isinstance(told, list):
        return [_moved(item, folder) for item in told]
    if not isinstance(told, dict):
        return told
    moved = {name: _moved(item, folder) for name, item in told.items()}
    if "schema" in moved and isinstance(moved.get("model"), str):  # a result or a trace
        moved["model"] = model_reference(moved["model"], folder)
    return moved


def trace_json(trace: Trace, folder: Path | None = None) -> str:
    """Return a trace as the text of its own file, which stands in ``folder`` if that is given."""
    return json_text(trace_object(trace, folder))


def outcome_object(outcome: Outcome) -> dict[str, Any]:
    """Return one outcome as an object of the schema; a Failure has ``error`` and no variants.

    A result with a variant whose model is wrong has the first such ``error`` beside its variants.
    """
    head = {
        "schema": SCHEMA,
        "fencecheck": __version__,
        "spec": outcome.spec,
        "model": outcome.model,
        "title": outcome.title,
    }
    if isinstance(outcome, Failure):
        return {
            **head,
            "error": {"message": outcome.message, "trace": trace_or_none(outcome.trace)},
        }
    faults = [variant.error for variant in outcome.variants if variant.error is not None]
    return {
        **head,
        **({"error": _fault(faults[0])} if faults else {}),
        "model_hash": outcome.model_hash,
        "note": outcome.note,
        "expectations": outcome.has_expectations,
        "variants": [variant_object(variant) for variant in outcome.variants],
        "no_difference": [
            {"variants": list(alike.variants), "switches": alike.switches}
            for alike in outcome.alike
        ],
        "scenarios": [_cell(cell) for cell in outcome.cells],
        "claims": [_claim(claim) for claim in outcome.claims],
    }


def variant_object(variant: VariantResult) -> dict[str, Any]:
    search = variant.exploration
    logs = {} if variant.logs is None else {"logs": logs_object(variant.logs)}
    return {
        "name": variant.name,
        "mechanisms": variant.design.mechanisms,
        "bounds": variant.design.bounds,
        "not_tried": list(variant.not_tried),
        "constraints": list(variant.constraints),
        "held_back": {bound: list(events) for bound, events in variant.held_back.items()},
        "exploration": {
            "states": search.states,
            "initial_states": search.initials,
            "transitions": search.transitions,
            "depth": search.depth,
            "cut": search.cut,
            "complete": search.complete,
            "stopped_by": search.stopped_by,
            "engine": search.engine,
            "threads": search.threads,
            "seconds": search.seconds,
            "warnings": list(search.warnings),
            **({"dominance": True} if search.dominance else {}),
            **({} if search.conduct is None else {"conduct": _conduct(search.conduct)}),
        },
        "costs": variant.costs,
        "coverage": variant.coverage and _coverage(variant.coverage),
        "fairness": {event: list(names) for event, names in variant.fairness.items()},
        "fairness_kinds": variant.strengths,
        "properties": [finding_object(finding) for finding in variant.findings],
        "questions": [_answer(answer) for answer in variant.answers],
        "error": variant.error and _fault(variant.error),
        **logs,
    }


def _conduct(conduct: Conduct) -> dict[str, Any]:
    return {
        "adapter": conduct.adapter,
        "by": conduct.by,
        "calls": conduct.calls,
        "pairs": conduct.pairs,
        "runs": conduct.runs,
        "cover": conduct.cover,
        "targets": conduct.targets,
        "covered": conduct.covered,
        "first_seed": conduct.first_seed,
        "never_happened": list(conduct.never),
    }


def _fault(fault: ModelFault) -> dict[str, Any]:
    return {"message": fault.message, "trace": trace_or_none(fault.trace)}


def _answer(answer: ReachAnswer) -> dict[str, Any]:
    return {
        "reach": answer.text,
        "answer": status(answer),
        "events": answer.events,
        "trace": trace_or_none(answer.trace),
    }


def _coverage(coverage: Coverage) -> dict[str, Any]:
    return {
        "complete": coverage.complete,
        "never_enabled": coverage.never_enabled,
        "never_fired": coverage.never_fired,
        "events": [
            {
                "event": event.event,
                "interference": event.interference,
                "transitions": event.transitions,
                "first": event.first,
                "excluded_by": event.off or None,
            }
            for event in coverage.events
        ],
    }


def finding_object(finding: Finding) -> dict[str, Any]:
    expected = finding.expected
    return {
        "name": finding.name,
        "kind": finding.kind,
        "required": finding.required,
        "verdict": finding.verdict,
        "events": finding.events,
        "vacuous": finding.vacuous,
        "situation": finding.situation,
        "expected": expected and expected.verdict,
        "expected_events": expected and expected.events,
        "as_expected": finding.as_expected,
        "trace": trace_or_none(finding.trace),
        "others": [
            {"differs": other.differs, "events": other.events, "trace": trace_or_none(other.trace)}
            for other in finding.others
        ],
    }


def _claim(claim: ClaimResult) -> dict[str, Any]:
    return {
        "name": claim.name,
        "text": claim.text,
        "source": claim.source,
        "verdict": claim.verdict,
        "why": list(claim.why),
        "expected": claim.expected,
        "as_expected": claim.as_expected,
        "trace": trace_or_none(claim.trace),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "scenario": cell.scenario,
        "variant": cell.variant,
        "outcome": cell.outcome,
        "claim": cell.claim,
        "agrees": cell.agrees,
        "trace": trace_or_none(cell.trace),
    }
