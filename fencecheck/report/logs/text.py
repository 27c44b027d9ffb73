"""Logs and what explains them, as text: a line for each run, what blocks the others, totals.

In: a result whose variants have logs, a width, what to paint with. Out: one string, the same for
the same result whatever the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencecheck.checking.logged import BlockedEvent, Counted, JudgedProperty, LogsReport, RunReport
from fencecheck.checking.results import Result, VariantResult
from fencecheck.report.logs.words import ends_words, run_words, scope_words, totals_words
from fencecheck.report.words.columns import Paint, plain
from fencecheck.report.words.orders import order_lines, violation_lines, wrapped
from fencecheck.report.words.outcomes import (
    conclusion,
    count,
    heading,
    model_in_words,
    settings_words,
)
from fencecheck.report.words.visible import one_line

VERDICT_WIDTH = len("undetermined")
BELOW = " " * (VERDICT_WIDTH + 4)
NO_ADDITION = (
    "nothing alone would explain all of it: no interference of any kind, no event left out, no "
    "outcome or value left open"
)

OPEN_ADDITION = "whether one addition would explain all of it is open: a limit was reached"


def logs_text(
    result: Result, *, width: int = 100, paint: Paint = plain, orders: bool = True
) -> str:
    """Return what a result says of logs; without ``orders`` no run is told event by event."""
    lines = [paint("head", heading(result)), f"model {model_in_words(result.model)}"]
    for variant in result.variants:
        lines += ["", *_variant(variant, width, paint, orders)]
    told = conclusion(result)
    lines += ["", paint("holds" if result.exit_code == 0 else "violated", told)] if told else []
    return "\n".join(lines) + "\n"


def _variant(variant: VariantResult, width: int, paint: Paint, orders: bool) -> list[str]:
    report, design = variant.logs or LogsReport(), variant.design
    lines = [paint("head", one_line(variant.name))]
    lines += wrapped(f"design: {settings_words(design.mechanisms)}", width, "  ", "  ")
    lines += wrapped(f"sizes: {settings_words(design.bounds)}", width, "  ", "  ")
    for text in scope_words(report):
        lines += wrapped(text, width, "  ", "  ")
    for run in report.runs:
        lines += _run_line(run, width, paint)
    for run in report.runs:
        lines += _told(run, width, paint, orders)
    lines.append("")
    for text in totals_words(report):
        lines += wrapped(text, width, "  ", "  ")
    return lines


def _run_line(run: RunReport, width: int, paint: Paint) -> list[str]:
    verdict = paint(run.verdict, run.verdict) + " " * (VERDICT_WIDTH - len(run.verdict))
    told = wrapped(f"{one_line(run.name)}: {run_words(run)}", width, BELOW, "  ")
    lines = [f"  {verdict}  {told[0].strip()}", *told[1:]]
    for prop in run.judged:
        if prop.verdict != "holds":
            words = (
                "no explanation keeps it" if prop.verdict == "violated" else "the search was cut"
            )
            lines.append(f"{BELOW}{paint(prop.verdict, prop.verdict)}  {prop.name}: {words}")
    if run.verdict == "holds":
        for text in ends_words(run):
            lines += wrapped(text, width, BELOW, "  ")
    return lines


def _told(run: RunReport, width: int, paint: Paint, orders: bool) -> Iterator[str]:
    """Yield what is to be told of a run below the verdicts."""
    if run.verdict == "violated":
        yield from ("", f"  {paint('head', one_line(run.name))}: not explained")
        yield from wrapped(f"{run_words(run)}. {_next(run)}", width, "    ", "  ")
        for event in run.blocked:
            yield from _blocked(event, width, paint)
        yield from _additions(run, width)
    elif run.verdict == "undetermined":
        yield from ("", f"  {paint('head', one_line(run.name))}: undetermined")
        yield from wrapped(run_words(run), width, "    ", "  ")
    if orders and run.verdict != "holds" and run.trace is not None:
        yield "    a run that goes as far:"
        yield from order_lines(run.trace, width, "      ", paint)
        yield from violation_lines(run.trace, width, "      ", paint)
    for prop in run.judged:
        if prop.verdict == "violated" and orders:
            yield from _broken(run, prop, width, paint)


def _next(run: RunReport) -> str:
    if len(run.blocked) == 1:
        return "Next in its process, and possible in no state that is left:"
    return "Next in their processes, and possible in no state that is left:"


def _blocked(event: BlockedEvent, width: int, paint: Paint) -> Iterator[str]:
    where = f"  ({one_line(event.process)}, {one_line(event.place)})"
    yield f"      {paint('violated', one_line(event.words))}{where}"
    yield from _counted("", event.reasons, event.states, width)
    yield from _counted("the model allows: ", event.instead, event.states, width)


def _counted(head: str, texts: Sequence[Counted], states: int, width: int) -> Iterator[str]:
    for counted in texts:
        share = "" if counted.states == states else f" [in {counted.states} of {states} states]"
        yield from wrapped(f"{head}{one_line(counted.text)}{share}", width, " " * 8, "  ")
    if not texts and head:
        yield f"{' ' * 8}{head}nothing of this actor"


def _additions(run: RunReport, width: int) -> Iterator[str]:
    if not run.additions:
        words = NO_ADDITION if run.additions_known else OPEN_ADDITION
        yield from wrapped(words, width, "    ", "  ")
    for text in run.additions:
        yield from wrapped(f"all of it would be explained: {one_line(text)}", width, "    ", "  ")


def _broken(run: RunReport, prop: JudgedProperty, width: int, paint: Paint) -> Iterator[str]:
    trace = prop.trace
    if trace is None:
        return
    events = count(len(trace.events), "event")
    head = f"{prop.name} in {one_line(run.name)}"
    yield from (
        "",
        f"  {paint('head', head)}: broken in every explanation; in this one by {events}",
    )
    yield from order_lines(trace, width, "    ", paint)
    yield from violation_lines(trace, width, "    ", paint)
