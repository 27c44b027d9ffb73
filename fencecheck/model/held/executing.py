"""Effects of a system, executed: containers are thawed before one and frozen after it.

Takes what a System knows of its variables and of what each effect may change; gives functions from
a state at rest, and arguments, to the next state and the outcome. These run the model's own
functions: one can set a breakpoint in them.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from fencecheck.model.declare import Action, Forgetting
from fencecheck.model.declaring.assertions import (
    FailedAssertion,
    asserting_events,
    stopping_at_assertions,
)
from fencecheck.model.domains import Bag, Count, Domain, Left, Record, Set, counting
from fencecheck.model.family import Design, Family
from fencecheck.model.forgetting import followed_by, forgetful, remembering
from fencecheck.model.held.in_place import converted_variable, in_place, record_variable
from fencecheck.model.held.set_values import with_operators
from fencecheck.model.initials import all_values
from fencecheck.model.lower.lowered import Changes, Lowered
from fencecheck.model.property import Function
from fencecheck.model.values import freeze, renew, thaw

Step = Callable[..., tuple[tuple[Any, ...], Any]]

_STEP = """
def execute(state, *args):
    s = View()
    {names}, = state
    {thawed}
    {working}
    outcome = effect(s, *args)
    return ({frozen},), outcome
"""


class Executing:
    """What a System does to execute its actions, and to forget."""

    family: Family
    capacity: Design
    names: list[str]
    domains: list[Domain]
    place: dict[str, int]
    actions: list[Action]
    lowered: Lowered
    view_type: type

    @functools.cached_property
    def steps(self) -> list[Step]:
        """Return, for each action, the function that executes it; made when first asked for."""
        return [self._step(i, a) for i, a in enumerate(self.actions)]

    def operators(self) -> dict[str, Callable[[Any], Any]]:
        """Return, where the model uses set operators, what gives them to sets at rest."""
        pairs = zip(self.names, self.domains, strict=True) if self.lowered.uses_sets else ()
        return {name: wear for name, domain in pairs if (wear := with_operators(domain))}

    def _step(self, number: int, action: Action) -> Step:
        effect, changes = self._and_clean_up(action.effect), self.lowered.changes[number]
        step = self.execution(effect, changes, action.name, self._spent(action))
        return stopping_at_assertions(action.effect, step) if number in self._asserting else step

    @functools.cached_property
    def _asserting(self) -> set[int]:
        """Return the actions whose effects have assertions."""
        names = [a.name for a in asserting_events(self.family.declared)]
        return {number for number, action in enumerate(self.actions) if action.name in names}

    def failing(self, event: str, before: Any, args: Sequence[Any]) -> str | None:
        """Return the words of the assertion that fails in an event, None where none does."""
        number = next(i for i, action in enumerate(self.actions) if action.name == event)
        _, outcome = self.steps[number](tuple(getattr(before, n) for n in self.names), *args)
        return outcome if isinstance(outcome, FailedAssertion) else None

    def _spent(self, action: Action) -> str | None:
        """Return the budget of which an action takes one; there is nothing to take of any."""
        if action.budget is None or isinstance(self.domains[self.place[action.budget]], Left):
            return None
        return action.budget

    def _and_clean_up(self, effect: Function) -> Function:
        """Return an effect followed by the clean-ups that the model declares."""
        calls = [
            (forgetful(declared.function), args)
            for declared in self.family.declared.forgets
            if declared.always
            for args in self._ways_to_forget(declared)
        ]
        return followed_by(effect, calls) if calls else effect

    def execution(
        self, effect: Function, changes: Changes, name: str, budget: str | None = None
    ) -> Step:
        """Return what executes an effect: containers are thawed before it and frozen after it.

        ``changes`` are the variables that it may change, and how.
        """
        checked = self.lowered.may_be_negative
        scope: dict[str, Any] = {"View": self.view_type, "effect": effect}
        if changes.in_place:
            scope["effect"] = in_place(effect)
        thawed, frozen, working, operators = [], [], "pass", self.operators()
        if (changing := self._changing(changes)) is not self.view_type:
            scope["Changing"], working = changing, "s.__class__ = Changing"
        for i, (variable, domain) in enumerate(zip(self.names, self.domains, strict=True)):
            part = variable in changes.in_place
            melt, settle = (
                thaw(domain, checked=checked, in_place=part),
                freeze(domain, checked=checked),
            )
            if variable in changes.written and melt is not None:
                scope[f"melt{i}"], scope[f"settle{i}"] = melt, settle
                thawed.append(f"s.{variable} = melt{i}(s.{variable})")
                frozen.append(f"settle{i}(s.{variable})")
            elif variable in operators:
                scope[f"wear{i}"] = operators[variable]
                thawed.append(f"s.{variable} = wear{i}(s.{variable})")
                frozen.append(f"state[{i}]")
            else:
                frozen.append(f"s.{variable}")
        if budget is not None:
            thawed.append(f"s.{budget} -= 1")
        names = ", ".join(f"s.{name}" for name in self.names)
        body = _STEP.format(
            names=names,
            thawed="; ".join(thawed) or "pass",
            working=working,
            frozen=", ".join(frozen),
        )
        exec(compiled_text(body, f"<step of {name}>"), scope)
        step: Step = scope["execute"]
        return step

    def _changing(self, changes: Changes) -> type:
        """Return the type of the view on which an effect works.

        What it assigns to a bag or set as a whole becomes the form that it would find there. A
        record whose fields it sets is read so that it can be.
        """
        names = changes.renewed
        records: dict[str, Any] = {
            name: record_variable(self.view_type, name, counting(domain))
            for name, domain in zip(self.names, self.domains, strict=True)
            if name in changes.in_place and isinstance(domain, Record)
        }
        records |= {
            name: converted_variable(self.view_type, name, domain.in_motion)
            for name, domain in zip(self.names, self.domains, strict=True)
            if name in changes.written and isinstance(domain, Count)
        }
        checked = self.lowered.may_be_negative
        renewed: dict[str, Callable[[Any], Any]] = {
            name: renew(domain, checked=checked)
            for name, domain in zip(self.names, self.domains, strict=True)
            if name in names and isinstance(domain, Set | Bag)
        }
        if not renewed and not records:
            return self.view_type
        put = object.__setattr__

        def assign(view: Any, name: str, value: Any) -> None:
            put(view, name, renewed[name](value) if name in renewed else value)

        if renewed:
            records["__setattr__"] = assign
        return type("State", (self.view_type,), {"__slots__": (), **records})

    @functools.cached_property
    def _forgets(self) -> list[tuple[Step, list[tuple[Any, ...]]]]:
        """Return what executes each forgetting function, with all its arguments."""
        found = []
        for forgetting in self.family.declared.forgets:
            step = self.execution(
                forgetting.function,
                Changes.of_all(self.names),
                f"forgetting {forgetting.function.__name__}",
            )
            found.append((step, self._ways_to_forget(forgetting)))
        return found

    def _ways_to_forget(self, forgetting: Forgetting) -> list[tuple[Any, ...]]:
        """Return all arguments of a forgetting function."""
        sizes = self.capacity.sizes
        values = [all_values(p.resolve(sizes)) for p in forgetting.params.values()]  # type: ignore[union-attr]
        return list(itertools.product(*values))

    def forgotten(self, state: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a state without what nobody can ask for any more, as the model declares it."""
        with remembering():  # numbers that nobody forgot are outside the domains
            for step, choices in self._forgets:
                for args in choices:
                    state, _ = step(state, *args)
        return state


@functools.lru_cache(1024)
def compiled_text(source: str, name: str) -> CodeType:
    """Return compiled source; systems of one model differ in what it is executed with."""
    return compile(source, name, "exec")
