"""Promises: how the properties of a model are declared.

What a part offers for it, apart from what it keeps and who acts; the classes of properties are in
model/property.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.checks.arguments import declaration
from fencecheck.model.declare import Declared, Parameter, Wording
from fencecheck.model.declaring.actors import meaning_of
from fencecheck.model.ordinary import place_of_call, shown
from fencecheck.model.property import (
    Deadlock,
    Function,
    Invariant,
    LeadsTo,
    Liveness,
    Possibility,
    Property,
    Recurrence,
    Transition,
    names_taken,
)

Values = Mapping[str, str]


class Promises:
    """What must hold of a model, declared above functions.

    Each of these calls may declare parameters, as an action does: what is promised is promised
    for each of their values, and the function takes them, by their names, behind the states.
    """

    name: str
    declared: Declared

    @declaration
    def invariant(
        self,
        *,
        trigger: Function | None = None,
        relevant: Iterable[str] = (),
        **params: Parameter,
    ) -> Callable[[Function], Property]:
        """Declare that ``function(s)`` is true in every reachable state."""
        return self._property(Invariant, trigger, relevant, params)

    @declaration
    def transition(
        self,
        *events: str,
        trigger: Function | None = None,
        trigger_on: Iterable[str] | None = None,
        relevant: Iterable[str] = (),
        **params: Parameter,
    ) -> Callable[[Function], Property]:
        """Declare that ``function(before, after)`` is true of every transition of ``events``.

        Without events, of every transition. What puts it to the test is any of them; with a
        ``trigger(before, after)`` one of which that is true, or one of the events ``trigger_on``
        (``()``: any event); with a ``trigger(s)`` any state in which that is true.
        """
        on = None if trigger_on is None else tuple(trigger_on)
        return self._property(Transition, trigger, relevant, params, about=events, trigger_on=on)

    @declaration
    def deadlock(
        self,
        *,
        trigger: Function | None = None,
        relevant: Iterable[str] = (),
        **params: Parameter,
    ) -> Callable[[Function], Property]:
        """Declare that ``function(s)`` is true wherever no system event is possible."""
        return self._property(Deadlock, trigger, relevant, params)

    @declaration
    def possibility(
        self,
        *,
        trigger: Function | None = None,
        relevant: Iterable[str] = (),
        **params: Parameter,
    ) -> Callable[[Function], Property]:
        """Declare that a state with ``function(s)`` stays reachable by system events alone."""
        return self._property(Possibility, trigger, relevant, params)

    @declaration
    def liveness(
        self,
        *,
        trigger: Function | None = None,
        relevant: Iterable[str] = (),
        **params: Parameter,
    ) -> Callable[[Function], Property]:
        """Declare that every fair behaviour reaches a state with ``function(s)``."""
        return self._property(Liveness, trigger, relevant, params)

    @declaration
    def leads_to(
        self, trigger: Function, *, relevant: Iterable[str] = (), **params: Parameter
    ) -> Callable[[Function], Property]:
        """Declare that from every state with ``trigger(s)``, fair behaviours reach
        a state with ``function(s)``."""
        return self._property(LeadsTo, trigger, relevant, params)

    @declaration
    def recurrence(
        self,
        *events: str,
        trigger: Function | None = None,
        relevant: Iterable[str] = (),
        **params: Parameter,
    ) -> Callable[[Function], Property]:
        """Declare that no fair behaviour has one of ``events`` again and again for ever,

        but on cycles through a state with ``function(s)``.
        """
        if not events:
            raise ModelError(
                f"{self.name}: recurrence() without events says nothing; "
                "name those that may not go on for ever"
            )
        return self._property(Recurrence, trigger, relevant, params, about=events)

    def once(self, prop: Property) -> Property:
        """Declare, above a property, that it breaks where an event had had its effect before.

        Scripted orders then say ``twice`` of such an event.
        """
        self.declared.once.append(prop.name)
        return prop

    @declaration
    def says(
        self, wording: Wording, values: Values = MappingProxyType({})
    ) -> Callable[[Property], Property]:
        """Say, above a property, how it breaks: what ``Property.says`` takes.

        What this gives may stand above several properties.
        """

        def say(prop: Property) -> Property:
            if not isinstance(prop, Property):
                name = getattr(prop, "__name__", shown(prop))
                raise ModelError(
                    f"{place_of_call()}{self.name}: says stands above {name}, which is no "
                    "property; write it above what declares one (@model.invariant())"
                )
            if isinstance(wording, str):
                prop.says(wording, values)
            else:
                prop.says(wording)
            return prop

        return say

    @declaration
    def named(self, name: str, prop: Property) -> Property:
        """Give a property another name than its function's, as a part made several times has to."""
        prop.name = name
        return prop

    def _property(
        self,
        kind: type[Property],
        trigger: Function | None,
        relevant: Iterable[str],
        params: Mapping[str, Any],
        **more: Any,
    ) -> Callable[[Function], Property]:
        def register(holds: Function) -> Property:
            doc = meaning_of(holds)
            if not doc:
                raise ModelError(
                    f"{self.name}: property {holds.__name__}: say in its docstring what it means"
                )
            names = tuple(relevant)
            found = kind(
                holds.__name__, holds, trigger, relevant=names, doc=doc, params=dict(params), **more
            )
            _take_by_name(found)
            self.declared.properties.append(found)
            return found

        return register


def _take_by_name(prop: Property) -> None:
    """Note what the trigger of a property waits for, and what its functions take by name.

    The latter are parameters of events, behind the states; whether there are such parameters is
    checked when the model is put together.
    """
    prop.situation = situation_of(prop.trigger)
    states = 2 if prop.of_events else 1
    prop.takes = _others(names_taken(prop.holds)[states:], prop.params)
    if prop.trigger is not None:
        asked = 1 if prop.triggered_by_states or not prop.of_events else 2
        prop.trigger_takes = _others(names_taken(prop.trigger)[asked:], prop.params)


def situation_of(trigger: Function | None) -> str:
    """Return what a trigger waits for: what its docstring says, else its name; "" of a lambda."""
    name = getattr(trigger, "__name__", "<lambda>")
    if trigger is None or name == "<lambda>":
        return ""
    said = meaning_of(trigger).rstrip(".") or name.replace("_", " ")
    return said if said[1:2].isupper() else said[:1].lower() + said[1:]


def _others(names: Iterable[str], params: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in params)
