"""Check what is declared of Version and Fresh: each has one clock, and nothing ranges over it.

Takes what all parts of a model declare, raises ModelError with the place of what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.declare import Declared, Each, Variable
from fencecheck.model.domains import Domain, Unlimited
from fencecheck.model.mistakes.gathering import apart
from fencecheck.model.ordinary import place_of
from fencecheck.model.property import Function
from fencecheck.model.representatives.renaming import kinds_in


def check_clocks(model: str, declared: Declared) -> None:
    """Raise ModelError for a Version or Fresh without its clock, or where none may stand."""
    variables = {variable.name: variable for variable in declared.variables}
    for variable in declared.variables:
        for kind in _unlimited_in(variable.domain):
            with apart():
                _check_clock(model, variable, kind, variables)
    for function, params in _taking(declared):
        for name, param in params.items():
            for kind in [] if isinstance(param, Each) else _unlimited_in(param):
                with apart():
                    raise ModelError(
                        f"{place_of(function)}model {model}: {function.__name__}: parameter {name} "
                        f"ranges over {_name(kind)}, which has no largest value; let it range over "
                        f'what holds one, as in Each("messages"), or read {kind.clock}'
                    )


def _taking(declared: Declared) -> Iterator[tuple[Function, Mapping[str, Any]]]:
    """Yield the functions that take parameters, with what these range over."""
    yield from ((action.effect, action.params) for action in declared.actions)
    yield from ((forgetting.function, forgetting.params) for forgetting in declared.forgets)
    yield from ((start.function, start.params) for start in declared.starts)
    yield from ((prop.holds, prop.params) for prop in declared.properties)


def _unlimited_in(domain: Any) -> list[Unlimited]:
    kinds = kinds_in(domain).values() if isinstance(domain, Domain) else ()
    return [kind for kind in kinds if isinstance(kind, Unlimited)]


def _name(kind: Unlimited) -> str:
    return f"{type(kind).__name__} {kind.clock}"


def _check_clock(
    model: str, variable: Variable, kind: Unlimited, variables: dict[str, Variable]
) -> None:
    where = f"{variable.domain.place}model {model}: variable {variable.name}"
    clock = variables.get(kind.clock)
    if clock is None:
        raise ModelError(
            f"{where}: {_name(kind)} has no clock: there is no variable {kind.clock}; declare it "
            f"with that {type(kind).__name__} as its domain{nearest(kind.clock, variables)}"
        )
    if not isinstance(clock.domain, Unlimited) or clock.domain.origin is not kind.origin:
        raise ModelError(
            f"{where}: variable {kind.clock} is the clock of {_name(kind)} and has another domain; "
            "make one and use it for the clock and for what takes its values"
        )
    if variable is clock and clock.initial not in (None, 0):
        raise ModelError(
            f"{where}: a clock starts at 0; leave out its initial value, or advance it in an "
            "initial state (model.initial)"
        )
