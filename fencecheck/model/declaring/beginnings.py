"""Beginnings: what the states and events of a model start from, and where a search stops.

How initial states are declared, where there are several, what parameters of events range over
by their names, and which states are not expanded.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.checks.arguments import declaration
from fencecheck.model.declare import Constraint, Declared, Parameter, Start
from fencecheck.model.declaring.actors import meaning_of
from fencecheck.model.domains import Index
from fencecheck.model.ordinary import place_of
from fencecheck.model.property import Function


class Beginnings:
    """In which states a model may begin, and what there are several of."""

    name: str
    declared: Declared

    def bound(self, name: str, default: int, doc: str, *, least: int = 1) -> str:
        """Declare a size that shapes the state."""
        raise AssertionError  # given by Part

    @declaration
    def index(
        self,
        name: str,
        doc: str,
        *,
        bound: str,
        size: int,
        prefix: str = "",
        least: int = 1,
        symmetric: bool = False,
    ) -> Index:
        """Declare that there are several of something, as many as ``bound`` says: ``size`` of them.

        Events whose function has a parameter ``name`` get one of them, without saying so.
        """
        self.bound(bound, size, doc, least=least)
        index = Index(bound, prefix or name[:1], symmetric=symmetric)
        self.declared.indices.append((name, index))
        return index

    @declaration
    def initial(
        self, *, when: Function | None = None, **params: Parameter
    ) -> Callable[[Function], Function]:
        """Declare that ``function(s, ...)`` sets up the state in which a run begins.

        It is written as an effect is, and runs once, on the declared initial values, for every
        choice of ``params`` for which ``when(s, ...)`` is true: there are as many initial states
        as it makes. Several such functions run one after another.
        """

        def register(function: Function) -> Function:
            self.declared.starts.append(Start(function, dict(params), when))
            return function

        return register

    @declaration
    def constraint(self) -> Callable[[Function], Function]:
        """Declare that states in which ``function(s)`` is false are visited, and not expanded.

        Properties of safety are judged in them; nothing counts as not possible after them.
        """

        def register(function: Function) -> Function:
            doc = meaning_of(function)
            if not doc:
                raise ModelError(
                    f"{place_of(function)}{self.name}: constraint {function.__name__}: say in its "
                    "docstring what it means"
                )
            self.declared.constraints.append(Constraint(function.__name__, function, doc))
            return function

        return register


def name_parameters(declared: Declared) -> None:
    """Give functions the parameters that they have by name and do not declare."""
    indices = dict(declared.indices)
    if not indices:
        return
    declared.actions[:] = [
        replace(action, params=_with_named(action.effect, action.params, indices))
        for action in declared.actions
    ]
    declared.starts[:] = [
        replace(start, params=_with_named(start.function, start.params, indices))
        for start in declared.starts
    ]
    declared.forgets[:] = [
        replace(forgets, params=_with_named(forgets.function, forgets.params, indices))
        for forgets in declared.forgets
    ]


def _with_named(function: Any, params: dict[str, Any], indices: dict[str, Index]) -> dict[str, Any]:
    """Return parameters with those of ``indices`` that a function takes, in its order."""
    taken = list(inspect.signature(function).parameters)[1:]
    every = {**indices, **params}
    missing = [name for name in taken if name in indices and name not in params]
    if not missing or any(name not in every for name in taken):
        return params
    return {**{name: every[name] for name in taken}, **params}
