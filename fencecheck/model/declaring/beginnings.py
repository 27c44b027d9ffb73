"""Beginnings: how the initial states of a model are declared, where there are several."""

from __future__ import annotations

from collections.abc import Callable

from fencecheck.model.checks.arguments import declaration
from fencecheck.model.declare import Declared, Parameter, Start
from fencecheck.model.property import Function


class Beginnings:
    """In which states a model may begin, declared above functions."""

    declared: Declared

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
