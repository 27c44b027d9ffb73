"""What to write in a predicate instead of the number of a version, or of a fresh value.

States keep of such a value how it compares, and not its number. What people ask for by a number is
asked by another value of the same clock, or by how often what moves the clock happened.
"""

from __future__ import annotations

from collections.abc import Iterator

from fencecheck.model.checks.sizes import places_in
from fencecheck.model.declare import USED
from fencecheck.model.declaring.any_number import AnyNumber
from fencecheck.model.domains import Array, Bag, Domain, Enum, Maybe, OneOf, Record, Set, Version
from fencecheck.model.domains.unlimited import Unlimited
from fencecheck.model.system import System

_MOST = 3  # values that a message names


def handed_out(domain: Domain | None) -> Unlimited | None:
    """Return the Version or Fresh of which a domain's values are, None where there is none."""
    inner = domain.of if isinstance(domain, Maybe) else domain
    return inner if isinstance(inner, Unlimited) else None


def instead_of_number(system: System, domain: Unlimited) -> str:
    """Say why there is no number to compare a value with, and what can be asked instead."""
    clock, ordered = domain.clock, isinstance(domain, Version)
    told = [
        f"a state keeps how the numbers that {clock} hands out compare, and not how large they are"
        if ordered
        else f"a state keeps which of the values that {clock} hands out are equal, and no number"
    ]
    others = list(dict.fromkeys(_values(system, clock)))
    if others:
        ways = "==, != or <" if ordered else "== or !="
        named = ", ".join(others[:_MOST]) + (", ..." if len(others) > _MOST else "")
        told.append(f"compare it by {ways} with another of them ({named})")
    if counts := _counts(system, clock):
        counted = " and ".join(counts)
        told.append(
            f"{'or ' if others else ''}ask how often what moves {clock} happened, by {counted}"
        )
    if not others and not counts:
        told.append("compare it with another of them")
    return f"{told[0]}: {', '.join(told[1:])}"


def _values(system: System, clock: str) -> Iterator[str]:
    """Yield what a predicate calls the values of a clock, the clock itself first."""
    if clock in system.place:
        yield clock
    for name, domain in zip(system.names, system.domains, strict=True):
        if name != clock and places_in(domain)[clock]:
            yield from _within(name, domain, clock)


def _within(name: str, domain: Domain, clock: str) -> Iterator[str]:
    found = handed_out(domain)
    if found is not None and found.clock == clock:
        yield name
    elif isinstance(domain, Array):
        first = f'"{domain.index.names[0]}"' if isinstance(domain.index, Enum) else "1"
        yield from _within(f"{name}[{first}]", domain.element, clock)
    elif isinstance(domain, Record):
        for field, inner in domain.fields.items():
            yield from _within(f"{name}.{field}", inner, clock)
    elif isinstance(domain, OneOf):
        for tag, held in domain.tags.items():
            if held is not None:
                yield from _within(f"{name}.{tag}", held, clock)
    elif isinstance(domain, Bag | Set):
        for inside in _within("x", domain.element, clock):
            yield f"{inside} for x in {name}"


def _counts(system: System, clock: str) -> list[str]:
    """Return the names of what was used of the budgets whose interference moves a clock."""
    budgets = {
        action.budget
        for action, changes in zip(system.actions, system.lowered.changes, strict=True)
        if clock in changes.written
    }
    numbers = system.design.bounds
    return [
        f"{b.name}{USED}"
        for b in system.family.declared.bounds
        if b.name in budgets and numbers[b.name] and not isinstance(numbers[b.name], AnyNumber)
    ]
