"""What changed since an earlier run, as text, Markdown, JSON or workflow commands.

In: changes, and what they are counted among. Out: text. Nothing is said of what is as it was but
how much of it there is, and that some of it has no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from fencecheck.analysis.compare.changes import DesignChange, count_verdicts, spec_key
from fencecheck.checking.results import Result
from fencecheck.report.ci.github import annotation, escape_value
from fencecheck.report.ci.issues import Issue
from fencecheck.report.results.markdown import MARK, code, escape
from fencecheck.report.review.cells import trace_passage
from fencecheck.report.review.size import Passage, clipped, fitted
from fencecheck.report.words.columns import Paint, plain
from fencecheck.report.words.orders import order_lines, violation_lines, wrapped
from fencecheck.report.words.outcomes import Failure, Outcome, count
from fencecheck.report.words.visible import json_text, one_line
from fencecheck.runs.trace_json import trace_or_none
from fencecheck.spec.places import Locator

SCHEMA = "fencecheck/changes/1"
FORMS = ("text", "json", "markdown", "github")


@dataclass(frozen=True)
class ChangeReport:
    """Changes of outcomes since the run in a file, and the exit code they amount to.

    ``locator`` finds places in specs.
    """

    baseline: str
    changes: Sequence[DesignChange]
    outcomes: Sequence[Outcome]
    code: int
    locator: Locator

    @property
    def results(self) -> list[Result]:
        return [outcome for outcome in self.outcomes if isinstance(outcome, Result)]


def change_words(change: DesignChange) -> str:
    """Return a change on one line, without its spec."""
    what = ": ".join(filter(None, (change.variant, change.name))) or "the spec"
    kind = "regression" if change.regression else "" if change.kind == "flipped" else change.kind
    told = [kind, f"expected: {change.expected}" if change.expected else ""]
    tail = f"  ({'; '.join(filter(None, told))})" if any(told) else ""
    return one_line(f"{what}: {change.before} → {change.after}") + tail


def closing_words(report: ChangeReport) -> str:
    """Return how many things changed, and what has no answer whether or not it changed."""
    worse = sum(change.regression for change in report.changes)
    told = [f"{count(len(report.changes), 'change')} since {report.baseline}"]
    told += [count(worse, "regression")] if worse else []
    same = [("violated", "violated"), ("undetermined", "undetermined")]
    for verdict, words in same:
        number = count_verdicts(report.results, verdict)  # type: ignore[arg-type]
        told += [f"{words} now: {count(number, 'verdict')}"] if number else []
    wrong = sum(isinstance(outcome, Failure) for outcome in report.outcomes)
    wrong += sum(v.error is not None for result in report.results for v in result.variants)
    told += [f"{count(wrong, 'model')} wrong"] if wrong else []
    return "; ".join(told)


def _faults(report: ChangeReport) -> list[str]:
    """Return what is wrong with models: there is nothing to compare there."""
    told = []
    for outcome in report.outcomes:
        if isinstance(outcome, Failure):
            told.append(f"error: {outcome.spec or outcome.model}: {outcome.message}")
        else:
            faults = [v.error.message for v in outcome.variants if v.error is not None]
            told += [f"error: {outcome.spec or outcome.model}: {text}" for text in faults]
    return told


def changes_text(
    report: ChangeReport, *, width: int = 100, paint: Paint = plain, orders: bool = True
) -> str:
    """Return a line for each change below its spec, and the order of each regression."""
    lines = list[str]()
    for spec, group in groupby(report.changes, key=lambda change: change.spec):
        lines += [paint("head", one_line(spec))]
        for change in group:
            told = wrapped(change_words(change), width, "  ", "  ")
            lines += [paint("violated" if change.regression else "", line) for line in told]
            if orders and change.regression and change.trace is not None:
                lines += order_lines(change.trace, width, "    ", paint)
                lines += [*violation_lines(change.trace, width, "    ", paint), ""]
        lines += [""]
    lines += _faults(report)
    return "\n".join([*lines, closing_words(report)]) + "\n"


def changes_json(report: ChangeReport) -> str:
    """Return one object; each change with its trace where something is violated now."""
    changes = [
        {
            "kind": change.kind,
            "spec": change.spec,
            "variant": change.variant,
            "name": change.name,
            "before": change.before,
            "after": change.after,
            "expected": change.expected or None,
            "regression": change.regression,
            "trace": trace_or_none(change.trace),
        }
        for change in report.changes
    ]
    return json_text(
        {
            "schema": SCHEMA,
            "baseline": report.baseline,
            "exit_code": report.code,
            "changes": changes,
            "errors": _faults(report),
            "undetermined": count_verdicts(report.results, "undetermined"),
        }
    )


def changes_markdown(report: ChangeReport, *, orders: bool = True) -> str:
    """Return a list of changes, and folded orders of what is violated now; it fits a comment."""
    passages = [Passage(0, (f"**{escape(closing_words(report))}**",), ("conclusion",))]
    passages += [
        Passage(1, (f"**{escape(clipped(f, 4_000))}**",), ("error",)) for f in _faults(report)
    ]
    for change in report.changes:
        words = escape(clipped(change_words(change), 600))
        line = f"- {code(clipped(change.spec, 160))}: {words}"
        shown = f"**{line[2:]}**" if change.regression else line[2:]
        passages.append(Passage(2 + (not change.regression), (f"- {shown}",), ("change",)))
    for change in report.changes:
        if orders and change.trace is not None:
            head = f"{change.variant}: {change.name} {change.after}"
            passages.append(trace_passage(4 + (not change.regression), head, change.trace))
    return fitted(passages, f"{MARK}\n", "`fencecheck check` with `--format json` gives all of it.")


def changes_github(report: ChangeReport) -> str:
    """Return an annotation for each regression and error, then the changes as plain lines."""
    specs = {spec_key(r.spec or r.model): r.spec for r in report.results}
    lines = []
    for change in report.changes:
        if change.regression:
            what = f"{change.name}: {change.before} → {change.after}"
            words = change_words(change)
            issue = Issue("error", change.name, change.variant, what, words, change.trace)
            place = report.locator.place(specs[change.spec], change.variant, change.name)
            lines.append(annotation(issue, place))
    lines += [f"::error title=error in the model::{escape_value(text)}" for text in _faults(report)]
    told = [f"{change.spec}: {change_words(change)}" for change in report.changes]
    plain_lines = [*told, closing_words(report)]
    lines += [f"fencecheck: {one_line(text)}".replace("##[", "## [") for text in plain_lines]
    return "\n".join(lines) + "\n"


WRITERS: dict[str, Callable[[ChangeReport], str]] = {
    "json": changes_json,
    "markdown": changes_markdown,
    "github": changes_github,
    "text": changes_text,
}
