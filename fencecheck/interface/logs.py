"""``fc.conform``: logs of real runs held against the designs of a spec, from Python.

result = fc.conform("specs/x.toml", "run.jsonl")
result.explained, result.runs[0].trace
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencecheck.analysis.explaining.conform import MOST_PAIRS, Explaining, conform_spec
from fencecheck.analysis.explaining.setting import MissingEvents, Supposing
from fencecheck.checking.logged import BlockedEvent, RunReport
from fencecheck.checking.results import Result
from fencecheck.errors import UsageError, check_names
from fencecheck.explore.amounts import seconds_of, share_of, short_seconds_of, whole_of
from fencecheck.interface.counterexample import Counterexample
from fencecheck.interface.verdicts import CheckResult
from fencecheck.report.logs.text import logs_text
from fencecheck.report.logs.words import run_words
from fencecheck.runs.logged.mapping import read_map
from fencecheck.runs.logged.reader import load_reader
from fencecheck.runs.logged.reading import LogReading, Reader, read_logs
from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Overrides


@dataclass(frozen=True)
class LogArguments:
    """How logs are read and explained; the fields are keyword arguments of ``conform``.

    ``map`` is a TOML file, ``reader`` a function of one record or ``"FILE.py:FUNCTION"``;
    ``missing`` is a number, or a share such as ``"10%"``; ``clock_skew`` seconds or ``"50ms"``.
    """

    variant: str | None = None
    map: str | Path | None = None
    reader: Reader | str | None = None
    hidden: Sequence[str] = ()
    one_run: bool = False
    clock_skew: float | str | None = None
    unlogged: int = 2
    missing: int | str = 0
    max_states: int = MOST_PAIRS
    timeout: float | str | None = None
    strict: bool = False
    properties: Sequence[str] = ()

    def reading(self) -> LogReading:
        """Return how logs are read."""
        reader = self.reader
        if self.map is not None and reader is not None:
            raise UsageError("map and reader: one of them says which records are events")
        return LogReading(
            None if self.map is None else read_map(Path(self.map)),
            load_reader(reader) if isinstance(reader, str) else reader,
            self.one_run,
            frozenset(self.hidden),
        )

    def explaining(self) -> Explaining:
        """Return how logs are explained."""
        skew, timeout = self.clock_skew, self.timeout
        return Explaining(
            Supposing(
                whole_of("unlogged", self.unlogged, 0), MissingEvents(*share_of(str(self.missing)))
            ),
            None if skew is None else short_seconds_of(skew),
            whole_of("max_states", self.max_states, 1),
            None if timeout is None else seconds_of(timeout),
            tuple(self.properties),
            self.strict,
        )


class RunOfLog:
    """What came out for one run of a log.

    ``verdict`` is holds, violated or undetermined; ``blocked`` are the events that are next where
    the explanations end, ``additions`` what would explain all of it. ``broken`` are the properties
    that no explanation keeps.
    """

    def __init__(self, report: RunReport) -> None:
        self._report = report
        self.name, self.verdict = report.name, report.verdict
        self.events, self.explained = report.events, report.explained
        self.supposed, self.additions = report.supposed, report.additions
        self.blocked: tuple[BlockedEvent, ...] = report.blocked
        self.broken = tuple(p.name for p in report.judged if p.verdict == "violated")

    @property
    def trace(self) -> Counterexample | None:
        """Return the explanation, or the run that goes as far as any and the event that blocks."""
        return None if self._report.trace is None else Counterexample(self._report.trace)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.verdict}; {run_words(self._report)}>"


class ConformResult(CheckResult):
    """What came out for all logs: ``runs`` of the first design; verdicts as a check has them."""

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        reports = [variant.logs for variant in result.variants if variant.logs is not None]
        self.runs = [RunOfLog(run) for run in reports[0].runs] if reports else []

    @property
    def explained(self) -> bool:
        """Tell whether every run is explained; False where that is open too."""
        return all(run.verdict == "holds" for run in self.runs) and bool(self.runs)

    @property
    def trace(self) -> Counterexample | None:
        """Return the trace of the first run that is not explained, else of the first run."""
        found = [run for run in self.runs if run.verdict != "holds"] or self.runs
        return found[0].trace if found else None

    def to_text(self, width: int = 100) -> str:
        """Return all that is told of the runs, as ``fencecheck conform`` prints it."""
        return logs_text(self._result, width=width)

    def __str__(self) -> str:
        return self.to_text()


def conform(
    what: str | Path,
    *logs: str | Path,
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Any] | None = None,
    **given: Any,
) -> ConformResult:
    """Tell whether the designs of a spec explain logs of real runs.

    ``given`` are the fields of LogArguments. Raises LogError for logs that are empty, that cannot
    be read, or that name what the model does not have.
    """
    check_names('argument "{}"', given, LogArguments.__dataclass_fields__)
    if not logs:
        raise UsageError('conform: name a log, as in conform(spec, "run.jsonl")')
    asked = LogArguments(**given)
    over = Overrides(dict(mechanisms or {}), dict(bounds or {}), tuple(asked.properties))
    (spec,) = load_specs([what], over)
    if asked.variant is not None:
        spec.variants = [spec.variant(asked.variant)]
    found = read_logs([Path(log) for log in logs], asked.reading())
    return ConformResult(conform_spec(spec, found, asked.explaining()))
