"""System: a model with one design and bounds, ready to be explored one state at a time.

A state is a tuple with one value at rest for each variable. Guards and properties read it
through a view whose attributes are the variables, mechanisms and bounds; an effect gets a view
with the containers it writes thawed, and what it leaves is frozen into the next state. These are
the model's own functions: one can set a breakpoint in them.
"""

from __future__ import annotations

import copy
import functools
import itertools
import operator
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from fencecheck.model.checks.shapes import Shapes, shape_for
from fencecheck.model.checks.ways import check_ways
from fencecheck.model.declare import LEFT, USED, Each
from fencecheck.model.declaring.assertions import (
    Assertions,
)
from fencecheck.model.declaring.instances import in_system, masked
from fencecheck.model.domains import (
    Domain,
    parts_of,
)
from fencecheck.model.family import Design, Family
from fencecheck.model.held.arguments import ToldArguments
from fencecheck.model.held.executing import Executing, compiled_text
from fencecheck.model.initials import all_values, initial_states
from fencecheck.model.lower.keeping.kept_lowering import lowered_once
from fencecheck.model.lower.lowered import Lowered
from fencecheck.model.mistakes.gathering import apart
from fencecheck.model.ordinary import place_of
from fencecheck.model.property import Property
from fencecheck.model.representatives.representative import Representatives
from fencecheck.model.representatives.stillness import kept_still, places_of_kinds

State = tuple[Any, ...]
Args = tuple[Any, ...]

_VIEW = """
def view(state):
    s = View()
    {names}, = state
    {worn}
    return s
"""


class _ByName:
    """A view of a state by names: ``s[name]``, where a part keeps the name of its variable."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)


class System(Executing, ToldArguments):
    """One run's model. ``capacity`` is a design with budgets at least as large, for the domains.

    Two systems of the same capacity have states of the same shape, whatever their budgets.
    ``asked`` are the properties that will be asked of it, by their names (None: all): they decide
    which symmetric indices are kept ``still`` in representatives. Of systems that only search,
    those of one capacity may share their ``shapes``.
    ``initials`` are all initial states, ``initial`` is the one in which the runs begin that are
    told of this system: the first, or another (``starting``).
    """

    def __init__(
        self,
        family: Family,
        design: Design,
        capacity: Design | None = None,
        asked: Collection[str] | None = None,
        shapes: Shapes | None = None,
    ) -> None:
        self.family, self.design = family, design
        self.capacity = capacity or design
        self.sizes = design.sizes
        if shapes is None or capacity is None:
            shape = shape_for(family.declared, self.capacity.sizes, alone=capacity is None)
        else:
            shape = shapes.of(family.declared, capacity.sizes)
        self.variables = [variable for variable, _ in shape.variables]
        self.names = [v.name for v in self.variables]
        self.domains: list[Domain] = [domain for _, domain in shape.variables]
        self.place = {name: i for i, name in enumerate(self.names)}
        self.actions = family.declared.actions
        self.params = shape.params
        self._static = [self._static_args(i) for i in range(len(self.actions))]
        parts = (part for domain in self.domains for part in parts_of(domain))
        self.holds_back = any(getattr(part, "holds_back", "") for part in parts)
        self.still = kept_still(family, asked)
        self.representatives = shape.representatives(self.still)
        self.representative = self.representatives.of
        self.lowered = _lowered(family, self, shape.key)
        self.view_type = self._view_type()
        self.view = self._reader()
        self.initials = initial_states(self)
        self.initial = self.initials[0]
        self._within = [constraint.within for constraint in family.declared.constraints]
        self._choices = [
            (i, None if a.budget is None else self.place[a.budget], a.guard, self._static[i])
            for i, a in enumerate(self.actions)
        ]
        self._written = [
            [(self.place[n], self.domains[self.place[n]].contains) for n in sorted(c.written)]
            for c in self.lowered.changes
        ]

    def _view_type(self) -> type:
        constants = {
            name: value for name, value in vars(self.sizes).items() if name not in self.place
        }
        for bound in self.family.declared.bounds:
            if bound.budget:
                constants[bound.name + LEFT] = property(operator.attrgetter(bound.name))
                constants[bound.name + USED] = _used(bound.name, self.design.bounds[bound.name])
        slots = {"__slots__": tuple(self.names), "k": self.sizes}
        return type("State", (_ByName,), {**constants, **slots})

    def starting(self, state: State) -> System:
        """Return this system as it is for a run that begins in ``state``, an initial one."""
        if state == self.initial:
            return self
        other = copy.copy(self)
        other.initial = state
        return other

    def _reader(self) -> Callable[[State], Any]:
        """Return a function that gives a state as guards, properties and words read it."""
        scope: dict[str, Any] = {"View": self.view_type}
        names, worn = ", ".join(f"s.{name}" for name in self.names), ["pass"]
        for name, wear in self.operators().items():
            scope[f"wear_{name}"] = wear
            worn.append(f"s.{name} = wear_{name}(s.{name})")
        body = _VIEW.format(names=names, worn="; ".join(worn))
        exec(compiled_text(body, "<view of a state>"), scope)
        reader: Callable[[State], Any] = scope["view"]
        return reader

    def _static_args(self, number: int) -> list[Args] | None:
        """Return all arguments of an action that has no parameter over a container."""
        action = self.actions[number]
        with apart():
            check_ways(self.ranges(number), f"{place_of(action.effect)}{action.name}")
            return self._choices_of(number)
        return None

    def ranges(self, number: int) -> list[Any]:
        """Return what the parameters of an action range over: domains, or containers."""
        params = self.params[number].values()
        return [self.domains[self.place[p.variable]] if isinstance(p, Each) else p for p in params]

    def _choices_of(self, number: int) -> list[Args] | None:
        if any(isinstance(p, Each) for p in self.params[number].values()):
            return None
        return list(itertools.product(*(all_values(p) for p in self.params[number].values())))

    def arguments(self, number: int, state: State) -> list[Args]:
        """Return the arguments with which action ``number`` could happen, in canonical order."""
        static = self._static[number]
        if static is not None:
            return static
        choices: list[list[Any]] = []
        for param in self.params[number].values():
            if isinstance(param, Each):
                held = state[self.place[param.variable]]
                choices.append(list(dict.fromkeys(held)))
            else:
                choices.append(all_values(param))
        return list(itertools.product(*choices))

    def enabled(self, view: Any, state: State) -> Iterator[tuple[int, Args]]:
        """Yield (action number, arguments) of everything that can happen in a state, in order.

        Nothing does where a constraint says that the state is not expanded.
        """
        if not all(within(view) for within in self._within):
            return
        for number, budget, guard, static in self._choices:
            if budget is not None and state[budget] <= 0:
                continue
            for args in self.arguments(number, state) if static is None else static:
                if guard is None or guard(view, *args):
                    yield number, args

    def is_cut(self, view: Any) -> bool:
        """Tell whether a constraint says that a state is not expanded.

        One that goes wrong does not say so: that is told where the state is expanded.
        """
        try:
            return not all(within(view) for within in self._within)
        except Exception:
            return False

    def only_interference(self, numbers: Iterable[int]) -> bool:
        """Tell whether none of these action numbers is a system event."""
        return all(self.actions[number].budget is not None for number in numbers)

    @functools.cached_property
    def identified(self) -> Callable[[State], State]:
        """Return what takes representatives in which no symmetric Index is permuted.

        A run comes back to where it was for good if these are equal: the same workers go on.
        """
        indices = self.representatives.indices
        everywhere = Representatives(self.names, self.domains, {*self.still, *indices})
        return everywhere.of if indices else self.representative

    @functools.cached_property
    def told_domains(self) -> list[Domain]:
        """Return the domains as people are told of their values: of the sizes of this run."""
        return [variable.domain.resolve(self.sizes) for variable in self.variables]

    @functools.cached_property
    def beginnings(self) -> list[State]:
        """Return the representatives of the initial states, each once, in their order."""
        return list(dict.fromkeys(map(self.representative, self.initials)))

    def escapes(self, number: int, before: State, after: State) -> bool:
        """Tell whether action ``number`` left a value outside its domain in what it writes."""
        inside = all(contains(after[i]) for i, contains in self._written[number])
        return not inside or self.representatives.misfit(before, after) is not None

    def outside(self, state: State, before: State | None = None) -> str | None:
        """Return which variable holds a value outside its domain, in words, or None.

        ``before`` is the state before the event that led there, if one did.
        """
        for name, domain, value in zip(self.names, self.domains, state, strict=True):
            if not domain.contains(value):
                return domain.misfit(name, value)
        return self.representatives.misfit(before or state, state)

    def rank(self, switch: str) -> int:
        """Return the number that stands for the value that the design gives a switch."""
        return self.family.mechanisms[switch].rank(self.design.mechanisms[switch])

    def properties(self, names: list[str] | None = None) -> list[Property]:
        """Return the properties, all or those named, in the order of declaration."""
        return [p for p in self._properties.values() if names is None or p.name in names]

    def property(self, name: str) -> Property:
        """Return a property of the family by its name, in the form that is evaluated."""
        return self._properties[name]

    def in_form(self, prop: Property) -> Property:
        """Return a property in the form that is evaluated; one that is not declared as it is."""
        return self._properties[prop.name] if prop in self.family.declared.properties else prop

    @functools.cached_property
    def _properties(self) -> dict[str, Property]:
        declared = self.family.declared.properties
        formed = {p.name: in_system(p, self.capacity.sizes) for p in declared}
        for prop in formed.values():
            if isinstance(prop, Assertions):
                formed[prop.name] = replace(prop, failing=self.failing)
            elif self._within:
                formed[prop.name] = masked(prop, self.is_cut)
        return formed


def _used(budget: str, total: Any) -> property:
    """Return the attribute that says how much of a budget was used."""
    return property(lambda state: total - getattr(state, budget))


def _lowered(family: Family, system: System, key: tuple[Any, ...]) -> Lowered:
    """Return the lowering for the system's sizes, made once for each shape of a family."""
    totals = {b.name: system.design.bounds[b.name] for b in family.declared.bounds if b.budget}
    of_totals = (*key, tuple(totals.items()))
    found: Lowered | None = family.lowered.get(key)
    if found is not None and found.reads_totals:
        found = family.lowered.get(of_totals)
    if found is None:
        variables = [
            (v.name, d, v.ghost) for v, d in zip(system.variables, system.domains, strict=True)
        ]
        found = lowered_once(family, key, variables, system.capacity.sizes, totals)
        family.lowered[key] = found
        if found.reads_totals:
            family.lowered[of_totals] = found
    return found.keeping(frozenset(system.still), places_of_kinds(family, system.still))
