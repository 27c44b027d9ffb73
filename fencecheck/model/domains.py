"""Domains: the finite sets of values that variables, record fields and parameters range over.

A domain is declared with sizes that may depend on the run (``Int(0, lambda k: k.steps)``) and
resolved against one run's sizes; only a resolved domain answers questions about values. Scalars
are Python bools, ints and strings; records are named tuples; a set, bag or sequence at rest is a
tuple, sets and bags in ascending order, so that equal contents are equal states.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.files.texts import near
from fencecheck.model.in_place import record_type
from fencecheck.model.ordinary import ask, is_callable, refuse, shown, words

LARGEST = 1 << 62  # of a number
MOST = 1_000_000  # elements of an array, messages of a bag, ways to choose parameters
Size = int | Callable[[Any], int]
Show = Callable[[Any, Any], Any]


def _size(size: Size, sizes: Any, domain: Domain) -> int:
    """Return a size of ``domain`` as a number."""
    value = ask("a size", size, sizes) if callable(size) else size
    if type(value) is not int:
        if callable(size):
            refuse("a size", size, value, "a size is a whole number")
        raise ModelError(f"{domain.place}a size must be a whole number, not {shown(value)}")
    return value


class Domain:
    """A finite set of values; ``default`` is the value a variable has if none is given."""

    default: Any = None
    _at: tuple[str, int] = ("", 0)

    @property
    def place(self) -> str:
        """Return ``file:line: `` of where it is declared, or nothing where that is unknown."""
        return f"{near(self._at[0])}:{self._at[1]}: " if self._at[0] else ""

    def _declare(self) -> None:
        """Remember the line that makes this domain."""
        frame = sys._getframe(2)
        while frame.f_back is not None and frame.f_code.co_filename == __file__:
            frame = frame.f_back
        self._at = frame.f_code.co_filename, frame.f_lineno

    def resolve(self, sizes: Any) -> Domain:
        """Return this domain with every size a number, for one run's bounds and mechanisms."""
        return self

    def contains(self, value: Any) -> bool:
        """Tell whether ``value``, at rest, belongs to this domain."""
        raise AssertionError(type(self))

    def misfit(self, name: str, value: Any) -> str:
        """Say in words what in ``value``, of the variable ``name``, is outside this domain."""
        return f"{name} is {shown(value)}, which is not {self.describe()}"

    def show(self, value: Any) -> Any:
        """Return ``value`` as a person should read it: JSON scalars or lists of them."""
        return value

    def describe(self) -> str:
        """Return the domain in words, for listings and messages."""
        raise AssertionError(type(self))


class Scalar(Domain):
    """A domain of single values, ranked 0 .. ``count`` - 1 in ascending order of value."""

    count = 0

    def rank(self, value: Any) -> int:
        """Return the place of ``value`` in ascending order; what packed states hold."""
        raise AssertionError(type(self))

    def value(self, rank: int) -> Any:
        """Return the value at ``rank``; the inverse of ``rank``."""
        raise AssertionError(type(self))


class Bool(Scalar):
    """False and True."""

    count = 2
    default = False

    def contains(self, value: Any) -> bool:
        return value is True or value is False

    def rank(self, value: Any) -> int:
        return int(value)

    def value(self, rank: int) -> bool:
        return bool(rank)

    def describe(self) -> str:
        return "true or false"


class Int(Scalar):
    """The whole numbers ``low`` to ``high``, both included; ``show(value, k)`` names them."""

    def __init__(self, low: Size, high: Size, show: Show | None = None) -> None:
        is_callable("Int: show", show)
        self._declared = (low, high, show)
        self._sizes: Any = None
        self._declare()
        self.low = self.high = 0

    def resolve(self, sizes: Any) -> Int:
        low, high, show = self._declared
        domain = Int(low, high, show)
        domain.low, domain.high = _size(low, sizes, self), _size(high, sizes, self)
        domain._sizes = sizes
        if domain.low > domain.high:
            raise ModelError(
                f"{self.place}Int({domain.low}, {domain.high}) has no values: write low <= high"
            )
        domain.count, domain.default = domain.high - domain.low + 1, domain.low
        return domain

    def contains(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def rank(self, value: Any) -> int:
        return int(value) - self.low

    def value(self, rank: int) -> int:
        return rank + self.low

    def show(self, value: Any) -> Any:
        show = self._declared[2]
        return words("show of an Int", show, value, self._sizes) if show else value

    def describe(self) -> str:
        return f"{self.low} to {self.high}"


class Index(Int):
    """0 .. n - 1, where n is the run's bound ``bound``; people see 1 .. n.

    ``prefix`` is put before the number where a value is shown (``s`` makes ``s1``).
    """

    def __init__(self, bound: str, prefix: str = "") -> None:
        if not isinstance(bound, str):
            raise ModelError(f"Index({shown(bound)}): write the name of a bound")
        self.bound, self.prefix = bound, prefix
        super().__init__(0, lambda k: int(getattr(k, bound)) - 1, lambda v, _: f"{prefix}{v + 1}")

    def resolve(self, sizes: Any) -> Index:
        if type(getattr(sizes, self.bound, None)) is not int:
            names = [name for name, value in vars(sizes).items() if type(value) is int]
            raise ModelError(
                f'{self.place}Index("{self.bound}"): no bound is named so; there is '
                f"{', '.join(names) or 'none'}{nearest(self.bound, names)}"
            )
        domain = Index(self.bound, self.prefix)
        resolved = super().resolve(sizes)
        domain.low, domain.high = resolved.low, resolved.high
        domain.count, domain.default = resolved.count, resolved.default
        return domain

    def misfit(self, name: str, value: Any) -> str:
        if type(value) is not int:
            return super().misfit(name, value)
        return f"{name} is {value + 1}, which is not 1 to {self.count}"


class Enum(Scalar):
    """A fixed list of names. Their order of rank is alphabetical, as strings compare."""

    def __init__(self, *names: str) -> None:
        if not all(isinstance(name, str) for name in names):
            raise ModelError(f"Enum{shown(names)}: its values are names; write them in quotes")
        if len(set(names)) != len(names) or not names:
            raise ModelError(f"Enum{names}: write at least one name, and each only once")
        self.names = names
        self.count, self.default = len(names), names[0]
        self._values = sorted(names)
        self._ranks = {name: rank for rank, name in enumerate(self._values)}

    def contains(self, value: Any) -> bool:
        return isinstance(value, str) and value in self._ranks

    def rank(self, value: Any) -> int:
        return self._ranks[value]

    def value(self, rank: int) -> str:
        return self._values[rank]

    def describe(self) -> str:
        return "one of " + ", ".join(self.names)


class Ghost:
    """Marks a record field as ghost: no guard and no non-ghost effect may read it."""

    def __init__(self, domain: Scalar) -> None:
        self.domain = domain


class Record(Domain):
    """A named tuple of scalars; calling it makes one. Fields compare in the order declared.

    ``show(record, k)`` gives the words in which a diagram names it.
    """

    def __init__(self, name: str, /, show: Show | None = None, **fields: Scalar | Ghost) -> None:
        if not fields:
            raise ModelError(f"Record {name}: write at least one field")
        is_callable(f"Record {name}: show", show)
        self.name, self._show, self._sizes = name, show, None
        self.ghosts = frozenset(f for f, d in fields.items() if isinstance(d, Ghost))
        self.fields: dict[str, Scalar] = {
            f: d.domain if isinstance(d, Ghost) else d for f, d in fields.items()
        }
        for field, domain in self.fields.items():
            if not isinstance(domain, Scalar):
                raise ModelError(f"Record {name}: field {field} must be a scalar or Ghost(scalar)")
        self.make = record_type(name, list(fields))
        self.count = 0

    def __call__(self, **values: Any) -> Any:
        return self.make(**values)

    def resolve(self, sizes: Any) -> Record:
        record = object.__new__(Record)
        record.name, record._show, record.ghosts = self.name, self._show, self.ghosts
        record.make, record._sizes = self.make, sizes
        record.fields = {f: d.resolve(sizes) for f, d in self.fields.items()}  # type: ignore[misc]
        record.default = self.make(**{f: d.default for f, d in record.fields.items()})
        record.count = 1
        for domain in record.fields.values():
            record.count *= domain.count
        return record

    def contains(self, value: Any) -> bool:
        return type(value) is self.make and all(
            d.contains(v) for d, v in zip(self.fields.values(), value, strict=True)
        )

    def misfit(self, name: str, value: Any) -> str:
        if type(value) is not self.make:
            return super().misfit(name, value)
        return next(
            domain.misfit(f"{name}.{field}", item)
            for (field, domain), item in zip(self.fields.items(), value, strict=True)
            if not domain.contains(item)
        )

    def rank(self, value: Any) -> int:
        """Return the place of a record among all of its kind, in ascending order."""
        rank = 0
        for domain, item in zip(self.fields.values(), value, strict=True):
            rank = rank * domain.count + domain.rank(item)
        return rank

    def value(self, rank: int) -> Any:
        """Return the record at ``rank``; the inverse of ``rank``."""
        items: list[Any] = []
        for domain in reversed(self.fields.values()):
            rank, digit = divmod(rank, domain.count)
            items.append(domain.value(digit))
        return self.make(*reversed(items))

    def show(self, value: Any) -> Any:
        if self._show:
            return words(f"show of {self.name}", self._show, value, self._sizes)
        pairs = zip(self.fields.items(), value, strict=True)
        return " ".join(f"{f} {d.show(v)}" for (f, d), v in pairs)

    def describe(self) -> str:
        return f"{self.name}({', '.join(self.fields)})"


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
        bag.capacity = _size(self._declared, sizes, self)
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
    return sorted(records)


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


def replace(record: Any, **fields: Any) -> Any:
    """Return a copy of ``record`` in which ``fields`` have new values."""
    return record._replace(**fields)
