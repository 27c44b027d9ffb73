"""Traces from objects of the Informal Trace Format that fencecheck wrote.

The run is executed again on its model, event by event, and each state that the file tells must be
the one that comes out; the trace is then told anew. What the file lacks or does not mean is a
TraceError with its place, a run that no longer fits the model a Misfit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencecheck.errors import TraceError, nearest
from fencecheck.model.ask.questions import question
from fencecheck.model.files.loading import load_family
from fencecheck.model.files.texts import named_file
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.model.wording.templates import value_text
from fencecheck.runs.checked_json import CheckedObject
from fencecheck.runs.event import Event, ModelWentWrong, choices, execute
from fencecheck.runs.itf.values import NONE, from_itf, itf_argument
from fencecheck.runs.itf.writing import ACTION, ITF, PICKS
from fencecheck.runs.refutation import misfit_of
from fencecheck.runs.telling import reached, tell, went_wrong
from fencecheck.runs.told.concrete import concrete_event
from fencecheck.runs.trace import Origin, Trace
from fencecheck.runs.trace_json import TRACE_KINDS


class Misfit(TraceError):
    """A run that no longer fits its model, and why; with it what of the run fits."""

    system: System  # in the initial state in which the run begins
    origin: Origin
    events: list[Event]

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: does not replay: {why}")


def is_itf(document: Any) -> bool:
    """Tell whether a JSON document has the shape of the format."""
    return isinstance(document, dict) and "vars" in document and "states" in document


def read_itf(document: Any, place: str, folder: Path, *, builtin_only: bool = False) -> Trace:
    """Return the trace that an object from a file in ``folder`` tells; loads its model.

    Raises Misfit where the run no longer fits, TraceError where the object tells none.
    """
    whole = CheckedObject(document, place, "ITF")
    meta = whole.inner("#meta", {})
    if meta.fields.get("schema") != ITF:
        meta.refuse(f'schema is not "{ITF}": only what `draw --format itf` wrote names its model')
    head = meta.inner("fencecheck")
    reference = head.text("model")
    path = (folder / named_file(reference)).resolve()
    model = str(path) if reference.endswith(".py") else reference
    family = load_family(model, builtin_only=builtin_only)
    bounds, mechanisms = head.inner("bounds"), head.inner("mechanisms")
    design = family.design(
        {name: mechanisms.text(name) for name in mechanisms.names()},
        {name: bounds.how_many(name) for name in bounds.names()},
    )
    system = System(family, design)
    states = whole.objects("states")
    if not states:
        whole.refuse("states: there is none")
    origin = Origin(
        head.text_or_none("spec"), head.text_or_none("variant"), head.text_or_none("title") or ""
    )
    run = _Run(system, place)
    try:
        run.follow(states)
        many = head.number("events", most=len(run.events))
        return _told(whole, head, origin, run, many)
    except Misfit as misfit:
        misfit.system, misfit.origin, misfit.events = run.system, origin, run.events
        raise


class _Run:
    """The events that lead from each state of the file to the next."""

    def __init__(self, system: System, place: str) -> None:
        self.system, self.place, self.events = system, place, list[Event]()

    def follow(self, states: list[CheckedObject]) -> None:
        """Run what the states tell; raises Misfit after the last event that fits."""
        told = [self._decoded(state) for state in states]
        starts = [state for state in self.system.initials if state == told[0]]
        if not starts:
            raise Misfit(self.place, "no initial state of the model is the one it begins in")
        self.system = self.system.starting(starts[0])
        state = concrete = self.system.initial
        for number, (holder, after) in enumerate(zip(states[1:], told[1:], strict=True), 1):
            event, shown = self._step(number, (state, concrete), holder)
            self._compare(number, shown.after, after)
            self.events.append(event)
            state, concrete = event.after, shown.after

    def _decoded(self, holder: CheckedObject) -> State:
        pairs = zip(self.system.names, self.system.domains, strict=True)
        return tuple(
            from_itf(domain, holder.required(name), holder.inside(name)) for name, domain in pairs
        )

    def _step(
        self, number: int, states: tuple[State, State], holder: CheckedObject
    ) -> tuple[Event, Event]:
        """Return the event that a state says led to it, and the same in the concrete run."""
        system, (state, concrete) = self.system, states
        name, told = holder.text(ACTION), _given(holder.inner(PICKS).fields)
        names = [action.name for action in system.actions]
        if name not in names:
            why = f"event {number}: the model has no event {name}{nearest(name, names)}"
            raise Misfit(self.place, why)
        try:
            enabled = choices(system, state)
            for action, args in enabled:
                if names[action] != name:
                    continue
                event = execute(system, state, action, args)
                shown = concrete_event(system, concrete, event)
                picks = system.exact_args(action, shown.args)
                if {key: itf_argument(value) for key, value in picks.items()} == told:
                    return event, shown
        except ModelWentWrong as error:
            raise Misfit(self.place, f"event {number}: {name} goes wrong: {error}") from None
        why = f"event {number}: {name} with these arguments is not possible in this state"
        raise Misfit(self.place, why)

    def _compare(self, number: int, state: State, told: State) -> None:
        variables = zip(self.system.names, self.system.domains, state, told, strict=True)
        for name, domain, now, then in variables:
            if now != then:
                now, then = value_text(domain.show(now)), value_text(domain.show(then))
                why = f"event {number}: {name} is {now} after it, the file says {then}"
                raise Misfit(self.place, why)


def _given(picks: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that an event has; those of other events are none."""
    chosen = {}
    for name, told in picks.items():
        if told != NONE:
            chosen[name] = told["value"] if isinstance(told, dict) and "value" in told else told
    return chosen


def _told(whole: CheckedObject, head: CheckedObject, origin: Origin, run: _Run, many: int) -> Trace:
    """Return the trace of a run of which the first ``many`` events are the run itself."""
    system, events, onward = run.system, run.events[:many], run.events[many:]
    loop = whole.fields.get("loop")
    if loop is not None:
        loop = whole.number("loop", loop, most=len(run.events))
    verdict, shows = head.choice("verdict", TRACE_KINDS), head.inner("property")
    own = None if onward else loop
    if verdict == "violated":
        prop = _property(system, shows, run.place)
        misfit = misfit_of(system, events, own, prop)
        if misfit:
            raise Misfit(run.place, misfit)
        trace = tell(system, events, prop, origin, own, onward)
    else:
        trace = tell(system, events, None, origin, own, onward)
    says = head.text_or("says", "")
    if verdict == "error":
        trace = went_wrong(trace, says)
    if trace.violation is not None and says:  # it may say what a search found, which no run does
        trace = replace(trace, violation=replace(trace.violation, says=says))
    predicate = shows.text_or_none("predicate")
    if verdict == "witness" and predicate is not None:
        trace = reached(trace, predicate)
    return replace(
        trace,
        onward_loop=loop - many if onward and loop is not None else None,
        model_hash=head.text_or("model_hash", ""),
        version=head.text_or("fencecheck", ""),
        relevant=tuple(head.texts("relevant")),
        found_by=head.text_or_none("found_by"),
    )


def _property(system: System, shows: CheckedObject, place: str) -> Property:
    name, predicate = shows.text("name"), shows.text_or_none("predicate")
    known = system.family.properties
    if name in known:
        return system.property(name)
    if predicate is not None:
        return question(system.family, system.design, predicate)
    raise Misfit(place, f"the model has no property {name}{nearest(name, known)}")
