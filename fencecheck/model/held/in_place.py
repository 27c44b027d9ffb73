"""Fields of records changed in place: what ``s.last.size = 0`` does where an effect is run.

A record is a value: it never changes, and whoever holds it keeps what was read. Where an effect
changes fields in place, each record that it reads from the state is a copy of its own whose place
is read_from; setting a field of that copy puts a changed record into the place. Elsewhere records
refuse. The lowering allows such assignments only to records that are named by their place.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Change = Callable[[Any, str, Any], None]
_change: ContextVar[Change | None] = ContextVar("change", default=None)


def record_type(name: str, fields: list[str]) -> Any:
    """Return the named tuple of a kind of records."""
    made = namedtuple(name, fields)  # type: ignore[misc]
    made.__setattr__ = _set_field  # type: ignore[method-assign]
    return made


def _set_field(record: Any, field: str, value: Any) -> None:
    change = _change.get()
    if change is None or field not in record._fields:
        raise AttributeError(f"{type(record).__name__}.{field} cannot be set here")
    change(record, field, value)


@contextmanager
def changing_by(change: Change | None) -> Iterator[None]:
    """Execute what follows with ``change(record, field, value)`` for setting a field."""
    token = _change.set(change)
    try:
        yield
    finally:
        _change.reset(token)


class Reads:
    """The records that an effect has read from the state, each with its place."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any, Any]] = {}

    def note(self, record: Any, row: Any, index: Any) -> Any:
        """Return a copy of ``record``, which stands in ``row[index]``."""
        copy = type(record)._make(record)
        self._known[id(copy)] = copy, row, index
        return copy

    def __call__(self, record: Any, field: str, value: Any) -> None:
        """Put a changed record where ``record`` was read."""
        if id(record) not in self._known:
            raise AttributeError(f"{type(record).__name__}.{field} is set on no place of the state")
        _, row, index = self._known[id(record)]
        row[index] = row.now(index)._replace(**{field: value})


def read_from(record: Any, row: Any, index: Any) -> Any:
    """Return a record as an effect reads it from ``row[index]``."""
    reads = _change.get()
    return reads.note(record, row, index) if isinstance(reads, Reads) else record


def in_place(effect: Callable[..., Any]) -> Callable[..., Any]:
    """Return an effect in which fields of records that it reads from the state can be set."""

    def changing(*args: Any) -> Any:
        with changing_by(Reads()):
            return effect(*args)

    return changing


class _Slots:
    """A view as the row in which its record variables stand."""

    def __init__(self, view: Any, base: type) -> None:
        self._view, self._base = view, base

    def now(self, name: str) -> Any:
        return getattr(self._base, name).__get__(self._view)

    def __setitem__(self, name: str, value: Any) -> None:
        getattr(self._base, name).__set__(self._view, value)


Convert = Callable[[Any], Any]


def record_variable(base: type, name: str, convert: Convert | None = None) -> property:
    """Return the attribute of a view that reads and sets a record variable of ``base``.

    What is read is converted first.
    """
    slot = getattr(base, name)

    def read(view: Any) -> Any:
        record = slot.__get__(view)
        record = record if convert is None else convert(record)
        return read_from(record, _Slots(view, base), name)

    return property(read, slot.__set__)


def converted_variable(base: type, name: str, convert: Convert) -> property:
    """Return the attribute of a view that sets a variable of ``base`` and reads it converted."""
    slot = getattr(base, name)
    return property(lambda view: convert(slot.__get__(view)), slot.__set__)
