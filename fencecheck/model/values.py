"""Containers in motion: what an effect sees of arrays, sets, bags and sequences.

At rest a state is a tuple of tuples; an effect works on the mutable forms made here and hands
them back to be frozen. They refuse at once what a domain does not hold: a full bag, an element
outside its domain, a negative index. They are equal to what has the same content, at rest or in
motion. Guards and properties read the tuples themselves.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from fencecheck.model.domains import (
    Array,
    Bag,
    Count,
    Domain,
    Enum,
    Order,
    Record,
    Seq,
    Set,
    counting,
    order_of,
)
from fencecheck.model.forgetting import remembers
from fencecheck.model.held.in_place import read_from
from fencecheck.model.held.set_values import SetOperators


class DomainError(Exception):
    """A value that its ``domain`` does not hold; the explorer adds the event and the trace."""

    def __init__(self, message: str, domain: Domain | None = None) -> None:
        self.domain = domain
        super().__init__(message)


class HeldBack(Exception):
    """An event would put more into a container than the bound allows that is its capacity."""

    def __init__(self, bound: str) -> None:
        self.bound = bound
        super().__init__(f"it is held back: bound {bound} has no room for more")


def _refuse_more(container: Bag | Set) -> NoReturn:
    """Refuse an element for which there is no room: an error, or what a bound holds back."""
    if container.holds_back:
        raise HeldBack(container.holds_back)
    kind, element = type(container).__name__.lower(), container.element
    what = getattr(element, "name", None) or element.describe()
    raise DomainError(
        f"a {kind} of {what} is full: its capacity is {container.capacity}", container
    )


def _check(domain: Domain, value: Any) -> None:
    """Refuse an element that its container's domain does not hold."""
    if not domain.contains(value) and not remembers():
        raise DomainError(domain.misfit("element", value), domain)


class Thawed(list[Any]):
    """A container in an effect; equality is that of contents, whichever form they are in."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list | tuple) and tuple(self) == tuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class SetValue(SetOperators, Thawed):
    """A set while an effect runs, kept in ascending order; ``thaw`` gives the domain."""

    _domain: Set
    _order: Order | None = None

    def add(self, element: Any) -> None:
        """Put ``element`` in; nothing changes if it is there already."""
        _check(self._domain.element, element)
        order = self._order
        wanted = element if order is None else order(element)
        place = bisect_left(self, wanted, key=order)
        if place == len(self) or self[place] != element:
            if len(self) == self._domain.capacity and not remembers():
                _refuse_more(self._domain)
            self.insert(place, element)

    def discard(self, element: Any) -> None:
        """Take ``element`` out if it is there."""
        if element in self:
            super().remove(element)

    def remove(self, element: Any) -> None:
        """Take ``element`` out; it must be there."""
        if element not in self:
            raise DomainError(f"{element!r} is not there to be removed")
        super().remove(element)


class BagValue(Thawed):
    """A bag while an effect runs, kept in ascending order and within its capacity."""

    _domain: Bag
    _order: Order | None = None

    def _admit(self, element: Any) -> None:
        _check(self._domain.element, element)
        if len(self) >= self._domain.capacity and not remembers():
            _refuse_more(self._domain)

    def add(self, element: Any) -> None:
        """Put one more ``element`` in."""
        self._admit(element)
        insort(self, element, key=self._order)

    def remove(self, element: Any) -> None:
        """Take one ``element`` out; it must be there."""
        if element not in self:
            raise DomainError(f"{element!r} is not there to be removed")
        super().remove(element)

    def change(self, element: Any, **fields: Any) -> None:
        """Give fields of one ``element`` other values; it must be there."""
        self.remove(element)
        self.add(element._replace(**fields))


class SeqValue(BagValue):
    """A sequence while an effect runs, in order of arrival."""

    def append(self, element: Any) -> None:
        """Put ``element`` at the end."""
        self._admit(element)
        super().append(element)

    def change(self, element: Any, **fields: Any) -> None:
        """Give fields of the first ``element`` other values, where it stands."""
        if element not in self:
            raise DomainError(f"{element!r} is not there to be changed")
        self[self.index(element)] = element._replace(**fields)

    def __setitem__(self, index: Any, element: Any) -> None:
        _at_least_zero(index)
        _check(self._domain.element, element)
        super().__setitem__(index, element)

    def insert(self, index: Any, element: Any) -> None:
        """Put ``element`` before the one at a place, or at the end."""
        self._admit(element)
        _at_least_zero(index)
        if index > len(self):
            raise IndexError(f"there is no place {index} in {len(self)} elements")
        super().insert(index, element)

    def pop(self, index: Any = None) -> Any:
        """Take out the element at a place, without one the last."""
        if index is None:
            return super().pop()
        _at_least_zero(index)
        return super().pop(index)


class CheckedBag(BagValue):
    """A bag in an effect that refuses negative indices."""

    def __getitem__(self, index: Any) -> Any:
        _at_least_zero(index)
        return super().__getitem__(index)


class CheckedSeq(SeqValue):
    """The same for a sequence."""

    def __getitem__(self, index: Any) -> Any:
        _at_least_zero(index)
        return super().__getitem__(index)


def _at_least_zero(index: Any) -> None:
    if not isinstance(index, slice) and index < 0:
        raise IndexError(f"index {index} is negative")


class CheckedTuple(tuple[Any, ...]):
    """A container at rest that refuses negative indices; used where a model could compute one."""

    def __getitem__(self, index: Any) -> Any:
        _at_least_zero(index)
        return super().__getitem__(index)


class CheckedArray(Thawed):
    """The same for an array in an effect."""

    def __getitem__(self, index: Any) -> Any:
        _at_least_zero(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        _at_least_zero(index)
        super().__setitem__(index, value)


class NamedArray(Thawed):
    """An array over an Enum in an effect, read and written by names."""

    _places: Mapping[str, int]

    def __getitem__(self, name: Any) -> Any:
        return super().__getitem__(self._places[name])

    def __setitem__(self, name: Any, value: Any) -> None:
        super().__setitem__(self._places[name], value)


Convert = Callable[[Any], Any]


class _Contents:
    """Sets or bags in an array in an effect, each of which can be assigned as a whole."""

    _renew: Convert

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, self._renew(value))  # type: ignore[misc]


class _Records:
    """Records in a row in an effect, each of which is read as a copy whose place is read_from."""

    _read: Convert | None = None

    def __getitem__(self, index: Any) -> Any:
        record = super().__getitem__(index)  # type: ignore[misc]
        return read_from(record if self._read is None else self._read(record), self, index)

    def now(self, index: Any) -> Any:
        """Return what stands at a place."""
        return super().__getitem__(index)  # type: ignore[misc]


class _Counts:
    """Counts in an array in an effect, which stay where there are so many or more."""

    _read: Convert

    def __getitem__(self, index: Any) -> Any:
        return self._read(super().__getitem__(index))  # type: ignore[misc]


def thaw(domain: Domain, *, checked: bool, in_place: bool = False) -> Convert | None:
    """Return what turns a value of ``domain`` at rest into its form in an effect (None: itself).

    ``in_place``: fields of records that stand in it can be set.
    """
    if isinstance(domain, Array):
        row: type[Thawed] = CheckedArray if checked else Thawed
        if isinstance(domain.index, Enum):
            places = {name: place for place, name in enumerate(domain.index.names)}
            row = type("NamedArray", (NamedArray,), {"_places": places})
        if in_place and isinstance(domain.element, Record):
            row = type("Records", (_Records, row), _reading(domain.element))
        elif isinstance(domain.element, Count):
            row = type("Counts", (_Counts, row), _reading(domain.element))
        if isinstance(domain.element, Set | Bag):
            row = type(
                "Contents",
                (_Contents, row),
                {"_renew": staticmethod(renew(domain.element, checked=checked))},
            )
        inner = thaw(domain.element, checked=checked, in_place=in_place)
        return row if inner is None else lambda value: row(map(inner, value))
    if isinstance(domain, Set):
        return type("SetValue", (SetValue,), {"_domain": domain, **_ordered(domain)})
    if isinstance(domain, Seq):
        seq: type[SeqValue] = CheckedSeq if checked else SeqValue
        if in_place:
            return type(
                "SeqValue", (_Records, seq), {"_domain": domain, **_reading(domain.element)}
            )
        return type("SeqValue", (seq,), {"_domain": domain})
    if isinstance(domain, Bag):
        kind = CheckedBag if checked else BagValue
        return type("BagValue", (kind,), {"_domain": domain, **_ordered(domain)})
    return counting(domain) if isinstance(domain, Count) else None


def _reading(domain: Domain) -> dict[str, Any]:
    """Return what says how an element of a row is read, where not as it is."""
    read = counting(domain)
    return {} if read is None else {"_read": staticmethod(read)}


def _ordered(domain: Set | Bag) -> dict[str, Any]:
    """Return what says in which order the elements of a container ascend."""
    order = order_of(domain.element)
    return {} if order is None else {"_order": staticmethod(order)}


def renew(domain: Set | Bag, *, checked: bool = False) -> Convert:
    """Return what turns the new content that an effect assigns into the form that it works on.

    New content is held to the domain at once, like an element that is put in.
    """
    make = thaw(domain, checked=checked)
    assert make is not None

    def content(value: Iterable[Any]) -> Any:
        members = _ascending(domain, set(value) if isinstance(domain, Set) else value)
        for member in members:
            _check(domain.element, member)
        room = domain.capacity
        if room is not None and len(members) > room and not remembers():
            _refuse_more(domain)
        return make(members)

    return content


def _ascending(domain: Set | Bag, members: Iterable[Any]) -> list[Any]:
    """Return the content of a set or bag in canonical order."""
    return sorted(members, key=order_of(domain.element))


def freeze(domain: Domain, *, checked: bool = False) -> Convert | None:
    """Return the inverse of ``thaw``; initial values of sets and bags may have any order."""
    row: Callable[[Any], tuple[Any, ...]] = CheckedTuple if checked else tuple
    if isinstance(domain, Array):
        row = domain.row if isinstance(domain.index, Enum) else row
        inner = freeze(domain.element, checked=checked)
        return row if inner is None else lambda value: row(map(inner, value))
    if isinstance(domain, Set):
        return lambda value: tuple(
            value if isinstance(value, SetValue) else _ascending(domain, set(value))
        )
    if isinstance(domain, Seq):
        return row
    if isinstance(domain, Bag):
        return lambda value: row(
            value if isinstance(value, BagValue) else _ascending(domain, value)
        )
    return int if isinstance(domain, Count) else None
