"""``fencecheck check``: explore each variant of each spec and give a verdict on each property."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.asking import Asking, asking_options
from fencecheck.cli.completion import complete_file
from fencecheck.cli.option_types import SearchCommand
from fencecheck.cli.options import (
    SearchSettings,
    format_option,
    gathered,
    out_option,
    quiet_option,
    search_options,
)
from fencecheck.cli.output import (
    Output,
    add_summary,
    baseline_option,
    for_servers,
    review_text,
    tell_changes,
)
from fencecheck.cli.pages import open_option, put_results, show_page
from fencecheck.cli.terminal import paint, put_note, put_text, screen_width

if TYPE_CHECKING:
    from fencecheck.cli.diagrams import Named
    from fencecheck.report.words.outcomes import Outcome

FORMATS = ("text", "json", "markdown", "html", "csv", "junit", "github", "sarif")
OPEN = "Open the results as a page in the browser; without --out its file is in reports/."


@dataclass(frozen=True)
class CheckOutput(Output):
    """What ``check`` was told too."""

    verbose: bool


@click.command("check", cls=SearchCommand)
@click.argument("specs", nargs=-1, metavar="[SPEC]...", shell_complete=complete_file)
@search_options
@asking_options
@gathered("output", CheckOutput)
@format_option(FORMATS, "text", "How results are printed.")
@out_option(
    "Also write the results and each counterexample (trace JSON, DOT, SVG, PNG) to this folder; "
    "without it nothing is written.",
    None,
)
@baseline_option
@open_option(OPEN)
@quiet_option
@click.option("--verbose", is_flag=True, help="Of several specs or a folder, print all of each.")
def check_command(
    specs: tuple[str, ...], search: SearchSettings, asking: Asking, output: CheckOutput
) -> int:
    """Give a verdict on each property of each SPEC.

    Each variant of each SPEC is explored. Of one file are printed one line per property, the
    shortest event order of each that breaks, and the numbers of the search; of several files or
    a folder a line each, all of this of what is not as it should be, and totals. A SPEC is a TOML
    file or a folder of them; without one the specs here: *.fence.toml and those in specs/, or
    else the TOML files that name a model. JSON is one object for one file, and an array for
    several files or a folder.

    \b
    Exit code: 0  as it should be: what is required holds, or what the spec expects came out
               1  a required property is violated, or an expectation is not met
               2  wrong usage, an unreadable spec, an error in a model
               3  undetermined: the search was cut before an answer
    """
    from fencecheck.cli.files import check_folder
    from fencecheck.cli.running import exit_code, is_collection, run_specs
    from fencecheck.spec.folders import specs_here

    if output.out is not None:
        check_folder(Path(output.out))
    earlier = output.earlier()
    begun, others = time.monotonic(), list[Path]()
    array = is_collection(specs)
    with output.reading():
        where = specs or specs_here(Path())
        loaded = search.load(where, passed_over=others.append, also=True)
    brief = array and not (output.verbose or asking.reach or asking.coverage)
    show = _showing(output.quiet, brief) if output.form == "text" and earlier is None else None
    outcomes = run_specs(loaded, search, quiet=output.quiet, show=show, asking=asking)
    if earlier is not None:
        code = tell_changes(earlier, outcomes, output)
        _save_all(outcomes, output, array)
        _page(outcomes, output, array)
        return code
    if show is not None and array:
        _show_totals(outcomes, time.monotonic() - begun, len(others), apart=not brief)
    put_whole(outcomes, output, array)
    _save_all(outcomes, output, array)
    _page(outcomes, output, array)
    return exit_code(outcomes)


def put_whole(outcomes: list[Outcome], output: Output, array: bool) -> None:
    """Print all outcomes in a format that is not text, and what GitHub shows of a step."""
    form, quiet = output.form, output.quiet
    if form != "text":
        put_results(whole(outcomes, form, quiet=quiet, array=array), form)
    if form == "github":
        add_summary(review_text(outcomes, quiet=quiet))


def _page(outcomes: list[Outcome], output: Output, array: bool) -> None:
    """Show the results as a page in the browser, where --open asks for it."""
    from fencecheck.cli.running import results_name

    def page() -> str:
        return whole(outcomes, "html", quiet=output.quiet, array=array)

    show_page(page, output.out, results_name("html"))


def _save_all(outcomes: list[Outcome], output: Output, array: bool) -> None:
    """Write what --out asks for; a saved file names models by paths from its folder."""
    if output.out is not None:
        form, folder = output.form, Path(output.out)
        text = whole(outcomes, form, quiet=output.quiet, array=array, folder=folder)
        save(outcomes, folder, form, text, quiet=output.quiet)


def _showing(quiet: bool, brief: bool) -> Callable[[Outcome], None]:
    """Return what prints an outcome: a line and what is not as it should be, or all of it."""
    if not brief:
        return show_text(_verdicts(quiet))
    from fencecheck.report.results.brief import brief_text

    def show(outcome: Outcome) -> None:
        put_text(brief_text(outcome, width=screen_width(), paint=paint, orders=not quiet))

    return show


def _show_totals(outcomes: list[Outcome], seconds: float, others: int, *, apart: bool) -> None:
    from fencecheck.report.results.brief import totals_line

    put_text("\n" * apart + totals_line(outcomes, seconds, others))


def show_text(render: Callable[[Outcome], str]) -> Callable[[Outcome], None]:
    """Return what prints one outcome as text, with two blank lines between two outcomes."""
    shown = 0

    def show(outcome: Outcome) -> None:
        nonlocal shown
        put_text(("\n\n" if shown else "") + render(outcome))
        shown += 1

    return show


def _verdicts(quiet: bool) -> Callable[[Outcome], str]:
    from fencecheck.report.results.text import render_text

    return lambda outcome: render_text(outcome, width=screen_width(), paint=paint, orders=not quiet)


def whole(
    outcomes: list[Outcome], form: str, *, quiet: bool, array: bool, folder: Path | None = None
) -> str:
    """Return all outcomes in one format, as they are printed or stand in a file of ``folder``."""
    if form == "json":
        from fencecheck.report.results.json import render_json

        return render_json(outcomes, array=array, folder=folder)
    if form == "csv":
        from fencecheck.report.results.csv import render_csv

        return render_csv(outcomes)
    if form == "junit":
        from fencecheck.report.results.junit import render_junit

        return render_junit(outcomes)
    if form in ("github", "sarif"):
        return for_servers(outcomes, form)
    if form == "markdown":
        return review_text(outcomes, quiet=quiet)
    if form == "html":
        from fencecheck.report.page.page import results_page

        return results_page(outcomes)
    from fencecheck.report.results.text import render_text

    return "\n\n".join(render_text(outcome, orders=not quiet) for outcome in outcomes)


def save(outcomes: list[Outcome], folder: Path, form: str, text: str, *, quiet: bool) -> None:
    """Write the results, and each counterexample as a trace and as pictures."""
    from fencecheck.cli.files import write
    from fencecheck.cli.running import results_name

    path = write(folder / results_name(form), text.encode("utf-8", "surrogatepass"))
    written = save_counterexamples(outcomes, folder, quiet=quiet)
    if not quiet:
        put_note(f"wrote {path}" + (f" and {len(written)} files beside it" if written else ""))


def save_counterexamples(outcomes: list[Outcome], folder: Path, *, quiet: bool) -> list[Path]:
    """Write each counterexample's trace and pictures."""
    from fencecheck.cli.diagrams import name_traces

    return save_traces(name_traces(outcomes), folder, quiet=quiet)


def save_traces(named: Sequence[Named], folder: Path, *, quiet: bool) -> list[Path]:
    """Write traces with their pictures; without a renderer, in the formats that need none."""
    from fencecheck.cli.diagrams import COMPARED, write_diagrams
    from fencecheck.cli.progress import Progress
    from fencecheck.report.formats import PICTURES
    from fencecheck.report.picture.render import RenderError, renderer

    progress = Progress(quiet)
    forms: tuple[str, ...] = COMPARED
    if not named:
        return []
    try:
        renderer()
    except RenderError as error:
        forms = tuple(form for form in COMPARED if form not in PICTURES)
        put_note(f"no pictures: {error}")
    try:
        return write_diagrams(named, forms, folder, progress.say)
    finally:
        progress.clear()
