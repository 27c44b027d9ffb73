"""``fencecheck export``: the state graph of a design, or its model, for other tools."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.commands.outside.model_files import LIMIT as MODEL_LIMIT
from fencecheck.cli.commands.outside.model_files import write_models
from fencecheck.cli.completion import complete_file
from fencecheck.cli.options import (
    DEFAULT_OUT,
    DesignSettings,
    design_options,
    format_option,
    gathered,
    out_option,
)
from fencecheck.cli.running import variants_of
from fencecheck.cli.terminal import put_bytes, put_text
from fencecheck.errors import UsageError

if TYPE_CHECKING:
    from fencecheck.model.system import System
    from fencecheck.runs.event import Event
    from fencecheck.runs.trace import Trace
    from fencecheck.spec.files import Spec, Variant

FORMATS = ("dot", "graphml")
LANGUAGES = ("murphi", "promela", "tla")
STDOUT = "-"
LIMIT = 2_000
NEAR = 1  # events from a trace to the states shown around it


@dataclass(frozen=True)
class Written:
    """What is written and where: a graph in a format, or a model; the fields are the options'."""

    form: str
    language: str | None
    out: str


@dataclass(frozen=True)
class GraphPart:
    """Which part of the graph is exported; the fields are the options' names."""

    around: str | None
    depth: int | None
    limit: int | None


@click.command()
@click.argument("spec", metavar="SPEC", shell_complete=complete_file)
@click.option("--variant", metavar="NAME", help="Which variant; the first where none is named.")
@click.option(
    "--around",
    metavar="TRACE.json",
    help="Only the states of this saved trace, whose design it is, and what lies --depth events "
    f"around them ({NEAR} without it).",
)
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="N",
    help="Only states up to N events from the initial ones, or from the trace.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Refuse a graph of more states ({LIMIT:,} without it); with --to, cut the search that "
    f"says what must come out ({MODEL_LIMIT:,}).",
)
@click.option(
    "--to",
    "language",
    type=click.Choice(LANGUAGES),
    help="Write the model itself for another checker: a folder for each variant, or for the one "
    "that is named, with a README.md that says how it is run and what must come out.",
)
@format_option(FORMATS, "dot", "DOT for Graphviz, or GraphML for graph editors.")
@design_options
@out_option("Where the file goes; - writes to stdout.", DEFAULT_OUT)
@gathered("part", GraphPart)
@gathered("written", Written)
def export(
    spec: str, variant: str | None, part: GraphPart, design: DesignSettings, written: Written
) -> int:
    """Export the state graph of a design, or models for other checkers.

    States are numbered in breadth-first order; an edge is an event. What breaks a property is
    marked, and so is the trace that the graph is around. The path of the file is printed.

    With --to the model is written instead, for Rumur (murphi), SPIN (promela) or
    TLC (tla).

    \b
    Exit code: 0  written
               2  wrong usage, an unreadable spec, more states than --limit
    """
    if written.language is not None:
        _check_whole(part, written)
        loaded = design.load_one(spec)
        variants = loaded.variants if variant is None else _chosen(loaded, variant, None)
        write_models(loaded, variants, written.language, Path(written.out), part.limit)
        return 0
    form, out = written.form, written.out
    from fencecheck.analysis.state_graph import Extent, state_graph
    from fencecheck.cli.files import check_folder, slug, write
    from fencecheck.report.words.visible import visible

    if out != STDOUT:
        check_folder(Path(out))
    loaded = design.load_one(spec)
    trace = None if part.around is None else _one_trace(part.around, design)
    chosen = _chosen(loaded, variant, trace)[0]
    system, run = _system(loaded, chosen, trace)
    depth = NEAR if trace is not None and part.depth is None else part.depth
    properties = system.properties([*loaded.required, *loaded.reported])
    try:
        graph = state_graph(system, properties, Extent(part.limit or LIMIT, depth), run)
    except UsageError as error:
        raise UsageError(f'{spec}: variant "{chosen.name}": {error}') from None
    content = visible(_content(graph, form, f"{loaded.title}: {chosen.name}")).encode()
    if out == STDOUT:
        put_bytes(content)
        return 0
    place = Path(out) / slug(Path(loaded.path or loaded.family.name).stem)
    put_text(str(write(place / f"{slug(chosen.name)}.states.{form}", content)))
    return 0


def _check_whole(part: GraphPart, written: Written) -> None:
    """Refuse what makes no sense for a model, and a folder that cannot be written."""
    from fencecheck.cli.files import check_folder

    for option, value in (("--around", part.around), ("--depth", part.depth)):
        if value is not None:
            raise UsageError(f"{option}: it is for graphs; a model is written whole with --to")
    if written.out == STDOUT:
        raise UsageError("--out -: a model is several files; name a folder")
    check_folder(Path(written.out))


def _content(graph: object, form: str, title: str) -> str:
    from fencecheck.report.results.state_graph import graph_to_dot, graph_to_graphml

    return graph_to_dot(graph, title) if form == "dot" else graph_to_graphml(graph)


def _one_trace(path: str, design: DesignSettings) -> Trace:
    from fencecheck.cli.inputs import read_traces

    traces = read_traces(Path(path), builtin_only=design.builtin_models_only)
    if len(traces) != 1:
        raise UsageError(f"--around {path}: name a file with one trace, not {len(traces)}")
    return traces[0][1]


def _chosen(spec: Spec, name: str | None, trace: Trace | None) -> list[Variant]:
    """Return the variants that can be meant: by name, of the trace, or all; the first is taken."""
    chosen = variants_of(spec, name)
    if trace is None:
        return chosen
    design = spec.family.design(trace.mechanisms, trace.bounds)
    alike = (design.mechanisms, design.bounds)
    found = [v for v in chosen if (v.design.mechanisms, v.design.bounds) == alike]
    if not found:
        raise UsageError(
            f"--around: the trace's design or bounds are not those of "
            f"{', '.join(variant.name for variant in chosen)}; see --variant, --set and --bound"
        )
    return found


def _system(spec: Spec, variant: Variant, trace: Trace | None) -> tuple[System, list[Event]]:
    """Return the design's system and the run of the trace that the graph is around."""
    from fencecheck.model.system import System
    from fencecheck.runs.replay import rerun

    if trace is None:
        return System(spec.family, variant.design), []
    system, again = rerun(spec.family, trace)
    if again.misfit:
        raise UsageError(f"--around: the trace does not replay: {again.misfit}")
    return system, again.events
