"""``fencecheck replay``: run saved traces again on the model, event by event."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.completion import complete_file
from fencecheck.cli.options import builtin_only_option
from fencecheck.cli.terminal import put_note, put_text

if TYPE_CHECKING:
    from fencecheck.runs.trace import Trace


@click.command("replay")
@click.argument("traces", nargs=-1, required=True, metavar="TRACE...", shell_complete=complete_file)
@builtin_only_option
def replay_command(traces: tuple[str, ...], builtin_models_only: bool) -> int:
    """Run saved traces again on their model.

    They are run event by event. A TRACE is a file that `check --out` or `compare` saved, one in
    ITF that `draw` wrote, or results in JSON with the traces in them.

    \b
    Exit code: 0  every trace replays and ends as it says
               1  one no longer fits: at which event, and why
               2  an unreadable trace, or a model that cannot be loaded
    """
    from fencecheck.cli.inputs import read_traces
    from fencecheck.runs.itf.reading import Misfit

    read, code = list[tuple[str, str, "Trace"]](), 0
    for path in traces:
        try:
            found = read_traces(Path(path), builtin_only=builtin_models_only)
        except Misfit as misfit:
            put_text(str(misfit))
            code = 1
        else:
            read += [(path, *item) for item in found]
    several = len(read) > len(traces)
    codes = [
        _replay(f"{path}: {name}" if several else path, trace, builtin_models_only)
        for path, name, trace in read
    ]
    return max([code, *codes])


def _replay(name: str, trace: Trace, builtin_only: bool) -> int:
    from fencecheck.model.files.loading import load_family
    from fencecheck.report.words.outcomes import count
    from fencecheck.runs.replay import replay as run_again

    family = load_family(trace.model, builtin_only=builtin_only)
    again = run_again(family, trace)
    if again.model_changed:
        put_note(f"{name}: model {family.name} has changed since this trace was saved")
    if again.misfit:
        put_text(f"{name}: does not replay: {again.misfit}")
        return 1
    ending = f"; {trace.shows.name} is violated" if trace.verdict == "violated" else ""
    if trace.events and trace.events[-1].refused is not None:
        ending = f"; the model has not what is logged as event {len(trace.events)}"
    put_text(f"{name}: replays: {count(len(again.events), 'event')}{ending}")
    return 0
