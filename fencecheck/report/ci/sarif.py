"""Results as SARIF 2.1.0, which code scanning reads: a result for each issue, none for a pass.

In: outcomes, who finds places in specs, the exit code. Out: JSON. Each property is a rule; the
event order is a code flow. What has no answer is a result of level ``error`` that begins with
``undetermined``: readers show results whose kind is ``open`` or ``pass`` in ways of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from fencecheck.checking.results import Result
from fencecheck.report.ci.issues import Issue, issues_of
from fencecheck.report.review.size import clipped
from fencecheck.report.words.orders import event_details, event_line, violation_lines
from fencecheck.report.words.outcomes import Outcome, findings_of
from fencecheck.report.words.trace_words import broken_event
from fencecheck.report.words.visible import json_text, one_line
from fencecheck.runs.trace import Trace
from fencecheck.spec.places import FilePlace, Locator
from fencecheck.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MOST_EVENTS = 1_000  # locations that code scanning takes of one result
TEXT = 8_000


def render_sarif(outcomes: Sequence[Outcome], locator: Locator, exit_code: int) -> str:
    """Return one run with a result for each issue of the outcomes."""
    told = [(issue, outcome) for outcome in outcomes for issue in issues_of(outcome)]
    rules = _rules(outcomes, told)
    places = {rule["id"]: number for number, rule in enumerate(rules)}
    results = []
    for issue, outcome in told:
        place = locator.place(outcome.spec, issue.variant, issue.rule)
        results.append(_result(issue, outcome, place, places))
    driver = {"name": "fencecheck", "version": __version__, "rules": rules}
    invocation: dict[str, Any] = {"executionSuccessful": exit_code in (0, 1), "exitCode": exit_code}
    notes = [
        {"level": "error", "message": {"text": clipped(one_line(issue.title), TEXT)}}
        for issue, _ in told
        if issue.rule == "model-error" or "undetermined" in issue.title
    ]
    if notes:
        invocation["toolExecutionNotifications"] = notes
    run = {
        "automationDetails": {"id": "fencecheck/"},
        "tool": {"driver": driver},
        "invocations": [invocation],
        "results": results,
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rules(
    outcomes: Sequence[Outcome], told: Sequence[tuple[Issue, Outcome]]
) -> list[dict[str, Any]]:
    """Return a rule for each property that was checked, and for each other kind of issue."""
    meanings: dict[str, str] = {}
    for outcome in outcomes:
        if isinstance(outcome, Result):
            for _, finding in findings_of(outcome):
                meanings.setdefault(_rule(finding.name, outcome), finding.meaning)
    for issue, outcome in told:
        meanings.setdefault(_rule(issue.rule, outcome), issue.rule.replace("-", " "))
    return [
        {"id": rule, "shortDescription": {"text": clipped(one_line(meaning) or rule, TEXT)}}
        for rule, meaning in meanings.items()
    ]


def _rule(name: str, outcome: Outcome) -> str:
    """Return a property's id: models may have properties of one name that mean other things."""
    return f"{one_line(PurePath(outcome.model).stem)}/{one_line(name)}"


def _result(
    issue: Issue, outcome: Outcome, place: FilePlace, places: dict[str, int]
) -> dict[str, Any]:
    rule = _rule(issue.rule, outcome)
    title = f"{issue.variant}: {issue.title}" if issue.variant else issue.title
    lines = [title, *([issue.message] if issue.message not in ("", title) else [])]
    if issue.trace is not None:
        lines += violation_lines(issue.trace, 100, "")
    told: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": places[rule],
        "level": issue.level,
        "message": {"text": clipped("\n".join(lines), TEXT)},
        "locations": [_location(place)] if place.file else [],
        "partialFingerprints": {"fencecheckCell/v1": _fingerprint(issue, outcome)},
    }
    if issue.trace is not None and place.file and issue.trace.all_events:
        told["codeFlows"] = [{"threadFlows": [{"locations": list(_flow(issue.trace, place))}]}]
    return told


def _location(place: FilePlace) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(place.file or "")}}
    physical["region"] = {"startLine": place.line or 1}
    return {"physicalLocation": physical}


def _flow(trace: Trace, place: FilePlace) -> Iterator[dict[str, Any]]:
    """Yield the events of an order; all stand where the spec asks for the property."""
    breaking = broken_event(trace)
    for number, event in enumerate(trace.all_events[:MOST_EVENTS], 1):
        words = f"{number}. {event_line(event)}"
        details = "; ".join(event_details(trace, event))
        text = clipped(f"{words} ({details})" if details else words, TEXT)
        importance = "essential" if number == breaking else "important"
        located = {**_location(place), "message": {"text": text}}
        yield {"location": located, "importance": importance, "executionOrder": number}


def _fingerprint(issue: Issue, outcome: Outcome) -> str:
    """Return what stays the same while a cell is the same, whatever it took to break it."""
    told = "\0".join([outcome.spec or outcome.model, issue.variant, issue.rule])
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
