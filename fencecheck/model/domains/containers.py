"""Containers: arrays, sets, bags and sequences, and what a domain is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.domains.optional import Maybe, counted
from fencecheck.model.domains.records import Record, rank_of, values_at
from fencecheck.model.domains.rows import HeldRow, named_row
from fencecheck.model.domains.scalars import (
    MOST,
    Domain,
    Enum,
    Index,
    Scalar,
    Size,
    number_of,
    size_of,
)
from fencecheck.model.domains.tagged import OneOf
from fencecheck.model.domains.unlimited import Unlimited

_HINT = "; write a Record that holds what they consist of"
SUBSETS = 20  # values of whose subsets a parameter may range over


class Array(Domain):
    """One element for each value of an Index or Enum; read and written as ``x[i]``."""

    def __init__(self, index: Index | Enum, element: Domain) -> None:
        if not isinstance(index, Index | Enum):
            raise ModelError("Array: the first argument is the Index or Enum it runs over")
        if isinstance(element, Subset):
            raise ModelError("Array: a Subset is for parameters; write Set(...)")
        self.index, self.element = index, element
        self.length = self.count = 0
        self.in_record = False
        self._declare()

    def resolve(self, sizes: Any) -> Array:
        array = Array(self.index.resolve(sizes), self.element.resolve(sizes))
        array.in_record = self.in_record
        array.length = array.index.count
        if array.length > MOST:
            raise ModelError(
                f"{self.place}an array of {array.length} elements is too large "
                f"(at most {MOST}); lower {self.index.size_name}"
            )
        array.default = array.row((array.element.default,) * array.length)
        if array.in_record:
            array.count = array.element.count**array.length  # type: ignore[attr-defined]
        return array

    def as_field(self) -> Domain | None:
        element = self.element.as_field()
        if element is None:
            return None
        array = Array(self.index, element)
        array.in_record, array._at = True, self._at
        return array

    @property
    def row(self) -> Any:
        """Return the type of the array at rest."""
        if isinstance(self.index, Enum):
            return named_row(self.index.names, in_record=self.in_record)
        return HeldRow if self.in_record else tuple

    def held(self, value: Any) -> Any:
        return self.row(map(self.element.held, value)) if isinstance(value, tuple | list) else value

    def position(self, key: Any) -> int:
        """Return the place, from 0, of the element that a model reads as ``x[key]``."""
        return self.index.names.index(key) if isinstance(self.index, Enum) else int(key)

    def label(self, position: int) -> str:
        """Return what people call the element at a place: its number from 1, or its name."""
        return self.index.names[position] if isinstance(self.index, Enum) else str(position + 1)

    def contains(self, value: Any) -> bool:
        if self.in_record and not isinstance(value, tuple):
            return False
        return len(value) == self.length and all(map(self.element.contains, value))

    def rank(self, value: Any) -> int:
        """Return the place of what a record holds among all of its kind, in ascending order."""
        return rank_of((self.element, item) for item in value)

    def value(self, rank: int) -> Any:
        """Return the array at ``rank``; the inverse of ``rank``."""
        return self.row(values_at(rank, [self.element] * self.length))

    def misfit(self, name: str, value: Any) -> str:
        if not isinstance(value, tuple | list) or len(value) != self.length:
            return super().misfit(name, value)
        return next(
            self.element.misfit(f"{name}[{self.label(i)}]", item)
            for i, item in enumerate(value)
            if not self.element.contains(item)
        )

    def show(self, value: Any) -> Any:
        shown = [self.element.show(v) for v in value]
        if not self.in_record:
            return shown
        names = self.index.names if isinstance(self.index, Enum) else [""] * self.length
        return ", ".join(f"{n} {v}".strip() for n, v in zip(names, shown, strict=True)).join("()")

    def describe(self) -> str:
        return f"{self.length} x {self.element.describe()}"


def _room(domain: Set | Bag, element: Domain, sizes: Any) -> int:
    """Return the number of elements that a set or bag has room for."""
    kind = f"{type(domain).__name__} of {kind_of(element)}"
    capacity: Any = domain._declared
    if isinstance(capacity, str):
        number = number_of(capacity, sizes, domain, f'{kind}, capacity "{capacity}"')
    else:
        number = size_of(capacity, sizes, domain)
    if not 1 <= number <= MOST:
        wrong = "capacity below 1" if number < 1 else f"capacity above {MOST}"
        raise ModelError(f"{domain.place}{kind}: {wrong}")
    return number


class Set(Domain):
    """A set of scalars or records: at rest an ascending tuple, in an effect a ``SetValue``.

    With a ``capacity`` it holds at most so many. One that is the name of a bound holds back what
    would not fit, as a Bag's does.
    """

    def __init__(self, element: Scalar | Record, capacity: Size | str | None = None) -> None:
        if not isinstance(element, Scalar | Record):
            raise ModelError(f"Set: its elements are scalars or records{_HINT}")
        self.element, self._declared = element, capacity
        self.capacity: int | None = None
        self.default = ()
        self._declare()

    @property
    def holds_back(self) -> str:
        """Return the bound that holds back what would not fit; nothing where that is an error."""
        return self._declared if isinstance(self._declared, str) else ""

    def resolve(self, sizes: Any) -> Set:
        resolved = Set(self.element.resolve(sizes), self._declared)  # type: ignore[arg-type]
        if self._declared is not None:
            resolved.capacity = _room(self, resolved.element, sizes)
        return resolved

    def contains(self, value: Any) -> bool:
        fits = self.capacity is None or len(value) <= self.capacity
        return fits and all(map(self.element.contains, value))

    def misfit(self, name: str, value: Any) -> str:
        return _misfit_in(name, self.element, value) or _too_many(self, name, value)

    def show(self, value: Any) -> Any:
        return [self.element.show(v) for v in value]

    def describe(self) -> str:
        return f"set of {self.element.describe()}"


class Subset(Domain):
    """The subsets of a scalar domain, which a parameter of an event ranges over.

    A value is an ascending tuple; they are ranked by which members they have.
    """

    def __init__(self, element: Scalar) -> None:
        if not isinstance(element, Scalar):
            raise ModelError("Subset: its elements are scalars")
        self.element = element
        self.count = 0
        self._declare()

    def resolve(self, sizes: Any) -> Subset:
        subset = Subset(self.element.resolve(sizes))  # type: ignore[arg-type]
        if subset.element.count > SUBSETS:
            raise ModelError(
                f"{self.place}a parameter over the subsets of {subset.element.count} values can "
                f"be chosen in too many ways (at most {SUBSETS} values); choose smaller bounds"
            )
        subset.count = 1 << subset.element.count
        return subset

    def contains(self, value: Any) -> bool:
        return all(map(self.element.contains, value))

    def rank(self, value: Any) -> int:
        """Return a number with a bit for each member."""
        return sum(1 << self.element.rank(item) for item in value)

    def value(self, rank: int) -> tuple[Any, ...]:
        """Return the subset of a rank; the inverse of ``rank``."""
        return tuple(self.element.value(i) for i in range(self.element.count) if rank >> i & 1)

    def show(self, value: Any) -> Any:
        return "+".join(str(counted(self.element, item)) for item in value) or "none"

    def describe(self) -> str:
        return f"a subset of {self.element.describe()}"


class Bag(Domain):
    """Up to ``capacity`` scalars or records, repeats kept, order not: messages in flight.

    A capacity that is a number or a function is what the author claims to be enough: one more is
    an error of the model. One that is the name of a bound is a bound of what is searched: an event
    that would put in one more is not possible there, and is held back.
    """

    def __init__(self, element: Scalar | Record, capacity: Size | str) -> None:
        if not isinstance(element, Scalar | Record):
            raise ModelError(f"{type(self).__name__}: its elements are scalars or records{_HINT}")
        self.element, self._declared = element, capacity
        self.capacity, self.default = 0, ()
        self._declare()

    def resolve(self, sizes: Any) -> Bag:
        bag = type(self)(self.element.resolve(sizes), self._declared)  # type: ignore[arg-type]
        bag.capacity = _room(self, bag.element, sizes)
        return bag

    @property
    def holds_back(self) -> str:
        """Return the bound that holds back what would not fit; nothing where that is an error."""
        return self._declared if isinstance(self._declared, str) else ""

    def contains(self, value: Any) -> bool:
        return len(value) <= self.capacity and all(map(self.element.contains, value))

    def misfit(self, name: str, value: Any) -> str:
        return _misfit_in(name, self.element, value) or _too_many(self, name, value)

    def show(self, value: Any) -> Any:
        return [self.element.show(v) for v in value]

    def describe(self) -> str:
        return f"up to {self.capacity} of {self.element.describe()}"


def kind_of(element: Domain) -> str:
    """Return what elements of a container are, in words."""
    return str(getattr(element, "name", None) or element.describe())


def _too_many(domain: Set | Bag, name: str, value: Any) -> str:
    """Say of a container whose elements are all right what is wrong with it."""
    if not isinstance(value, tuple | list):
        return Domain.misfit(domain, name, value)
    return f"{name} holds {len(value)}, which is more than its capacity of {domain.capacity}"


def _misfit_in(name: str, element: Domain, value: Any) -> str | None:
    """Say what in an element of a container is outside its domain; None if nothing is."""
    items = value if isinstance(value, tuple | list) else ()
    wrong = [item for item in items if not element.contains(item)]
    return element.misfit(f"{name}: element", wrong[0]) if wrong else None


class Seq(Bag):
    """Up to ``capacity`` scalars or records in the order in which they were appended."""


def bag(records: Iterable[Any]) -> list[Any]:
    """Return ``records`` as the new content of a bag (in an effect: ``s.sent = bag(...)``)."""
    return list(records)


Order = Callable[[Any], Any]


def order_of(domain: Domain) -> Order | None:
    """Return the key by which values of a domain ascend; None where they compare by themselves."""
    if isinstance(domain, Maybe):
        return _none_first
    if isinstance(domain, OneOf):
        held = {tag: held and order_of(held) for tag, held in domain.tags.items()}
        if any(held.values()):
            return lambda value: (value[0], (held[value[0]] or _itself)(value[1]))
    if isinstance(domain, Array) and (key := order_of(domain.element)) is not None:
        return lambda row: tuple(map(key, row))
    if isinstance(domain, Record):
        keys = [order_of(field) for field in domain.fields.values()]
        if any(keys):
            return lambda record: tuple(
                item if key is None else key(item) for key, item in zip(keys, record, strict=True)
            )
    return None


def _itself(value: Any) -> Any:
    return value


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
        inner += [getattr(domain.index, "names", domain.length), *_alike(domain.index)]
        inner.append(shape_of(domain.element))
    elif isinstance(domain, Set | Bag | Subset):
        bound = getattr(domain, "holds_back", "")
        inner += [getattr(domain, "capacity", None) or 0, *([bound] if bound else [])]
        inner.append(shape_of(domain.element))
    elif isinstance(domain, Record):
        inner += [(name, shape_of(field)) for name, field in domain.fields.items()]
    elif isinstance(domain, OneOf):
        inner += [(t, domain.size(t), held and shape_of(held)) for t, held in domain.tags.items()]
    if isinstance(domain, Record):
        inner.append(sorted(domain.ghosts))
    elif isinstance(domain, Maybe):
        inner += [domain.is_empty, *_alike(domain.index)]
    else:
        inner += _alike(domain)
    return tuple(tuple(x) if isinstance(x, list) else x for x in inner)


def _alike(domain: Domain) -> list[Any]:
    """Return what distinguishes a resolved domain of values that stand for others."""
    if isinstance(domain, Unlimited):
        return [domain.clock, domain.low, domain.high, domain.is_clock]
    return ["symmetric"] if isinstance(domain, Index) and domain.symmetric else []
