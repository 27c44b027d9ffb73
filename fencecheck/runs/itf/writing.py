"""A trace as an object of the Informal Trace Format: the states of its run, and what led to each.

Takes a trace, whose model is loaded and on which it is run again. States hold all variables of
the model by their names; ``mbt::actionTaken`` is the event that led to a state and
``mbt::nondetPicks`` its arguments, as model-based testing expects them. What a trace says beside
its states (model, design, property) is in ``#meta``, so that reading.py gives the trace back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fencecheck.errors import TraceError
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event
from fencecheck.runs.itf.values import NONE, itf_argument, itf_some, to_itf
from fencecheck.runs.replay import rerun
from fencecheck.runs.told.concrete import concrete_run
from fencecheck.runs.trace import Trace
from fencecheck.runs.trace_json import trace_object

FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"
ITF = "fencecheck/itf/1"
ACTION, PICKS = "mbt::actionTaken", "mbt::nondetPicks"
BEGINNING = "init"
HEAD = (
    "fencecheck", "model", "model_name", "model_hash", "spec", "variant", "title", "mechanisms",
    "bounds", "property", "verdict", "relevant", "found_by",
)  # fmt: skip


def itf_object(trace: Trace, folder: Path | None = None) -> dict[str, Any]:
    """Return a trace as an object of ITF, for a file in ``folder`` if that is given.

    Raises TraceError where it does not replay, and ModelError where its model cannot be loaded.
    """
    system, again = rerun(load_family(trace.model), trace)
    if again.misfit:
        raise TraceError(f"{trace.title or trace.name}: does not replay: {again.misfit}")
    run = concrete_run(system, again.events)
    steps = [(system.actions[event.action].name, _picks(system, event)) for event in run]
    names = sorted({name for _, picks in steps for name in picks})
    states = [system.initial, *(event.after for event in run)]
    led = zip(states, [(BEGINNING, {}), *steps], strict=True)
    told = {
        "#meta": _meta(trace, folder),
        "vars": [*system.names, ACTION, PICKS],
        "states": [_state(system, i, state, step, names) for i, (state, step) in enumerate(led)],
    }
    loop = _loop(trace)
    return told if loop is None else {**told, "loop": loop}


def _loop(trace: Trace) -> int | None:
    """Return the state from which what follows the last one goes round."""
    if trace.onward:
        return None if trace.onward_loop is None else len(trace.events) + trace.onward_loop
    return trace.loop_start


def _meta(trace: Trace, folder: Path | None) -> dict[str, Any]:
    whole = trace_object(trace, folder)
    head = {name: whole[name] for name in HEAD if name in whole}
    if trace.violation is not None:
        head["says"] = trace.violation.says
    return {
        "schema": ITF,
        "format": "ITF",
        "format-description": FORMAT,
        "description": f"written by fencecheck {trace.version}",
        "source": whole["spec"] or whole["model"],
        "fencecheck": {**head, "events": len(trace.events)},
    }


def _picks(system: System, event: Event) -> dict[str, Any]:
    whole = system.exact_args(event.action, event.args)
    return {name: itf_argument(value) for name, value in whole.items()}


def _state(
    system: System, number: int, state: State, step: tuple[str, dict[str, Any]], names: list[str]
) -> dict[str, Any]:
    """Return a state with the step that led to it: the event and its arguments among ``names``."""
    variables, (action, picks) = zip(system.names, system.domains, state, strict=True), step
    return {
        "#meta": {"index": number},
        **{name: to_itf(domain, value) for name, domain, value in variables},
        ACTION: action,
        PICKS: {name: itf_some(picks[name]) if name in picks else NONE for name in names},
    }
