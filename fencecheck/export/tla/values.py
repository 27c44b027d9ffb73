"""What names stand for while a function is written as an operator: known values, and terms.

A KnownValue is what Python knows without a run; a Term is a tree with the domain of its values;
Several are values in brackets; a HeldPlace is a container in a state, read when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fencecheck.model.domains import (
    Array,
    Bag,
    Bool,
    Domain,
    Enum,
    Int,
    Left,
    Maybe,
    OneOf,
    Record,
    Set,
    Subset,
    Unlimited,
    held_in,
)


@dataclass(frozen=True, eq=False)
class KnownValue:
    """A value of Python; ``domain`` says what a tuple of the state stands for."""

    value: Any
    domain: Any = None
    name: str = ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KnownValue):
            return False
        return type(self.value) is type(other.value) and bool(self.value == other.value)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Term:
    """A tree, with the domain of what it can be where that is known."""

    tree: Any
    domain: Any = None


@dataclass(frozen=True)
class Several:
    """Values in brackets: a tuple, or the members of a set."""

    items: tuple[Any, ...]
    is_set: bool = False


@dataclass(frozen=True, eq=False)
class HeldPlace:
    """A container in a state: the variable, and the indices behind it."""

    view: Any
    path: tuple[Any, ...]
    domain: Any


NO_VALUE = object()  # what a domain without a single value has for one
INT, TRUTH = Int(0, 0), Bool()


def only_value(domain: Any) -> Any:
    """Return the one value that a domain has, or NO_VALUE."""
    if isinstance(domain, Maybe):
        return None if domain.is_empty else NO_VALUE
    if isinstance(domain, Unlimited | Left | Bag | Set | Subset):
        return NO_VALUE
    if isinstance(domain, Record):
        values = [only_value(field) for field in domain.fields.values()]
        return NO_VALUE if any(v is NO_VALUE for v in values) else domain.make(*values)
    if isinstance(domain, Array):
        value = only_value(domain.element)
        return NO_VALUE if value is NO_VALUE else domain.row([value] * domain.length)
    if isinstance(domain, OneOf):
        tags = [tag for tag in domain.tags if domain.size(tag)]
        if len(tags) != 1:
            return NO_VALUE
        held = domain.tags[tags[0]]
        value = None if held is None else only_value(held)
        return NO_VALUE if value is NO_VALUE else domain.make(tags[0], value)
    if isinstance(domain, Bool) or not isinstance(domain, Domain):
        return NO_VALUE
    return domain.value(0) if getattr(domain, "count", 0) == 1 else NO_VALUE  # type: ignore[attr-defined]


def live_fields(record: Any) -> dict[str, Any]:
    """Return the fields of a record that have more than one value, one field at least."""
    kept = {f: d for f, d in record.fields.items() if only_value(d) is NO_VALUE}
    return kept or dict(list(record.fields.items())[:1])


def domains_inside(domains: Iterable[Any]) -> list[Any]:
    """Return domains and all that is in them."""
    found: list[Any] = []
    for domain in domains:
        inner = [domain.element] if isinstance(domain, Array | Set | Bag | Subset) else []
        inner += domain.fields.values() if isinstance(domain, Record) else []
        inner += [domain.index] if isinstance(domain, Array | Maybe) else []
        found += [domain, *domains_inside([*inner, *held_in(domain)])]
    return found


def shape(value: Any) -> Any:
    """Return what an operator has to know of an argument: two of one shape can be given to one."""
    if isinstance(value, KnownValue):
        if isinstance(value.value, bool | str | None.__class__):
            return "known", type(value.value).__name__, value.value
        if isinstance(value.value, int):
            return "number"
        return "held", id(value.value) if _is_python(value.value) else repr(value.value)
    domain = getattr(value, "domain", None)
    if isinstance(value, Several):
        return ("several", value.is_set, *map(shape, value.items))
    return of_domain(domain)


def _is_python(value: Any) -> bool:
    return not isinstance(value, tuple | list | frozenset | set | range)


def of_domain(domain: Any) -> Any:
    """Return what distinguishes a domain from others where a value is read."""
    if isinstance(domain, Record | OneOf):
        return id(domain.make), getattr(domain, "count", 0)
    if isinstance(domain, Array):
        return "array", domain.length, getattr(domain.index, "names", 0), of_domain(domain.element)
    if isinstance(domain, Bag | Set):
        return type(domain).__name__, of_domain(domain.element)
    if isinstance(domain, Enum):
        return "names"
    return type(domain).__name__ if isinstance(domain, Bool | Maybe) else "number"
