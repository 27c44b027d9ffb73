"""``fencecheck check``: explore each variant of each spec and give a verdict on each property."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.asking import Asking, asking_options
from fencecheck.cli.options import (
    SearchSettings,
    format_option,
    out_option,
    quiet_option,
    search_options,
)
from fencecheck.cli.pages import open_option, put_results, show_page
from fencecheck.cli.terminal import paint, put_note, put_text, screen_width

if TYPE_CHECKING:
    from fencecheck.cli.diagrams import Named
    from fencecheck.report.words.outcomes import Outcome

FORMATS = ("text", "json", "markdown", "html", "csv", "junit")
OPEN = "Open the results as a page in the browser; without --out its file is in reports/."


@click.command("check")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@search_options
@asking_options
@format_option(FORMATS, "text", "How results are printed.")
@out_option(
    "Also write the results and each counterexample (trace JSON, DOT, SVG, PNG) to this folder; "
    "without it nothing is written.",
    None,
)
@open_option(OPEN)
@quiet_option
def check_command(
    specs: tuple[str, ...],
    search: SearchSettings,
    asking: Asking,
    form: str,
    out: str | None,
    quiet: bool,
) -> int:
    """Give a verdict on each property of each SPEC.

    Each variant of each SPEC is explored. Printed are one line per property, the shortest event
    order of each that breaks, and the numbers of the search. A SPEC is a TOML file or a folder of
    them. JSON is one object for one file, and an array for
    several files or a folder.

    \b
    Exit code: 0  as it should be: what is required holds, or what the spec expects came out
               1  a required property is violated, or an expectation is not met
               2  wrong usage, an unreadable spec, an error in a model
               3  undetermined: the search was cut before an answer
    """
    from fencecheck.cli.files import check_folder
    from fencecheck.cli.running import exit_code, is_collection, results_name, run_specs

    if out is not None:
        check_folder(Path(out))
    loaded = search.load(specs)
    show = show_text(_verdicts(quiet)) if form == "text" else None
    outcomes = run_specs(loaded, search, quiet=quiet, show=show, asking=asking)
    array = is_collection(specs)
    needed = form != "text" or out is not None  # text was shown spec by spec
    text = whole(outcomes, form, quiet=quiet, array=array) if needed else ""
    if form != "text":
        put_results(text, form)
    if out is not None:
        if form == "json":  # a saved file names models by paths from its folder
            text = whole(outcomes, form, quiet=quiet, array=array, folder=Path(out))
        save(outcomes, Path(out), form, text, quiet=quiet)
    show_page(lambda: whole(outcomes, "html", quiet=quiet, array=array), out, results_name("html"))
    return exit_code(outcomes)


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
    if form == "markdown":
        from fencecheck.report.results.markdown import render_markdown

        return render_markdown(outcomes, orders=not quiet)
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
