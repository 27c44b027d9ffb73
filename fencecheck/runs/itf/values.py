"""Values in the Informal Trace Format (ITF, Apalache's ADR 015): an encoding for each domain.

Takes a resolved domain and a value at rest, gives what JSON holds for it, and the other way round.
Numbers are ``{"#bigint": "3"}``; steps, files and workers count from 1, as sequences do. A set is
``#set``, a bag a ``#map`` from elements to how many there are, a sequence and an array over an
Index are lists, an array over names is a ``#map``, a tagged value and a value or none are variants
with ``tag`` and ``value``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NoReturn

from fencecheck.errors import TraceError
from fencecheck.model.declaring.any_number import ANY, AnyNumber
from fencecheck.model.domains import (
    Array,
    Bag,
    Bool,
    Domain,
    Enum,
    Index,
    Int,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
    Subset,
    order_of,
)

UNIT: dict[str, Any] = {"#tup": []}
NONE: dict[str, Any] = {"tag": "None", "value": UNIT}


def itf_number(value: int) -> dict[str, str]:
    """Return a whole number as ITF writes it."""
    return {"#bigint": str(int(value))}


def itf_some(value: Any) -> dict[str, Any]:
    """Return a value that could be missing, already encoded."""
    return {"tag": "Some", "value": value}


def to_itf(domain: Domain, value: Any) -> Any:
    """Return a value of a domain as ITF writes it."""
    match domain:
        case Bool():
            return bool(value)
        case Enum():
            return value
        case Maybe():
            return NONE if value is None else itf_some(to_itf(domain.index, value))
        case Index():
            return itf_number(value + 1)
        case Int():
            return ANY if isinstance(value, AnyNumber) else itf_number(value)
        case OneOf():
            held = domain.tags[value[0]]
            return {"tag": value[0], "value": UNIT if held is None else to_itf(held, value[1])}
        case Record():
            pairs = zip(domain.fields.items(), value, strict=True)
            return {name: to_itf(field, item) for (name, field), item in pairs}
        case Array() | Seq():
            elements = [to_itf(domain.element, item) for item in value]
            names = getattr(getattr(domain, "index", None), "names", None)  # of an Enum
            if names is None:
                return elements
            return {"#map": [list(pair) for pair in zip(names, elements, strict=True)]}
        case Bag():
            counts = Counter(value).items()
            return {"#map": [[to_itf(domain.element, v), itf_number(n)] for v, n in counts]}
        case Set() | Subset():
            return {"#set": [to_itf(domain.element, item) for item in value]}
    raise AssertionError(type(domain))


def itf_argument(value: Any) -> Any:
    """Return an argument of an event, told whole, as ITF writes it."""
    if value is None:
        return NONE
    if isinstance(value, dict):
        return {name: itf_argument(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [itf_argument(item) for item in value]
    return value if isinstance(value, bool | str) else itf_number(value)


# -- reading ------------------------------------------------------------------------------------
def from_itf(domain: Domain, told: Any, place: str) -> Any:
    """Return the value of a domain that ITF tells; raises TraceError with its place for others."""
    match domain:
        case Bool():
            return told if isinstance(told, bool) else _refuse(place, "true or false")
        case Enum():
            return told if domain.contains(told) else _refuse(place, domain.describe())
        case Maybe():
            tag, value = _variant(told, place)
            if tag == "None":
                return None
            return from_itf(domain.index, value, place) if tag == "Some" else _refuse(place, "Some")
        case Index():
            return read_number(told, place) - 1
        case Int():
            return ANY if told == ANY else read_number(told, place)
        case OneOf():
            return _tagged(domain, told, place)
        case Record():
            return _record(domain, told, place)
        case Array():
            return domain.row(_row(domain, told, place))
        case Seq():
            return tuple(_each(domain.element, _listed(told, place), place))
        case Bag():
            return _ascending(domain.element, _bag(domain, told, place))
        case Set() | Subset():
            return _ascending(domain.element, _each(domain.element, _set(told, place), place))
    raise AssertionError(type(domain))


def _refuse(place: str, wanted: str) -> NoReturn:
    raise TraceError(f"{place}: is not {wanted} in the encoding of ITF")


def read_number(told: Any, place: str) -> int:
    """Return a whole number: ``{"#bigint": "3"}``, or a number of JSON as older tools write it."""
    if isinstance(told, dict) and set(told) == {"#bigint"}:
        told = told["#bigint"]
        if isinstance(told, str) and len(told) < 1000 and told.lstrip("-").isdecimal():
            return int(told)
    if isinstance(told, int) and not isinstance(told, bool):
        return told
    _refuse(place, 'a whole number ({"#bigint": "1"})')


def _variant(told: Any, place: str) -> tuple[str, Any]:
    if isinstance(told, dict) and set(told) == {"tag", "value"} and isinstance(told["tag"], str):
        return told["tag"], told["value"]
    _refuse(place, 'a variant ({"tag": ..., "value": ...})')


def _tagged(domain: OneOf, told: Any, place: str) -> Any:
    tag, value = _variant(told, place)
    if tag not in domain.tags:
        _refuse(f"{place}.tag", f"one of {', '.join(domain.tags)}")
    held = domain.tags[tag]
    return domain.make(tag, None if held is None else from_itf(held, value, f"{place}.value"))


def _record(domain: Record, told: Any, place: str) -> Any:
    if not isinstance(told, dict) or set(told) != set(domain.fields):
        _refuse(place, f"a record with {', '.join(domain.fields)}")
    fields = domain.fields.items()
    return domain.make(**{n: from_itf(d, told[n], f"{place}.{n}") for n, d in fields})


def _row(domain: Array, told: Any, place: str) -> list[Any]:
    if isinstance(domain.index, Enum):
        pairs = _pairs(told, place)
        known = {name: value for name, value in pairs if isinstance(name, str)}
        if sorted(known) != sorted(domain.index.names) or len(pairs) != len(known):
            _refuse(place, f"a #map of {', '.join(domain.index.names)}")
        return _each(domain.element, [known[name] for name in domain.index.names], place)
    return _each(domain.element, _listed(told, place), place)


def _each(element: Domain, told: Iterable[Any], place: str) -> list[Any]:
    return [from_itf(element, item, f"{place}[{i}]") for i, item in enumerate(told)]


def _listed(told: Any, place: str) -> list[Any]:
    return told if isinstance(told, list) else _refuse(place, "a list")


def _set(told: Any, place: str) -> list[Any]:
    members = told.get("#set") if isinstance(told, dict) else None
    return members if isinstance(members, list) else _refuse(place, 'a set ({"#set": [...]})')


def _pairs(told: Any, place: str) -> list[Any]:
    pairs = told.get("#map") if isinstance(told, dict) else None
    if isinstance(pairs, list) and all(isinstance(p, list) and len(p) == 2 for p in pairs):
        return pairs
    _refuse(place, 'a map ({"#map": [[..., ...], ...]})')


def _bag(domain: Bag, told: Any, place: str) -> list[Any]:
    found = []
    for i, (item, many) in enumerate(_pairs(told, place)):
        times = read_number(many, f"{place}[{i}]")
        if not 0 <= times <= domain.capacity:
            _refuse(f"{place}[{i}]", f"a number of up to {domain.capacity} elements")
        found += [from_itf(domain.element, item, f"{place}[{i}]")] * times
    return found


def _ascending(element: Domain, values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(values, key=order_of(element)))
