"""Telling: a run of a system in the words of its model, as a trace.

Takes a system and the events of a run; gives the Trace in which people read it. What is told is
the concrete run (concrete.py), so that numbers are those of the run and nothing is set back that
only the model forgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fencecheck.errors import ModelError
from fencecheck.model.ask.questions import Asked
from fencecheck.model.files.identity import model_hash
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, end_of, start_of_run
from fencecheck.runs.run import Run
from fencecheck.runs.told.concrete import concrete_run
from fencecheck.runs.told.reading import parts_read
from fencecheck.runs.told.teller import Teller
from fencecheck.runs.trace import (
    Origin,
    Reading,
    Trace,
    TracedProperty,
    Violation,
)
from fencecheck.version import __version__

WITNESS = TracedProperty("event order", "reach", "This order of events can happen.")


def tell(
    system: System,
    events: Sequence[Event],
    prop: Property | None,
    origin: Origin,
    loop_start: int | None = None,
    onward: Sequence[Event] = (),
) -> Trace:
    """Return the trace of a run that ends where ``prop`` breaks (None: a witness).

    ``onward`` is a way on from its end.

    Raises ModelError where what the model declares as forgotten is asked for after all.
    """
    whole = [*events, *onward]
    system = system.starting(start_of_run(system, whole))
    prop = prop and system.in_form(prop)
    if prop is not None:
        prop = prop.refuted(Run(system, events, loop_start))
    teller = Teller(system)
    concrete = concrete_run(system, whole)
    exact = [system.exact_args(event.action, event.args) for event in whole]
    told = [
        replace(event, exact=args)
        for event, args in zip(teller.events(concrete), exact, strict=True)
    ]
    concrete = concrete[: len(events)]
    title = origin.title or origin.variant or system.family.title
    return Trace(
        model=system.family.reference,
        name=system.family.name,
        mechanisms=dict(system.design.mechanisms),
        bounds=dict(system.design.bounds),
        shows=_traced(prop),
        verdict="violated" if prop else "witness",
        lanes=teller.lanes(),
        initial=teller.initial(system.initial),
        events=tuple(told[: len(events)]),
        onward=tuple(told[len(events) :]),
        relevant=_relevant(teller, prop),
        silent=teller.silent(),
        violation=None if prop is None else _violation(teller, concrete, prop),
        loop_start=loop_start,
        model_hash=model_hash(system.family),
        version=__version__,
        origin=Origin(origin.spec, origin.variant, title),
        not_tried=system.family.not_tried(system.design),
    )


def _traced(prop: Property | None) -> TracedProperty:
    if prop is None:
        return WITNESS
    return TracedProperty(
        prop.name, prop.kind, prop.doc, prop.text if isinstance(prop, Asked) else None
    )


def reached(trace: Trace, predicate: str) -> Trace:
    """Return a trace as the witness that a state in which ``predicate`` is true is reached."""
    shown = TracedProperty(predicate, "reach", "Such a state can be reached.", predicate)
    return replace(trace, shows=shown, verdict="witness", violation=None)


def went_wrong(trace: Trace, why: str) -> Trace:
    """Return the trace of a run after which the model itself goes wrong."""
    return replace(
        trace,
        shows=TracedProperty("model", "error", "The model goes wrong."),
        verdict="error",
        violation=Violation(len(trace.events), why),
    )


def _relevant(teller: Teller, prop: Property | None) -> tuple[str, ...]:
    """Return the variables whose initial values are shown.

    Those in which the initial states differ always are.
    """
    system, names = teller.system, prop.relevant if prop else ()
    values = teller.values(system.initial)
    others = [teller.values(state) for state in system.initials[1:]]
    first = teller.values(system.initials[0])
    return tuple(
        name
        for name, (_, _, v) in values.items()
        if v.name in names or any(other[name][1] != first[name][1] for other in others)
    )


def _violation(teller: Teller, concrete: Sequence[Event], prop: Property) -> Violation:
    system = teller.system
    before = concrete[-1].before if concrete else system.initial
    after = end_of(system, concrete)
    prop = _of_last_event(system, concrete, prop)
    if not prop.temporal:
        _check_broken(system, prop, (before, after))
    views = system.view(before), system.view(after)
    known = teller.arguments(concrete[-1]) if concrete else {}
    known |= {name: (prop.params[name].resolve(system.sizes), v) for name, v in prop.values.items()}
    named = {"before": views[0], "after": views[1]} | ({} if prop.of_events else {"s": views[1]})
    known |= {name: (teller.fields, view) for name, view in named.items()}
    says, compare = prop.explained(*views, known)
    says = f"For {prop.words}: {says}" if prop.words else says
    pairs = tuple((str(words), value) for words, value in compare)
    return Violation(len(concrete), says, pairs, _evidence(teller, prop, before, after))


def _of_last_event(system: System, concrete: Sequence[Event], prop: Property) -> Property:
    """Return a property with the arguments of the last event put in that it takes."""
    if not prop.takes:
        return prop
    last, holds = concrete[-1], prop.holds
    given = prop.given(system.actions[last.action], last.args)
    return replace(prop, takes=(), holds=lambda *states: holds(*states, *given))


def _check_broken(system: System, prop: Property, states: tuple[State, State]) -> None:
    """Raise ModelError where a property breaks only because of what the model forgets."""
    views = [system.view(state) for state in states]
    if prop.holds(*(views if prop.of_events else views[1:])):
        names = ", ".join(f.function.__name__ for f in system.family.declared.forgets)
        raise ModelError(
            f"model {system.family.name}: property {prop.name} asks for what is declared as "
            f"forgotten; look at {names}"
        )


def _evidence(teller: Teller, prop: Property, before: State, after: State) -> tuple[Reading, ...]:
    """Return what a property read where it broke; budgets only if it read nothing else.

    A question tells what its predicate names in its own words.
    """
    if isinstance(prop, Asked):
        return ()
    system, found, budgets = teller.system, list[Reading](), list[Reading]()
    for name, part, early, late in parts_read(system, prop, before, after):
        place = system.place[name]
        variable, (_, field) = system.variables[place], part
        ghost = variable.ghost or field in teller.hidden(place)
        states = [state for state, read in ((before, early), (after, late)) if read]
        seen = [teller.parts(place, state[place], part) for state in states]
        for words in dict.fromkeys(name for told in seen for name in told):
            values = [told[words] for told in seen if words in told]
            reading = Reading(words, values[0], values[-1], ghost)
            (budgets if variable.budget else found).append(reading)
    return tuple(found or budgets)
