"""Resolve what a model declares against the sizes of one run.

Where mistakes are gathered, what has no size is left out: the rest of the model is still checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.declare import Action, Declared, Each, Variable
from fencecheck.model.domains import (
    Array,
    Bag,
    Domain,
    Maybe,
    OneOf,
    Record,
    RoomySizes,
    Set,
    Unlimited,
    held_here,
)
from fencecheck.model.mistakes.gathering import apart, unsure


def resolved_variables(declared: Declared, sizes: Any) -> list[tuple[Variable, Domain]]:
    """Return the variables with their domains; raises ModelError for one that has none.

    How many places can hold a Version or a Fresh is known once all domains are; then they are
    resolved again with the room that these values need.
    """
    resolved = list(_resolved(declared, sizes))
    places = Counter[str]()
    for variable, domain in resolved:
        with apart():
            places.update(found := _places_of(variable, domain))
            _check_clocks(variable, found, resolved)
    if not places:
        return resolved
    return [
        (v, domain.of_clock() if isinstance(domain, Unlimited) and _is_clock(v, domain) else domain)
        for v, domain in _resolved(declared, RoomySizes(sizes, places))
    ]


def _check_clocks(
    variable: Variable, places: Counter[str], resolved: list[tuple[Variable, Domain]]
) -> None:
    """Raise ModelError for what this run gives room to and no variable hands out."""
    known = {v.name for v, domain in resolved if _is_clock(v, domain)}
    for clock in [clock for clock in places if clock not in known]:
        raise ModelError(
            f"{variable.domain.place}variable {variable.name}: it has values that {clock} hands "
            f"out in this run, and there is no variable {clock}; declare it, or give them no room"
        )


def _is_clock(variable: Variable, domain: Domain) -> bool:
    return isinstance(domain, Unlimited) and domain.clock == variable.name


def _places_of(variable: Variable, domain: Domain) -> Counter[str]:
    """Return how many values of each Version and Fresh a variable can hold; a clock is no place."""
    if isinstance(domain, Unlimited) and _is_clock(variable, domain):
        return Counter({domain.clock: 0})
    try:
        return places_in(domain)
    except ModelError as error:
        place = variable.domain.place
        raise ModelError(f"{place}{error} (in variable {variable.name})") from None


def places_in(domain: Domain) -> Counter[str]:
    """Return how many values of each Version and Fresh a resolved domain can hold at a time."""
    if isinstance(domain, Unlimited):
        return Counter({domain.clock: 1})
    if isinstance(domain, Maybe):
        return places_in(domain.of) if domain.of else Counter()
    if isinstance(domain, Array):
        return _times(domain.length, places_in(domain.element))
    if isinstance(domain, Bag | Set):
        inner = places_in(domain.element)
        return _times(_capacity(domain), inner) if inner else inner
    if isinstance(domain, Record):
        return sum(map(places_in, domain.fields.values()), Counter())
    found = Counter[str]()
    for held in held_here(domain) if isinstance(domain, OneOf) else ():
        found |= places_in(held)
    return found


def _times(number: int, places: Counter[str]) -> Counter[str]:
    return Counter({clock: number * count for clock, count in places.items()})


def _capacity(domain: Bag | Set) -> int:
    capacity: int | None = getattr(domain, "capacity", None)
    if capacity is None:
        raise ModelError(
            f"Set: how many of {domain.element.describe()} it can hold decides what room a value "
            "takes; write its capacity, as in Set(ELEMENT, 3)"
        )
    return capacity


def _resolved(declared: Declared, sizes: Any) -> Iterator[tuple[Variable, Domain]]:
    for variable in declared.variables:
        domain = None
        with apart():
            try:
                domain = variable.domain.resolve(sizes)
            except ModelError as error:
                raise ModelError(f"{error} (in variable {variable.name})") from None
        if domain is None:
            unsure(variable.name)
        else:
            yield variable, domain


def resolved_parameters(action: Action, sizes: Any) -> dict[str, Any]:
    """Return an action's parameters with the sizes of their domains known."""
    resolved: dict[str, Any] = {}
    for name, param in action.params.items():
        with apart():
            resolved[name] = param if isinstance(param, Each) else param.resolve(sizes)
    return resolved
