"""Scalars: truths, whole numbers, names; and what every domain can do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fencecheck.errors import ModelError, nearest
from fencecheck.model.declaring.any_number import ANY, AnyNumber
from fencecheck.model.files.texts import near
from fencecheck.model.mistakes.refused import Declaring
from fencecheck.model.ordinary import ask, is_callable, place_of, refuse, shown, words

LARGEST = 1 << 62  # of a number
MOST = 1_000_000  # elements of an array, messages of a bag, ways to choose parameters
Size = int | Callable[[Any], int]
Show = Callable[[Any, Any], Any]
_HERE = str(Path(__file__).parent), str(Path(__file__).parent.parent / "mistakes")


def size_of(size: Size, sizes: Any, domain: Domain) -> int:
    """Return a size of ``domain`` as a number."""
    value = ask("a size", size, sizes) if callable(size) else size
    if isinstance(value, AnyNumber) and callable(size):
        raise ModelError(f"{place_of(size)}a size goes wrong: it {value.why_not}")
    if type(value) is not int:
        if callable(size):
            refuse("a size", size, value, "a size is a whole number")
        raise ModelError(f"{domain.place}a size must be a whole number, not {shown(value)}")
    return value


def number_of(bound: str, sizes: Any, domain: Domain, what: str) -> int:
    """Return the number of the bound that gives a size; ``what`` ``domain`` is, for messages."""
    given = getattr(sizes, bound, None)
    if type(given) is not int:
        names = [name for name, value in vars(sizes).items() if type(value) is int]
        raise ModelError(
            f"{domain.place}{what}: no bound is named so; there is "
            f"{', '.join(names) or 'none'}{nearest(bound, names)}"
        )
    return given


class Domain(metaclass=Declaring):
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
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
            frame = frame.f_back
        self._at = frame.f_code.co_filename, frame.f_lineno

    def resolve(self, sizes: Any) -> Domain:
        """Return this domain with every size a number, for one run's bounds and mechanisms."""
        return self

    def contains(self, value: Any) -> bool:
        """Tell whether ``value``, at rest, belongs to this domain."""
        raise AssertionError(type(self))

    def as_field(self) -> Domain | None:
        """Return it as the domain of a record's field; None where no field can have it."""
        return None

    def held(self, value: Any) -> Any:
        """Return ``value`` as a record holds it, in the field that has this domain."""
        return value

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

    def as_field(self) -> Domain | None:
        return self

    def rank(self, value: Any) -> int:
        """Return the place of ``value`` in ascending order; what packed states hold."""
        raise AssertionError(type(self))

    def value(self, rank: int) -> Any:
        """Return the value at ``rank``; the inverse of ``rank``."""
        raise AssertionError(type(self))

    def resolve_held(self, sizes: Any) -> Domain:
        """Resolve as what a tag holds: a range of numbers may then have no values."""
        return self.resolve(sizes)


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
        domain = self.resolve_held(sizes)
        if domain.count < 1:
            raise ModelError(f"{self.place}{domain.no_values}")
        return domain

    def resolve_held(self, sizes: Any) -> Int:
        low, high, show = self._declared
        domain = Int(low, high, show)
        domain.low, domain.high = size_of(low, sizes, self), size_of(high, sizes, self)
        domain._sizes = sizes
        domain.count, domain.default = max(0, domain.high - domain.low + 1), domain.low
        return domain

    @property
    def no_values(self) -> str:
        """Say that it has no values, and what to write."""
        return f"Int({self.low}, {self.high}) has no values: write low <= high"

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


class Left(Int):
    """What is left of the budget ``name``: of ``any``, any number, or 0 where it is never spent."""

    def __init__(self, name: str) -> None:
        super().__init__(0, lambda k: getattr(k, name))
        self.name = name

    def resolve(self, sizes: Any) -> Int:
        if not isinstance(getattr(sizes, self.name), AnyNumber):
            return super().resolve(sizes)
        domain = Left(self.name)
        domain.high, domain.count, domain.default = 1, 2, ANY
        return domain

    def fixed(self) -> Left:
        """Return the domain of a budget of which there is any number in every state."""
        domain = Left(self.name)
        domain.low, domain.high, domain.count, domain.default = 1, 1, 1, ANY
        return domain

    def contains(self, value: Any) -> bool:
        return isinstance(value, AnyNumber) or (value == 0 and self.low == 0)

    def rank(self, value: Any) -> int:
        return self.number(value) - self.low

    def value(self, rank: int) -> Any:
        return ANY if rank + self.low else 0

    def number(self, value: Any) -> int:
        """Return what a state holds for a value."""
        return 1 if isinstance(value, AnyNumber) else 0

    def describe(self) -> str:
        return "any number" if self.low else "0 or any number"


class Index(Int):
    """0 .. n - 1, where n is a bound's number or a size; people see 1 .. n.

    ``size`` is the name of a bound, a number, or a function of the sizes. ``prefix`` is put before
    the number where a value is shown (``s`` makes ``s1``). ``symmetric`` says that nothing tells
    its values apart but what the state says of each: states that differ only in which is which
    are one. ``origin`` is the Index as it was declared.
    """

    def __init__(self, size: str | Size, prefix: str = "", *, symmetric: bool = False) -> None:
        if isinstance(size, bool) or not (isinstance(size, str | int) or callable(size)):
            raise ModelError(
                f"Index({shown(size)}): write the name of a bound, a number, or a function of k"
            )
        if not isinstance(symmetric, bool):
            raise ModelError(f"Index: symmetric is {shown(symmetric)}; write True or False")
        self.size, self.prefix, self.symmetric, self.origin = size, prefix, symmetric, self
        super().__init__(0, 0, lambda v, _: f"{prefix}{v + 1}")

    @property
    def bound(self) -> str:
        """Return the name of the bound that says how many there are, or nothing."""
        return self.size if isinstance(self.size, str) else ""

    @property
    def size_name(self) -> str:
        """Return what decides how many there are, in words."""
        return f"bound {self.bound}" if self.bound else "its size"

    def resolve(self, sizes: Any) -> Index:
        index = super().resolve(sizes)
        assert isinstance(index, Index)
        return index

    def resolve_held(self, sizes: Any) -> Index:
        domain = Index(self.size, self.prefix, symmetric=self.symmetric)
        domain.origin = self.origin
        domain.count = size_of(self._sized(sizes), sizes, self)
        domain.low, domain.high, domain.default = 0, domain.count - 1, 0
        domain._sizes = sizes
        return domain

    @property
    def no_values(self) -> str:
        """Say that it has no values, and what to write."""
        return f"an Index of {self.count} values has none; write a size of 1 or more"

    def _sized(self, sizes: Any) -> Size:
        if not isinstance(self.size, str):
            return self.size
        return number_of(self.size, sizes, self, f'Index("{self.size}")')

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
        self.names, self.size_name = names, "the number of its names"
        self.count, self.default = len(names), names[0]
        self._values = sorted(names)
        self._ranks = {name: rank for rank, name in enumerate(self._values)}

    def resolve(self, sizes: Any) -> Enum:
        return self

    def contains(self, value: Any) -> bool:
        return isinstance(value, str) and value in self._ranks

    def rank(self, value: Any) -> int:
        return self._ranks[value]

    def value(self, rank: int) -> str:
        return self._values[rank]

    def describe(self) -> str:
        return "one of " + ", ".join(self.names)
