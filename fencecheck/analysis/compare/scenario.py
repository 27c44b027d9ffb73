"""Run a scripted order on a variant's model and read off what it answers.

Takes a Spec, a variant and a scenario; follows the order event by event, then lets the actor
that is asked act up to its next event with an outcome. Gives a Cell: the outcome in the words of
the published tables, beside the claim, with a trace that was replayed. Explores nothing; an
order that the model cannot follow is a SpecError that says what was possible instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencecheck.checking.results import Cell
from fencecheck.errors import SpecError, nearest
from fencecheck.model.system import Args, System
from fencecheck.runs import notation as orders
from fencecheck.runs.event import Event, ModelWentWrong, choices, end_of, execute, possible
from fencecheck.runs.replay import told_and_replayed
from fencecheck.runs.told.concrete import concrete_run
from fencecheck.runs.told.failure import model_failure
from fencecheck.runs.told.teller import Teller
from fencecheck.runs.trace import Origin
from fencecheck.spec.values import Scenario, Spec, Variant

REFUSED = "refused at admission"
LONGEST_ANSWER = 100


class _OrderStopsError(Exception):
    """An order that cannot go on; its text says why."""


@dataclass
class _Run:
    """A run of one system, made by choosing events."""

    system: System
    origin: Origin
    events: list[Event] = field(default_factory=list)

    def possible(self) -> list[tuple[int, Args]]:
        return choices(self.system, end_of(self.system, self.events))

    def named(self, action: int, args: Args) -> str:
        shown = self.system.shown_args(action, args)
        words = f"({', '.join(map(str, shown.values()))})" if shown else ""
        return self.system.actions[action].name + words

    def is_refused(self) -> bool:
        """Tell whether the model has refused its plan, so that nothing will be dispatched."""
        state = end_of(self.system, self.events)
        return self.system.family.has_refused(self.system.view(state))

    def follow(self, call: orders.Call, text: str) -> None:
        """Take the event that ``call`` names, or an actor's events up to one with an outcome."""
        for number in range(LONGEST_ANSWER):
            fitting, others = self._fitting(call)
            if len(fitting) > 1:
                names = ", ".join(fitting)
                raise _OrderStopsError(f"{text} could be any of {names}; name the event")
            if not fitting and call.optional:
                return
            if not fitting:
                what = "comes to no outcome" if number else "is not possible here"
                raise _OrderStopsError(f"{text} {what}; possible: {', '.join(others) or 'nothing'}")
            ((name, alike),) = fitting.items()
            if self._differ(alike):
                raise _OrderStopsError(self._ambiguous(text, name, alike))
            event = self._take(*alike[0])
            if call.is_event or event.outcome is not None:
                return
        raise _OrderStopsError(f"{text} comes to no outcome within {LONGEST_ANSWER} events")

    def finish(self, call: orders.Call) -> None:
        """Take the events of an actor for as long as it has just one."""
        for _ in range(LONGEST_ANSWER):
            fitting, _names = self._fitting(call)
            if len(fitting) != 1:
                return
            (alike,) = fitting.values()
            if self._differ(alike):
                return
            self._take(*alike[0])

    def _fitting(self, call: orders.Call) -> tuple[dict[str, list[tuple[int, Args]]], list[str]]:
        """Return the possible events that ``call`` speaks of, and the names of all possible ones.

        Events that people would name alike stand together, in the model's order.
        """
        fitting: dict[str, list[tuple[int, Args]]] = {}
        names: dict[str, None] = {}
        for action, args in self.possible():
            name = self.named(action, args)
            names[name] = None
            shown = self.system.shown_args(action, args)
            exact = self.system.exact_args(action, args)
            if call.fits(self.system.actions[action], shown, exact):
                fitting.setdefault(name, []).append((action, args))
        return fitting, list(names)

    def _differ(self, alike: list[tuple[int, Args]]) -> bool:
        """Tell whether events that look alike lead to different states or outcomes."""
        if len(alike) < 2:
            return False
        state = end_of(self.system, self.events)
        found = {(e.action, e.args): (e.after, e.outcome) for e in possible(self.system, state)}
        return len({found.get(event) for event in alike}) > 1

    def _ambiguous(self, text: str, name: str, alike: list[tuple[int, Args]]) -> str:
        """Say which events a call could mean, each with what tells it from the others."""
        names = ", ".join(orders.told_apart(name, [self.system.exact_args(*e) for e in alike]))
        return (
            f"{text} could be any of {names}, and they lead to different states; "
            "name what tells them apart"
        )

    def _take(self, action: int, args: Args) -> Event:
        before = end_of(self.system, self.events)
        try:
            self.events.append(execute(self.system, before, action, args))
        except ModelWentWrong:
            failure = model_failure(self.system, self.events, (action, args), self.origin)
            raise failure from None
        return self.events[-1]


def run_scenario(spec: Spec, variant: Variant, scenario: Scenario) -> Cell:
    """Run one scripted order on one variant.

    Raises SpecError, with the place in the order and what was possible, where the model cannot
    follow it; StateError where the model itself goes wrong.
    """
    bounds = {**variant.design.bounds, **scenario.bounds}
    design = spec.family.design(variant.design.mechanisms, bounds)
    origin = Origin(spec.path, variant.name, f"{variant.name}: {scenario.name}")
    run, outcome = _from_some_start(System(spec.family, design), scenario, origin)
    trace = told_and_replayed(run.system, run.events, None, origin)
    claim = spec.claims.get(variant.name, {}).get(scenario.name)
    return Cell(scenario.name, variant.name, outcome, claim, trace)


def _from_some_start(system: System, scenario: Scenario, origin: Origin) -> tuple[_Run, str]:
    """Follow the order from the first of the initial states in which it can begin."""
    problems = list[SpecError]()
    for start in system.initials:
        run = _Run(system.starting(start), origin)
        try:
            return run, _outcome(run, scenario, origin.spec)
        except SpecError as problem:
            problems.append(problem)
    raise problems[0]


def _outcome(run: _Run, scenario: Scenario, path: str | None) -> str:
    """Follow the order and return the answer in words; a refused plan is an answer too.

    What the scenario shows beside the answer follows it: ``applied; effects 1``.
    """
    places = [f"order, event {number}" for number in range(1, len(scenario.order) + 1)]
    for place, text in zip([*places, "ask"], [*scenario.order, scenario.ask], strict=True):
        try:
            run.follow(orders.parse(text), text)
        except (_OrderStopsError, orders.OrderError) as error:
            if run.is_refused():
                return REFUSED
            within = f'scenario "{scenario.name}": variant "{run.origin.variant}": {place}'
            raise SpecError([": ".join(filter(None, [path, within, str(error)]))]) from None
    answer = answer_in_words(run.system, run.events[-1])
    if not scenario.show:
        return answer
    run.finish(orders.parse(scenario.ask))
    told = Teller(run.system).initial(concrete_run(run.system, run.events)[-1].after)
    for name, _ in scenario.show:
        if name not in told:
            within = f'scenario "{scenario.name}": show: {name} is no variable of this run'
            raise SpecError([": ".join(filter(None, [path, within + nearest(name, told)]))])
    return "; ".join([answer, *(f"{word} {told[name]}" for name, word in scenario.show)])


def answer_in_words(system: System, event: Event) -> str:
    """Return an event's outcome in the words of the published tables.

    It is ``applied twice`` where the event breaks what the model says of doing a thing once.
    """
    words = system.actions[event.action].outcome_words.replace("{outcome}", str(event.outcome))
    again = any(_breaks(system, event, name) for name in system.family.declared.once)
    return f"{words} twice" if again else words


def _breaks(system: System, event: Event, name: str) -> bool:
    """Tell whether the event itself breaks a property."""
    prop = system.property(name)
    before, after = system.view(event.before), system.view(event.after)
    if not prop.evaluate_event(system.actions[event.action], event.args, before, after):
        return True
    return prop.evaluate_state(before) and not prop.evaluate_state(after)
