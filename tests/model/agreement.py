"""Compare a model's own Python functions with their lowered form, state by state.

``disagreement`` walks the reachable states breadth first and returns the first difference in
what can happen, in which order, what it leads to, what goes wrong and what the properties say,
or None. ``outcomes`` of a state are (event name, what became of it) pairs in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fencecheck.model.declaring.assertions import Assertions, FailedAssertion
from fencecheck.model.domains import Enum
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.lowered import Case, Form
from fencecheck.model.system import State, System
from fencecheck.model.values import HeldBack
from fencecheck.runs.event import MODEL_ERRORS
from tests.model.evaluate import evaluate, in_order

GUARD_FAILS = "its guard goes wrong"
EFFECT_FAILS = "its effect goes wrong"
CONSTRAINT_FAILS = ("the constraint", "it goes wrong")
ASSERTION_FAILS = "an assertion of it fails"
HELD_BACK = "it is held back"


def switches_of(system: System) -> dict[str, int]:
    """Return the rank of each mechanism's value, by name."""
    chosen = system.design.mechanisms
    return {m.name: Enum(*m.values).rank(chosen[m.name]) for m in system.family.declared.mechanisms}


def python_outcomes(system: System, state: State) -> list[tuple[str, Any]]:
    """Return what the model's own functions make of a state."""
    view, found = system.view(state), list[tuple[str, Any]]()
    try:
        if not all(c.within(view) for c in system.family.declared.constraints):
            return []
    except MODEL_ERRORS:
        return [CONSTRAINT_FAILS]
    for number, action in enumerate(system.actions):
        if action.budget is not None and getattr(view, action.budget) == 0:
            continue
        for args in system.arguments(number, state):
            try:
                enabled = action.guard is None or action.guard(view, *args)
            except MODEL_ERRORS:
                found.append((action.name, GUARD_FAILS))
                continue
            if enabled:
                found.append((action.name, _python_step(system, number, state, args)))
    return found


def _python_step(system: System, number: int, state: State, args: tuple[Any, ...]) -> Any:
    try:
        after, outcome = system.steps[number](state, *args)
        if isinstance(outcome, FailedAssertion):
            return ASSERTION_FAILS if after == state else f"it leads to {after}"
        return EFFECT_FAILS if system.outside(after) else after
    except HeldBack as held:
        return f"{HELD_BACK} by {held.bound}"
    except MODEL_ERRORS:
        return EFFECT_FAILS


def python_form(system: System, number: int, states: list[State]) -> tuple[bool, bool] | None:
    """Return (holds, trigger) of a property, or None where it goes wrong."""
    prop, views = system.properties()[number], [system.view(s) for s in states]
    asked = views[:1] if prop.triggered_by_states else views
    try:
        trigger = prop.trigger is None or prop.trigger(*asked)
        return bool(prop.holds(*views)), bool(trigger)
    except MODEL_ERRORS:
        return None


@dataclass
class Lowered:
    """The lowered form of a system, or of one action of it, ready to be evaluated."""

    system: System
    only: str | None = None
    cases: list[Node] = field(default_factory=list)
    forms: list[list[Node]] = field(default_factory=list)

    def __post_init__(self) -> None:
        lowered = self.system.lowered
        self.looked_at = [
            (self.system.actions[c.action].name, c)
            for c in lowered.cases
            if self.only in (None, self.system.actions[c.action].name)
        ]
        kept = self.kept = dict[int, Node]()
        for prop, of_cases in zip(lowered.properties, lowered.of_cases, strict=True):
            if isinstance(prop, Assertions):
                kept |= {id(lowered.cases[n]): form.holds for n, form in of_cases.items()}
        roots = [node for _, c in self.looked_at for node in (*_asked(c), *c.writes.values())]
        roots += kept.values()
        self.wrong = lowered.formulas.within_error or lowered.dag.false
        roots.append(self.wrong)
        self.switches = switches_of(self.system)
        self.cases = in_order(roots)
        self.forms = [
            in_order([f.holds, f.trigger, f.error, f.trigger_error]) for f in lowered.forms
        ]

    def outcomes(self, state: State) -> list[tuple[str, Any]]:
        """Return what the lowered form makes of a state."""
        lowered, found = self.system.lowered, list[tuple[str, Any]]()
        before = lowered.layout.numbers(state)
        values = evaluate(self.cases, self.switches, before)
        if values[self.wrong]:
            return [CONSTRAINT_FAILS]
        for name, case in self.looked_at:
            if values[case.guard_error]:
                found.append((name, GUARD_FAILS))
            elif values[case.enabled] and values[case.effect_error]:
                found.append((name, EFFECT_FAILS))
            elif bounds := [bound for bound, held in case.held.items() if values[held]]:
                found.append((name, f"{HELD_BACK} by {', '.join(bounds)}"))
            elif values[case.enabled]:
                after = list(before)
                for place, node in case.writes.items():
                    after[place] = values[node]
                failed = id(case) in self.kept and not values[self.kept[id(case)]]
                same = failed and after == list(before)
                found.append((name, ASSERTION_FAILS if same else lowered.layout.state(after)))
        return found

    def form(self, number: int, states: list[State]) -> tuple[bool, bool] | None:
        """Return (holds, trigger) of a property, or None where it goes wrong."""
        form: Form = self.system.lowered.forms[number]
        numbers = [self.system.lowered.layout.numbers(s) for s in states]
        values = evaluate(self.forms[number], self.switches, *numbers)
        if values[form.error] or values[form.trigger_error]:
            return None
        return bool(values[form.holds]), bool(values[form.trigger])


def _asked(case: Case) -> list[Node]:
    return [case.enabled, case.guard_error, case.effect_error, *case.held.values()]


def disagreement(system: System, limit: int, only: str | None = None) -> str | None:
    """Return the first difference within ``limit`` states, in words, or None.

    ``only`` names an action to which the comparison is restricted.
    """
    lowered, layout = Lowered(system, only), system.lowered.layout
    waiting = [system.representative(state) for state in system.initials]
    seen = set(waiting)
    for state in waiting:
        if layout.state(layout.numbers(state)) != state:
            return f"layout of {state}: {layout.state(layout.numbers(state))}"
        everything, form = python_outcomes(system, state), lowered.outcomes(state)
        python = [o for o in everything if only in (None, o[0]) or o is CONSTRAINT_FAILS]
        if python != form:
            return f"in {state}:\nPython  {python}\nlowered {form}"
        after = [target for _, target in everything if isinstance(target, tuple)]
        if problem := _property_disagreement(lowered, state, after):
            return problem
        for target in map(system.representative, after):
            if target not in seen and len(seen) < limit:
                seen.add(target)
                waiting.append(target)
    return None


def _property_disagreement(lowered: Lowered, state: State, after: list[State]) -> str | None:
    system = lowered.system
    for number, prop in enumerate(system.family.declared.properties):
        if (
            isinstance(prop, Assertions) or prop.takes or prop.trigger_takes
        ):  # lowered for each case; engines are compared on them
            continue
        pairs = [[state, t] for t in after] if prop.kind == "transition" else [[state]]
        for states in pairs:
            python, form = python_form(system, number, states), lowered.form(number, states)
            if python != form:
                return f"{prop.name} in {states}: Python {python}, lowered {form}"
    return None
