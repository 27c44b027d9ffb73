"""Sets as functions of a model see them: ascending, and with the operators of Python's sets.

A set at rest is a tuple. Where a model uses set operators its views give it as a ``RestingSet``.
What an operator gives is a ``frozenset``, whose order nothing may depend on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencecheck.model.domains import Array, Domain, Set


def _set_of(other: Any) -> Any:
    if isinstance(other, frozenset | set | SetOperators):
        members: Any = other
        return frozenset(members)
    return NotImplemented


def _operator(name: str) -> Callable[[Any, Any], Any]:
    own = getattr(frozenset, name)

    def operate(self: Any, other: Any) -> Any:
        members = _set_of(other)
        return members if members is NotImplemented else own(frozenset(self), members)

    return operate


class SetOperators:
    """The operators and methods of Python's sets that change nothing."""

    __slots__ = ()

    __or__, __ror__ = _operator("__or__"), _operator("__ror__")
    __and__, __rand__ = _operator("__and__"), _operator("__rand__")
    __sub__, __rsub__ = _operator("__sub__"), _operator("__rsub__")
    __xor__, __rxor__ = _operator("__xor__"), _operator("__rxor__")
    __le__, __lt__ = _operator("__le__"), _operator("__lt__")
    __ge__, __gt__ = _operator("__ge__"), _operator("__gt__")
    union, intersection = _operator("__or__"), _operator("__and__")
    difference, symmetric_difference = _operator("__sub__"), _operator("__xor__")
    issubset, issuperset = _operator("__le__"), _operator("__ge__")

    def isdisjoint(self, other: Any) -> bool:
        """Tell whether there is no common member."""
        return not self & other

    def copy(self) -> Any:
        """Return the members as they are now."""
        return _set_of(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, frozenset | set):
            return bool(_set_of(self) == other)
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class RestingSet(SetOperators, tuple[Any, ...]):
    """A set at rest in a view of a model that uses set operators."""

    __slots__ = ()
    __hash__ = tuple.__hash__


def with_operators(domain: Domain) -> Callable[[Any], Any] | None:
    """Return what gives the sets in a value at rest their operators (None: there are none)."""
    if isinstance(domain, Set):
        return RestingSet
    inner = with_operators(domain.element) if isinstance(domain, Array) else None
    return None if inner is None else lambda value: type(value)(map(inner, value))
