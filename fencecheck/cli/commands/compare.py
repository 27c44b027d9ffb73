"""``fencecheck compare``: the verdict table of designs, and a diagram of every cell that breaks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.asking import Thorough, thorough_options
from fencecheck.cli.commands.check import (
    FORMATS,
    OPEN,
    put_whole,
    save_counterexamples,
    show_text,
    whole,
)
from fencecheck.cli.completion import complete_file
from fencecheck.cli.files import check_folder
from fencecheck.cli.option_types import SearchCommand
from fencecheck.cli.options import (
    DEFAULT_OUT,
    SearchSettings,
    format_option,
    gathered,
    out_option,
    quiet_option,
    search_options,
)
from fencecheck.cli.output import (
    Output,
    baseline_option,
    tell_changes,
)
from fencecheck.cli.pages import open_option, show_page
from fencecheck.cli.terminal import paint, put_note, put_text, screen_width
from fencecheck.errors import UsageError

if TYPE_CHECKING:
    from fencecheck.report.words.outcomes import Outcome
    from fencecheck.spec.values import Spec

TOUR = "tour"
MOST_NAMED = 20


@click.command("compare", cls=SearchCommand)
@click.argument("specs", nargs=-1, metavar="[SPEC]...", shell_complete=complete_file)
@search_options
@thorough_options
@gathered("output", Output)
@format_option(FORMATS, "text", "How results are printed.")
@out_option(
    "Where the diagrams and traces of the cells that break go; without it to reports/, where that "
    "can be written.",
    None,
)
@baseline_option
@open_option(OPEN)
@quiet_option
def compare_command(
    specs: tuple[str, ...], search: SearchSettings, thorough: Thorough, output: Output
) -> int:
    """Compare designs in a verdict table.

    Variants go down, properties across; below stands what each design takes and costs. A
    violated cell shows the number of events of a shortest event order; its diagram (SVG, PNG,
    DOT) and its trace are written to --out. Of several specs, or a folder, those with one model
    and equal bounds share a table, and a last table says of every design what breaks it and what
    holds. Without a SPEC: the tour that ships, the named designs of family fence under one each
    of edit, lost reply, duplicate and preemption, and under any number of each.

    The exit code is that of `fencecheck check`.
    """
    from fencecheck.cli.running import exit_code, is_collection, results_name, run_specs

    form, out, quiet = output.form, output.out, output.quiet
    if out is not None:
        check_folder(Path(out))
    earlier = output.earlier()
    with output.reading():
        loaded = _loaded(specs, search)
    alone = form == "text" and len(loaded) == 1 and earlier is None
    outcomes = run_specs(
        loaded,
        search,
        quiet=quiet,
        show=show_text(_table) if alone else None,
        comparing=True,
        asking=thorough,
    )
    array = bool(specs) and is_collection(specs)
    if earlier is not None:
        code = tell_changes(earlier, outcomes, output)
        _save(outcomes, out, quiet)
        return code
    if form == "text" and not alone:
        _show_together(outcomes, summed_up=array)
    put_whole(outcomes, output, array)
    _save(outcomes, out, quiet)
    show_page(lambda: whole(outcomes, "html", quiet=quiet, array=array), out, results_name("html"))
    return exit_code(outcomes)


def _save(outcomes: list[Outcome], out: str | None, quiet: bool) -> None:
    """Write what breaks; where nobody named a folder, one that takes nothing changes no verdict."""
    folder = DEFAULT_OUT if out is None else out
    try:
        if out is None:
            check_folder(Path(folder))
        written = save_counterexamples(outcomes, Path(folder), quiet=quiet)
    except UsageError as error:
        if out is not None:
            raise
        put_note(f"no diagrams: {error}")
        return
    if written and not quiet:
        _say_where(written, folder)


def _loaded(specs: tuple[str, ...], search: SearchSettings) -> list[Spec]:
    """Return the specs, or the tour: named as in the checkout, wherever this machine keeps it."""
    from fencecheck.spec.files import builtin_spec

    if specs:
        return search.load(specs, also=True)
    loaded = search.load([builtin_spec(TOUR)], also=True)
    for spec in loaded:
        spec.path = f"specs/{Path(str(spec.path)).name}"
    return loaded


def _table(outcome: Outcome) -> str:
    from fencecheck.report.results.table import render_table

    return render_table(outcome, width=screen_width(), paint=paint)


def _show_together(outcomes: list[Outcome], *, summed_up: bool) -> None:
    """Show a table for each model and set of bounds; ``summed_up``, then a line for each design."""
    from fencecheck.analysis.compare.together import side_by_side
    from fencecheck.checking.results import Result
    from fencecheck.report.results.summary import summary_lines

    show = show_text(_table)
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    tables = side_by_side(results)
    for table in tables:
        show(table)
    for outcome in outcomes:
        if not isinstance(outcome, Result):
            show(outcome)
    if summed_up and len(tables) > 1:
        lines = summary_lines(results, screen_width(), paint)
        put_text("\n\n" + "\n".join(lines) + "\n")


def _say_where(written: list[Path], out: str) -> None:
    """Name each diagram once, with the endings of its files."""
    endings: dict[Path, list[str]] = {}
    for path in written:
        endings.setdefault(path.with_suffix(""), []).append(path.suffix[1:])
    if len(endings) > MOST_NAMED:
        put_note(
            f"wrote a diagram and the trace of each of {len(endings)} cells that break to {out}"
        )
        return
    put_note("wrote a diagram and the trace of each cell that breaks:")
    for path, found in endings.items():
        put_note(f"  {path}.{{{','.join(found)}}}")
