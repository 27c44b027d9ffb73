"""One table of a spec while it is read: typed access that notes every mistake with its place.

A Table wraps a TOML table with the words for where it stands (``variant "no fence"``,
``expect``). Reading a key of the wrong type notes that and gives the empty value, so that reading
goes on and all mistakes of a file are found at once. Knows nothing of models.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from fencecheck.errors import nearest

_KINDS = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    dict: "a table",
    list: "a list",
    datetime.datetime: "a date and time",
    datetime.date: "a date",
    datetime.time: "a time",
}
Typed = TypeVar("Typed")


def as_toml(value: Any) -> str:
    """Return a value as TOML would write it, or its kind where that is long."""
    if isinstance(value, str | bool | int | float):
        return json.dumps(value, ensure_ascii=False)
    return _KINDS.get(type(value), "something else")


def not_one_of(value: Any, allowed: Iterable[str]) -> str:
    """Return the sentence for a value that is none of those allowed, with the nearest one."""
    names = list(allowed)
    hint = nearest(value, names) if isinstance(value, str) else ""
    return f"{as_toml(value)} is not one of {', '.join(names) or 'none'}{hint}"


class TomlTable:
    """A TOML table, the words for its place, and the list that its file's mistakes go to."""

    def __init__(self, raw: Mapping[str, Any], file: str, problems: list[str]) -> None:
        self.raw, self.file, self.problems = raw, file, problems
        self.within = ""
        self.path = ""

    def say(self, message: str, key: str = "") -> None:
        """Note a mistake at this table or at one of its keys."""
        dotted = ".".join(part for part in (self.path, key) if part)
        places = [part for part in (self.file, self.within, dotted) if part]
        self.problems.append(": ".join([*places, message]))

    def keys(self, allowed: Iterable[str]) -> None:
        """Note every key that is none of ``allowed``."""
        names = list(allowed)
        for key in self.raw:
            if key not in names:
                self.say(f"key {not_one_of(key, names)}")

    def text(self, key: str, *, needed: bool = False) -> str:
        """Return the text at ``key``, or an empty one."""
        value = self._typed(key, str, "")
        if needed and key not in self.raw:
            self.say(f'it is missing; write {key} = "..."', key)
        elif needed and not value and isinstance(self.raw[key], str):
            self.say("it is empty", key)
        return value

    def texts(self, key: str) -> list[str]:
        """Return the texts of the list at ``key``, or none."""
        values = self._typed(key, list, [])
        for number, value in enumerate(values, 1):
            if not isinstance(value, str):
                self.say(f"entry {number} is {as_toml(value)}; write text in quotes", key)
        return [value for value in values if isinstance(value, str)]

    def table(self, key: str) -> TomlTable:
        """Return the table at ``key``, or an empty one."""
        return self._inner(self._typed(key, dict, {}), key)

    def named_tables(self, key: str) -> list[tuple[str, TomlTable]]:
        """Return (name, table) for each of ``[[key]]``, noting missing and repeated names."""
        found: list[tuple[str, TomlTable]] = []
        seen: set[str] = set()
        if isinstance(self.raw.get(key), dict):
            self.say(f"this is one table; write [[{key}]] for a list of them", key)
            return found
        for number, raw in enumerate(self._typed(key, list, []), 1):
            if not isinstance(raw, dict):
                self.say(f"entry {number} is {as_toml(raw)}; write [[{key}]] and its keys", key)
                continue
            inner = TomlTable(raw, self.file, self.problems)
            inner.within = f"{key} {number}"
            name = inner.text("name", needed=True)
            if name in seen:
                inner.say(f"another {key} is named {as_toml(name)} too; a name stands once", "name")
            elif name:
                inner.within = f"{key} {as_toml(name)}"
            seen.update({name} - {""})
            found.append((name, inner))
        return found

    def _inner(self, raw: Mapping[str, Any], key: str) -> TomlTable:
        inner = TomlTable(raw, self.file, self.problems)
        inner.within, inner.path = self.within, ".".join(p for p in (self.path, key) if p)
        return inner

    def _typed(self, key: str, kind: type[Typed], empty: Typed) -> Typed:
        value = self.raw.get(key, empty)
        if isinstance(value, kind):
            return value
        self.say(f"{as_toml(value)} is not {_KINDS[kind]}", key)
        return empty
