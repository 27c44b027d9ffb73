"""Diagrams of traces as files: one name a trace, one file a format.

In: traces with names, formats, a folder. Out: the paths written. Pictures need a renderer;
where a machine has none the caller hears of it and the formats that need none are written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fencecheck.cli.files import slug, write
from fencecheck.explore.threads import Threads
from fencecheck.report.formats import ENDINGS, PICTURES, drawing
from fencecheck.report.words.taken import TakenNames
from fencecheck.runs.trace import Trace

if TYPE_CHECKING:
    from fencecheck.report.picture.render import Renderer
    from fencecheck.report.words.outcomes import Outcome

COMPARED = ("svg", "png", "dot", "json")


@dataclass(frozen=True)
class Named:
    """A trace, and the name of its files without ending."""

    name: str
    trace: Trace


def write_diagrams(
    named: Sequence[Named],
    forms: Sequence[str],
    folder: Path,
    say: Callable[[str], None] = lambda text: None,
) -> list[Path]:
    """Write every trace in every format, in order; ``say`` hears what is being written.

    Raises RenderError where a picture is asked for and cannot be drawn here.
    """
    from fencecheck.report.picture.render import renderer

    tool = renderer() if set(forms) & set(PICTURES) else None
    jobs = [(item, form) for item in named for form in forms]
    written = []
    # The renderer is a program of its own: two of them run beside each other.
    with Threads(min(len(jobs), os.cpu_count() or 1) or 1) as pool:
        drawn = pool.map(lambda job: _drawn(job[0], job[1], tool, folder), jobs)
        for (item, form), content in zip(jobs, drawn, strict=True):
            path = folder / f"{item.name}.{ENDINGS.get(form, form)}"
            say(f"writing {path}")
            written.append(write(path, content))
    return written


def _drawn(item: Named, form: str, tool: Renderer | None, folder: Path) -> bytes:
    return drawing(item.trace, form, tool, (folder / item.name).parent)


def name_traces(outcomes: Sequence[Outcome]) -> list[Named]:
    """Name every counterexample: SPEC/VARIANT.PROPERTY, each name once."""
    specs, named = TakenNames(), list[Named]()
    for outcome in outcomes:
        stem = Path(outcome.spec).stem if outcome.spec else outcome.model
        folder = specs.take(slug(stem))
        names = TakenNames()
        for name, trace in _traces(outcome):
            named.append(Named(f"{folder}/{names.take(name)}", trace))
    return named


def _traces(outcome: Outcome) -> Iterator[tuple[str, Trace]]:
    from fencecheck.report.words.outcomes import Failure

    if isinstance(outcome, Failure):
        if outcome.trace is not None:
            yield "model-error", outcome.trace
        return
    for variant in outcome.variants:
        if variant.error is not None and variant.error.trace is not None:
            yield f"{slug(variant.name)}.model-error", variant.error.trace
        for finding in variant.findings:
            if finding.trace is not None:
                yield f"{slug(variant.name)}.{slug(finding.name)}", finding.trace
            for other in finding.others:
                yield f"{slug(variant.name)}.{slug(finding.name)}", other.trace
        for number, answer in enumerate(variant.answers, 1):
            if answer.trace is not None:
                yield f"{slug(variant.name)}.reach-{number}", answer.trace
        for run in variant.logs.runs if variant.logs is not None else ():
            if run.trace is not None and run.verdict != "violated":  # else it is a finding's
                yield f"{slug(variant.name)}.{slug(run.name)}", run.trace
