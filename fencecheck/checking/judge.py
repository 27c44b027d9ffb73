"""Judge: verdicts on many designs of one family, at many bounds, in little time.

Takes designs one by one; gives which properties break and in how many events. All designs share
the shape of their states through one capacity, so that one lowering and one kernel serve them.
Whoever asks only whether every property holds gets an answer at the first level at which one
breaks. What a limit cut is undetermined, and is never counted as sound.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fencecheck.checking.findings import (
    evidence_of,
    exploration_of,
    finding_of,
    held_back,
    state_error,
    tell_evidence,
    was_tested,
)
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import ModelFault, VariantResult
from fencecheck.errors import ModelError
from fencecheck.explore import interrupt
from fencecheck.explore.engine import Explorer
from fencecheck.explore.graph import StateGraph
from fencecheck.explore.watch import Watch
from fencecheck.model.checks.shapes import Shapes
from fencecheck.model.declaring.any_number import AnyNumber, HowMany
from fencecheck.model.family import Design, Family
from fencecheck.model.ordinary import noting_faults
from fencecheck.model.property import Property
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_limit
from fencecheck.properties.coverage import coverage_of
from fencecheck.properties.temporal import TemporalJudge
from fencecheck.runs.trace import Origin, Trace


@dataclass(frozen=True)
class Judgement:
    """What came out for one design. ``broken`` gives the events of each property that breaks.

    ``whole`` is set where every property was decided; ``cut`` says which limit ended the search.
    ``vacuous`` are the properties that a whole search never put to the test; ``at_once`` tells
    that the model's goal is reached before any event and the system never does anything. ``wrong``
    says in a line how the model of the design goes wrong; nothing is decided then.
    """

    design: Design
    broken: dict[str, int]
    whole: bool
    cut: str | None
    states: int
    transitions: int
    depth: int
    engine: str
    seconds: float
    vacuous: tuple[str, ...] = ()
    at_once: bool = False
    wrong: str | None = None

    @property
    def sound(self) -> bool | None:
        """Tell whether every property holds; None where that was not found out."""
        if self.broken:
            return False
        return True if self.whole else None


@dataclass
class Deadline:
    """When to stop, as a time of the monotonic clock."""

    at: float = float("inf")

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the moment ``seconds`` from now; never, for None."""
        return cls() if seconds is None else cls(time.monotonic() + seconds)

    def left(self) -> float:
        """Return the seconds that are left, at least 0; after an interrupt there are none."""
        return 0.0 if interrupt.heard() else max(0.0, self.at - time.monotonic())

    def share(self, part: float) -> Deadline:
        """Return the moment at which ``part`` of what is left has passed."""
        return self if self.at == float("inf") else Deadline.after(self.left() * part)


@dataclass(frozen=True)
class JudgeTask:
    """What another process makes a judge of, beside the family."""

    names: tuple[str, ...]
    capacity: tuple[tuple[str, HowMany], ...]
    options: Options


@dataclass
class Judge:
    """Judges designs of a family on the properties ``names``.

    ``capacity`` holds bounds at least as large as those of any design that is asked about.
    """

    family: Family
    names: Sequence[str]
    capacity: Mapping[str, HowMany]
    options: Options = field(default_factory=Options)
    deadline: Deadline = field(default_factory=Deadline)
    explored: int = 0
    seconds: float = 0.0
    explorer: Explorer = field(init=False)
    shapes: Shapes = field(init=False, default_factory=Shapes)

    def __post_init__(self) -> None:
        self.explorer = self.options.explorer(shared=True)

    def is_sound(self, design: Design) -> Judgement:
        """Judge a design up to the first level at which a property breaks."""
        return self._judged(design, frozenset(self.names))

    def sound_each(self, designs: Sequence[Design]) -> Iterator[Judgement]:
        """Judge designs one after another as ``is_sound`` does, until time is up."""
        place = self.options.elsewhere
        if place is not None:
            limit = Options(self.options.limits, self.options.engine)
            of = JudgeTask(tuple(self.names), tuple(self.capacity.items()), limit)
            for judged in place.judged(self.family, of, designs, self.deadline.left):
                self.explored += 1
                self.seconds += judged.seconds
                yield judged
            return
        for design in designs:
            if self.deadline.left() <= 0:
                return
            yield self.is_sound(design)

    def judge(self, design: Design) -> Judgement:
        """Judge every property of a design."""
        return self._judged(design, frozenset())

    def _judged(self, design: Design, until: frozenset[str]) -> Judgement:
        """Judge a design; it is undecided if its model goes wrong or takes too long to compile."""
        started = time.monotonic()
        try:
            return self._judge(design, until)[0]
        except (TimeUp, ModelError) as error:
            seconds = time.monotonic() - started
            return self._undecided(design, error, seconds)

    def _undecided(self, design: Design, error: Exception, seconds: float = 0.0) -> Judgement:
        """Return the judgement of a design whose search gave no answer."""
        wrong = str(error).splitlines()[0] if isinstance(error, ModelError) else None
        cut = "time" if wrong is None else "error"
        engine = self.options.engine
        return Judgement(design, {}, False, cut, 0, 0, 0, engine, seconds, wrong=wrong)

    def check(self, design: Design, question: Question) -> VariantResult:
        """Check a design as ``check`` does, with the findings that a question asks for.

        Raises StateError where its model goes wrong in a run.
        """
        system, watch, graph, temporal = self._search(design, frozenset(), question.origin)
        with noting_faults() as faults:
            findings = [
                finding_of(system, graph, prop, question, temporal) for prop in watch.properties
            ]
        name = question.origin.variant or question.origin.title or self.family.title
        not_tried = self.family.not_tried(design)
        figures = exploration_of(graph.search)
        error = ModelFault("\n".join(faults)) if faults else None
        result = VariantResult(name, design, figures, findings, not_tried=not_tried, error=error)
        result.held_back = held_back(system, graph.search)
        result.constraints = self.family.constraints
        return result

    def whole(
        self, design: Design, deadline: Deadline
    ) -> tuple[Judgement, System, StateGraph] | None:
        """Judge every property of a design and return all its states, in the time until a deadline.

        None where a limit cuts the search, or the model goes wrong.
        """
        own, self.deadline = self.deadline, deadline
        try:
            judged, system, graph, _ = self._judge(design, frozenset())
        except (TimeUp, ModelError):
            return None
        finally:
            self.deadline = own
        return (judged, system, graph) if judged.whole else None

    def tell(
        self, design: Design, wanted: Sequence[str], origin: Origin, last: str | None = None
    ) -> tuple[Judgement, dict[str, Trace]]:
        """Judge a design, and tell a shortest event order for each of ``wanted`` that breaks.

        The search ends at the first level at which ``last`` breaks, which no other of ``wanted``
        does after; of a judge of one property that is its own.
        """
        only = self.names[0] if len(self.names) == 1 else None
        until = frozenset(name for name in (last, only) if name is not None)
        try:
            judged, system, graph, temporal = self._judge(design, until, origin)
        except (TimeUp, ModelError) as error:
            return self._undecided(design, error), {}
        told = {}
        for prop in system.properties([name for name in wanted if name in judged.broken]):
            evidence = evidence_of(system, graph, prop, temporal)
            assert evidence is not None
            told[prop.name] = tell_evidence(system, evidence, prop, origin)
        return judged, told

    def system(self, design: Design, *, told: bool = True) -> System:
        """Return a design as it is explored; what is not ``told`` shares more with others."""
        capacity = Design(design.mechanisms, self._room(design))
        shapes = None if told else self.shapes
        return System(self.family, design, capacity, self.names, shapes)

    def _room(self, design: Design) -> dict[str, HowMany]:
        """Return the capacity; a number other than 0 of a budget has no room where that is any."""
        own = design.bounds
        return {
            name: own[name] if isinstance(most, AnyNumber) and own[name] != 0 else most
            for name, most in self.capacity.items()
        }

    def _search(
        self, design: Design, until: frozenset[str], origin: Origin | None = None
    ) -> tuple[System, Watch, StateGraph, TemporalJudge | None]:
        """Explore a design; its temporal properties can be judged where the rest asks for it.

        Without an origin nothing will be told of it but what the model goes wrong with.
        Raises TimeUp where the deadline passes while the model is still being compiled, StateError
        where the model goes wrong in a run.
        """
        with time_limit(self.deadline.left()):
            system = self.system(design, told=origin is not None)
            watch = Watch(system, list(self.names))
            graph = self._explore(system, watch, until)
            temporal, search = None, graph.search
            lasting = [p for p in watch.properties if p.temporal]
            if lasting and search.complete and not (until and search.broken):
                temporal = TemporalJudge(system, graph, lasting)
        if search.failure is not None:
            told = self.system(design)
            error = state_error(told, graph, watch.properties, origin or Origin())
            error.exploration = exploration_of(search)
            raise error
        self.explored += 1
        return system, watch, graph, temporal

    def _judge(
        self, design: Design, until: frozenset[str], origin: Origin | None = None
    ) -> tuple[Judgement, System, StateGraph, TemporalJudge | None]:
        started = time.monotonic()
        system, watch, graph, temporal = self._search(design, until, origin)
        search = graph.search
        broken = {name: found.events for name, found in search.broken.items()}
        vacuous: tuple[str, ...] = ()
        if temporal is not None:
            broken |= self._lasting(temporal, watch.properties, bool(until))
        if search.complete and not (until and broken):
            idle = (p for p in watch.properties if not was_tested(search, p, temporal))
            vacuous = tuple(p.name for p in idle if p.name not in broken)
        self.seconds += time.monotonic() - started
        cut = None if search.stopped_by == "broken" else search.stopped_by
        judgement = Judgement(
            design,
            broken,
            search.complete,
            cut,
            search.count,
            search.transitions,
            search.depth,
            search.engine,
            search.seconds,
            vacuous,
            search.complete and not broken and self._has_nothing_to_do(system, graph),
        )
        return judgement, system, graph, temporal

    def _has_nothing_to_do(self, system: System, graph: StateGraph) -> bool:
        if not all(self.family.is_goal(system.view(start)) for start in system.initials):
            return False
        events = coverage_of(system, graph).events
        return all(event.interference or not event.transitions for event in events)

    def _lasting(
        self, temporal: TemporalJudge, properties: Sequence[Property], first: bool
    ) -> dict[str, int]:
        broken: dict[str, int] = {}
        for prop in (p for p in properties if p.temporal):
            evidence = temporal.judge(prop)
            if evidence is not None:
                broken[prop.name] = len(evidence.events)
                if first:
                    break
        return broken

    def _explore(self, system: System, watch: Watch, until: frozenset[str]) -> StateGraph:
        """Explore until the deadline, or until one of ``until`` breaks."""
        given, left = self.options.limits, self.deadline.left()
        seconds = left if given.seconds is None else min(left, given.seconds)
        limits = replace(given, seconds=None if seconds == float("inf") else seconds, broken=until)
        return self.explorer.explore(system, watch, limits)
