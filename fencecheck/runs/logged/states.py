"""Traces in ITF as logs: a sequence of states, with the event that led to each where it is told.

Whoever wrote the trace, its variables are those of the model by their names. What its values are
is known once there is a model (names.py): here they are kept as they were written.
"""

from __future__ import annotations

from typing import Any

from fencecheck.runs.itf.writing import ACTION, PICKS
from fencecheck.runs.logged.log import LoggedEvent, LoggedRun

PROCESS = "states"


def states_run(document: dict[str, Any], place: str, problems: list[str]) -> LoggedRun:
    """Return the run that the states of a trace tell, each as it was written."""
    states = document["states"]
    if not isinstance(states, list) or not all(isinstance(state, dict) for state in states):
        problems.append(f"{place}: states is not a list of objects")
        return LoggedRun(place, ())
    if len(states) < 2:
        problems.append(f"{place}: has {len(states)} states; a log has an event, and two states")
    events = tuple(
        LoggedEvent(
            f"{place}: states[{number}]",
            PROCESS,
            _action(state),
            state=_variables(state),
        )
        for number, state in enumerate(states[1:], 1)
    )
    return LoggedRun(place, events, start=_variables(states[0]) if states else {})


def _action(state: dict[str, Any]) -> str | None:
    action = state.get(ACTION)
    return action if isinstance(action, str) and action else None


def _variables(state: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in state.items() if k not in (ACTION, PICKS) and not k.startswith("#")}
