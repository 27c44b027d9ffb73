"""Family: a model put together from its parts, checked for contradictions, and designs of it.

Takes a Model, flattens the parts it includes, and refuses names used twice or not declared.
``design`` turns what a spec or a command line says into a complete assignment of mechanisms and
bounds, or says everything that is wrong with it at once.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import SimpleNamespace
from typing import Any

from fencecheck.errors import DesignError, nearest
from fencecheck.model.checks.drills import check_drills
from fencecheck.model.checks.names import check_declarations
from fencecheck.model.declare import Action, Bound, Declared, Lane
from fencecheck.model.declaring.any_number import ANY, AnyNumber, HowMany, how_many
from fencecheck.model.declaring.assertions import declare_assertions
from fencecheck.model.declaring.beginnings import name_parameters
from fencecheck.model.declaring.inclusion import adapt, check_needs
from fencecheck.model.domains import LARGEST
from fencecheck.model.fair import declared_fairness, ranged_over
from fencecheck.model.mistakes.gathering import apart
from fencecheck.model.ordinary import ask
from fencecheck.model.parts import Part
from fencecheck.model.property import Property


@dataclass(frozen=True)
class Design:
    """Every mechanism's value and every bound's number for one run of a model."""

    mechanisms: dict[str, str]
    bounds: dict[str, HowMany]

    @property
    def sizes(self) -> SimpleNamespace:
        """Return both as attributes: the ``k`` of domains, rules and words."""
        bounds = {n: b.of(n) if isinstance(b, AnyNumber) else b for n, b in self.bounds.items()}
        return SimpleNamespace(**bounds, **self.mechanisms)

    def lets_last(self, action: Action) -> bool:
        """Tell whether a behaviour may have an event again and again for ever.

        Interference of any number comes to an end, as it would with a number. Where the budget is a
        number nothing has to be said: it is used up, or the model itself gives it back.
        """
        return action.budget is None or not isinstance(self.bounds[action.budget], AnyNumber)


class Family:
    """A whole model: the declarations of all its parts, in order."""

    def __init__(self, model: Part) -> None:
        self.model, self.name, self.title = model, model.name, model.title
        self.parts = model.and_included()
        self.goal = next((p.goal for p in reversed(self.parts) if p.goal), None)
        self.end = next((p.end for p in reversed(self.parts) if p.end), self.goal)
        self.refuses = next((p.refuses for p in reversed(self.parts) if p.refuses), None)
        self.declared = Declared()
        for part in self.parts:
            for field in fields(Declared):
                getattr(self.declared, field.name).extend(getattr(part.declared, field.name))
        lanes: dict[str, Lane] = {}
        for lane in self.declared.lanes:
            lanes.setdefault(lane.name, lane)
        order = model.lane_order
        self.declared.lanes = sorted(
            lanes.values(), key=lambda x: order.index(x.name) if x.name in order else len(order)
        )
        with apart():
            name_parameters(self.declared)
        with apart():
            adapt(self.parts, self.declared)
        with apart():
            check_needs(self.name, self.parts, self.declared)
        declare_assertions(self.declared)
        check_declarations(model, self.declared)
        self.mechanisms = {m.name: m for m in self.declared.mechanisms}
        self.bounds = {b.name: b for b in self.declared.bounds}
        self.properties = {p.name: p for p in self.declared.properties}
        self.whole = self  # itself, or that to which questions were added
        self.digest = ""  # as model_hash (files/identity.py) worked it out
        self.reference = self.name
        self.lowered: dict[tuple[Any, ...], Any] = {}
        self.made_of: str | None = None  # as made_of (lower/keeping) worked it out
        with apart():
            check_drills(self)

    def with_properties(self, added: Iterable[Property]) -> Family:
        """Return a family that has some properties more; its name and hash are those of this."""
        other = copy.copy(self)
        properties = [*self.declared.properties, *added]
        other.declared = replace(self.declared, properties=properties)
        other.properties = {prop.name: prop for prop in properties}
        other.lowered, other.made_of = {}, None
        return other

    def has_refused(self, view: Any) -> bool:
        """Tell whether the model refuses its plan as a whole in a state (see ``admission``)."""
        return self.refuses is not None and bool(ask("admission", self.refuses, view))

    def is_goal(self, view: Any) -> bool:
        """Tell whether a state is one in which all work is done, where the model says so."""
        return self.goal is not None and bool(ask("the goal", self.goal, view))

    def default_design(self) -> Design:
        """Return the design of all defaults, whether or not the model's rules accept it."""
        mechanisms = {m.name: m.default for m in self.declared.mechanisms}
        return Design(mechanisms, {b.name: b.default for b in self.declared.bounds})

    @functools.cached_property
    def fairness(self) -> dict[str, tuple[str, ...]]:
        """Return for each system event the names of the arguments that make its classes."""
        domains = {v.name: v.domain for v in self.declared.variables}
        return declared_fairness(self.declared.actions, lambda _, p: ranged_over(p, domains))

    @property
    def strengths(self) -> dict[str, str]:
        """Return the system events that are owed more or less than weak fairness: strong, none."""
        own = (action for action in self.declared.actions if not action.interference)
        return {action.name: action.fair for action in own if action.fair != "weak"}

    def design(
        self, mechanisms: Mapping[str, Any] | None = None, bounds: Mapping[str, Any] | None = None
    ) -> Design:
        """Return a complete design; what is not named has the model's default.

        Raises DesignError with one line for each unknown name, value and senseless combination.
        """
        problems: list[str] = []
        chosen = {m.name: m.default for m in self.declared.mechanisms}
        for name, value in (mechanisms or {}).items():
            problems += self._mechanism(name, value, chosen)
        numbers: dict[str, HowMany] = {b.name: b.default for b in self.declared.bounds}
        for name, value in (bounds or {}).items():
            problems += self._bound(name, value, numbers)
        if not problems:
            sizes = Design(chosen, numbers).sizes
            said = (rule.objection(sizes) for rule in self.declared.rules)
            problems = [message for message in said if message]
        if problems:
            raise DesignError(problems)
        return Design(chosen, numbers)

    def not_tried(self, design: Design) -> tuple[str, ...]:
        """Return the budgets that are zero in a design: interference that no verdict speaks of."""
        return tuple(b.name for b in self.declared.bounds if b.budget and not design.bounds[b.name])

    @property
    def constraints(self) -> tuple[str, ...]:
        """Return the names of what a search stays within."""
        return tuple(constraint.name for constraint in self.declared.constraints)

    def _mechanism(self, name: str, value: Any, chosen: dict[str, str]) -> list[str]:
        known = self.mechanisms.get(name)
        if known is None:
            return [
                f"mechanisms.{name}: model {self.name} has no such mechanism; it has "
                f"{', '.join(self.mechanisms) or 'none'}{nearest(name, self.mechanisms)}"
            ]
        if isinstance(value, bool) and known.on_off:
            value = "on" if value else "off"
        if type(value) is int and str(value) in known.values:
            value = str(value)
        if value not in known.values:
            hint = nearest(str(value), known.values)
            shown = f'"{value}"' if isinstance(value, str) else str(value).lower()
            allowed = ", ".join(known.values)
            return [f"mechanisms.{name}: {shown} is not one of {allowed}{hint}"]
        chosen[name] = value
        return []

    def _bound(self, name: str, value: Any, numbers: dict[str, HowMany]) -> list[str]:
        known = self.bounds.get(name)
        if known is None:
            return [
                f"bounds.{name}: model {self.name} has no such bound; it has "
                f"{', '.join(self.bounds)}{nearest(name, self.bounds)}"
            ]
        value = how_many(value)
        if known.budget and isinstance(value, AnyNumber):
            numbers[name] = ANY
            return []
        if isinstance(value, bool) or not isinstance(value, int):
            return [f"bounds.{name}: {_no_amount(known, value)}"]
        if value < known.least:
            return [f"bounds.{name}: {value} is too small; write {known.least} or more"]
        if value > LARGEST:
            return [f"bounds.{name}: {value} is too large; write {LARGEST} or less"]
        numbers[name] = value
        return []


def _no_amount(bound: Bound, value: Any) -> str:
    """Say what is wrong with what is given for a bound and is no whole number."""
    if isinstance(value, AnyNumber):
        return f'"{value}" is for budgets, and {bound.name} is a size; write a whole number'
    more = ' or "any"' if bound.budget else ""
    return f"{value!r} is not a whole number{more}"
