"""Logs from their files: runs of events, with every mistake of every file at once.

Takes paths and how to read them; gives Logs. Of several files each is a run of its own, or all are
one (``one_run``); the field ``run`` of a record, or what a map groups by, tells apart the runs of
one file. The names in a log are held against a model in names.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fencecheck.runs.itf.reading import is_itf
from fencecheck.runs.logged.fields import is_head, read_event, read_head
from fencecheck.runs.logged.log import LogError, LoggedEvent, LoggedRun, Logging, Logs
from fencecheck.runs.logged.mapping import EventMap, otel_map
from fencecheck.runs.logged.records import Placed, read_records
from fencecheck.runs.logged.states import states_run

Reader = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class LogReading:
    """How logs are read: by a map, by a reader (a function of one record), or as they are."""

    map: EventMap | None = None
    reader: Reader | None = None
    one_run: bool = False
    hidden: frozenset[str] = frozenset()


@dataclass
class _File:
    """What was found in a file so far, by run."""

    path: Path
    events: dict[str, list[LoggedEvent]] = field(default_factory=dict)
    logging: Logging | None = None
    skipped: int = 0
    by_time: bool = False


def read_logs(paths: Sequence[Path], how: LogReading) -> Logs:
    """Return the runs of logs, in the order of the files; raises LogError with all mistakes."""
    problems, runs, files = list[str](), list[LoggedRun](), list[_File]()
    logging: Logging | None = None
    for path in paths:
        loaded, otlp, wrong = read_records(path)
        problems += wrong
        if not otlp and len(loaded) == 1 and is_itf(loaded[0][0]):
            runs.append(states_run(loaded[0][0], path.as_posix(), problems))
            continue
        found = _read_file(path, loaded, how, otlp, problems)
        files.append(found)
        if found.logging is not None:
            logging = found.logging if logging is None else logging.joined(found.logging)
        if not wrong and not found.events and not problems:
            problems.append(_nothing(path, found, how, otlp))
    runs += _joined(files) if how.one_run else [run for file in files for run in _runs(file)]
    if problems:
        raise LogError(problems)
    logging = logging or Logging()
    return Logs(tuple(runs), logging.joined(Logging(logging.produced, how.hidden)))


def _nothing(path: Path, found: _File, how: LogReading, otlp: bool) -> str:
    by = "the map" if how.map or otlp else "the reader" if how.reader else "the log format"
    return f"{path.as_posix()}: none of its records ({found.skipped}) is an event for {by}"


def _read_file(
    path: Path, loaded: list[Placed], how: LogReading, otlp: bool, problems: list[str]
) -> _File:
    found = _File(path, by_time=otlp)
    event_map = how.map or (otel_map() if otlp and how.reader is None else None)
    if event_map is not None:
        found.logging = event_map.logging
    before = _Causes()
    for number, (record, place) in enumerate(loaded):
        if number == 0 and event_map is None and how.reader is None and is_head(record):
            found.logging, wrong = read_head(record, place)
            problems += wrong
            continue
        native = _native(record, place, event_map, how.reader, problems)
        before.note(record, native)
        if native is None:
            found.skipped += 1
            continue
        event, wrong = read_event(native, place)
        problems += wrong
        run = native.get("run", "")
        if found.logging is not None and event.name in found.logging.ignored:
            found.skipped += 1
        else:
            found.events.setdefault(str(run), []).append(event)
    if otlp:
        found.events = {run: before.known(events) for run, events in found.events.items()}
    return found


def _native(
    record: dict[str, Any],
    place: str,
    event_map: EventMap | None,
    reader: Reader | None,
    problems: list[str],
) -> Mapping[str, Any] | None:
    """Return the fields of the log format for a record, None where it is no event."""
    if event_map is not None:
        return event_map.native(record)
    if reader is None:
        return record
    try:
        told = reader(record)
    except Exception as error:
        problems.append(f"{place}: the reader raises {type(error).__name__}: {error}")
        return None
    if told is not None and not isinstance(told, dict):
        problems.append(f"{place}: the reader returns {told!r}; write a dictionary, or None")
        return None
    return told


class _Causes:
    """What comes before what, also through records that are no events."""

    def __init__(self) -> None:
        self.causes: dict[str, list[str]] = {}
        self.events: set[str] = set()

    def note(self, record: Mapping[str, Any], native: Mapping[str, Any] | None) -> None:
        """Keep what a record says comes before it."""
        own, causes = record.get("id"), record.get("causes", [])
        if isinstance(own, str) and isinstance(causes, list):
            self.causes[own] = causes
            if native is not None:
                self.events.add(own)

    def known(self, events: list[LoggedEvent]) -> list[LoggedEvent]:
        """Return events in the order of their times, whose causes are events."""
        told = []
        for event in sorted(events, key=lambda event: event.time or 0.0):
            told.append(_with_causes(event, tuple(self._before(event.causes))))
        return told

    def _before(self, causes: Sequence[str]) -> list[str]:
        found, waiting, seen = list[str](), list(causes), set[str]()
        while waiting:
            cause = waiting.pop()
            if cause in seen:
                continue
            seen.add(cause)
            if cause in self.events:
                found.append(cause)
            else:
                waiting += self.causes.get(cause, [])
        return sorted(found)


def _with_causes(event: LoggedEvent, causes: tuple[str, ...]) -> LoggedEvent:
    return LoggedEvent(**{**vars(event), "causes": causes})


def _runs(file: _File) -> list[LoggedRun]:
    name = file.path.as_posix()
    several = len(file.events) > 1 or any(file.events)
    return [
        LoggedRun(f"{name}: {run}" if several else name, tuple(events), file.skipped)
        for run, events in file.events.items()
    ]


def _joined(files: list[_File]) -> list[LoggedRun]:
    """Return the runs of files that belong together: those of one name are one."""
    names = ", ".join(file.path.as_posix() for file in files)
    groups = list(dict.fromkeys(run for file in files for run in file.events))
    return [
        LoggedRun(
            f"{names}: {run}" if run else names,
            tuple(event for file in files for event in file.events.get(run, [])),
            sum(file.skipped for file in files),
        )
        for run in groups
    ]
