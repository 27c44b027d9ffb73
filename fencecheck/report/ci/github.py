"""Results as workflow commands of GitHub Actions: an annotation for each issue, then plain lines.

In: outcomes, and who finds places in specs. Out: text for the log of a step. Nothing of a spec or
a model can be taken for a command of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fencecheck.checking.results import Result
from fencecheck.report.ci.issues import LEVELS, Issue, issues_of
from fencecheck.report.review.size import clipped
from fencecheck.report.words.orders import order_lines, violation_lines
from fencecheck.report.words.outcomes import Failure, Outcome, conclusion, where
from fencecheck.report.words.visible import one_line, visible
from fencecheck.spec.places import FilePlace, Locator

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
TITLE, MESSAGE = 250, 8_000


def escape_value(text: str) -> str:
    """Return a text as the message of a command."""
    shown = visible(text)
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Return a text as a property of a command (``file``, ``title``)."""
    return escape_value(text).replace(":", "%3A").replace(",", "%2C")


def render_github(outcomes: Sequence[Outcome], locator: Locator) -> str:
    """Return the annotations of all outcomes, errors first, and what each outcome amounts to."""
    told = [(issue, outcome) for outcome in outcomes for issue in issues_of(outcome)]
    told.sort(key=lambda pair: LEVELS.index(pair[0].level))
    lines = []
    for issue, outcome in told:
        place = locator.place(outcome.spec, issue.variant, issue.rule)
        lines.append(annotation(issue, place))
    return "\n".join([*lines, *map(_plain, outcomes)]) + "\n"


def render_refusal(problems: Sequence[str], locator: Locator) -> str:
    """Return an annotation for each mistake that kept specs from being checked at all."""
    lines = []
    for problem in problems:
        path, _, rest = problem.partition(": ")
        named = bool(rest) and Path(path).is_file()
        place = FilePlace(locator.place(path).file if named else None)
        issue = Issue("error", "spec-error", "", "nothing was checked", rest if named else problem)
        lines.append(annotation(issue, place))
    return "\n".join(lines) + "\n"


def annotation(issue: Issue, place: FilePlace) -> str:
    """Return the command that shows an issue beside its place."""
    title = f"{issue.variant}: {issue.title}" if issue.variant else issue.title
    values = {
        "file": place.file,
        "line": place.line and str(place.line),
        "title": clipped(one_line(title), TITLE),
    }
    told = ",".join(f"{key}={escape_property(value)}" for key, value in values.items() if value)
    return f"::{COMMANDS[issue.level]} {told}::{escape_value(clipped(_message(issue), MESSAGE))}"


def _message(issue: Issue) -> str:
    lines = [issue.message or issue.title]
    if issue.trace is not None:
        lines += order_lines(issue.trace, 100, "") + violation_lines(issue.trace, 100, "")
    return "\n".join(lines)


def _plain(outcome: Outcome) -> str:
    """Return a line of the log, of which nothing is a command (``##[`` begins one anywhere)."""
    amounts = conclusion(outcome) if isinstance(outcome, Result) else "error"
    words = f"{where(outcome)}: {amounts or 'undetermined'}"
    if isinstance(outcome, Failure):
        words += f": {outcome.message}"
    return f"fencecheck: {one_line(words)}".replace("##[", "## [")
