"""What logs amount to, as it stands beside the properties of a variant in results in JSON."""

from __future__ import annotations

from typing import Any

from fencecheck.checking.logged import BlockedEvent, Counted, LogsReport, RunReport
from fencecheck.runs.trace_json import trace_or_none


def logs_object(report: LogsReport) -> dict[str, Any]:
    """Return what came out for all runs on one design."""
    return {
        "unlogged": list(report.unlogged),
        "supposed_at_most": report.supposed_at_most,
        "never": list(report.never),
        "never_outcomes": list(report.never_outcomes),
        "runs": [_run(run) for run in report.runs],
    }


def _run(run: RunReport) -> dict[str, Any]:
    return {
        "name": run.name,
        "verdict": run.verdict,
        "events": run.events,
        "explained": run.explained,
        "skipped": run.skipped,
        "ends": run.ends,
        "pairs": run.pairs,
        "stopped_by": run.stopped_by,
        "supposed": list(run.supposed),
        "open_values": list(run.open_values),
        "blocked": [_blocked(event) for event in run.blocked],
        "additions": list(run.additions),
        "additions_known": run.additions_known,
        "properties": [{"name": p.name, "kind": p.kind, "verdict": p.verdict} for p in run.judged],
        "trace": trace_or_none(run.trace),
    }


def _blocked(event: BlockedEvent) -> dict[str, Any]:
    return {
        "event": event.words,
        "process": event.process,
        "place": event.place,
        "states": event.states,
        "reasons": [_counted(reason) for reason in event.reasons],
        "allowed": [_counted(way) for way in event.instead],
    }


def _counted(counted: Counted) -> dict[str, Any]:
    return {"text": counted.text, "states": counted.states}
