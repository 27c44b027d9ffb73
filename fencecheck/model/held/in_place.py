"""Parts of records changed in place: what ``s.last.size = 0`` does where an effect is run.

A record is a value: it never changes, and whoever holds it keeps what was read. Where an effect
changes parts in place, each record that it reads from the state is a copy of its own whose place
is read_from, and so is each record and array in it; setting a part of that copy puts a changed
record into the place. Elsewhere records refuse. The lowering allows such assignments only to
records that are named by their place.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Change = Callable[[Any, Any, Any], None]
_change: ContextVar[Change | None] = ContextVar("change", default=None)


class Parts:
    """What an array in a record is besides a tuple: its elements can be set where it was read."""

    __slots__ = ()
    _nested = True
    places: Any = None

    @classmethod
    def _make(cls, items: Iterable[Any]) -> Any:
        return cls(items)  # type: ignore[call-arg]

    def __setitem__(self, index: Any, value: Any) -> None:
        change = _change.get()
        if change is None:
            raise TypeError(f"element {index} cannot be set here")
        change(self, index, value)

    def _with_part(self: Any, index: Any, value: Any) -> Any:
        """Return an array with another value at an index, or for a name."""
        place = index if self.places is None else self.places[index]
        if not 0 <= place < len(self):
            raise IndexError(f"there is no element {index} in {len(self)}")
        value = _like(tuple.__getitem__(self, place), value)
        return type(self)(value if i == place else item for i, item in enumerate(self))


def record_type(name: str, fields: list[str], *, nested: bool = False) -> Any:
    """Return the named tuple of a kind of records; ``nested``: some hold records or arrays."""
    made = namedtuple(name, fields)  # type: ignore[misc]
    made.__setattr__ = _set_field  # type: ignore[method-assign]
    made._nested = nested  # type: ignore[attr-defined]
    made._with_part = lambda record, field, value: record._replace(**{field: value})  # type: ignore[attr-defined]
    if nested:
        put = made._replace
        made._replace = lambda record, **given: put(  # type: ignore[method-assign]
            record, **{f: _like(getattr(record, f), v) for f, v in given.items()}
        )
    return made


def _like(old: Any, value: Any) -> Any:
    """Return a value as a record holds it where it has ``old``: rows of one kind for arrays."""
    if not isinstance(old, Parts) or not isinstance(value, tuple | list):
        return value
    first: Any = next(tuple.__iter__(old))  # type: ignore[arg-type]
    return old._make(_like(first, item) for item in value)


def _set_field(record: Any, field: str, value: Any) -> None:
    change = _change.get()
    if change is None or field not in record._fields:
        raise AttributeError(f"{type(record).__name__}.{field} cannot be set here")
    change(record, field, value)


@contextmanager
def changing_by(change: Change | None) -> Iterator[None]:
    """Execute what follows with ``change(holder, part, value)`` for setting a part."""
    token = _change.set(change)
    try:
        yield
    finally:
        _change.reset(token)


def parts_in(value: Any) -> list[tuple[Any, Any]]:
    """Return (field, name or index; what stands there) of a record or an array in one."""
    keys = getattr(value, "_fields", None) or value.places or range(len(value))
    return list(zip(keys, tuple.__iter__(value), strict=True))


class _Within:
    """A record or array in the state as the row in which its parts stand."""

    def __init__(self, row: Any, index: Any) -> None:
        self._row, self._index = row, index

    def now(self, part: Any) -> Any:
        whole = self._row.now(self._index)
        return getattr(whole, part) if hasattr(whole, "_fields") else whole[part]

    def __setitem__(self, part: Any, value: Any) -> None:
        self._row[self._index] = self._row.now(self._index)._with_part(part, value)


class Reads:
    """The records that an effect has read from the state, each with its place."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any, Any]] = {}

    def note(self, held: Any, row: Any, index: Any) -> Any:
        """Return a copy of a record or array in one, which stands in ``row[index]``."""
        kind = type(held)
        copy = kind._make(held)
        if kind._nested:
            within = _Within(row, index)
            copy = kind._make(
                self.note(item, within, part) if hasattr(type(item), "_nested") else item
                for part, item in parts_in(held)
            )
        self._known[id(copy)] = copy, row, index
        return copy

    def __call__(self, holder: Any, part: Any, value: Any) -> None:
        """Put a changed record where ``holder`` was read."""
        if id(holder) not in self._known:
            raise AttributeError(f"{type(holder).__name__}.{part} is set on no place of the state")
        _, row, index = self._known[id(holder)]
        row[index] = row.now(index)._with_part(part, value)


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


def record_variable(base: type, name: str) -> property:
    """Return the attribute of a view that reads and sets a record variable of ``base``."""
    slot = getattr(base, name)

    def read(view: Any) -> Any:
        return read_from(slot.__get__(view), _Slots(view, base), name)

    return property(read, slot.__set__)
