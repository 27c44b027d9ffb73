"""Orbits: the states that differ only in names, told by trying all ways to name them.

A judge of representatives that is slow and shares no code with them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

from fencecheck.model.domains import (
    Array,
    Bag,
    Domain,
    Fresh,
    Index,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
    Unlimited,
    Version,
    order_of,
)
from fencecheck.model.system import State, System

Change = Callable[[Domain, int], int]


def changed(domain: Domain, value: Any, change: Change) -> Any:
    """Return a value with every name in it changed: ``change(domain of the name, name)``."""
    if isinstance(domain, Array):
        items = [changed(domain.element, item, change) for item in value]
        if isinstance(domain.index, Index) and domain.index.symmetric:
            places = [change(domain.index, place) for place in range(len(items))]
            items = [items[places.index(place)] for place in range(len(items))]
        return tuple(items)
    if isinstance(domain, Seq):
        return tuple(changed(domain.element, item, change) for item in value)
    if isinstance(domain, Set | Bag):
        items = [changed(domain.element, item, change) for item in value]
        return tuple(sorted(items, key=order_of(domain.element)))
    if isinstance(domain, Record):
        pairs = zip(domain.fields.values(), value, strict=True)
        return domain.make(*(changed(field, item, change) for field, item in pairs))
    if isinstance(domain, OneOf):
        held = domain.tags[value[0]]
        return value if held is None else domain.make(value[0], changed(held, value[1], change))
    if isinstance(domain, Maybe):
        return None if value is None else changed(domain.index, value, change)
    if isinstance(domain, Unlimited) or (isinstance(domain, Index) and domain.symmetric):
        return change(domain, value)
    return value


def names_in(domain: Domain) -> Iterator[Any]:
    """Yield the domains of the names that a value of a domain can hold."""
    if isinstance(domain, Array):
        yield from names_in(domain.index)
        yield from names_in(domain.element)
    elif isinstance(domain, Set | Bag):
        yield from names_in(domain.element)
    elif isinstance(domain, Record | OneOf):
        inner = domain.fields if isinstance(domain, Record) else domain.tags
        for field in inner.values():
            yield from () if field is None else names_in(field)
    elif isinstance(domain, Maybe):
        yield from names_in(domain.index)
    elif isinstance(domain, Unlimited) or (isinstance(domain, Index) and domain.symmetric):
        yield domain


class Orbits:
    """The orbits of the states of one system."""

    def __init__(self, system: System) -> None:
        self.domains, clocks = system.domains, dict[str, int]()
        for place, domain in enumerate(system.domains):
            if isinstance(domain, Unlimited) and domain.is_clock:
                clocks[domain.clock] = place
        self.clocks = clocks
        kinds = {_key(d): d for domain in system.domains for d in names_in(domain)}
        self.versions = [key for key, d in kinds.items() if isinstance(d, Version)]
        self.fresh = [key for key, d in kinds.items() if isinstance(d, Fresh)]
        self.indices = [d for d in kinds.values() if isinstance(d, Index)]
        self.indices = [d for d in self.indices if d.origin not in system.still]

    def smallest(self, state: State) -> State:
        """Return one and the same state for all that differ only in names, and for no others."""
        fixed, ways = Names(), list[list[tuple[Any, dict[int, int]]]]()
        for key in self.versions:
            clock, used = state[self.clocks[key]], self._used(state, key)
            below = sorted((n for n in used if n < clock), reverse=True)
            fixed[key] = {n: n - clock for n in used}
            fixed[key] |= {n: -1 - place for place, n in enumerate(below)}
        for key in self.fresh:
            made = sorted(self._used(state, key) - {0})
            orders = itertools.permutations(range(1, len(made) + 1))
            ways.append([(key, dict(zip(made, order, strict=True))) for order in orders])
        for index in self.indices:
            orders = itertools.permutations(range(index.count))
            ways.append([(index.origin, dict(enumerate(order))) for order in orders])
        stopped = dict.fromkeys(self.clocks, 0)
        chosen = (Names(fixed | dict(way)) for way in itertools.product(*ways))
        return min((self._with(state, names, stopped) for names in chosen), key=repr)

    def otherwise_named(self, state: State, choose: random.Random) -> State:
        """Return a state that differs from another only in names, by chance."""
        names, clocks = Names(), dict[str, int]()
        for key in self.versions:
            clock, used = state[self.clocks[key]], self._used(state, key)
            older = clocks[key] = choose.randint(30, 40)
            names[key] = {n: older + n - clock for n in used}
            for name in sorted((n for n in used if n < clock), reverse=True):
                older -= choose.randint(1, 3)
                names[key][name] = older
        for key in self.fresh:
            made, clocks[key] = sorted(self._used(state, key) - {0}), 40
            others = choose.sample(range(1, 41), len(made))
            names[key] = dict(zip(made, others, strict=True))
        for index in self.indices:
            order = choose.sample(range(index.count), index.count)
            names[index.origin] = dict(enumerate(order))
        return self._with(state, names, clocks)

    def _with(self, state: State, names: Names, clocks: dict[str, int]) -> State:
        def change(domain: Any, name: int) -> int:
            return names.get(_key(domain), {}).get(name, name)

        pairs = zip(self.domains, state, strict=True)
        values = [changed(domain, value, change) for domain, value in pairs]
        for key, place in self.clocks.items():
            values[place] = clocks.get(key, state[place])
        return tuple(values)

    def _used(self, state: State, key: Any) -> set[int]:
        """Return the numbers that a state holds in other places than the clock."""
        found = set[int]()

        def note(domain: Any, name: int) -> int:
            found.update({name} if _key(domain) == key else ())
            return name

        for place, (domain, value) in enumerate(zip(self.domains, state, strict=True)):
            if place not in self.clocks.values():
                changed(domain, value, note)
        return found


class Names(dict[Any, dict[int, int]]):
    """What each number becomes, by what it is a number of."""


def _key(domain: Any) -> Any:
    return domain.clock if isinstance(domain, Unlimited) else domain.origin
