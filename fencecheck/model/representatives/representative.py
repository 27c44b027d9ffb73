"""The representative of a state: its versions renumbered, its indices in order, then fresh values.

Takes the variables of a system with their resolved domains. States that have one representative
can do the same: each operation that a model may use of these types gives the same on both, or
results that differ in the same way. So one of them is enough (Wolper 1986 on data independence, Ip
and Dill 1996 on scalarsets).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from fencecheck.model.domains import Domain, Fresh, Index, Unlimited, Version
from fencecheck.model.representatives.fresh import numbering, ordering
from fencecheck.model.representatives.renaming import (
    Find,
    Key,
    Names,
    Rename,
    finding,
    kinds_in,
    renaming,
)
from fencecheck.model.representatives.symmetry import ReferenceSlices, sorted_by
from fencecheck.model.representatives.versions import renumbered

State = tuple[Any, ...]


class _Ahead(dict[int, int]):
    """What the numbers of a representative are in a state, also those not handed out yet."""

    def __init__(self, still: int, clock: int, names: Mapping[int, int]) -> None:
        super().__init__(names)
        self.behind = clock - still

    def __missing__(self, number: int) -> int:
        return number + self.behind


Step = Callable[[State], tuple[State, Names]]


class Representatives:
    """What takes the representatives of the states of one system.

    ``still`` are the symmetric indices, by their keys, whose values keep their places.
    """

    def __init__(
        self, names: Sequence[str], domains: Sequence[Domain], still: Collection[Key] = ()
    ) -> None:
        clocks = {
            place: domain
            for place, domain in enumerate(domains)
            if isinstance(domain, Unlimited) and domain.is_clock
        }
        self.names = names
        self._plain = [(p, domain) for p, domain in enumerate(domains) if p not in clocks]
        self._clocks = [(place, clock, self._finds(clock.clock)) for place, clock in clocks.items()]
        kinds: dict[Key, Any] = {}
        for _, domain in self._plain:
            kinds |= {key: kind for key, kind in kinds_in(domain).items() if key not in kinds}
        self.indices = {
            key: kind for key, kind in kinds.items() if isinstance(kind, Index) and key not in still
        }
        self.keys = [clock.clock for _, clock, _ in self._clocks] + list(self.indices)
        self._steps = [*self._versions(), *self._orders(), *self._fresh()]

    def __bool__(self) -> bool:
        """Tell whether any state has another for its representative."""
        return bool(self._steps)

    def of(self, state: State) -> State:
        """Return the state that stands for all that differ from ``state`` only in names."""
        return self.named(state)[0]

    def named(self, state: State) -> tuple[State, Names]:
        """Return the representative, and what each number and name of ``state`` became in it."""
        names: dict[Key, Mapping[int, int]] = {}
        for step in self._steps:
            state, more = step(state)
            names.update(more)
        return state, names

    def turned(self, state: State, names: Names) -> Names:
        """Return what the names of its representative are in ``state``: ``names``, and the next.

        The next are those that a clock has not handed out yet.
        """
        found = dict(names)
        for place, clock, _ in self._clocks:
            found[clock.clock] = _Ahead(clock.still, state[place], names[clock.clock])
        return found

    def misfit(self, before: State, after: State) -> str | None:
        """Say in words how an event moved a clock, or left a value ahead of it; None if neither."""
        for place, clock, _ in self._clocks:
            wrong = clock.misfit_of_clock(before[place], after[place])
            if wrong is not None:
                return wrong
        return self.ahead(after)

    def ahead(self, state: State) -> str | None:
        """Say in words which value is ahead of its clock; None if none is."""
        for where, clock, finds in self._clocks:
            for place, find in finds:
                for value in find(state[place]):
                    wrong = clock.misfit_at(self.names[place], value, state[where])
                    if wrong is not None:
                        return wrong
        return None

    def _finds(self, key: Key) -> list[tuple[int, Find]]:
        """Return the variables that hold names of a key, with what finds them."""
        found = ((place, finding(domain, key)) for place, domain in self._plain)
        return [(place, find) for place, find in found if find is not None]

    def _renames(self, keys: Collection[Key]) -> list[tuple[int, Rename]]:
        """Return the variables that hold names of some keys, with what renames them."""
        found = ((place, renaming(domain, keys)) for place, domain in self._plain)
        return [(place, rename) for place, rename in found if rename is not None]

    def _versions(self) -> list[Step]:
        versions = [found for found in self._clocks if isinstance(found[1], Version)]
        renames = self._renames([clock.clock for _, clock, _ in versions])
        stopped = {where: 0 for where, _, _ in versions}

        def step(state: State) -> tuple[State, Names]:
            names = {
                clock.clock: renumbered(
                    state[where], [v for place, find in finds for v in find(state[place])]
                )
                for where, clock, finds in versions
            }
            return _changed(state, renames, names, stopped), names

        return [step] if versions else []

    def _orders(self) -> list[Step]:
        """Return what puts the values of each symmetric Index in order, one Index after another."""
        keys = list(self.indices)
        return [self._order(key, keys[place + 1 :]) for place, key in enumerate(keys)]

    def _order(self, key: Key, later: Collection[Key]) -> Step:
        slices, values = ReferenceSlices(key, later), range(self.indices[key].count)
        told = ((place, slices.said(domain)) for place, domain in self._plain)
        tells = [(place, tell) for place, tell in told if tell is not None]
        renames = self._renames([key])

        def step(state: State) -> tuple[State, Names]:
            said = [[tell(state[place], one) for place, tell in tells] for one in values]
            names = {key: sorted_by(said)}
            return _changed(state, renames, names, {}), names

        return step

    def _fresh(self) -> list[Step]:
        fresh = [(place, clock) for place, clock, _ in self._clocks if isinstance(clock, Fresh)]
        keys = [clock.clock for _, clock in fresh]
        renames, stopped = self._renames(keys), {place: clock.still for place, clock in fresh}
        finds = [
            (place, ordering(domain, keys), number)
            for place, domain in self._plain
            if (number := numbering(domain, keys)) is not None
        ]

        def step(state: State) -> tuple[State, Names]:
            names: dict[Key, dict[int, int]] = {key: {0: 0} for key in keys}
            for place, order, number in finds:
                number(state[place] if order is None else order(state[place]), names)
            return _changed(state, renames, names, stopped), names

        return [step] if fresh else []


def _changed(
    state: State, renames: Iterable[tuple[int, Rename]], names: Names, stopped: dict[int, int]
) -> State:
    """Return a state with other names and with the clocks ``stopped``."""
    if all(number == name for key in names.values() for number, name in key.items()):
        if all(state[place] == still for place, still in stopped.items()):
            return state
        renames = ()
    values = list(state)
    for place, rename in renames:
        values[place] = rename(values[place], names)
    for place, still in stopped.items():
        values[place] = still
    return tuple(values)
