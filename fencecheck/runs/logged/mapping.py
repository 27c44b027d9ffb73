"""Maps: TOML that says which records of a foreign log are which events of a model.

An ``[[event]]`` has ``where``, fields of a record and the values that they must have, and says
what the event ``is``, whose ``process`` it is, its ``args``, ``outcome`` and what is so ``after``
it. A text that begins with ``$.`` is taken from the record by that path, a list of them from the
first that is there, ``{ as = ... }`` is only compared with itself. A record that no rule fits is
no event.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencecheck.errors import not_among
from fencecheck.runs.logged.log import LogError, Logging

RULE = ("where", "is", "process", "args", "outcome", "after", "id", "causes", "time")
WHOLE = ("event", "group", "hidden", "ignored")
FOLDER = Path(__file__).parent
MISSING: Any = object()


@dataclass(frozen=True)
class EventMap:
    """A map as it was read; ``rules`` are tried in order."""

    rules: tuple[Mapping[str, Any], ...]
    group: Any
    logging: Logging

    def native(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the fields of the log format for a record, None where it is no event."""
        for rule in self.rules:
            if all(_fits(record, path, wanted) for path, wanted in rule.get("where", {}).items()):
                return self._told(rule, record)
        return None

    def _told(self, rule: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for key in RULE[1:]:
            if key in rule:
                value = _taken(record, rule[key])
                if value is not MISSING:
                    told["event" if key == "is" else key] = value
        if self.group is not None:
            run = _taken(record, self.group)
            if run is not MISSING:
                told["run"] = run
        return told


def read_map(path: Path) -> EventMap:
    """Return the map of a file; raises LogError with all that is wrong with it."""
    shown = path.as_posix()
    try:
        document = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise LogError([f"{shown}: cannot be read ({error.strerror or error})"]) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LogError([f"{shown}: is not TOML: {error}"]) from None
    problems = [_unknown(shown, key, WHOLE) for key in document if key not in WHOLE]
    rules = document.get("event", [])
    if not isinstance(rules, list) or not rules or not all(isinstance(r, dict) for r in rules):
        problems.append(f"{shown}: has no [[event]]: which records are which events")
        rules = []
    for number, rule in enumerate(rules, 1):
        problems += _wrong_rule(f"{shown}: event {number}", rule)
    for key in WHOLE[2:]:
        if not _is_texts(document.get(key, [])):
            problems.append(f"{shown}: {key} is not a list of texts")
    if problems:
        raise LogError(problems)
    names = [rule.get("is", "$") for rule in rules]
    open_ = any(not isinstance(name, str) or name.startswith("$") for name in names)
    logging = Logging(
        None if open_ else frozenset(names),
        frozenset(document.get("hidden", [])),
        frozenset(document.get("ignored", [])),
    )
    return EventMap(tuple(rules), document.get("group"), logging)


def otel_map() -> EventMap:
    """Return the map that ships for events of OpenTelemetry spans."""
    return read_map(FOLDER / "opentelemetry.toml")


def _wrong_rule(place: str, rule: Mapping[str, Any]) -> list[str]:
    problems = [_unknown(place, key, RULE) for key in rule if key not in RULE]
    problems += [f'{place}: has no "{key}"' for key in ("process",) if key not in rule]
    if not isinstance(rule.get("where", {}), dict):
        problems.append(f"{place}: where is not a table")
    for key in ("args", "after"):
        if not isinstance(rule.get(key, {}), dict | str):
            problems.append(f"{place}: {key} is neither a table nor a path")
    return problems


def _unknown(place: str, key: str, known: tuple[str, ...]) -> str:
    return f"{place}: {key!r} {not_among(key, known)}"


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _fits(record: Mapping[str, Any], path: str, wanted: Any) -> bool:
    found = _at(record, path.removeprefix("$.").split("."))
    allowed = wanted if isinstance(wanted, list) else [wanted]
    return any(type(found) is type(value) and found == value for value in allowed)


def _taken(record: Mapping[str, Any], told: Any) -> Any:
    """Return what a rule says of a record; MISSING where the record does not have it."""
    if isinstance(told, str):
        return _at(record, told[2:].split(".")) if told.startswith("$.") else told
    if isinstance(told, list):
        found = (_taken(record, item) for item in told)
        return next((value for value in found if value is not MISSING), MISSING)
    if isinstance(told, dict):
        pairs = ((name, _taken(record, value)) for name, value in told.items())
        kept = {name: value for name, value in pairs if value is not MISSING}
        return MISSING if set(told) == {"as"} and not kept else kept
    return told


def _at(holder: Any, path: list[str]) -> Any:
    """Return what stands at a path, of which names with dots may be a part.

    Where nothing does, the fields whose names begin with it, by the rest of their names.
    """
    if not path:
        return holder
    if isinstance(holder, list) and path[0].isdecimal() and int(path[0]) < len(holder):
        return _at(holder[int(path[0])], path[1:])
    if not isinstance(holder, dict):
        return MISSING
    for many in range(len(path), 0, -1):
        name = ".".join(path[:many])
        if name in holder:
            found = _at(holder[name], path[many:])
            if found is not MISSING:
                return found
    start = ".".join(path) + "."
    below = {k.removeprefix(start): v for k, v in holder.items() if k.startswith(start)}
    return below or MISSING
