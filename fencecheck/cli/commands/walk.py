"""``fencecheck walk``: step through a model by hand, or through a saved run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.completion import complete_file
from fencecheck.cli.options import DesignSettings, design_options
from fencecheck.cli.running import variants_of
from fencecheck.cli.terminal import put_note
from fencecheck.cli.walking import converse
from fencecheck.errors import UsageError

if TYPE_CHECKING:
    from fencecheck.model.system import System
    from fencecheck.runs.event import Event
    from fencecheck.runs.stepping import Stepping
    from fencecheck.runs.trace import Origin, Trace
    from fencecheck.spec.files import Spec, Variant


@click.command()
@click.argument("source", metavar="SPEC|TRACE", shell_complete=complete_file)
@click.option("--variant", metavar="NAME", help="Which variant; the first where none is named.")
@design_options
def walk(source: str, variant: str | None, design: DesignSettings) -> int:
    """Step through a model by hand, or through a saved run.

    Shown are what an event changed, the messages in flight, and the events that can happen,
    numbered. One command a line, from a terminal or a pipe: a number lets that event happen, u
    undoes the last one, r restarts (r 2: in the second of several initial states), why EVENT says
    what keeps an event from happening (which part of its guard is false, with its line and the
    values in it), s FILE.json saves the run as a trace (for `draw` and `replay`), p says which
    properties hold or broke on this run, a shows every variable, q quits.

    Of a TRACE (.json, as `check --out` or `compare` saves it, or in ITF) n lets the next event
    happen, n 3 the next three; any other event may be chosen in place of it, and u goes back.

    \b
    Exit code: 0  ended with q or the end of the input
               1  a TRACE no longer fits its model: at which event, and why
               2  wrong usage, an unreadable spec, a model that goes wrong in the chosen event
    """
    if source.endswith(".json"):
        return _walk_along(source, variant, design)
    loaded = design.load_one(source)
    converse(_stepping(loaded, variants_of(loaded, variant)[0]))
    return 0


def _stepping(spec: Spec, variant: Variant) -> Stepping:
    from fencecheck.model.system import System
    from fencecheck.runs.stepping import Stepping
    from fencecheck.runs.trace import Origin

    system = System(spec.family, variant.design)
    properties = system.properties([*spec.required, *spec.reported])
    return Stepping(system, properties, Origin(spec.path, variant.name, spec.title))


# -- saved runs ---------------------------------------------------------------------------------
def _walk_along(source: str, variant: str | None, design: DesignSettings) -> int:
    """Walk along a saved run as far as it fits; return the exit code."""
    from fencecheck.runs.itf.reading import Misfit

    try:
        trace = _chosen_trace(source, variant, design)
        stepping, misfit = _following(trace, builtin_only=design.builtin_models_only)
    except Misfit as found:  # told by the reader of ITF, which runs the model
        put_note(str(found))
        converse(_along(found.system, found.origin, found.events))
        return 1
    if misfit:
        put_note(f"{source}: does not replay: {misfit}")
    converse(stepping, _ending(trace))
    return 1 if misfit else 0


def _chosen_trace(source: str, variant: str | None, design: DesignSettings) -> Trace:
    """Return the one trace of a file that the options choose."""
    from fencecheck.cli.inputs import read_traces

    for option, given in (("--set", design.mechanisms), ("--bound", design.bounds)):
        if given:
            raise UsageError(f"{option}: a trace has its own design; name a spec to change it")
    found = [
        (name, trace)
        for name, trace in read_traces(Path(source), builtin_only=design.builtin_models_only)
        if variant in (None, trace.variant)
        and (not design.properties or trace.shows.name in design.properties)
    ]
    if len(found) == 1:
        return found[0][1]
    raise UsageError(f"{source}: {_how_many(found)}; choose one with --property and --variant")


def _how_many(found: Sequence[tuple[str, Trace]]) -> str:
    names = ", ".join(name for name, _ in found)
    return f"there are {len(found)} traces ({names})" if found else "there is no such trace"


def _following(trace: Trace, *, builtin_only: bool) -> tuple[Stepping, str | None]:
    """Return the steps along a saved run as far as it fits, and why it does not fit to its end."""
    from fencecheck.model.files.loading import load_family
    from fencecheck.runs.replay import rerun

    system, again = rerun(load_family(trace.model, builtin_only=builtin_only), trace)
    return _along(system, trace.origin, again.events), again.misfit


def _along(system: System, origin: Origin, events: Sequence[Event]) -> Stepping:
    from fencecheck.runs.stepping import Stepping

    return Stepping(system, system.properties(), origin, events)


def _ending(trace: Trace) -> str:
    """Return how a saved run ends, as the end of a sentence."""
    from fencecheck.report.words.trace_words import loop_text, violation_heading

    parts = []
    if trace.violation is not None:
        parts = [violation_heading(trace), trace.violation.says]
    told = [part for part in (*parts, loop_text(trace)) if part]
    return f": {'; '.join(told)}" if told else ""
