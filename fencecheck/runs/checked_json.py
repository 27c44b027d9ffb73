"""Objects of JSON files, read field by field: what is not as it should be is named with its place.

Takes what ``json.loads`` gives, which may be anything, and the name of its schema; gives values of
the kinds asked for, or raises TraceError. It knows no field.
"""

from __future__ import annotations

from typing import Any, NoReturn

from fencecheck.errors import TraceError
from fencecheck.model.declaring.any_number import AnyNumber, HowMany, how_many
from fencecheck.runs.trace import Change

_DEEPEST = 8  # lists within lists of a value
_LARGEST = 1 << 63


class CheckedObject:
    """A JSON object that came from a file, and its place there; reads fields of a given kind."""

    def __init__(self, document: Any, place: str, schema: str) -> None:
        self.place, self.schema = place, schema
        if not isinstance(document, dict):
            self.refuse(f"is not an object of {schema}")
        self.fields: dict[str, Any] = document

    def refuse(self, what: str) -> NoReturn:
        """Raise the error that names the place."""
        raise TraceError(f"{self.place}: {what}")

    def required(self, key: str) -> Any:
        if key not in self.fields:
            self.refuse(f'has no "{key}"; is it a {self.schema} document?')
        return self.fields[key]

    def text(self, key: str) -> str:
        return self._text(key, self.required(key))

    def text_or(self, key: str, default: str) -> str:
        return self._text(key, self.fields.get(key, default))

    def text_or_none(self, key: str) -> str | None:
        value = self.fields.get(key)
        return None if value is None else self._text(key, value)

    def _text(self, key: str, value: Any) -> str:
        if not isinstance(value, str):
            self.refuse(f"{key} is not text")
        if any("\ud800" <= char <= "\udfff" for char in value):
            self.refuse(f"{key} has half a character, which no file can hold")
        return value

    def truth(self, key: str, default: bool | None = None) -> bool:
        value = self.required(key) if default is None else self.fields.get(key, default)
        if not isinstance(value, bool):
            self.refuse(f"{key} is not true or false")
        return value

    def number(self, key: str, value: Any = None, most: int | None = None) -> int:
        """Return a whole number from 0 on, ``value`` or else what stands at ``key``."""
        value = self.required(key) if value is None else value
        if isinstance(value, bool) or not isinstance(value, int):
            self.refuse(f"{key} is not a whole number")
        if not 0 <= value <= (_LARGEST if most is None else most):
            self.refuse(f"{key} {value} is not between 0 and {_LARGEST if most is None else most}")
        return value

    def how_many(self, key: str) -> HowMany:
        """Return the number of a bound, or that it is any."""
        value = how_many(self.required(key))
        return value if isinstance(value, AnyNumber) else self.number(key)

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in allowed:
            self.refuse(f"{key} is not one of {', '.join(allowed)}")
        return value

    def listed(self, key: str, default: list[Any] | None = None) -> list[Any]:
        value = self.required(key) if default is None else self.fields.get(key, default)
        if not isinstance(value, list):
            self.refuse(f"{key} is not a list")
        return value

    def objects(self, key: str, default: list[Any] | None = None) -> list[CheckedObject]:
        listed = self.listed(key, default)
        places = (self.inside(f"{key}[{i}]") for i in range(len(listed)))
        return [CheckedObject(*item, self.schema) for item in zip(listed, places, strict=True)]

    def inner(self, key: str, default: dict[str, Any] | None = None) -> CheckedObject:
        value = self.required(key) if default is None else self.fields.get(key, default)
        if not isinstance(value, dict):
            self.refuse(f"{key} is not an object")
        return CheckedObject(value, self.inside(key), self.schema)

    def inside(self, key: str) -> str:
        """Return the place of a field: ``file: key.key[0].key``."""
        return f"{self.place}{'.' if ': ' in self.place else ': '}{key}"

    def texts(self, key: str) -> list[str]:
        return [self._text(f"{key}[{i}]", item) for i, item in enumerate(self.listed(key))]

    def names(self) -> list[str]:
        return [self._text("the name of a field", name) for name in self.fields]

    def value(self, key: str, value: Any) -> Any:
        """Return a value as people read them: a scalar, or a list of values."""
        self._value(key, value, _DEEPEST)
        return value

    def _value(self, key: str, value: Any, deep: int) -> None:
        if isinstance(value, str):
            self._text(key, value)
        elif isinstance(value, list) and deep:
            for item in value:
                self._value(key, item, deep - 1)
        elif not (value is None or isinstance(value, bool | int | float)):
            self.refuse(f"{key} is not a value: text, a number, true, false, null, or a list")

    def values(self) -> dict[str, Any]:
        """Return the fields as values by name."""
        return {name: self.value(name, self.fields[name]) for name in self.names()}

    def changes(self) -> dict[str, Change]:
        """Return the fields as changes by the variable's name."""
        return {name: Change(*self.pair(name, self.fields[name])) for name in self.names()}

    def pair(self, key: str, value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list) or len(value) != 2:
            self.refuse(f"{key} is not a list of two values")
        return self.value(key, value[0]), self.value(key, value[1])
