"""Containers: arrays, sets, bags and sequences, and what a domain is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.domains.records import Record
from fencecheck.model.domains.scalars import (
    MOST,
    Domain,
    Index,
    Maybe,
    Scalar,
    Size,
    size_of,
)


class Array(Domain):
    """One element for each value of ``index`` (an Index); read and written as ``x[i]``."""

    def __init__(self, index: Index, element: Domain) -> None:
        if not isinstance(index, Index):
            raise ModelError("Array: the first argument is the Index it runs over")
        if isinstance(element, Bag | Seq):
            raise ModelError("Array: bags and sequences stand alone; put the index in their record")
        self.index, self.element = index, element
        self.length = 0
        self._declare()

    def resolve(self, sizes: Any) -> Array:
        array = Array(self.index.resolve(sizes), self.element.resolve(sizes))
        array.length = array.index.count
        if array.length > MOST:
            raise ModelError(
                f"{self.place}an array of {array.length} elements is too large "
                f"(at most {MOST}); lower bound {self.index.bound}"
            )
        array.default = (array.element.default,) * array.length
        return array

    def contains(self, value: Any) -> bool:
        return len(value) == self.length and all(map(self.element.contains, value))

    def misfit(self, name: str, value: Any) -> str:
        if not isinstance(value, tuple | list) or len(value) != self.length:
            return super().misfit(name, value)
        return next(
            self.element.misfit(f"{name}[{i}]", item)
            for i, item in enumerate(value, 1)
            if not self.element.contains(item)
        )

    def show(self, value: Any) -> Any:
        return [self.element.show(v) for v in value]

    def describe(self) -> str:
        return f"{self.length} x {self.element.describe()}"


class Set(Domain):
    """A set of scalars or records: at rest an ascending tuple, in an effect a ``SetValue``."""

    def __init__(self, element: Scalar | Record) -> None:
        if not isinstance(element, Scalar | Record):
            raise ModelError("Set: its elements are scalars or records")
        self.element = element
        self.default = ()
        self._declare()

    def resolve(self, sizes: Any) -> Set:
        return Set(self.element.resolve(sizes))  # type: ignore[arg-type]

    def contains(self, value: Any) -> bool:
        return all(map(self.element.contains, value))

    def misfit(self, name: str, value: Any) -> str:
        return _misfit_in(name, self.element, value) or super().misfit(name, value)

    def show(self, value: Any) -> Any:
        return [self.element.show(v) for v in value]

    def describe(self) -> str:
        return f"set of {self.element.describe()}"


class Bag(Domain):
    """Up to ``capacity`` records, repeats kept, order not: messages in flight."""

    def __init__(self, element: Record, capacity: Size) -> None:
        if not isinstance(element, Record):
            raise ModelError(f"{type(self).__name__}: its elements are records")
        self.element, self._declared = element, capacity
        self.capacity, self.default = 0, ()
        self._declare()

    def resolve(self, sizes: Any) -> Bag:
        bag = type(self)(self.element.resolve(sizes), self._declared)
        bag.capacity = size_of(self._declared, sizes, self)
        if not 1 <= bag.capacity <= MOST:
            wrong = "capacity below 1" if bag.capacity < 1 else f"capacity above {MOST}"
            kind = f"{type(self).__name__} of {self.element.name}"
            raise ModelError(f"{self.place}{kind}: {wrong}")
        return bag

    def contains(self, value: Any) -> bool:
        return len(value) <= self.capacity and all(map(self.element.contains, value))

    def misfit(self, name: str, value: Any) -> str:
        inner = _misfit_in(name, self.element, value)
        if inner is None and isinstance(value, tuple | list):
            return f"{name} holds {len(value)}, which is more than its capacity of {self.capacity}"
        return inner or super().misfit(name, value)

    def show(self, value: Any) -> Any:
        return [self.element.show(v) for v in value]

    def describe(self) -> str:
        return f"up to {self.capacity} of {self.element.describe()}"


def _misfit_in(name: str, element: Domain, value: Any) -> str | None:
    """Say what in an element of a container is outside its domain; None if nothing is."""
    items = value if isinstance(value, tuple | list) else ()
    wrong = [item for item in items if not element.contains(item)]
    return element.misfit(f"{name}: element", wrong[0]) if wrong else None


class Seq(Bag):
    """Up to ``capacity`` records in the order in which they were appended."""


def bag(records: Iterable[Any]) -> list[Any]:
    """Return ``records`` as the new content of a bag (in an effect: ``s.sent = bag(...)``)."""
    return list(records)


Order = Callable[[Any], Any]


def order_of(domain: Domain) -> Order | None:
    """Return the key by which values of a domain ascend; None where they compare by themselves."""
    if isinstance(domain, Maybe):
        return _none_first
    if isinstance(domain, Record):
        keys = [order_of(field) for field in domain.fields.values()]
        if any(keys):
            return lambda record: tuple(
                item if key is None else key(item) for key, item in zip(keys, record, strict=True)
            )
    return None


def _none_first(value: Any) -> tuple[bool, Any]:
    return value is not None, 0 if value is None else value


def parts_of(domain: Domain) -> list[Domain]:
    """Return a domain and what it is made of: the elements of its containers."""
    element = getattr(domain, "element", None)
    return [domain, *parts_of(element)] if isinstance(element, Domain) else [domain]


def shape_of(domain: Domain) -> tuple[Any, ...]:
    """Return what distinguishes a resolved domain from others: kind, sizes and parts."""
    inner: list[Any] = [type(domain).__name__, domain.describe()]
    if isinstance(domain, Array):
        inner += [domain.length, shape_of(domain.element)]
    elif isinstance(domain, Set | Bag):
        inner += [getattr(domain, "capacity", 0), shape_of(domain.element)]
    elif isinstance(domain, Record):
        inner += [(name, shape_of(field)) for name, field in domain.fields.items()]
        inner.append(sorted(domain.ghosts))
    return tuple(tuple(x) if isinstance(x, list) else x for x in inner)
