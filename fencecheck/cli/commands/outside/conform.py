"""``fencecheck conform``: explain logs of real runs by the designs of a spec."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fencecheck.cli.commands.check import FORMATS, put_whole, save, whole
from fencecheck.cli.completion import complete_file
from fencecheck.cli.option_types import Amount, SearchCommand, SearchOption, Share
from fencecheck.cli.options import (
    DesignSettings,
    design_options,
    format_option,
    gathered,
    out_option,
    with_options,
)
from fencecheck.cli.output import Output
from fencecheck.cli.progress import Progress
from fencecheck.cli.running import choose_variants
from fencecheck.cli.terminal import paint, put_text, screen_width
from fencecheck.errors import UsageError
from fencecheck.explore.amounts import seconds_of, short_seconds_of

if TYPE_CHECKING:
    from fencecheck.analysis.explaining.conform import Explaining
    from fencecheck.checking.results import Result
    from fencecheck.runs.logged.reading import LogReading


@dataclass(frozen=True)
class LogSettings:
    """How logs are read and explained; the fields are the options' names."""

    variants: tuple[str, ...]
    map_file: str | None
    reader: str | None
    hidden: tuple[str, ...]
    one_run: bool
    clock_skew: float | None
    unlogged: int
    missing: tuple[int, float]
    max_states: int | None
    timeout: float | None
    strict: bool

    def reading(self, *, builtin_only: bool) -> LogReading:
        """Return how logs are read; raises an error for a map or reader that cannot be."""
        from fencecheck.runs.logged.mapping import read_map
        from fencecheck.runs.logged.reader import load_reader
        from fencecheck.runs.logged.reading import LogReading

        if self.map_file is not None and self.reader is not None:
            raise UsageError("--map and --reader: one of them says which records are events")
        if self.reader is not None and builtin_only:
            raise UsageError(f"--reader {self.reader}: --builtin-models-only refuses to run it")
        return LogReading(
            None if self.map_file is None else read_map(Path(self.map_file)),
            None if self.reader is None else load_reader(self.reader),
            self.one_run,
            frozenset(self.hidden),
        )

    def explaining(self, properties: tuple[str, ...], told: Callable[[str], None]) -> Explaining:
        """Return how logs are explained."""
        from fencecheck.analysis.explaining.conform import MOST_PAIRS, Explaining
        from fencecheck.analysis.explaining.setting import MissingEvents, Supposing

        return Explaining(
            Supposing(self.unlogged, MissingEvents(*self.missing)),
            self.clock_skew,
            self.max_states or MOST_PAIRS,
            self.timeout,
            properties,
            self.strict,
            told,
        )


@dataclass(frozen=True)
class ConformOutput(Output):
    """How ``conform`` was told to show results; there is no earlier run to compare with."""

    baseline: str | None = None


LOG_OPTIONS = (
    click.option(
        "--variant", "variants", metavar="NAME", multiple=True,
        help="Only this variant; repeatable.",
    ),
    click.option(
        "--map", "map_file", metavar="FILE.toml",
        help="Which records of a foreign log are which events. OTLP needs none where span events "
        "are named as in the model.",
    ),
    click.option(
        "--reader", metavar="FILE.py:FUNCTION",
        help="A function that makes an event of the log format, or None, of one record.",
    ),
    click.option(
        "--hidden", metavar="EVENT", multiple=True,
        help="An event, or an actor, that no log has although others of its actor are logged; "
        "repeatable.",
    ),
    click.option(
        "--one-run", is_flag=True,
        help="The files are one run together, such as one for each process.",
    ),
    click.option(
        "--clock-skew", type=Amount("time", short_seconds_of), metavar="TIME",
        help="Let wall clocks order events that are further apart than this: 50ms, 2s.",
    ),
    click.option(
        "--unlogged", type=click.IntRange(0), default=2, show_default=True, metavar="N",
        help="How much of each interference that is not logged may be supposed.",
    ),
    click.option(
        "--missing", type=Share(), default="0", show_default=True, metavar="N|P%",
        help="How many events that are usually logged may be missing: a number, or a share.",
    ),
    click.option(
        "--max-states", cls=SearchOption, type=click.IntRange(1), metavar="N",
        help="Pairs of state and place in the log after which a run is undetermined "
        "[default: 1000000].",
    ),
    click.option(
        "--timeout", cls=SearchOption, type=Amount("time", seconds_of), metavar="TIME",
        help="Cut the search of a run after this time: 90s, 10m.",
    ),
    click.option(
        "--strict", is_flag=True,
        help="Fail where an event or an outcome of the design is in no run.",
    ),
)  # fmt: skip


def _log_options(command: Callable[..., Any]) -> Callable[..., Any]:
    return with_options(command, LOG_OPTIONS)


@click.command("conform", cls=SearchCommand)
@click.argument("spec", metavar="SPEC", shell_complete=complete_file)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", shell_complete=complete_file)
@design_options
@_log_options
@format_option(FORMATS, "text", "How results are printed.")
@out_option(
    "Also write the results, and for each run its explanation, or what keeps it from one, as a "
    "trace with pictures.",
    None,
)
@click.option("--quiet", is_flag=True, help="No event orders, and no progress.")
@gathered("chosen", LogSettings)
@gathered("output", ConformOutput)
def conform_command(
    spec: str,
    logs: tuple[str, ...],
    design: DesignSettings,
    chosen: LogSettings,
    output: ConformOutput,
) -> int:
    """Tell whether a design explains logs of real runs.

    A LOG is JSON lines in the log format (specs/README.md), a trace in ITF, or OTLP in JSON. A run
    is explained if some behaviour of the design has its events, in an order that the log allows,
    with events in between that are not logged. Of a run that is not, told are the events that no
    behaviour has next, why, what the model allows instead, and the least addition that would
    explain it. Properties are judged on what happened: one is broken where no explanation keeps
    it. Sizes are those of the spec.

    \b
    Exit code: 0  every run is explained
               1  one is not, or a property named with --property is broken by one
               2  a mistake in the input: a log that is empty, or without an event of the model
               3  undetermined: a limit was reached before an answer
    """
    from fencecheck.analysis.explaining.conform import conform_spec
    from fencecheck.runs.logged.reading import read_logs

    (loaded,) = choose_variants([design.load_one(spec)], chosen.variants)
    reading = chosen.reading(builtin_only=design.builtin_models_only)
    found = read_logs([Path(log) for log in logs], reading)
    progress = Progress(output.quiet)
    try:
        how = chosen.explaining(design.properties, progress.say)
        result = conform_spec(loaded, found, how)
    finally:
        progress.clear()
    _show(result, output)
    return result.exit_code


def _show(result: Result, output: Output) -> None:
    from fencecheck.report.logs.text import logs_text

    form, quiet = output.form, output.quiet
    if form == "text":
        text = logs_text(result, width=screen_width(), paint=paint, orders=not quiet)
        put_text(text)
    else:
        put_whole([result], output, array=False)
    if output.out is not None:
        folder = Path(output.out)
        if form == "text":
            told = logs_text(result, orders=not quiet)
        else:
            told = whole([result], form, quiet=quiet, array=False, folder=folder)
        save([result], folder, form, told, quiet=quiet)
