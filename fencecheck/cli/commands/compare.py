"""``fencecheck compare``: the verdict table of designs, and a diagram of every cell that breaks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.asking import Thorough, thorough_options
from fencecheck.cli.commands.check import FORMATS, save_counterexamples, show_text, whole
from fencecheck.cli.files import check_folder
from fencecheck.cli.options import (
    DEFAULT_OUT,
    SearchSettings,
    format_option,
    out_option,
    quiet_option,
    search_options,
)
from fencecheck.cli.terminal import paint, put_note, put_text, screen_width
from fencecheck.errors import UsageError

if TYPE_CHECKING:
    from fencecheck.report.words.outcomes import Outcome

TOUR = "tour"
MOST_NAMED = 20


@click.command("compare")
@click.argument("specs", nargs=-1, metavar="[SPEC]...")
@search_options
@thorough_options
@format_option(FORMATS, "text", "How results are printed.")
@out_option(
    "Where the diagrams and traces of the cells that break go; without it to reports/, where that "
    "can be written.",
    None,
)
@quiet_option
def compare_command(
    specs: tuple[str, ...],
    search: SearchSettings,
    thorough: Thorough,
    form: str,
    out: str | None,
    quiet: bool,
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
    from fencecheck.cli.running import exit_code, is_collection, run_specs

    if out is not None:
        check_folder(Path(out))
    loaded = search.load(specs or [_tour()])
    for spec in loaded if not specs else ():
        spec.path = (
            f"specs/{Path(str(spec.path)).name}"  # not where this machine happens to keep it
        )
    alone = form == "text" and len(loaded) == 1
    outcomes = run_specs(
        loaded,
        search,
        quiet=quiet,
        show=show_text(_table) if alone else None,
        comparing=True,
        asking=thorough,
    )
    if form == "text" and not alone:
        _show_together(outcomes, summed_up=bool(specs) and is_collection(specs))
    if form != "text":
        array = bool(specs) and is_collection(specs)
        put_text(whole(outcomes, form, quiet=quiet, array=array))
    _save(outcomes, out, quiet)
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


def _tour() -> Path:
    from fencecheck.spec.files import builtin_spec

    return builtin_spec(TOUR)


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
