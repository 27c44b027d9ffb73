"""``fencecheck draw``: diagrams of saved traces, or of what breaks in a spec."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from fencecheck.cli.completion import complete_file
from fencecheck.cli.diagrams import Named, name_traces, write_diagrams
from fencecheck.cli.option_types import SearchCommand
from fencecheck.cli.options import (
    DEFAULT_OUT,
    SearchSettings,
    gathered,
    out_option,
    quiet_option,
    search_options,
)
from fencecheck.cli.pages import is_opened, open_file, open_option
from fencecheck.cli.progress import Progress
from fencecheck.cli.running import choose_variants
from fencecheck.cli.terminal import put_bytes, put_note, put_text
from fencecheck.errors import UsageError, check_names
from fencecheck.report.formats import FORMATS, drawing

if TYPE_CHECKING:
    from fencecheck.report.words.outcomes import Outcome
    from fencecheck.spec.files import Spec

STDOUT = "-"


@dataclass(frozen=True)
class Selection:
    """Which diagrams are drawn, and how; the fields are the options' names."""

    variants: tuple[str, ...]
    scenarios: tuple[str, ...]
    forms: tuple[str, ...]


@click.command(cls=SearchCommand)
@click.argument(
    "sources", nargs=-1, required=True, metavar="TRACE|SPEC...", shell_complete=complete_file
)
@search_options
@click.option(
    "--variant", "variants", metavar="NAME", multiple=True, help="Only this variant; repeatable."
)
@click.option(
    "--scenario",
    "scenarios",
    metavar="NAME",
    multiple=True,
    help="Draw this scripted order of a SPEC, for each variant, and explore nothing; repeatable.",
)
@click.option(
    "--format",
    "forms",
    type=click.Choice(FORMATS),
    multiple=True,
    default=("svg",),
    show_default=True,
    help="What to write; repeatable. PDF needs an installed Graphviz; itf is the Informal Trace "
    "Format of other checkers, for which the trace is run on its model.",
)
@out_option("Where the files go; - writes one diagram to stdout.", DEFAULT_OUT)
@open_option("Open the first of the pages in the browser; adds the format html.")
@quiet_option
@gathered("choice", Selection)
def draw(
    sources: tuple[str, ...],
    search: SearchSettings,
    choice: Selection,
    out: str,
    quiet: bool,
) -> int:
    """Draw counterexamples as swim lanes.

    A TRACE (.json) is a trace that `check --out` or `compare` saved, or results in JSON: each
    counterexample in them is drawn. A SPEC (.toml, or a folder) is checked, and each
    counterexample is drawn. --property and --variant choose among them. The paths of the files
    are printed.

    \b
    Exit code: 0  drawn, or there is nothing to draw since nothing breaks
               2  wrong usage, an unreadable file, no renderer, an error in a model (what there is
                  to draw is drawn all the same)
               3  nothing drawn, and a search was cut before an answer
    """
    from fencecheck.cli.files import check_folder

    if out != STDOUT:
        check_folder(Path(out))
    named = _saved([s for s in sources if _is_trace(s)], search, choice)
    specs = [s for s in sources if not _is_trace(s)]
    code = 0
    if specs:
        chosen = choose_variants(search.load(specs), choice.variants)
        if choice.scenarios:
            found, code = _scripted(chosen, choice.scenarios)
        else:
            found, code = _explored(chosen, search)
        named += found
    if not named and code == 2:
        return code
    if not named:
        put_note(
            "nothing to draw: "
            + ("a search was cut before an answer" if code else "nothing breaks")
        )
        return code
    if out == STDOUT and is_opened():
        raise UsageError("--open: a page that is opened is a file; leave out --out -")
    if out == STDOUT:
        _put_one(named, choice.forms)
        return _ended(code)
    forms, progress = _forms(choice.forms), Progress(quiet)
    try:
        written = write_diagrams(_once(named), forms, Path(out), progress.say)
    finally:
        progress.clear()
    put_text("\n".join(str(path) for path in written))
    if is_opened():
        open_file(next(path for path in written if path.suffix == ".html"))
    return _ended(code)


def _forms(asked: Sequence[str]) -> tuple[str, ...]:
    """Return the formats to write, each once: those asked for, and the page that is opened."""
    given = click.get_current_context().get_parameter_source("forms")
    if is_opened() and given is ParameterSource.DEFAULT:
        return ("html",)
    return tuple(dict.fromkeys([*asked, *(["html"] if is_opened() else [])]))


def _ended(code: int) -> int:
    """Return the exit code where something was drawn: a cut search does not matter then."""
    return 2 if code == 2 else 0


def _is_trace(source: str) -> bool:
    return source.endswith(".json")


def _saved(paths: Sequence[str], search: SearchSettings, choice: Selection) -> list[Named]:
    """Return the traces of files that the options choose."""
    from fencecheck.cli.inputs import read_traces

    properties, variants = search.properties, choice.variants
    builtin = search.builtin_models_only
    read = [item for path in paths for item in read_traces(Path(path), builtin_only=builtin)]
    every = [Named(*item) for item in read]
    if "itf" in choice.forms:
        _check_models(every, builtin)
    if every:
        check_names("--property {}:", properties, [n.trace.shows.name for n in every])
        check_names("--variant {}:", variants, [n.trace.variant for n in every if n.trace.variant])
    return [
        item
        for item in every
        if (not properties or item.trace.shows.name in properties)
        and (not variants or item.trace.variant in variants)
    ]


def _check_models(named: Sequence[Named], builtin_only: bool) -> None:
    """Load the models of traces, on which they are run; refuse those that must not be."""
    from fencecheck.model.files.loading import load_family

    for item in named:
        load_family(item.trace.model, builtin_only=builtin_only)


def _scripted(specs: Sequence[Spec], scenarios: Sequence[str]) -> tuple[list[Named], int]:
    """Return the runs of scripted orders, for each variant, and 2 where words go wrong."""
    from fencecheck.model.ordinary import noting_faults

    known = [scenario.name for spec in specs for scenario in spec.scenarios]
    if not known:
        raise UsageError(f"--scenario {scenarios[0]}: no scripted order is in these specs")
    check_names("--scenario {}:", scenarios, known)
    with noting_faults() as faults:
        named = [item for spec in specs for item in _runs(spec, scenarios)]
    for fault in faults:
        put_note(f"error: {fault}")
    return named, 2 if faults else 0


def _runs(spec: Spec, scenarios: Sequence[str]) -> Iterator[Named]:
    """Yield the runs of a spec's scripted orders, for each variant."""
    from fencecheck.analysis.compare.scenario import run_scenario
    from fencecheck.cli.files import slug

    folder = slug(Path(spec.path or spec.family.name).stem)
    for variant in spec.variants:
        for scenario in spec.scenarios:
            if scenario.name in scenarios and scenario.is_for(variant):
                cell = run_scenario(spec, variant, scenario)
                name = f"{folder}/{slug(variant.name)}.{slug(scenario.name)}"
                yield Named(name, cell.trace)


def _explored(specs: list[Spec], search: SearchSettings) -> tuple[list[Named], int]:
    """Return the counterexamples of specs, and 2 or 3 where an outcome is missing."""
    from fencecheck.cli.running import run_specs, worst

    outcomes = run_specs(specs, search, quiet=True)
    return name_traces(outcomes), worst([0, *(_gap(outcome) for outcome in outcomes)])


def _gap(outcome: Outcome) -> int:
    """Return 2 for a model that went wrong, 3 where a verdict is missing, else 0."""
    variants = getattr(outcome, "variants", None)
    if variants is None or any(variant.error is not None for variant in variants):
        return 2
    open_ = any(f.verdict == "undetermined" for v in variants for f in v.findings)
    return 3 if open_ else 0


def _once(named: Sequence[Named]) -> list[Named]:
    """Return the traces with names that differ."""
    from fencecheck.report.words.taken import TakenNames

    names = TakenNames()
    return [Named(names.take(item.name), item.trace) for item in named]


def _put_one(named: Sequence[Named], forms: Sequence[str]) -> None:
    if len(named) != 1 or len(forms) != 1:
        names = ", ".join(item.name for item in named)
        raise UsageError(
            f"--out -: needs one diagram in one format, there are {len(named)} ({names}) in "
            f"{', '.join(forms)}; choose with --property, --variant and --format"
        )
    put_bytes(drawing(named[0].trace, forms[0]))
