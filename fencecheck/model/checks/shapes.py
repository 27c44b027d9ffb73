"""Shapes: what the variables and parameters of a model are once its sizes are known.

Many designs of one family have states of one shape. Takes the declarations and the sizes of a run;
gives its Shape, and one that is known already where everything that was asked of the sizes then is
the same now. The domains of a shape show their values with the sizes that it was made for: whoever
tells people what came out makes one of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from fencecheck.model.checks.sizes import resolved_parameters, resolved_variables
from fencecheck.model.declare import Declared, Each, Variable
from fencecheck.model.domains import Domain, Left, shape_of
from fencecheck.model.mistakes.gathering import times_wrong
from fencecheck.model.representatives.representative import Representatives


class _NotedSizes:
    """The sizes of a run, which note what is asked of them."""

    __slots__ = ("_asked", "_sizes")

    def __init__(self, sizes: Any, asked: dict[str, Any]) -> None:
        self._sizes, self._asked = sizes, asked

    def __getattr__(self, name: str) -> Any:
        value = self._asked[name] = getattr(self._sizes, name)
        return value


@dataclass
class Shape:
    """The variables with their domains, the parameters of each action, and what ``key`` they have.

    Systems whose shapes have one key can share what the functions of the model are lowered to.
    """

    variables: list[tuple[Variable, Domain]]
    params: list[dict[str, Any]]
    key: tuple[Any, ...]
    _representatives: dict[frozenset[Any], Representatives] = field(default_factory=dict)

    def representatives(self, still: Collection[Any]) -> Representatives:
        """Return what takes the representatives of its states, with some indices kept still."""
        key = frozenset(still)
        if key not in self._representatives:
            names = [variable.name for variable, _ in self.variables]
            domains = [domain for _, domain in self.variables]
            self._representatives[key] = Representatives(names, domains, still)
        return self._representatives[key]


def shape_for(declared: Declared, sizes: Any, *, alone: bool) -> Shape:
    """Return the shape of the states for the sizes of a run.

    Where that is ``alone``, what is left of a budget of any is the same everywhere.
    """
    variables = [
        (variable, domain.fixed() if alone and isinstance(domain, Left) else domain)
        for variable, domain in resolved_variables(declared, sizes)
    ]
    params = [resolved_parameters(action, sizes) for action in declared.actions]
    return Shape(variables, params, _key(declared, sizes, (d for _, d in variables)))


def _key(declared: Declared, sizes: Any, domains: Iterable[Domain]) -> tuple[Any, ...]:
    params = [
        shape_of(param.resolve(sizes))
        for param in declared.parameters()
        if not (isinstance(param, Each) or times_wrong())  # a wrong model is not lowered again
    ]
    bounds = tuple(getattr(sizes, b.name) for b in declared.bounds if not b.budget)
    return tuple(map(shape_of, domains)), tuple(params), bounds


class Shapes:
    """The shapes of the states of one family that were needed so far."""

    def __init__(self) -> None:
        self._known: list[tuple[dict[str, Any], Shape]] = []

    def of(self, declared: Declared, sizes: Any) -> Shape:
        """Return the shape for some sizes, which several runs share."""
        for asked, shape in self._known:
            if all(getattr(sizes, name) == value for name, value in asked.items()):
                return shape
        asked = dict[str, Any]()
        shape = shape_for(declared, _NotedSizes(sizes, asked), alone=False)
        self._known.append((asked, shape))
        return shape
