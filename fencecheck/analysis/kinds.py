"""Kinds of event orders: when two counterexamples tell one and the same story.

Two runs are of one kind if they use the same interference and differ only in the order of events
that commute, or in which of several alike does what: in the numbers of Indices, renamed alike
throughout the run. Takes runs of a system, gives kinds that can be compared; runs nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fencecheck.model.domains import Array, Index, Maybe, OneOf, Record, Subset
from fencecheck.model.fair import arguments_of
from fencecheck.model.system import System
from fencecheck.runs.commuting import Commuting, Key
from fencecheck.runs.event import Event, event_key
from fencecheck.runs.fairness import DomainOf

WAYS = 120  # ways to rename up to which every one is tried
Kind = tuple[frozenset[str], tuple[Key, ...]]
Run = tuple[Event, ...]
Number = tuple[Any, int]  # what an Index counts (its bound or size), and one of its values
Names = Mapping[Number, int]


class Kinds:
    """The kinds of the runs of one system."""

    def __init__(self, system: System) -> None:
        self.system, self.commuting = system, Commuting(system)
        self._arguments = [
            arguments_of(action, DomainOf(system, number))
            for number, action in enumerate(system.actions)
        ]

    def exact(self, events: Run) -> Kind:
        """Return the kind of a run in which every number counts."""
        return self._interference(events), self.commuting.normal_form(events)

    def whoever(self, events: Run) -> Kind:
        """Return the kind of a run, the same for runs that a renaming takes to each other.

        It is the smallest of the kinds under every renaming of the numbers that occur. Where there
        are too many, numbers are named in the order in which the run comes to them: two runs of
        one kind may then count as two.
        """
        forms = (
            self.commuting.normal_form(events, [self._renamed(event, names) for event in events])
            for names in _renamings(self._numbers(events))
        )
        return self._interference(events), min(forms)

    def _interference(self, events: Run) -> frozenset[str]:
        actions = [self.system.actions[event.action] for event in events]
        return frozenset(action.name for action in actions if action.interference)

    def _numbers(self, events: Run) -> list[Number]:
        """Return the numbers in the arguments of a run, in the order of their first occurrence."""
        found = (
            number
            for event in events
            for argument in self._arguments[event.action]
            for number in numbers_in(argument.domain, argument.of(event.args))
        )
        return list(dict.fromkeys(found))

    def _renamed(self, event: Event, names: Names) -> Key:
        name, shown, _ = event_key(self.system, event.action, event.args)
        given = {
            argument.name: renamed_in(argument.domain, argument.of(event.args), names)
            for argument in self._arguments[event.action]
        }
        return name, tuple((argument, given[argument]) for argument, _ in shown)


def numbers_in(domain: Any, value: Any) -> Iterator[Number]:
    """Yield the numbers of Indices in a value, those that say where an element stands too."""
    if value is None:
        return
    if isinstance(domain, Index | Maybe):
        yield _kind(domain), value
    elif isinstance(domain, Record):
        for inner, item in zip(domain.fields.values(), value, strict=True):
            yield from numbers_in(inner, item)
    elif isinstance(domain, Array):
        for place, item in enumerate(value):
            if isinstance(domain.index, Index):
                yield _kind(domain.index), place
            yield from numbers_in(domain.element, item)
    elif isinstance(domain, OneOf):
        yield from numbers_in(domain.tags[value.tag], value.held)
    elif isinstance(domain, Subset):
        for item in value:
            yield from numbers_in(domain.element, item)


def _kind(domain: Index | Maybe) -> Any:
    """Return what the numbers of an Index count: those of one bound, or of one size."""
    return domain.size if isinstance(domain, Index) else domain.index.size


def renamed_in(domain: Any, value: Any, names: Names) -> Any:
    """Return a value by which kinds are compared; none of an Index comes before all of it."""
    if value is None:
        return -1
    if isinstance(domain, Index | Maybe):
        return names[_kind(domain), value]
    if isinstance(domain, Record):
        pairs = zip(domain.fields.values(), value, strict=True)
        return tuple(renamed_in(inner, item, names) for inner, item in pairs)
    if isinstance(domain, Array):
        items = [renamed_in(domain.element, item, names) for item in value]
        if not isinstance(domain.index, Index):
            return tuple(items)
        kind = _kind(domain.index)
        return tuple(sorted((names[kind, place], item) for place, item in enumerate(items)))
    if isinstance(domain, OneOf):
        return value.tag, renamed_in(domain.tags[value.tag], value.held, names)
    if isinstance(domain, Subset):
        return tuple(sorted(renamed_in(domain.element, item, names) for item in value))
    return value


def _renamings(numbers: Iterable[Number]) -> Iterator[Names]:
    """Yield every way to name numbers anew, those of each bound among themselves.

    Where there are too many ways, only the one that names them in the order given.
    """
    of: dict[Any, list[Number]] = {}
    for number in numbers:
        of.setdefault(number[0], []).append(number)
    few = math.prod(math.factorial(len(group)) for group in of.values()) <= WAYS
    ways = [
        itertools.permutations(range(len(group))) if few else [tuple(range(len(group)))]
        for group in of.values()
    ]
    for chosen in itertools.product(*ways):
        yield {
            number: new
            for group, order in zip(of.values(), chosen, strict=True)
            for number, new in zip(group, order, strict=True)
        }
