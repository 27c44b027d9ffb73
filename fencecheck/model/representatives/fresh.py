"""Fresh values: which of them are equal is all that can be asked, so they are numbered as found.

The order in which they are found is that of the state's values, elements of sets and bags as if
they ascended without regard to fresh values: of these only 0, which nobody made, is told apart.
Elements that are alike without them stay in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fencecheck.model.domains import (
    Array,
    Bag,
    Domain,
    Fresh,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
    order_of,
)
from fencecheck.model.representatives.renaming import Names, kinds_in, renaming

Convert = Callable[[Any], Any]
Found = dict[str, dict[int, int]]


class _Hidden(dict[int, int]):
    """What fresh values are told as where they are not told apart."""

    def __missing__(self, value: int) -> int:
        return 1 if value else 0


def hidden(clocks: Iterable[str]) -> Names:
    """Return names under which no two fresh values are told apart, but for 0."""
    return {clock: _Hidden() for clock in clocks}


def ordering(domain: Domain, clocks: list[str]) -> Convert | None:
    """Return what puts a value in the order in which its fresh values are found; None: it is."""
    if isinstance(domain, Array):
        inner = ordering(domain.element, clocks)
        return None if inner is None else lambda value: [inner(item) for item in value]
    if not isinstance(domain, Set | Bag) or isinstance(domain, Seq):
        return None
    hide = renaming(domain.element, clocks)
    if hide is None:
        return None
    order, names = order_of(domain.element), hidden(clocks)

    def key(item: Any) -> Any:
        seen = hide(item, names)
        return seen if order is None else order(seen)

    return lambda value: sorted(value, key=key)


def numbering(domain: Domain, clocks: list[str]) -> Callable[[Any, Found], None] | None:
    """Return what numbers the fresh values in a value that have no number yet; None: it has none.

    0 stays 0, the first that is found is 1.
    """
    if set(clocks).isdisjoint(kinds_in(domain)):
        return None
    if isinstance(domain, Array | Set | Bag):
        return _of_items(domain.element, clocks)
    if isinstance(domain, Record):
        return _of_fields(list(domain.fields.values()), clocks)
    if isinstance(domain, OneOf):
        held = {
            tag: None if inner is None else numbering(inner, clocks)
            for tag, inner in domain.tags.items()
        }

        def of_held(value: Any, found: Found) -> None:
            number = held[value[0]]
            if number is not None:
                number(value[1], found)

        return of_held
    fresh = domain.index if isinstance(domain, Maybe) else domain
    assert isinstance(fresh, Fresh)
    clock = fresh.clock

    def of_value(value: Any, found: Found) -> None:
        if value is not None:
            numbers = found[clock]
            numbers.setdefault(value, len(numbers))

    return of_value


def _of_items(element: Domain, clocks: list[str]) -> Callable[[Any, Found], None] | None:
    inner = numbering(element, clocks)
    if inner is None:
        return None

    def of_items(value: Any, found: Found) -> None:
        for item in value:
            inner(item, found)

    return of_items


def _of_fields(fields: list[Domain], clocks: list[str]) -> Callable[[Any, Found], None]:
    inner = [numbering(field, clocks) for field in fields]

    def of_fields(value: Any, found: Found) -> None:
        for number, item in zip(inner, value, strict=True):
            if number is not None:
                number(item, found)

    return of_fields
