"""``fencecheck fuzz``: random interleavings from numbered seeds, beside the exhaustive check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.completion import complete_file
from fencecheck.cli.option_types import SearchCommand
from fencecheck.cli.options import (
    SearchSettings,
    format_option,
    gathered,
    quiet_option,
    search_options,
)
from fencecheck.cli.progress import Progress
from fencecheck.cli.running import choose_variants, worst
from fencecheck.cli.terminal import paint, put_note, put_text, screen_width
from fencecheck.errors import UsageError
from fencecheck.explore import interrupt

if TYPE_CHECKING:
    from fencecheck.analysis.fuzz import FuzzResult, Rate
    from fencecheck.runs.trace import Trace


@dataclass(frozen=True)
class Seeds:
    """Which runs are drawn and kept; the fields are the options' names."""

    seeds: int
    first_seed: int
    length: int
    variants: tuple[str, ...]
    save: str | None


@click.command(cls=SearchCommand)
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", shell_complete=complete_file)
@click.option(
    "--seeds", type=click.IntRange(1), default=5_000, show_default=True, metavar="N",
    help="How many runs are made of each variant, one for each seed.",
)  # fmt: skip
@click.option(
    "--first-seed", type=click.IntRange(0), default=1, show_default=True, metavar="N",
    help="The first seed; the same seed of the same model is the same run, whatever else is drawn.",
)  # fmt: skip
@click.option(
    "--length", type=click.IntRange(1, 1_000_000), default=100, show_default=True, metavar="N",
    help="Events after which a run is cut.",
)  # fmt: skip
@click.option(
    "--variant", "variants", metavar="NAME", multiple=True, help="Only this variant; repeatable."
)
@click.option(
    "--save", metavar="FILE.json",
    help="Save the shrunk event order of the one property of one variant that is chosen: a "
    "regression for `fencecheck replay`.",
)  # fmt: skip
@search_options
@format_option(("text", "json"), "text", "How results are printed.")
@quiet_option
@gathered("chosen", Seeds)
def fuzz(
    specs: tuple[str, ...], search: SearchSettings, chosen: Seeds, form: str, quiet: bool
) -> int:
    """Draw random runs of each SPEC.

    A run takes, event after event, one of the enabled events, each with the same chance. Printed
    are, for each property, in how many of the seeds it broke, one event order that breaks it,
    shrunk until nothing can be left out, and what the exhaustive check says of the same design.
    That a property broke in no seed proves nothing.

    The exit code is that of `fencecheck check`, with what a seed breaks counted as violated.
    """
    from fencecheck.analysis.fuzz import Draw, fuzz_spec

    loaded = choose_variants(search.load(specs), chosen.variants)
    progress, results = Progress(quiet), list["FuzzResult"]()
    draw = Draw(chosen.seeds, chosen.first_seed, chosen.length, search.options(progress.tick))
    for spec in loaded:
        if interrupt.heard():
            break
        try:
            results.append(fuzz_spec(spec, draw, progress.say))
        finally:
            progress.clear()
        if form == "text":
            _show(results, quiet)
    if form == "json":
        put_text(_json(results))
    if chosen.save is not None:
        path = _save(results, Path(chosen.save))
        if not quiet:
            put_note(f"wrote {path}; run it again with fencecheck replay {path}")
    return worst(result.exit_code for result in results)


def _show(results: list[FuzzResult], quiet: bool) -> None:
    """Print the last result as text."""
    from fencecheck.report.results.fuzzing import render_fuzz

    text = render_fuzz(results[-1], width=screen_width(), paint=paint, orders=not quiet)
    put_text(("\n\n" if len(results) > 1 else "") + text)


def _json(results: list[FuzzResult]) -> str:
    from fencecheck.report.results.fuzzing import fuzz_object, render_fuzz_json
    from fencecheck.report.words.visible import json_text

    if len(results) == 1:
        return render_fuzz_json(results[0])
    return json_text([fuzz_object(r) for r in results])


def _save(results: list[FuzzResult], path: Path) -> Path:
    """Write the one event order that was found; raise UsageError where there are more, or none."""
    from fencecheck.cli.files import write
    from fencecheck.report.results.json import trace_json

    found: dict[str, tuple[Trace, Rate]] = {}
    for result in results:
        for fuzzed in result.variants:
            for rate in fuzzed.rates:
                if rate.trace is not None:
                    found[f"{fuzzed.name}: {rate.exhaustive.name}"] = (rate.trace, rate)
    if path.suffix != ".json":
        raise UsageError(f"--save {path}: write a name that ends in .json")
    if len(found) != 1:
        names = "; ".join(found) or "nothing broke in these seeds"
        raise UsageError(f"--save {path}: choose one with --variant and --property ({names})")
    ((trace, rate),) = found.values()
    found_by = f"seed {rate.seed}, shrunk from {rate.events} events"
    told = trace_json(replace(trace, found_by=found_by), path.parent)
    return write(path, told.encode("utf-8", "surrogatepass"))
