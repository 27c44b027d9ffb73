"""``fencecheck drive``: drive an implementation through the event orders of its model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fencecheck.cli.commands.check import FORMATS, OPEN, put_whole, save, whole
from fencecheck.cli.completion import complete_file
from fencecheck.cli.option_types import Amount, SearchCommand, SearchOption
from fencecheck.cli.options import (
    MODEL,
    DesignSettings,
    builtin_only_option,
    cluster_option,
    format_option,
    gathered,
    out_option,
    quiet_option,
    with_options,
)
from fencecheck.cli.output import Output
from fencecheck.cli.pages import open_option, show_page
from fencecheck.cli.progress import Progress
from fencecheck.cli.running import choose_variants, results_name
from fencecheck.cli.terminal import paint, put_text, screen_width
from fencecheck.errors import UsageError
from fencecheck.explore.amounts import bytes_of, seconds_of
from fencecheck.model.declaring.any_number import HowMany

if TYPE_CHECKING:
    from fencecheck.analysis.driving.drive import Manner
    from fencecheck.checking.results import Result
    from fencecheck.spec.files import Spec


@dataclass(frozen=True)
class DriveSettings:
    """What the command was told about how to drive; the fields are the options' names."""

    variants: tuple[str, ...]
    by: str | None
    cover: str
    walks: int
    seed: int
    run: str | None
    event_timeout: float
    counterexamples: int
    strict: bool
    max_states: int | None
    max_memory: int | None
    timeout: float | None
    cluster: str | None
    mechanisms: tuple[tuple[str, str], ...]
    bounds: tuple[tuple[str, HowMany], ...]
    builtin_models_only: bool

    def load(self, path: str) -> Spec:
        """Read the spec, with the variants that are asked for."""
        settings = DesignSettings(self.mechanisms, self.bounds, (), self.builtin_models_only)
        spec = settings.load_one(path)
        choose_variants([spec], self.variants)
        return spec

    def manner(self) -> Manner:
        """Return how to drive; reads the trace that --run names."""
        from fencecheck.analysis.driving.drive import Manner
        from fencecheck.checking.question import cluster_at
        from fencecheck.cli.inputs import read_traces
        from fencecheck.explore.graph import Limits

        trace = None
        if self.run is not None:
            traces = read_traces(Path(self.run), builtin_only=self.builtin_models_only)
            if len(traces) != 1:
                raise UsageError(f"--run {self.run}: it holds {len(traces)} traces; name one")
            ((_, trace),) = traces
        if trace is not None and self.cluster is not None:
            raise UsageError("--run: one event order is not divided; leave out --cluster")
        limits = Limits(states=self.max_states, memory=self.max_memory, seconds=self.timeout)
        return Manner(
            self.by,  # type: ignore[arg-type]
            self.cover,  # type: ignore[arg-type]
            self.walks,
            self.seed,
            seconds=self.event_timeout,
            most=self.counterexamples,
            strict=self.strict,
            limits=limits,
            trace=trace,
            elsewhere=cluster_at(self.cluster),
        )


@dataclass(frozen=True)
class DriveOutput(Output):
    """How results are shown; there is no earlier run to compare with."""

    baseline: str | None = None


def _options(command: Any) -> Any:
    """Give the command what says how to drive."""
    seconds, size = Amount("time", seconds_of), Amount("memory", bytes_of)
    options: Sequence[Any] = (
        click.option("--variant", "variants", metavar="NAME", multiple=True,
                     help="Only this variant; repeatable. Without it, every variant."),
        click.option("--by", type=click.Choice(["lockstep", "runs", "walks"]),
                     help="lockstep: every event order, of an adapter that can be saved; runs: "
                     "from a fresh adapter, covering what --cover says; walks: random runs. "
                     "Without it lockstep, or runs where it cannot be saved."),
        click.option("--cover", type=click.Choice(["events", "pairs", "seen", "all"]),
                     default="seen", show_default=True,
                     help="What runs cover: events with their arguments and outcomes, pairs of "
                     "such, transitions that an implementation can tell apart, every transition."),
        click.option("--walks", type=click.IntRange(1), default=1_000, show_default=True,
                     metavar="N", help="How many walks are made."),
        click.option("--seed", type=click.IntRange(0), default=1, show_default=True, metavar="N",
                     help="The first seed of walks: the runs that fencecheck fuzz makes of it."),
        click.option("--run", metavar="TRACE.json",
                     help="Drive one saved trace: a counterexample, a divergence, a witness."),
        click.option("--list", "listing", is_flag=True,
                     help="Print what an adapter for the design has to have; drive nothing."),
        click.option("--event-timeout", type=seconds, default="10s", show_default=True,
                     metavar="TIME", help="How long a call may take before it is a divergence."),
        click.option("--counterexamples", type=click.IntRange(1), default=10, show_default=True,
                     metavar="K", help="How many divergences are told, each of its own kind."),
        click.option("--strict", is_flag=True,
                     help="Exit with 1 where an event or an outcome of the design never happened."),
        click.option("--max-states", cls=SearchOption, type=click.IntRange(min=1), metavar="N",
                     help="Cut where N states, or pairs of states, are reached."),
        click.option("--timeout", cls=SearchOption, type=seconds, metavar="TIME",
                     help="Cut everything after this time: 90s, 10m, 1h30m."),
        click.option("--max-memory", cls=SearchOption, type=size, metavar="SIZE",
                     help="Cut before the process takes more than this: 500M, 8G."),
        cluster_option("Drive in the processes of a Ray cluster",
                       "Runs and walks are shared out; of lockstep, the variants."),
    )  # fmt: skip
    return with_options(command, (*MODEL, *options, builtin_only_option))


@click.command("drive", cls=SearchCommand)
@click.argument("spec", metavar="SPEC", shell_complete=complete_file)
@click.argument("adapter", metavar="ADAPTER", required=False, shell_complete=complete_file)
@_options
@gathered("chosen", DriveSettings)
@gathered("output", DriveOutput)
@format_option(FORMATS, "text", "How results are printed.")
@out_option(
    "Also write the results and each divergence (trace JSON, DOT, SVG, PNG) to this folder; "
    "without it nothing is written.",
    None,
)
@open_option(OPEN)
@quiet_option
def drive_command(
    spec: str,
    adapter: str | None,
    chosen: DriveSettings,
    listing: bool,
    output: DriveOutput,
) -> int:
    """Drive an implementation through the event orders of SPEC.

    ADAPTER is FILE.py:Class or package.module:Class, a class that inherits from
    fencecheck.conform.Adapter; it is executed. After every event, what can be seen of the
    implementation must be what the model says. Where it is not, the divergence is a trace: the
    event order, with what was observed beside its last event.

    \b
    Exit code: 0  it conforms, in the event orders that were tried
               1  it diverges, or with --strict something never happened
               2  wrong usage, a spec or an adapter that cannot be read
               3  undetermined: a limit was reached before an answer
    """
    loaded = chosen.load(spec)
    if listing:
        put_text(_listed(loaded, chosen, output.form))
        return 0
    if adapter is None:
        raise UsageError(
            "name an adapter: FILE.py:Class or package.module:Class; --list says what it has to "
            "have"
        )
    if output.out is not None:
        from fencecheck.cli.files import check_folder

        check_folder(Path(output.out))
    result = _drive(loaded, adapter, chosen.manner(), output.quiet)
    _put(result, output)
    return result.exit_code


def _drive(spec: Spec, adapter: str, manner: Manner, quiet: bool) -> Result:
    from fencecheck.analysis.driving.drive import drive_spec
    from fencecheck.conform.loading import load_adapter

    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        kind = load_adapter(adapter)
    finally:
        sys.dont_write_bytecode = before
    progress = Progress(quiet)
    try:
        return drive_spec(spec, (adapter, kind), manner, progress.say)
    finally:
        progress.clear()


def _put(result: Result, output: DriveOutput) -> None:
    """Print the result, write what --out asks for, open the page."""
    form, quiet = output.form, output.quiet
    if form == "text":
        from fencecheck.report.results.text import render_text

        put_text(render_text(result, width=screen_width(), paint=paint, orders=not quiet))
    else:
        put_whole([result], output, False)
    if output.out is not None:
        folder = Path(output.out)
        text = whole([result], form, quiet=quiet, array=False, folder=folder)
        save([result], folder, form, text, quiet=quiet)

    def page() -> str:
        return whole([result], "html", quiet=quiet, array=False)

    show_page(page, output.out, results_name("html"))


def _listed(spec: Spec, chosen: DriveSettings, form: str) -> str:
    """Return what an adapter has to have, for each variant."""
    from fencecheck.analysis.driving.drive import survey_of
    from fencecheck.explore.graph import Limits
    from fencecheck.report.results.surface import surface_json, surface_text

    limits = Limits(states=chosen.max_states, memory=chosen.max_memory, seconds=chosen.timeout)
    found = [(v.name, survey_of(spec, v, limits)) for v in spec.variants]
    if form not in ("text", "json"):
        raise UsageError(f"--list: --format {form} does not list; take text or json")
    return surface_json(spec, found) if form == "json" else surface_text(spec, found)
