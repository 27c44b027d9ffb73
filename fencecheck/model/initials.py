"""The states in which a model may begin: its declared values, and what sets them up further.

Takes a system whose domains are resolved; runs the functions declared with ``initial`` as effects
are run, for every choice of their parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fencecheck.errors import ModelError
from fencecheck.model.checks.ways import check_ways
from fencecheck.model.declare import Start, Variable
from fencecheck.model.domains import Domain
from fencecheck.model.lower.lowered import Changes
from fencecheck.model.mistakes.gathering import apart, go_on_if_right
from fencecheck.model.ordinary import ask, place_of, shown
from fencecheck.model.parts import declared_places
from fencecheck.model.values import freeze

if TYPE_CHECKING:
    from fencecheck.model.system import System

Key = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
Values = tuple[Any, ...]


def initial_states(system: System) -> tuple[Values, ...]:
    """Return the initial states, each once, in an order that names and arguments decide."""
    found: list[tuple[Key, Values]] = [((), _declared(system))]
    go_on_if_right()
    starts = system.family.declared.starts
    for start in starts:
        step = system.execution(start.function, Changes.of_all(system.names), start.name)
        choices = _choices(system, start)
        found = [
            ((*key, (start.name, chosen)), after)
            for key, state in found
            for chosen, args in choices
            if (after := _started(system, start, step, (state, args))) is not None
        ]
    if not found:
        names = ", ".join(start.name for start in starts)
        raise ModelError(
            f"{place_of(starts[0].function)}model {system.family.name}: there is no initial "
            f"state: no choice of the parameters of {names} is allowed by when"
        )
    found.sort(key=lambda entry: sorted(entry[0]))
    return tuple(dict.fromkeys(state for _, state in found))


def _choices(system: System, start: Start) -> list[tuple[tuple[tuple[str, Any], ...], Values]]:
    """Return the choices of a start's parameters, each with what it is sorted by."""
    sizes = system.capacity.sizes
    domains: dict[str, Any] = {n: _plain(p).resolve(sizes) for n, p in start.params.items()}
    check_ways(domains.values(), f"{place_of(start.function)}{start.name}")
    return [
        (
            tuple(sorted((n, d.rank(v)) for (n, d), v in zip(domains.items(), args, strict=True))),
            args,
        )
        for args in itertools.product(*(all_values(d) for d in domains.values()))
    ]


def _plain(param: Any) -> Any:
    """Return a parameter, which is no Each (checks/names.py)."""
    return param


def _started(
    system: System, start: Start, step: Callable[..., Any], given: tuple[Values, Values]
) -> Values | None:
    """Return the initial state that a choice makes of a state; None where it is not allowed."""
    state, args = given
    what = f"{start.name}, which sets up an initial state,"
    if start.guard is not None and not ask(what, start.guard, system.view(state), *args):
        return None
    after, _ = ask(what, step, state, *args)
    outside = system.outside(after)
    if outside is not None:
        raise ModelError(f"{place_of(start.function)}{what} goes wrong: {outside}")
    return tuple(after)


def _declared(system: System) -> Values:
    """Return the state of the values that the variables are declared with."""
    values = []
    places = declared_places(system.family.parts)
    for variable, domain in zip(system.variables, system.domains, strict=True):
        with apart():
            value = initial_value(
                system.family.name, variable, domain, system.sizes, places.get(variable.name, "")
            )
            frozen = freeze(domain, checked=system.lowered.may_be_negative)
            values.append(frozen(value) if frozen else value)
    state = tuple(values)
    ahead = system.representatives.ahead(state) if len(values) == len(system.names) else None
    if ahead is not None:
        raise ModelError(f"model {system.family.name}: at first {ahead}")
    return state


def initial_value(
    model: str, variable: Variable, domain: Domain, sizes: Any, declared: str = ""
) -> Any:
    """Return what a variable of a model starts as; raises ModelError if its domain has no such.

    ``declared`` is the place of its declaration, as messages begin with it.
    """
    given = variable.initial
    value = ask(f"the initial value of {variable.name}", given, sizes) if callable(given) else given
    value = domain.default if value is None else value
    if not _fits(domain, value):
        place = place_of(given) if callable(given) else variable.domain.place or declared
        raise ModelError(
            f"{place}model {model}: variable {variable.name} starts as "
            f"{shown(value)}, which is not {domain.describe()}"
        )
    return value


def _fits(domain: Domain, value: Any) -> bool:
    """Tell whether a value that may be anything belongs to a domain."""
    try:
        return domain.contains(value)
    except (TypeError, AttributeError, ValueError):
        return False


def all_values(domain: Any) -> list[Any]:
    """Return every value of a scalar domain, in ascending order."""
    return [domain.value(rank) for rank in range(domain.count)]
