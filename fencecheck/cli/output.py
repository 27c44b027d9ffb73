"""What commands that give verdicts do with results beside printing them.

``--baseline`` tells what changed since an earlier run, ``--format github`` and ``sarif`` tell build
servers, and a step of GitHub Actions has a summary.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.terminal import paint, put_note, put_text, screen_width
from fencecheck.errors import SpecError, UsageError

if TYPE_CHECKING:
    from fencecheck.analysis.compare.changes import Baseline
    from fencecheck.report.words.outcomes import Outcome
    from fencecheck.spec.places import Locator


@dataclass(frozen=True)
class Output:
    """How a command was told to show results; the fields are the options' names."""

    form: str
    out: str | None
    quiet: bool
    baseline: str | None

    def earlier(self) -> Baseline | None:
        """Return what the earlier run said that --baseline names, read before anything runs.

        Raises UsageError for a format that does not tell changes.
        """
        if self.baseline is None:
            return None
        from fencecheck.cli.inputs import read_baseline
        from fencecheck.report.results.changes import FORMS

        if self.form not in FORMS:
            raise UsageError(
                f"--baseline: --format {self.form} does not tell changes; take {', '.join(FORMS)}"
            )
        return read_baseline(Path(self.baseline))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Tell GitHub of specs that cannot be read inside, beside what stderr is told of them."""
        try:
            yield
        except SpecError as error:
            if self.form == "github":
                _refuse(error.problems)
            raise


baseline_option = click.option(
    "--baseline",
    metavar="FILE",
    help="Tell only what changed since the run whose JSON results stand in this file; exit with 1 "
    "where something got worse.",
)


def tell_changes(earlier: Baseline, outcomes: list[Outcome], output: Output) -> int:
    """Print what changed since an earlier run; return the exit code.

    Raises UsageError where nothing that was judged now was judged then.
    """
    from fencecheck.analysis.compare.changes import changes_since, code_since, is_comparable
    from fencecheck.checking.results import Result
    from fencecheck.cli.running import worst
    from fencecheck.report.results.changes import (
        WRITERS,
        ChangeReport,
        changes_markdown,
        changes_text,
    )

    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    if not is_comparable(earlier, results):
        raise UsageError(
            f"--baseline {output.baseline}: nothing in it was checked now; it holds "
            f"{', '.join(list(earlier)[:3])}{', ...' * (len(earlier) > 3)}: specs are the same by "
            "the paths that name them, designs and properties by their names"
        )
    changes = changes_since(earlier, results)
    failed = [outcome.exit_code for outcome in outcomes if not isinstance(outcome, Result)]
    code = worst([*failed, code_since(changes, results), *([] if outcomes else [3])])
    report = ChangeReport(str(output.baseline), changes, outcomes, code, _locator())
    if output.form == "text":
        text = changes_text(report, width=screen_width(), paint=paint, orders=not output.quiet)
        put_text(text)
    else:
        put_text(WRITERS[output.form](report))
    if output.form == "github":
        add_summary(changes_markdown(report, orders=not output.quiet))
    return code


def _refuse(problems: list[str]) -> None:
    from fencecheck.report.ci.github import render_refusal
    from fencecheck.report.review.document import refusal_markdown

    put_text(render_refusal(problems, _locator()))
    add_summary(refusal_markdown(problems))


def for_servers(outcomes: list[Outcome], form: str) -> str:
    """Return all outcomes for a build server that shows them beside the lines of specs."""
    from fencecheck.cli.running import exit_code

    locator = _locator()
    if form == "sarif":
        from fencecheck.report.ci.sarif import render_sarif

        return render_sarif(outcomes, locator, exit_code(outcomes))
    from fencecheck.report.ci.github import render_github

    return render_github(outcomes, locator)


def _locator() -> Locator:
    from fencecheck.spec.places import Locator, repository_root

    return Locator(repository_root())


def review_text(outcomes: list[Outcome], *, quiet: bool) -> str:
    """Return all outcomes as a review comment shows them."""
    from fencecheck.report.review.document import render_markdown

    return render_markdown(outcomes, orders=not quiet)


def add_summary(text: str) -> None:
    """Add Markdown to the summary of a step of GitHub Actions, where there is one.

    A summary that cannot be written changes no verdict.
    """
    named = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if not named:
        return
    try:
        with open(named, "a", encoding="utf-8", newline="\n") as file:
            file.write(f"{text}\n")
    except OSError as error:
        put_note(f"no summary: {named}: {error.strerror or error}")
