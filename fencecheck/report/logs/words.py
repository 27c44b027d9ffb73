"""The words of what comes out of logs, for every format."""

from __future__ import annotations

from fencecheck.checking.logged import LogsReport, RunReport
from fencecheck.report.words.outcomes import LIMITS, count

MOST_OPEN = 6  # values that are told as open


def run_words(run: RunReport) -> str:
    """Return how much of a run is explained, and what is supposed or left."""
    events = count(run.events, "event")
    skipped = f", {count(run.skipped, 'other record')}" if run.skipped else ""
    if run.verdict == "holds":
        supposed = "; ".join(run.supposed)
        told = f"; supposed: {supposed}" if supposed else "; nothing supposed"
        return f"{events}{skipped}{told}"
    left = f"{run.explained} of {events} explained{skipped}"
    states = "1 state" if run.ends == 1 else f"{run.ends:,} states"
    if run.verdict == "violated":
        return f"{left}, {states} of the model {'is' if run.ends == 1 else 'are'} left"
    limit = f"the limit on {run.stopped_by} ({LIMITS.get(run.stopped_by or '', '--timeout')})"
    return f"{left} so far, when {limit} was reached"


def ends_words(run: RunReport) -> list[str]:
    """Return in how many states an explained run may have ended, and what the log cannot tell."""
    if run.ends == 0:
        return ["in how many states it may have ended is open: a limit was reached"]
    if run.ends == 1:
        return ["it ended in the one state of the model that the log allows"]
    told = "; ".join(run.open_values[:MOST_OPEN])
    more = len(run.open_values) - MOST_OPEN
    told += f"; and {more} more" if more > 0 else ""
    head = f"it may have ended in {run.ends:,} states of the model"
    return [
        f"{head}; the log cannot tell {told}" if told else f"{head}, which nobody can tell apart"
    ]


def scope_words(report: LogsReport) -> list[str]:
    """Return which events no log is expected to have, and how much of them is supposed."""
    if not report.unlogged:
        return ["every event of the model is expected in the logs"]
    return [
        f"not expected in the logs: {', '.join(report.unlogged)}; of each budget of interference "
        f"at most {report.supposed_at_most} more than a log shows"
    ]


def totals_words(report: LogsReport) -> list[str]:
    """Return how many runs are explained, and what of the design no explanation has."""
    verdicts = [run.verdict for run in report.runs]
    parts = [f"{count(len(verdicts), 'run')}: {verdicts.count('holds')} explained"]
    if "violated" in verdicts:
        parts.append(f"{verdicts.count('violated')} not")
    if "undetermined" in verdicts:
        parts.append(f"{verdicts.count('undetermined')} undetermined")
    told = [", ".join(parts)]
    if report.never:
        told.append(f"in no run: {', '.join(report.never)}")
    if report.never_outcomes:
        told.append(f"outcomes in no run: {', '.join(report.never_outcomes)}")
    return told
