"""Check designs of a model: explore each, judge each property, tell each counterexample.

Takes a Family, a design, the properties and the limits; gives a VariantResult whose findings
carry a verdict (holds, violated, undetermined) and the evidence. Counterexamples are replayed on
the model before anyone sees them. Verdicts of a search that was cut are never ``holds``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from fencecheck.errors import InternalError, StateError
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.reference import explore
from fencecheck.explore.shortest import Event, shortest_run
from fencecheck.explore.watch import Watch
from fencecheck.model.declare import Property
from fencecheck.model.family import Design, Family
from fencecheck.model.system import System
from fencecheck.trace import Document, Origin, replay, tell

if TYPE_CHECKING:
    from fencecheck.spec import Spec

Verdict = Literal["holds", "violated", "undetermined"]
EngineName = Literal["auto", "reference", "compiled"]


@dataclass(frozen=True)
class Expectation:
    """What a spec says must come out for one property; ``events`` None leaves the length open."""

    verdict: Verdict
    events: int | None = None


@dataclass
class Finding:
    """The verdict on one property, with the evidence."""

    name: str
    kind: str
    meaning: str
    required: bool
    verdict: Verdict
    events: int | None = None
    vacuous: bool = False
    expected: Expectation | None = None
    trace: Document | None = None

    @property
    def as_expected(self) -> bool | None:
        """Tell whether the verdict is the expected one; None where nothing is expected."""
        if self.expected is None:
            return None
        length = self.expected.events
        return self.verdict == self.expected.verdict and length in (None, self.events)


@dataclass(frozen=True)
class Exploration:
    """The numbers of a search."""

    states: int
    transitions: int
    depth: int
    complete: bool
    stopped_by: str | None
    engine: str
    threads: int
    seconds: float


@dataclass
class VariantResult:
    """What came out for one design."""

    name: str
    design: Design
    exploration: Exploration
    findings: list[Finding]
    costs: dict[str, float] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Finding:
        """Return the finding on the property ``name``."""
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise KeyError(name)


@dataclass(frozen=True)
class Cell:
    """What a scripted event order gave for one variant, beside what somebody claims it gives.

    ``outcome`` is in the words of the published tables (``applied``, ``rejected: stale_rev``);
    it is read off ``trace``, which the model replayed.
    """

    scenario: str
    variant: str
    outcome: str
    claim: str | None
    trace: Document

    @property
    def agrees(self) -> bool | None:
        """Tell whether the outcome is the claimed one; None where nothing is claimed."""
        return None if self.claim is None else self.outcome == self.claim


@dataclass
class Result:
    """What came out for one spec: its variants in order, and its scripted orders."""

    spec: str | None
    model: str
    model_hash: str
    title: str
    note: str
    variants: list[VariantResult]
    has_expectations: bool = False
    cells: list[Cell] = field(default_factory=list)

    def __getitem__(self, name: str) -> Finding:
        """Return the finding on a property, of the only variant."""
        (variant,) = self.variants
        return variant[name]

    @property
    def exit_code(self) -> int:
        """Return 0 all as it should be, 1 violated or unexpected, 3 undetermined (1 outranks 3)."""
        codes = {_code(f, self.has_expectations) for v in self.variants for f in v.findings}
        return 1 if 1 in codes else 3 if 3 in codes else 0


def _code(finding: Finding, expectations: bool) -> int:
    expected = finding.expected
    if expected is None and expectations and finding.required:
        expected = Expectation("holds")
    if expected is None and not finding.required:
        return 0
    wanted = expected or Expectation("holds")
    if finding.verdict == wanted.verdict and wanted.events in (None, finding.events):
        return 0
    return 3 if finding.verdict == "undetermined" else 1


@dataclass(frozen=True)
class Options:
    """How to search: limits, engine, threads."""

    limits: Limits = Limits()
    engine: EngineName = "auto"
    threads: int = 1


@dataclass(frozen=True)
class Question:
    """What is asked of one design: which properties, which are required, what is expected."""

    required: tuple[str, ...]
    reported: tuple[str, ...] = ()
    expect: Mapping[str, Expectation] = field(default_factory=dict)
    origin: Origin = Origin()

    @property
    def names(self) -> list[str]:
        """Return every property asked for."""
        return [*self.required, *self.reported]


def run(system: System, watch: Watch, options: Options) -> StateGraph:
    """Explore with the engine that ``options`` ask for."""
    return explore(system, watch, options.limits)


def check_design(
    family: Family, design: Design, question: Question, options: Options | None = None
) -> VariantResult:
    """Check one design.

    Raises StateError, with the trace that leads there, where the model itself goes wrong.
    """
    system = System(family, design)
    watch = Watch(system, question.names)
    graph = run(system, watch, options or Options())
    if graph.search.failure is not None:
        raise _state_error(system, graph, question.origin)
    findings = [_finding(system, graph, prop, question) for prop in watch.properties]
    search = graph.search
    exploration = Exploration(
        search.count,
        search.transitions,
        search.depth,
        search.complete,
        search.stopped_by,
        search.engine,
        search.threads,
        search.seconds,
    )
    name = question.origin.variant or question.origin.title or family.title
    return VariantResult(name, design, exploration, findings)


def check_spec(spec: Spec, options: Options | None = None) -> Result:
    """Check every variant of a spec, in order."""
    variants = []
    for variant in spec.variants:
        origin = Origin(spec.path, variant.name, spec.title)
        question = Question(spec.required, spec.reported, variant.expect, origin)
        variants.append(check_design(spec.family, variant.design, question, options))
    return Result(
        spec.path,
        spec.family.reference,
        spec.family.hash,
        spec.title,
        spec.note,
        variants,
        spec.has_expectations,
    )


def _finding(system: System, graph: StateGraph, prop: Property, question: Question) -> Finding:
    search = graph.search
    broken = search.broken.get(prop.name)
    finding = Finding(
        prop.name,
        prop.kind,
        prop.doc,
        prop.name in question.required,
        "holds" if search.complete else "undetermined",
        expected=question.expect.get(prop.name),
    )
    if broken is not None:
        events = shortest_run(system, graph, broken, prop)
        finding.verdict, finding.events = "violated", len(events)
        finding.trace = _told(system, events, prop, question.origin, broken.events)
    elif search.complete:
        finding.vacuous = prop.name not in search.triggered
    return finding


def _told(
    system: System, events: list[Event], prop: Property, origin: Origin, length: int
) -> Document:
    """Tell a counterexample and replay it: evidence that does not replay is never shown."""
    document = tell(system, events, prop, origin)
    again = replay(system.family, document)
    if again.misfit or len(events) != length:
        raise InternalError(
            f"the counterexample of {prop.name} does not replay ({again.misfit}); "
            "this is a bug of fencecheck: please report it with the spec"
        )
    return document


def _state_error(system: System, graph: StateGraph, origin: Origin) -> StateError:
    failure = graph.search.failure
    assert failure is not None
    events = shortest_run(system, graph, failure, None)
    last = events[-1] if failure.in_event else None
    steps = events[:-1] if last else events
    document = tell(system, steps, None, origin)
    state = steps[-1].after if steps else system.initial
    why = system.why_wrong(state, (last.action, last.args) if last else None)
    lines = [f"  {i}. {told['event']} {told['label']}" for i, told in enumerate(document["events"], 1)]
    place = f" in {system.actions[last.action].name}" if last else ""
    told = "\n".join(lines) or "  (the initial state)"
    return StateError(
        f"model {system.family.name} goes wrong{place}: {why}\nafter these events:\n{told}", document
    )


