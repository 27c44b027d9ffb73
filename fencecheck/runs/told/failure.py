"""A model that goes wrong in a run: the one place that says so, with the events that lead there.

Takes a system, the run so far and the event that failed (None: the state itself, in a guard or a
property); gives the StateError to raise. Its message names variant, event, what went wrong, and
file and line; its trace is the run.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.errors import StateError
from fencecheck.model.domains import Domain, parts_of
from fencecheck.model.ordinary import in_words, place_of, place_of_error
from fencecheck.model.property import Property
from fencecheck.model.system import Args, State, System
from fencecheck.model.values import DomainError
from fencecheck.runs.event import Event, ModelWentWrong, enabled, end_of, execute, is_quiet
from fencecheck.runs.telling import tell, went_wrong
from fencecheck.runs.told.outside import outside_in_words
from fencecheck.runs.trace import Origin, Trace

Chosen = tuple[int, Args]


def model_failure(
    system: System,
    events: Sequence[Event],
    failing: Chosen | None,
    origin: Origin,
    watched: Sequence[Property] | None = None,
) -> StateError:
    """Return the error to raise where a model goes wrong after ``events``.

    It does in the event ``failing`` (action and arguments), or in the state itself if that is
    None. Of the properties those ``watched`` count, all if it is None.
    """
    why = why_wrong(system, end_of(system, events), failing, watched)
    trace = went_wrong(tell(system, events, None, origin), why)
    place = f" in {system.actions[failing[0]].name}" if failing else ""
    variant = f'variant "{origin.variant}": ' if origin.variant else ""
    message = f"{variant}model {system.family.name} goes wrong{place}: {why}"
    return StateError(f"{message}\n{_after(trace)}", trace)


def _after(trace: Trace) -> str:
    """Return the events of a run that went wrong, a line each."""
    if not trace.events:
        return "in the initial state"
    lines = [f"  {i}. {event.actor}: {event.label}" for i, event in enumerate(trace.events, 1)]
    return "\n".join(["after these events:", *lines])


def why_wrong(
    system: System,
    state: State,
    failing: Chosen | None,
    watched: Sequence[Property] | None = None,
) -> str:
    """Say what goes wrong in an event of a state, or in the state's own guards and properties.

    Of the properties those ``watched`` are evaluated, all if it is None.
    """
    watched = system.properties() if watched is None else watched
    try:
        if failing is not None:
            after = execute(system, state, *failing).after
            views = system.view(state), system.view(after)
            for prop in watched:
                prop.evaluate_event(system.actions[failing[0]], failing[1], *views)
            state = after
        _evaluate_in(system, state, watched)
    except Exception as error:
        return _told(system, error.__cause__ or error, failing)
    return "a property cannot be evaluated"


def _evaluate_in(system: System, state: State, watched: Sequence[Property]) -> None:
    """Evaluate all that is asked of one state, for the error it may raise."""
    view = system.view(state)
    for prop in watched:
        prop.evaluate_state(view)
    if is_quiet(system, state):
        for prop in watched:
            prop.evaluate_end(view)


def _told(system: System, error: BaseException, failing: Chosen | None) -> str:
    """Return an error in words, with the variable and the place in the model's file."""
    if isinstance(error, ModelWentWrong) and failing is not None:
        said, place = str(error), place_of(system.actions[failing[0]].effect)
    else:
        said, place = outside_in_words(error) or in_words(error), place_of_error(error)
    if isinstance(error, DomainError):
        said = f"{_holder(system, error.domain)}{error}"
    place = place.removesuffix(": ")
    return f"{said} ({place})" if place else said


def _holder(system: System, domain: Domain | None) -> str:
    """Return the variable with a domain, or with a container of it, as ``name: ``."""
    for name, own in zip(system.names, system.domains, strict=True):
        if domain is not None and any(part is domain for part in parts_of(own)):
            return f"{name}: "
    return ""


def failing_event(system: System, events: Sequence[Event]) -> Chosen | None:
    """Return the first event that goes wrong behind a run; None if it is the state itself."""
    state = end_of(system, events)
    for chosen in enabled(system, state):
        try:
            execute(system, state, *chosen)
        except ModelWentWrong:
            return chosen
    return None
