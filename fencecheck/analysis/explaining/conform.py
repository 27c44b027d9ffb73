"""Logs of real runs held against the designs of a spec.

Takes a spec, logs and what may be supposed; gives a result like that of a check, whose property
``explained`` is judged on each run. A name that a log has and the model has not is refused before
anything runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fencecheck.analysis.explaining.additions import least_additions
from fencecheck.analysis.explaining.blocked import Blocked
from fencecheck.analysis.explaining.evidence import NOT_LOGGED, explaining_trace
from fencecheck.analysis.explaining.kept import judged_properties
from fencecheck.analysis.explaining.search import Explained, LogSearch, Move
from fencecheck.analysis.explaining.setting import LogSetting, Supposing, vocabulary
from fencecheck.analysis.explaining.successors import Successors
from fencecheck.checking.logged import (
    BROKEN,
    EXPLAINED,
    MEANING,
    LogsReport,
    RunReport,
)
from fencecheck.checking.results import Exploration, Finding, Result, VariantResult
from fencecheck.errors import DesignError
from fencecheck.model.family import Design
from fencecheck.model.files.identity import model_hash
from fencecheck.model.time_limit import time_limit
from fencecheck.model.wording.templates import value_text
from fencecheck.properties.excluded import excluded_events
from fencecheck.runs.logged.log import LogError, LoggedRun, Logs
from fencecheck.runs.logged.order import RunOrder
from fencecheck.runs.trace import Origin
from fencecheck.spec.values import Spec, Variant

MOST_PAIRS = 1_000_000


@dataclass(frozen=True)
class Explaining:
    """How logs are explained: what may be supposed, and the limits of each search.

    ``properties`` are those that must be kept by what happened; others are only reported.
    """

    supposing: Supposing = Supposing()
    skew: float | None = None
    max_states: int = MOST_PAIRS
    seconds: float | None = None
    properties: tuple[str, ...] = ()
    strict: bool = False
    told: Callable[[str], None] = lambda text: None


def conform_spec(spec: Spec, logs: Logs, how: Explaining) -> Result:
    """Return what each variant of a spec makes of logs; raises LogError for unknown names."""
    read = [_read(spec, variant, logs, how) for variant in spec.variants]
    problems = [problem for _, wrong in read for problem in wrong]
    if problems:
        raise LogError(problems)
    variants = [
        _variant(spec, variant, replace(logs, runs=tuple(runs)), how)
        for variant, (runs, _) in zip(spec.variants, read, strict=True)
    ]
    return Result(
        spec.path,
        spec.family.reference,
        model_hash(spec.family),
        spec.title,
        spec.note,
        variants,
        strict=how.strict,
    )


def _read(
    spec: Spec, variant: Variant, logs: Logs, how: Explaining
) -> tuple[list[LoggedRun], list[str]]:
    """Return the runs in the words of one design, and all that is wrong with them."""
    words = vocabulary(spec.family, _sized(spec, variant))
    problems = words.wrong_logging(logs.logging, logs.runs[0].name if logs.runs else "the logs")
    runs = []
    for run in logs.runs:
        read, wrong = words.read(run)
        problems += wrong
        runs.append(read)
    return runs, problems


def _sized(spec: Spec, variant: Variant) -> Design:
    """Return a design with its sizes, and without interference: what can be named."""
    budgets = {bound.name: 0 for bound in spec.family.declared.bounds if bound.budget}
    return Design(variant.design.mechanisms, {**variant.design.bounds, **budgets})


def _variant(spec: Spec, variant: Variant, logs: Logs, how: Explaining) -> VariantResult:
    design, begun = variant.design, time.monotonic()
    setting = LogSetting(spec.family, design, logs.runs, logs.logging, how.supposing)
    names = how.properties or (*spec.required, *spec.reported)
    report, happened = LogsReport(unlogged=setting.unlogged_names), _Happened()
    report.supposed_at_most = how.supposing.unlogged
    for run in logs.runs:
        how.told(f"{variant.name}: {run.name} ...")
        origin = Origin(spec.path, variant.name, spec.title)
        explained = _OneRun(setting, run, how, origin)
        report.runs.append(explained.report(names, happened))
    happened.tell(setting, report)
    pairs = sum(run.pairs for run in report.runs)
    cut = next((run.stopped_by for run in report.runs if run.stopped_by), None)
    seconds = time.monotonic() - begun
    search = Exploration(pairs, happened.ways, 0, cut is None, cut, "reference", 1, seconds)
    findings = [f for run in report.runs for f in _findings(run, len(report.runs) > 1, how)]
    return VariantResult(variant.name, design, search, findings, logs=report)


def _findings(run: RunReport, several: bool, how: Explaining) -> list[Finding]:
    """Return the verdict on a run, and those on what happened in it."""
    where = f" in {run.name}" if several else ""
    trace = run.trace if run.verdict == "violated" else None
    events = None if trace is None else len(trace.events)
    found = [Finding(EXPLAINED + where, EXPLAINED, MEANING, True, run.verdict, events, trace=trace)]
    for prop in run.judged:
        events = None if prop.trace is None else len(prop.trace.events)
        required = prop.name in how.properties
        name = prop.name + where
        found.append(
            Finding(name, prop.kind, BROKEN, required, prop.verdict, events, trace=prop.trace)
        )
    return found


class _Happened:
    """Which events and outcomes explanations had, and which they could have had."""

    def __init__(self) -> None:
        self.had: set[tuple[str, str]] = set()
        self.ways = 0
        self._known: dict[int, Successors] = {}

    def note(self, known: Successors, moves: Sequence[Move]) -> None:
        """Keep what an explanation had."""
        self._known[id(known)] = known
        ways = [move.way for move in moves if move.way is not None]
        self.had |= {(way.seen.name, _outcome(way.seen.outcome)) for way in ways}

    def tell(self, setting: LogSetting, report: LogsReport) -> None:
        """Write down what never happened, of what the design does not exclude."""
        if not self._known:
            return
        could, names = set[tuple[str, str]](), {name for name, _ in self.had}
        for known in self._known.values():
            met = known.met()
            self.ways += len(met)
            could |= {(way.seen.name, _outcome(way.seen.outcome)) for way in met}
        system = next(iter(self._known.values())).system
        actions = setting.family.declared.actions
        missing = [n for n, action in enumerate(actions) if action.name not in names]
        off = excluded_events(system, missing)
        report.never = tuple(actions[n].name for n in missing if n not in off)
        several = {name for name, _ in could if sum(name == other for other, _ in could) > 1}
        report.never_outcomes = tuple(
            f"{name} -> {outcome or 'no outcome'}"
            for name, outcome in sorted(could - self.had)
            if name in several and name in names
        )


def _outcome(outcome: object) -> str:
    return "" if outcome is None else value_text(outcome)


class _OneRun:
    """One run of a log, and what is found of it."""

    def __init__(
        self, setting: LogSetting, run: LoggedRun, how: Explaining, origin: Origin
    ) -> None:
        self.setting, self.run, self.how = setting, run, how
        self.origin = replace(origin, title=origin.title or setting.family.title)
        self.order = RunOrder(run, how.skew)
        if self.order.problems:
            raise LogError(self.order.problems)

    def report(self, names: Sequence[str], happened: _Happened) -> RunReport:
        """Search for an explanation and say what came out."""
        try:
            known = self.setting.known(self.run)
        except DesignError as error:
            refused = f"{self.run.name}: what it shows is no run of the design: {error}"
            raise LogError([refused]) from None
        search = LogSearch(known, self.order, self.how.max_states)
        with time_limit(self.how.seconds):
            found = self._searched(search)
            told = RunReport(
                self.run.name,
                "holds" if found.whole else "undetermined" if found.stopped_by else "violated",
                len(self.run.events),
                found.level,
                len({node.state for node in found.ends}),
                search.pairs,
                stopped_by=None if found.whole else found.stopped_by,
                skipped=self.run.skipped,
            )
            if told.verdict == "holds":
                self._explained(search, found, told, names)
                happened.note(known, found.best[1].moves)
            elif told.verdict == "violated":
                blocked = Blocked(known, self.order, found)
                told.blocked = blocked.events()
                told.trace = blocked.trace(self.origin)
                told.additions, told.additions_known = least_additions(
                    self.setting, self.order, self.how.max_states
                )
            elif found.ends:
                told.trace = explaining_trace(known, found.best[1].moves, self.origin)
        told.pairs = search.pairs
        return told

    def _searched(self, search: LogSearch) -> Explained:
        found: Explained | None = None
        for allowed in self.setting.stages(self.run, search.known):
            found = search.explain(allowed)
            if found.whole or found.stopped_by:
                break
        assert found is not None, "there is always a stage"
        return found

    def _explained(
        self, search: LogSearch, found: Explained, told: RunReport, names: Sequence[str]
    ) -> None:
        known, (_, best) = search.known, found.best
        least = best.cost[0]
        ends = {node.state for node, reached in found.ends.items() if reached.cost[0] == least}
        if found.stopped_by is None:
            told.ends, told.open_values = len(ends), _open_values(known, sorted(ends))
        else:  # they were not all looked for
            told.ends = 0
        told.supposed = _supposed(known, best.moves)
        told.trace = explaining_trace(known, best.moves, self.origin)
        told.judged = judged_properties(self.setting, search, best.moves, names, self.origin)


def _open_values(known: Successors, states: Sequence[int]) -> tuple[str, ...]:
    """Return what can be seen and differs among states: what the log cannot tell."""
    told = []
    for name in known.vocabulary.seen:
        values = dict.fromkeys(value_text(known.values(state)[name][0]) for state in states)
        if len(values) > 1:
            told.append(f"{name}: {' or '.join(sorted(values))}")
    return tuple(told)


def _supposed(known: Successors, moves: Sequence[Move]) -> tuple[str, ...]:
    """Return the interference and the missing events that an explanation supposes."""
    found = []
    for move in moves:
        if move.way is not None and move.logged is None:
            interferes = known.system.actions[move.way.event.action].interference
            if move.missing:
                found.append(f"{move.way.words}, {NOT_LOGGED} though such events usually are")
            elif interferes:
                found.append(move.way.words)
    return tuple(found)
