"""Fairness classes: the label of every edge of a graph, one for each class of events.

A label is a small number, the same in both engines: the first label of the edge's action plus the
rank of its class among those of the action, by the values of the arguments that the model names
(model/fair.py). Fairness speaks of the classes of system events.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.declare import Action, Each, Parameter
from fencecheck.model.domains import counted
from fencecheck.model.fair import Argument, fair_arguments
from fencecheck.model.system import Args, System

MOST = 1 << 16  # labels that two bytes have room for


class Classes:
    """The labels of a system's edges: ``first[action]`` and what follows are an action's."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.arguments: list[tuple[Argument, ...]] = [
            fair_arguments(action, DomainOf(system, number))
            for number, action in enumerate(system.actions)
        ]
        counts = [math.prod(a.domain.count for a in found) for found in self.arguments]
        self.first = [0, *itertools.accumulate(counts)]
        self.count = self.first.pop()
        if self.count > MOST:
            most = max(range(len(counts)), key=counts.__getitem__)
            raise ModelError(
                f"model {system.family.name}: {system.actions[most].name} has {counts[most]:,} "
                f"fairness classes, all events {self.count:,}; at most {MOST:,} are kept apart: "
                "name fewer arguments in fair_by"
            )

    def label(self, action: int, args: Args) -> int:
        """Return the label of one event."""
        rank = 0
        for place in self.arguments[action]:
            rank = rank * place.domain.count + place.domain.rank(place.of(args))
        return self.first[action] + rank

    def labels_of(self, event: str, values: Mapping[str, Any]) -> list[int]:
        """Return the labels of the events of a name, of a parameter in ``values`` with that one."""
        bounds = [*self.first, self.count]
        names = [action.name for action in self.system.actions]
        return [
            label
            for number, name in enumerate(names)
            if name == event
            for label in range(*bounds[number : number + 2])
            if self._has(label, number, values)
        ]

    def _has(self, label: int, action: int, values: Mapping[str, Any]) -> bool:
        _, *ranks = self.key(label)
        return all(
            place.domain.value(rank) == values.get(place.name, place.domain.value(rank))
            for place, rank in zip(self.arguments[action], ranks, strict=True)
            if place.field is None
        )

    def own(self) -> list[bool]:
        """Return for each label whether its events are the system's own."""
        return [not action.interference for action in self._actions()]

    def lasting(self) -> list[bool]:
        """Return for each label whether a behaviour may take it again and again for ever."""
        return [self.system.design.lets_last(action) for action in self._actions()]

    def budgets(self) -> list[str]:
        """Return for each label which budget its events spend; none of the system's own do."""
        return [action.budget or "" for action in self._actions()]

    def owed(self) -> list[bool]:
        """Return for each label whether a fair behaviour lets it happen in the end."""
        return [action.owed for action in self._actions()]

    def strong(self) -> list[bool]:
        """Return for each label whether to be possible again and again is enough for that."""
        return [action.owed and action.fair == "strong" for action in self._actions()]

    def _actions(self) -> Iterator[Action]:
        """Yield the action of each label."""
        bounds = itertools.pairwise([*self.first, self.count])
        for action, (first, last) in zip(self.system.actions, bounds, strict=True):
            yield from itertools.repeat(action, last - first)

    def key(self, label: int) -> tuple[Any, ...]:
        """Return what classes are compared by: the event's name, then the arguments' ranks."""
        action = max(a for a, first in enumerate(self.first) if first <= label)
        rank, values = label - self.first[action], list[int]()
        for place in reversed(self.arguments[action]):
            rank, value = divmod(rank, place.domain.count)
            values.append(value)
        return (self.system.actions[action].name, *reversed(values))

    def words(self, label: int) -> str:
        """Return a class as people read it: ``executor.apply(step 1)``."""
        name, *ranks = self.key(label)
        action = max(a for a, first in enumerate(self.first) if first <= label)
        told = [
            f"{place.name} {_shown(place, rank)}"
            for place, rank in zip(self.arguments[action], ranks, strict=True)
        ]
        return f"{name}({', '.join(told)})" if told else str(name)


class DomainOf:
    """The domains of one action's parameters in a system."""

    def __init__(self, system: System, action: int) -> None:
        self.system, self.params = system, system.params[action]

    def __call__(self, name: str, param: Parameter) -> Any:
        if isinstance(param, Each):
            domain: Any = self.system.domains[self.system.place[param.variable]]
            return domain.element
        return self.params[name]


def _shown(place: Argument, rank: int) -> Any:
    return counted(place.domain, place.domain.value(rank))
