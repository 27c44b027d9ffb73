"""What a search says of a design: its numbers, and each property's verdict and counterexample.

Two ways to it that must agree: from the result of a check, whose traces were told and replayed,
and from a search of either engine by itself, which costs a fraction of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.checking.findings import evidence_of, state_error, was_tested
from fencecheck.checking.question import Options
from fencecheck.checking.results import VariantResult
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Design, Family
from fencecheck.model.property import Temporal
from fencecheck.model.system import System
from fencecheck.properties.temporal import TemporalJudge
from fencecheck.runs.event import Event
from fencecheck.runs.trace import Origin

Happening = tuple[str, dict[str, Any]]  # an event's name, and all its arguments


@dataclass(frozen=True)
class Answer:
    """What a search says of one property; ``order`` is what happens in its counterexample."""

    verdict: str
    vacuous: bool
    temporal: bool
    order: list[Happening] | None
    onward: list[Happening]
    turns: tuple[int | None, int | None]

    @property
    def events(self) -> int | None:
        """Return how many events the counterexample has."""
        return None if self.order is None else len(self.order)

    def __str__(self) -> str:
        return f"{self.verdict} {self.order} {self.onward} {self.turns} vacuous {self.vacuous}"


@dataclass(frozen=True)
class Answers:
    """What a search says of each property, by name, and its numbers."""

    numbers: tuple[int, int, int, bool]
    of: dict[str, Answer]

    @property
    def depth(self) -> int:
        """Return how many events deep the search went."""
        return self.numbers[2]


def told(result: VariantResult) -> Answers:
    """Return what the result of a check says, as its traces tell it."""
    search, found = result.exploration, {}
    for finding in result.findings:
        trace = finding.trace
        order = None if trace is None else [(e.name, dict(e.exact or {})) for e in trace.events]
        onward = [] if trace is None else [(e.name, dict(e.exact or {})) for e in trace.onward]
        turns = (trace.loop_start, trace.onward_loop) if trace else (None, None)
        temporal = finding.kind in {kind.kind for kind in Temporal.__subclasses__()}
        found[finding.name] = Answer(
            finding.verdict, finding.vacuous, temporal, order, onward, turns
        )
    return Answers((search.states, search.transitions, search.depth, search.complete), found)


def searched(family: Family, design: Design, options: Options) -> Answers:
    """Return what a search says, with no trace told and nothing counted.

    Raises StateError where the model goes wrong.
    """
    system = System(family, design)
    watch = Watch(system)
    graph = options.explorer().explore(system, watch, options.limits)
    search = graph.search
    if search.failure is not None:
        raise state_error(system, graph, watch.properties, Origin())
    judge = TemporalJudge(system, graph, watch.properties) if search.complete else None
    found = {}
    for prop in watch.properties:
        evidence = evidence_of(system, graph, prop, judge)
        verdict = "violated" if evidence else "holds" if search.complete else "undetermined"
        vacuous = verdict == "holds" and not was_tested(search, prop, judge)
        order = _happenings(system, evidence.events) if evidence else None
        onward = _happenings(system, evidence.onward) if evidence else []
        turns = (evidence.loop_start, evidence.onward_loop) if evidence else (None, None)
        found[prop.name] = Answer(verdict, vacuous, prop.temporal, order, onward, turns)
    return Answers((search.count, search.transitions, search.depth, search.complete), found)


def _happenings(system: System, events: Sequence[Event]) -> list[Happening]:
    return [(system.actions[e.action].name, system.exact_args(e.action, e.args)) for e in events]
