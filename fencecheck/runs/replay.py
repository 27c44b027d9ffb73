"""Replay: a trace run again on its model, event by event.

Says at which event, and why, it no longer fits. Evidence is told and replayed in one step
(``told_and_replayed``): what does not replay is never shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencecheck.errors import InternalError, nearest
from fencecheck.model.ask.questions import question
from fencecheck.model.family import Design, Family
from fencecheck.model.files.identity import model_hash
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.event import (
    MODEL_ERRORS,
    Event,
    ModelWentWrong,
    choices,
    end_of,
    execute,
    start_of_run,
)
from fencecheck.runs.logged.fields import read_refused
from fencecheck.runs.logged.fitting import can_be
from fencecheck.runs.refutation import misfit_of
from fencecheck.runs.telling import tell
from fencecheck.runs.told.concrete import concrete_event, concrete_run
from fencecheck.runs.told.differences import difference_of, unlike
from fencecheck.runs.told.observed import differences_of
from fencecheck.runs.told.teller import Teller
from fencecheck.runs.trace import Observed, Origin, Trace, TracedEvent

_TRIES = 20_000  # events that are tried where a trace does not say which of several it tells of


@dataclass(frozen=True)
class Replay:
    """The outcome of a replay: ``misfit`` says at which event and why it no longer fits."""

    events: list[Event]
    misfit: str | None
    model_changed: bool


def replay(family: Family, trace: Trace, capacity: Design | None = None) -> Replay:
    """Run a trace again, event by event; ``capacity`` is as for System.

    A trace identifies its events whole (``exact``). Where it does not, as in older ones, several
    events of a state may look like the one told of: then each is tried, and the trace replays if
    one of these runs does.

    Raises DesignError if the trace's design is unknown to the model.
    """
    design = family.design(trace.mechanisms, trace.bounds)
    return _on(System(family, design, capacity, [trace.shows.name]), trace)


def rerun(family: Family, trace: Trace) -> tuple[System, Replay]:
    """Run all events of a trace again, the way on included, whatever they amount to.

    The system is that of its design, in the initial state in which it begins.
    """
    plain = replace(trace, events=trace.all_events, onward=(), verdict="error", loop_start=None)
    again = replay(family, plain)
    system = System(family, family.design(trace.mechanisms, trace.bounds))
    return system.starting(start_of_run(system, again.events)), again


def _on(system: System, trace: Trace) -> Replay:
    """Run a trace again on the system of its design."""
    if trace.events and trace.events[-1].refused is not None:
        return _up_to_refused(system, trace, trace.events[-1].refused)
    changed = trace.model_hash != model_hash(system.family)
    outcomes = [_replayed_from(system.starting(state), trace) for state in _starts(system, trace)]
    if not outcomes:
        return Replay([], "no initial state of the model is the one it begins in", changed)
    search = min(outcomes, key=lambda found: (found.misfit is not None, -len(found.best)))
    return Replay(search.best, search.misfit, changed)


def _up_to_refused(system: System, trace: Trace, said: Mapping[str, Any]) -> Replay:
    """Run a trace again whose last event is one of a log, which the model must not have."""
    before = replace(trace, events=trace.events[:-1], verdict="witness", violation=None)
    again = _on(system, before)
    if again.misfit is None:
        system = system.starting(start_of_run(system, again.events))
        concrete = concrete_run(system, again.events)
        states = end_of(system, again.events), end_of(system, concrete)
        event, bound, _ = read_refused(said, "the trace")
        if can_be(system, states, event, bound):
            misfit = f"event {len(trace.events)}: the model has it, though the log's was refused"
            return replace(again, misfit=misfit)
    return again


def _starts(system: System, trace: Trace) -> list[State]:
    """Return the initial states that a trace may begin in: that of the model, where it has one."""
    if len(system.initials) == 1:
        return list(system.initials)
    teller, told = Teller(system), dict(trace.initial)
    return [state for state in system.initials if teller.initial(state) == told]


def _replayed_from(system: System, trace: Trace) -> _Replaying:
    """Search for a run from the initial state of ``system`` that fits a trace."""
    search = _Replaying(system, trace)
    if search.run() and trace.onward:
        search.misfit = _misfit_onward(system, trace)
    return search


def told_and_replayed(
    system: System,
    events: Sequence[Event],
    prop: Property | None,
    origin: Origin,
    loop_start: int | None = None,
) -> Trace:
    """Return the trace of a run, which breaks ``prop`` if that is given.

    Raises InternalError where it does not replay.
    """
    return replayed(system, tell(system, events, prop, origin, loop_start))


def replayed(system: System, trace: Trace) -> Trace:
    """Return a trace of a system that was just told; raises InternalError if it does not replay."""
    again = _on(system, trace)
    if again.misfit:
        violated = trace.verdict == "violated"
        what = f"the counterexample of {trace.shows.name}" if violated else trace.title
        raise InternalError(
            f"{what} does not replay ({again.misfit}); "
            "this is a bug of fencecheck: please report it with the spec"
        )
    return trace


def _misfit_onward(system: System, trace: Trace) -> str | None:
    """Return why the way on from the end of a run does not fit."""
    whole = _Replaying(system, replace(trace, events=trace.all_events, verdict="witness"))
    if not whole.run() or trace.onward_loop is None:
        return whole.misfit
    loop_start = end_of(system, whole.best[: len(trace.events) + trace.onward_loop])
    named = system.identified
    closed = named(loop_start) == named(end_of(system, whole.best))
    return None if closed else "its way on does not come back to where it started"


class _Replaying:
    """A search for a run that fits a trace: depth first, in the order of the model.

    ``best`` is the run that fits; where none does, the longest that was found, with ``misfit``.
    """

    def __init__(self, system: System, trace: Trace) -> None:
        self.system, self.trace = system, trace
        self.teller = Teller(system)
        self.best: list[Event] = []
        self.misfit: str | None = None
        prop = system.family.properties.get(trace.shows.name)
        # What a run refutes may depend on more than its end; then no state is left out.
        lasting = prop is not None and prop.temporal
        self._seen: set[tuple[int, State]] | None = None if lasting else set()

    def run(self) -> bool:
        """Find the run; tell whether there is one."""
        events: list[Event] = []
        states = [self.system.initial]  # of the run in which nothing is forgotten
        open_ = [self._candidates(events, states[-1])]
        for _ in range(_TRIES + len(self.trace.events)):
            found = next(open_[-1], None)
            while found is None:
                open_.pop()
                if not open_:
                    return not self.trace.events and self._ends([])
                events, states = events[:-1], states[:-1]
                found = next(open_[-1], None)
            events, states = [*events, found[0]], [*states, found[1]]
            if len(events) == len(self.trace.events) and self._ends(events):
                return True
            open_.append(self._candidates(events, states[-1]))
        return False

    def _ends(self, events: list[Event]) -> bool:
        try:
            misfit = _ending(self.system, events, self.trace)
        except MODEL_ERRORS as error:
            misfit = f"what it shows cannot be told at its end: {type(error).__name__}: {error}"
        self._note(events, misfit)
        return misfit is None

    def _note(self, events: list[Event], misfit: str | None) -> None:
        """Keep the first of the longest runs, and why it does not fit."""
        if misfit is None or self.misfit is None or len(events) > len(self.best):
            self.best, self.misfit = events, misfit

    def _candidates(self, events: list[Event], concrete: State) -> Iterator[tuple[Event, State]]:
        """Yield the events that fit the trace after ``events``, and the concrete states after."""
        if len(events) == len(self.trace.events):
            return
        told, state = self.trace.events[len(events)], end_of(self.system, events)
        if self._seen is not None:
            if (len(events), state) in self._seen:
                return
            self._seen.add((len(events), state))
        fitting, why = _fitting(self.teller, (state, concrete), told)
        if not fitting:
            self._note(events, f"event {len(events) + 1}: {why}")
        yield from fitting


def _fitting(
    teller: Teller, states: tuple[State, State], told: TracedEvent
) -> tuple[list[tuple[Event, State]], str]:
    """Return the events of a state that a trace can tell of, and why there is none.

    Also given is the state when nothing is forgotten; so are the states that the events lead to.
    """
    system, (state, concrete) = teller.system, states
    words = f"{told.name}({', '.join(f'{k}={v}' for k, v in told.args.items())})"
    names = [action.name for action in system.actions]
    if told.name not in names:
        return [], f"the model has no event {told.name}{nearest(told.name, names)}"
    found, differences = list[tuple[Event, State]](), list[str]()
    try:
        enabled = choices(system, state)
    except ModelWentWrong as error:
        return [], f"what is possible there cannot be told: {error}"
    for action, args in enabled:
        if system.actions[action].name != told.name:
            continue
        alike = system.shown_args(action, args) == dict(told.args)
        exact = system.exact_args(action, args)
        if not alike and (told.exact is None or unlike(exact, told.exact)):
            continue
        event, why = _executed(teller, (state, concrete), (action, args), told)
        if event is None:
            differences.append(why)
        else:
            found.append(event)
    why = f": {differences[0]}" if differences else " is not possible in this state"
    return found, words + why


def _executed(
    teller: Teller,
    states: tuple[State, State],
    chosen: tuple[int, tuple[Any, ...]],
    told: TracedEvent,
) -> tuple[tuple[Event, State] | None, str]:
    """Return an event, and the concrete state after it, if a trace can tell of it; else why not."""
    system, (state, concrete), (action, args) = teller.system, states, chosen
    other = told.exact and unlike(system.exact_args(action, args), told.exact)
    if other:
        return None, f"its {other}"
    try:
        event = execute(system, state, action, args)
    except ModelWentWrong as error:
        return None, f"it goes wrong: {error}"
    shown = concrete_event(system, concrete, event)
    difference = difference_of(teller, shown, told)
    if told.exact is None and difference is not None:
        # Older traces tell of the states in which things are forgotten.
        difference = difference_of(teller, event, told)
    return ((event, shown.after), "") if difference is None else (None, difference)


def _ending(system: System, events: list[Event], trace: Trace) -> str | None:
    """Return why the run does not end in the violation, or at the state, that it tells of."""
    told = trace.shows
    if trace.observed is not None:
        return _agreement(system, events, trace.observed)
    if told.predicate is not None and trace.verdict == "witness":
        holds = question(system.family, system.design, told.predicate).holds
        there = holds(system.view(end_of(system, events)))
        return None if there else f"at its end this is not true: {told.predicate}"
    if trace.verdict != "violated":
        return None
    known = system.family.properties
    prop = system.property(told.name) if told.name in known else None
    if prop is None and told.predicate is not None:
        prop = question(system.family, system.design, told.predicate)
    if prop is None:
        return f"the model has no property {told.name}{nearest(told.name, known)}"
    return misfit_of(system, events, trace.loop_start, prop)


def _agreement(system: System, events: list[Event], observed: Observed) -> str | None:
    """Return that an implementation did what the model does, None where it did not."""
    concrete = concrete_run(system, events)
    unlike = differences_of(Teller(system), events, concrete, observed)
    return None if unlike else "what was observed of the implementation is what the model does"
