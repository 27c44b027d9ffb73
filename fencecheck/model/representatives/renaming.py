"""Renaming: where names stand in a value of a domain, and the value with other names.

Names are the values of a Version, of a Fresh or of a symmetric Index; each of these domains has a
key. ``Names`` say by key what each becomes. An array over a symmetric Index has its elements moved,
and sets and bags ascend again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from fencecheck.model.domains import (
    Array,
    Bag,
    Domain,
    Index,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
    Subset,
    Unlimited,
    held_here,
    order_of,
)

Key = Any
Names = Mapping[Key, Mapping[int, int]]
Rename = Callable[[Any, Names], Any]
Find = Callable[[Any], Iterable[int]]


def key_of(domain: Domain) -> Key:
    """Return the key of a domain whose values are names, None for any other."""
    if isinstance(domain, Unlimited):
        return domain.clock
    return domain.origin if isinstance(domain, Index) and domain.symmetric else None


def kinds_in(domain: Domain) -> dict[Key, Any]:
    """Return by key the domains of the names in values of a domain, in the layout's order."""
    if isinstance(domain, Array):
        return kinds_in(domain.index) | kinds_in(domain.element)
    if isinstance(domain, Set | Bag | Subset):
        return kinds_in(domain.element)
    if isinstance(domain, Record):
        return _of_all(domain.fields.values())
    if isinstance(domain, OneOf):
        return _of_all(held_here(domain))
    named = domain.of if isinstance(domain, Maybe) else domain
    if named is None:
        return {}
    key = key_of(named)
    return {} if key is None else {key: named}


def _of_all(domains: Iterable[Domain]) -> dict[Key, Any]:
    found: dict[Key, Any] = {}
    for domain in domains:
        found |= kinds_in(domain)
    return found


def renaming(domain: Domain, keys: Collection[Key]) -> Rename | None:
    """Return what gives the names of ``keys`` in a value other names; None: it has none."""
    if keys and not set(keys).isdisjoint(kinds_in(domain)):
        return _renaming(domain, keys)
    return None


def _renaming(domain: Domain, keys: Collection[Key]) -> Rename:
    if isinstance(domain, Array):
        return _of_array(domain, keys)
    if isinstance(domain, Set | Bag | Subset):
        return _of_container(domain, keys)
    if isinstance(domain, Record):
        parts = [renaming(field, keys) for field in domain.fields.values()]
        return lambda value, names: value._make(
            item if part is None else part(item, names)
            for part, item in zip(parts, value, strict=True)
        )
    if isinstance(domain, OneOf):
        held = {
            tag: None if inner is None else renaming(inner, keys)
            for tag, inner in domain.tags.items()
        }

        def rename(value: Any, names: Names) -> Any:
            inner = held[value[0]]
            return value if inner is None else value._make((value[0], inner(value[1], names)))

        return rename
    if isinstance(domain, Maybe):
        key = key_of(domain.index)
        return lambda value, names: None if value is None else names[key][value]
    key = key_of(domain)
    return lambda value, names: names[key][value]


def _of_array(domain: Array, keys: Collection[Key]) -> Rename:
    inner = renaming(domain.element, keys)
    key = key_of(domain.index)
    moves = key is not None and key in keys

    def rename(value: Any, names: Names) -> Any:
        items: Sequence[Any] = value if inner is None else [inner(item, names) for item in value]
        if moves:
            becomes = names[key]
            items = [
                item
                for _, item in sorted(
                    ((becomes[place], item) for place, item in enumerate(items)), key=_first
                )
            ]
        return type(value)(items)

    return rename


def _first(pair: tuple[int, Any]) -> int:
    return pair[0]


def _of_container(domain: Set | Bag | Subset, keys: Collection[Key]) -> Rename:
    inner = _renaming(domain.element, keys)
    if isinstance(domain, Seq):
        return lambda value, names: type(value)(inner(item, names) for item in value)
    order = order_of(domain.element)
    return lambda value, names: type(value)(
        sorted((inner(item, names) for item in value), key=order)
    )


def finding(domain: Domain, key: Key) -> Find | None:
    """Return what finds the names of a key in a value, in order; None: there are none."""
    return _finding(domain, key) if key in kinds_in(domain) else None


def _finding(domain: Domain, key: Key) -> Find:
    if isinstance(domain, Array | Set | Bag):
        inner = finding(domain.element, key) or _nothing
        return lambda value: [name for item in value for name in inner(item)]
    if isinstance(domain, Record):
        parts = [finding(field, key) for field in domain.fields.values()]
        return lambda value: [
            name
            for part, item in zip(parts, value, strict=True)
            if part is not None
            for name in part(item)
        ]
    if isinstance(domain, OneOf):
        held = {
            tag: None if inner is None else finding(inner, key)
            for tag, inner in domain.tags.items()
        }
        return lambda value: (held[value[0]] or _nothing)(value[1])
    return lambda value: () if value is None else (value,)


def _nothing(_: Any) -> tuple[int, ...]:
    return ()
