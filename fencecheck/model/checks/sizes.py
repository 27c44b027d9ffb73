"""Resolve what a model declares against the sizes of one run.

Where mistakes are gathered, what has no size is left out: the rest of the model is still checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.declare import Action, Declared, Each, Variable
from fencecheck.model.domains import Domain
from fencecheck.model.mistakes.gathering import apart, unsure


def resolved_variables(declared: Declared, sizes: Any) -> Iterator[tuple[Variable, Domain]]:
    """Yield the variables with their domains; raises ModelError for one that has none."""
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
