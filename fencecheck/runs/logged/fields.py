"""Events from the fields of a record: what the log format says, and all that is wrong with it.

Takes a JSON object that may be anything; gives a LoggedEvent, or notes what is not as it should
be, with its place. Whether a model knows the names is asked in names.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from fencecheck.errors import not_among
from fencecheck.runs.logged.fitting import frozen
from fencecheck.runs.logged.log import LOG, OPEN, LoggedEvent, Logging, Stand

KEYS = (
    "schema", "process", "run", "id", "causes", "time", "event", "args", "outcome", "after",
)  # fmt: skip
HEAD = ("schema", "hidden", "ignored")
DEEPEST = 8


class FieldReader:
    """The fields of one record; ``problems`` are what is wrong with it."""

    def __init__(self, record: Mapping[str, Any], place: str) -> None:
        self.record, self.place, self.problems = record, place, list[str]()

    def refuse(self, what: str) -> None:
        self.problems.append(f"{self.place}: {what}")

    def check_keys(self, known: tuple[str, ...]) -> None:
        """Note every key that is none of those known, and a schema that is another."""
        for key in self.record:
            if key not in known:
                self.refuse(f"{key!r} {not_among(str(key), known)}")
        schema = self.record.get("schema", LOG)
        if schema != LOG:
            self.refuse(f'schema is {schema!r}; it must be "{LOG}"')

    def text(self, key: str) -> str | None:
        """Return a text, None where there is none."""
        value = self.record.get(key)
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        self.refuse(f"{key} is not text")
        return None

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; one text alone is a list of one."""
        value = self.record.get(key)
        if value is None:
            return ()
        listed = value if isinstance(value, list) else [value]
        if not all(isinstance(item, str) for item in listed):
            self.refuse(f"{key} is not a list of texts")
            return ()
        return tuple(listed)

    def time(self, key: str) -> float | None:
        """Return the seconds of a number, or of a time as ISO 8601 writes it."""
        value = self.record.get(key)
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        if isinstance(value, str):
            try:
                return datetime.fromisoformat(value).timestamp()
            except (ValueError, OverflowError, OSError):
                pass
        self.refuse(f"{key} {value!r} is no time: write seconds, or 2026-01-31T12:00:00Z")
        return None

    def values(self, key: str) -> dict[str, Any]:
        """Return an object of values by name; ``{"as": X}`` is a Stand."""
        given = self.record.get(key)
        if given is None:
            return {}
        if not isinstance(given, dict):
            self.refuse(f"{key} is not an object of names and values")
            return {}
        return {name: self.value(f"{key}.{name}", value) for name, value in given.items()}

    def value(self, key: str, given: Any, deep: int = DEEPEST) -> Any:
        """Return one value as a model shows it, or a Stand."""
        if isinstance(given, dict):
            if set(given) == {"as"} and isinstance(given["as"], str | int | float):
                return Stand(str(given["as"]))
            self.refuse(f'{key} is an object; write a value, or {{"as": X}}')
        elif isinstance(given, list) and deep:
            return [self.value(key, item, deep - 1) for item in given]
        elif not (given is None or isinstance(given, str | bool | int | float)):
            self.refuse(f"{key} is not a value: text, a number, true, false, null, or a list")
        return given


def read_event(record: Mapping[str, Any], place: str) -> tuple[LoggedEvent, list[str]]:
    """Return the event of a record, and what is wrong with it."""
    fields = FieldReader(record, place)
    fields.check_keys(KEYS)
    process = fields.text("process")
    if process is None:
        fields.refuse('has no "process": whose event it is')
    outcome = OPEN
    if "outcome" in record:
        outcome = fields.value("outcome", record["outcome"])
        if isinstance(outcome, Stand | list):
            fields.refuse("outcome is not a word of the model")
    event = LoggedEvent(
        place,
        process or "",
        fields.text("event"),
        fields.values("args"),
        outcome,
        fields.values("after"),
        fields.text("id"),
        fields.texts("causes"),
        fields.time("time"),
    )
    return event, fields.problems


def is_head(record: Mapping[str, Any]) -> bool:
    """Tell whether a record is the head of a log, which says what is logged at all."""
    return "process" not in record and "schema" in record


def read_head(record: Mapping[str, Any], place: str) -> tuple[Logging, list[str]]:
    """Return what the head of a log says is logged, and what is wrong with it."""
    fields = FieldReader(record, place)
    fields.check_keys(HEAD)
    told = {key: frozenset(fields.texts(key)) for key in HEAD[1:]}
    return Logging(None, **told), fields.problems


# -- an event that a model does not have, as it stands in a trace --------------------------------
REFUSED = ("event", "args", "outcome", "after", "bound")


def refused_fields(event: LoggedEvent, bound: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return what a trace keeps of such an event, and of what names in it stood for."""
    told: dict[str, Any] = {"event": event.name}
    told["args"] = {name: _as_told(value) for name, value in event.args.items()}
    told["after"] = {name: _as_told(value) for name, value in event.after.items()}
    told["bound"] = [list(pair) for pair in bound]
    return told if event.outcome is OPEN else {**told, "outcome": event.outcome}


def _as_told(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_told(item) for item in value]
    return {"as": value.name} if isinstance(value, Stand) else value


def read_refused(
    told: Mapping[str, Any], place: str
) -> tuple[LoggedEvent, tuple[tuple[str, Any], ...], list[str]]:
    """Return such an event, what names stood for, and what is wrong with it."""
    fields = FieldReader(told, place)
    for key in told:
        if key not in REFUSED:
            fields.refuse(f"{key!r} {not_among(str(key), REFUSED)}")
    outcome = fields.value("outcome", told["outcome"]) if "outcome" in told else OPEN
    pairs = told.get("bound", [])
    if not isinstance(pairs, list) or not all(isinstance(p, list) and len(p) == 2 for p in pairs):
        fields.refuse("bound is not a list of names and values")
        pairs = []
    bound = tuple((str(name), frozen(value)) for name, value in pairs)
    event = LoggedEvent(
        place, "", fields.text("event"), fields.values("args"), outcome, fields.values("after")
    )
    return event, bound, fields.problems
