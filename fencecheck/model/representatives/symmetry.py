"""Symmetric indices: the values in the order of what a state says of each.

What it says of one value is its *slice*: a list of codes, in the order of the layout, in which
every value of the Index is told only as "it" or "another". Two slices are compared code by code;
values that have equal slices keep their order: another member of the orbit may then be taken, which
is sound. The definition:

- a place that holds a value of the Index: whether it is this one;
- an array over the Index: the code of its own element, and the sum, part by part, of what all
  elements say of it;
- any other array: what each element says of it, in order;
- a set or bag: the codes of the elements that name it, the largest first; a sequence: for each
  element its code if it names it, else nothing.

The *code* of a value, told for one of the Index, is the value part by part: values of the Index as
another (0) or it (1), arrays over the Index as the code of its own element and the sum of all, sets
and bags as the codes of all elements, the largest first. Fresh values are 1 but for 0, values of
symmetric indices that are not in order yet are 0, versions are themselves and other scalars their
rank; None is less than all of these. What is no number adds nothing to a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import add
from typing import Any

from fencecheck.model.domains import (
    Array,
    Bag,
    Domain,
    Fresh,
    Index,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
    Unlimited,
)
from fencecheck.model.representatives.renaming import Key, key_of, kinds_in

Code = tuple[Any, ...]
Tell = Callable[[Any, int], Code]  # what a value says of, or is for, one value of the Index


class ReferenceSlices:
    """What the values of one domain say of each value of a symmetric Index (``own``).

    ``unordered`` are the symmetric indices whose values may not be told apart yet.
    """

    def __init__(self, own: Key, unordered: Collection[Key]) -> None:
        self.own, self.unordered = own, unordered

    def said(self, domain: Domain) -> Tell | None:
        """Return what tells what a value says of one of the Index; None: nothing ever."""
        if self.own not in kinds_in(domain):
            return None
        if isinstance(domain, Array):
            return self._said_by_array(domain)
        if isinstance(domain, Seq):
            return self._said_by_sequence(domain)
        if isinstance(domain, Set | Bag):
            naming, code = self._names(domain.element), self.code(domain.element)
            return lambda value, one: (
                tuple(sorted((code(v, one) for v in value if naming(v, one)), reverse=True)),
            )
        if isinstance(domain, Record):
            parts = [self.said(field) for field in domain.fields.values()]
            return lambda value, one: tuple(
                code
                for part, item in zip(parts, value, strict=True)
                if part is not None
                for code in part(item, one)
            )
        naming = self._names(domain)
        return lambda value, one: (int(naming(value, one)),)

    def _said_by_array(self, domain: Array) -> Tell:
        inner = self.said(domain.element)
        if key_of(domain.index) != self.own:
            assert inner is not None
            return lambda value, one: tuple(code for item in value for code in inner(item, one))
        own = self.code(domain.element)
        if inner is None:
            return lambda value, one: (own(value[one], one),)
        return lambda value, one: (own(value[one], one), *_sums(inner(v, one) for v in value))

    def _said_by_sequence(self, domain: Seq) -> Tell:
        naming, code = self._names(domain.element), self.code(domain.element)
        return lambda value, one: (
            tuple(code(item, one) if naming(item, one) else () for item in value),
        )

    def _names(self, domain: Domain) -> Callable[[Any, int], bool]:
        """Return what tells whether a scalar or record names one of the Index."""
        if isinstance(domain, Record):
            parts = [self._names(field) for field in domain.fields.values()]
            return lambda value, one: any(
                part(item, one) for part, item in zip(parts, value, strict=True)
            )
        if isinstance(domain, OneOf):
            held = {
                tag: None if inner is None else self._names(inner)
                for tag, inner in domain.tags.items()
            }
            return lambda value, one: bool((inner := held[value[0]]) and inner(value[1], one))
        plain = domain.index if isinstance(domain, Maybe) else domain
        if key_of(plain) == self.own:
            return lambda value, one: value == one
        return lambda value, one: False

    def code(self, domain: Domain) -> Tell:
        """Return what tells a value part by part, as it is for one of the Index."""
        if isinstance(domain, Array):
            return self._code_of_array(domain)
        if isinstance(domain, Set | Bag):
            inner = self.code(domain.element)
            if isinstance(domain, Seq):
                return lambda value, one: (tuple(inner(item, one) for item in value),)
            return lambda value, one: (
                tuple(sorted((inner(item, one) for item in value), reverse=True)),
            )
        if isinstance(domain, Record):
            parts = [self.code(field) for field in domain.fields.values()]
            return lambda value, one: tuple(
                code for part, item in zip(parts, value, strict=True) for code in part(item, one)
            )
        if isinstance(domain, OneOf):
            return self._code_of_tagged(domain)
        if isinstance(domain, Maybe):
            inner, none = self.code(domain.index), domain.low
            return lambda value, one: (none,) if value is None else inner(value, one)
        return self._code_of_scalar(domain)

    def _code_of_array(self, domain: Array) -> Tell:
        inner = self.code(domain.element)
        if key_of(domain.index) == self.own:
            return lambda value, one: (
                *inner(value[one], one),
                *_sums(inner(item, one) for item in value),
            )
        return lambda value, one: tuple(code for item in value for code in inner(item, one))

    def _code_of_tagged(self, domain: OneOf) -> Tell:
        places = {tag: place for place, tag in enumerate(domain.tags)}
        held = {
            tag: None if inner is None else self.code(inner) for tag, inner in domain.tags.items()
        }

        def tell(value: Any, one: int) -> Code:
            inner = held[value[0]]
            return places[value[0]], () if inner is None else inner(value[1], one)

        return tell

    def _code_of_scalar(self, domain: Domain) -> Tell:
        key = key_of(domain)
        if key is not None and key == self.own:
            return lambda value, one: (int(value == one),)
        if key in self.unordered and isinstance(domain, Index):
            return lambda value, one: (0,)
        if isinstance(domain, Fresh):
            return lambda value, one: (int(value != 0),)
        if isinstance(domain, Unlimited):
            return lambda value, one: (value,)
        rank: Callable[[Any], int] = domain.rank  # type: ignore[attr-defined]
        return lambda value, one: (rank(value),)


def _sums(codes: Iterable[Code]) -> Code:
    """Return the sums of codes part by part, of the parts that are numbers."""
    total: Code = ()
    for code in codes:
        numbers = tuple(part for part in code if isinstance(part, int))
        total = tuple(map(add, total, numbers)) if total else numbers
    return total


def sorted_by(slices: Sequence[Sequence[Code]]) -> dict[int, int]:
    """Return what the values of an Index become when they are put in the order of their slices."""
    order = sorted(range(len(slices)), key=lambda value: tuple(slices[value]))
    return {value: place for place, value in enumerate(order)}
