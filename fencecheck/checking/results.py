"""What comes out of checks: findings, variants, cells of scripted orders, whole results.

Plain values; reports turn them into text. A verdict is ``holds``, ``violated`` or
``undetermined``; only a search that was complete gives ``holds``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencecheck.checking.logged import LogsReport
from fencecheck.model.family import Design
from fencecheck.properties.coverage import Coverage
from fencecheck.runs.trace import Trace
from fencecheck.spec.values import Expectation, Verdict


@dataclass(frozen=True)
class Other:
    """A further counterexample, and in what it differs from those before it."""

    differs: str
    events: int
    trace: Trace


@dataclass
class Finding:
    """The verdict on one property, with the evidence.

    ``reason`` is what kept a property from being judged although the search was complete;
    ``situation`` is what puts it to the test, where the model says that in words.
    """

    name: str
    kind: str
    meaning: str
    required: bool
    verdict: Verdict
    events: int | None = None
    vacuous: bool = False
    expected: Expectation | None = None
    trace: Trace | None = None
    others: list[Other] = field(default_factory=list)
    reason: str | None = None
    situation: str = ""

    @property
    def as_expected(self) -> bool | None:
        """Tell whether the verdict is the expected one; None where nothing is expected."""
        if self.expected is None:
            return None
        length = self.expected.events
        return self.verdict == self.expected.verdict and length in (None, self.events)


@dataclass(frozen=True)
class Conduct:
    """How an implementation was driven through event orders of its model, and how far.

    ``by`` says how the orders were chosen: lockstep, runs that cover what ``cover`` says, walks
    from ``first_seed`` on, or one saved trace. ``pairs`` are states of both in lockstep, ``calls``
    the events carried out. ``never`` names the events of the design, with their outcomes, that
    never happened.
    """

    adapter: str
    by: str
    calls: int
    pairs: int = 0
    runs: int = 0
    cover: str | None = None
    targets: int = 0
    covered: int = 0
    first_seed: int | None = None
    never: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exploration:
    """The numbers of a search; ``warnings`` are what people should know that changes no verdict.

    ``cut`` is how many states constraints of the model kept from being expanded. With
    ``dominance`` no state is counted that another one makes superfluous. With a
    ``conduct`` the model was explored to drive an implementation through it.
    """

    states: int
    transitions: int
    depth: int
    complete: bool
    stopped_by: str | None
    engine: str
    threads: int
    seconds: float
    warnings: tuple[str, ...] = ()
    initials: int = 1
    cut: int = 0
    dominance: bool = False
    conduct: Conduct | None = None


@dataclass(frozen=True)
class ReachAnswer:
    """What came out when somebody asked whether a state with ``text`` can be reached.

    ``reached`` is None where the search was cut before an answer; a witness has a ``trace`` of
    the fewest ``events`` that lead to such a state.
    """

    text: str
    reached: bool | None
    events: int | None = None
    trace: Trace | None = None


@dataclass(frozen=True)
class ModelFault:
    """What is wrong with the model of a variant: in a run, to which ``trace`` leads, or in words.

    A model that went wrong in a run leaves every property undetermined. Where only words that
    people see went wrong, the verdicts stand.
    """

    message: str
    trace: Trace | None = None


@dataclass
class VariantResult:
    """What came out for one design; ``error`` is set where its model is wrong.

    ``not_tried`` names the budgets that were zero: no verdict speaks of such interference.
    ``constraints`` are what the search stayed within: no verdict speaks of what comes after.
    ``held_back`` names, for each bound that is the capacity of a container and was reached, the
    events that did not happen there for want of room. ``logs`` is set where logs were explained.
    """

    name: str
    design: Design
    exploration: Exploration
    findings: list[Finding]
    costs: dict[str, float] = field(default_factory=dict)
    coverage: Coverage | None = None
    answers: list[ReachAnswer] = field(default_factory=list)
    not_tried: tuple[str, ...] = ()
    held_back: dict[str, tuple[str, ...]] = field(default_factory=dict)
    error: ModelFault | None = None
    fairness: dict[str, tuple[str, ...]] = field(default_factory=dict)
    strengths: dict[str, str] = field(default_factory=dict)
    constraints: tuple[str, ...] = ()
    logs: LogsReport | None = None

    @property
    def went_wrong(self) -> bool:
        """Tell whether its model went wrong in the search, so that no property has a verdict."""
        return self.error is not None and self.exploration.stopped_by == "error"

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
    trace: Trace

    @property
    def agrees(self) -> bool | None:
        """Tell whether the outcome is the claimed one; None where nothing is claimed."""
        return None if self.claim is None else self.outcome == self.claim


@dataclass(frozen=True)
class ClaimResult:
    """What came out for a claim: ``holds``, ``refuted``, ``undetermined`` or ``not expressible``.

    ``why`` says by what, one text each; ``trace`` is an event order behind it, where there is one.
    """

    name: str
    text: str
    source: str
    verdict: str
    why: tuple[str, ...]
    trace: Trace | None = None
    expected: str | None = None

    @property
    def as_expected(self) -> bool | None:
        """Tell whether it came out as expected; None where nothing is expected."""
        return None if self.expected is None else self.verdict == self.expected


@dataclass(frozen=True)
class Alike:
    """Switches in which two variants differ although the same came out for both.

    ``switches`` gives the two values of each, in the order of ``variants``.
    """

    variants: tuple[str, str]
    switches: dict[str, tuple[str, str]]


@dataclass
class Result:
    """What came out for one spec: its variants in order, and its scripted orders.

    With ``strict`` whatever was never put to the test (``gaps_of``) makes the exit code 1, and a
    coverage that a cut search leaves open makes it 3.
    """

    spec: str | None
    model: str
    model_hash: str
    title: str
    note: str
    variants: list[VariantResult]
    has_expectations: bool = False
    cells: list[Cell] = field(default_factory=list)
    alike: list[Alike] = field(default_factory=list)
    claims: list[ClaimResult] = field(default_factory=list)
    strict: bool = False
    show_coverage: bool = False

    def __getitem__(self, name: str) -> Finding:
        """Return the finding on a property, of the only variant."""
        (variant,) = self.variants
        return variant[name]

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was checked: there is no verdict, no cost, no answer, no fault."""
        told = (v.findings or v.answers or v.error is not None for v in self.variants)
        return not (self.cells or self.claims or any(told))

    @property
    def is_open(self) -> bool:
        """Tell whether all that was asked for is only reported, and some of it has no answer.

        What is reported never fails a run that requires something; where nothing is required the
        answers are all that there is, and one that is missing leaves the run undetermined.
        """
        findings = [f for v in self.variants for f in v.findings]
        required = any(f.required or f.expected is not None for f in findings)
        return not required and any(f.verdict == "undetermined" for f in findings)

    @property
    def exit_code(self) -> int:
        """Return 0 all as it should be, 1 violated or unexpected, 3 undetermined, 2 a wrong model.

        2 outranks 1, which outranks 3.
        """
        if any(variant.error is not None for variant in self.variants):
            return 2
        codes = {finding_code(f, self.has_expectations) for v in self.variants for f in v.findings}
        if self.is_open or self.is_empty:
            codes.add(3)
        for claim in self.claims:
            if claim.verdict == "undetermined":
                codes.add(3)
            elif claim.as_expected is False:
                codes.add(1)
        if any(answer.reached is None for v in self.variants for answer in v.answers):
            codes.add(3)
        if self.strict:
            codes |= {1} if gaps_of(self) else set()
            codes |= {0 if v.exploration.complete else 3 for v in self.variants}
        return 1 if 1 in codes else 3 if 3 in codes else 0


@dataclass(frozen=True)
class Gap:
    """Something that a result says nothing about, since it never came to it.

    ``kind`` is ``vacuous`` (a property), ``never enabled`` (a system event), ``never fired``
    (interference with a budget), ``never happened`` (an event or outcome of an implementation, or
    in its logs) or ``no difference`` (a switch); ``variant`` is None for the last.
    """

    kind: str
    variant: str | None
    name: str


def gaps_of(result: Result) -> list[Gap]:
    """Return what never happened in searches that were complete, and switches without effect."""
    gaps: list[Gap] = []
    for variant in result.variants:
        gaps += [Gap("vacuous", variant.name, f.name) for f in variant.findings if f.vacuous]
        conduct = variant.exploration.conduct
        if conduct is not None and variant.exploration.complete:
            gaps += [Gap("never happened", variant.name, name) for name in conduct.never]
        coverage = variant.coverage
        if coverage is not None and coverage.complete:
            gaps += [Gap("never enabled", variant.name, e) for e in coverage.never_enabled]
            gaps += [Gap("never fired", variant.name, e) for e in coverage.never_fired]
        if variant.logs is not None:
            gaps += [Gap("never happened", variant.name, name) for name in variant.logs.gaps]
    return gaps + [Gap("no difference", None, alike_words(alike)) for alike in result.alike]


def alike_words(alike: Alike) -> str:
    """Return switches that made no difference as ``journal (none, memory) between "x" and "y"``."""
    told = ", ".join(f"{name} ({a}, {b})" for name, (a, b) in alike.switches.items())
    return f'{told} between "{alike.variants[0]}" and "{alike.variants[1]}"'


def alike_variants(result: Result) -> list[Alike]:
    """Return the pairs of variants with equal bounds and equal outcome, with their switches.

    A pair is left out where another one differs in fewer of the same switches, or is the same in
    all that it says; nothing is said of a variant with an undetermined verdict.
    """
    known = [(v, out) for v in result.variants if (out := _outcome(result, v)) is not None]
    found: list[Alike] = []
    for i, (one, first) in enumerate(known):
        for other, second in known[i + 1 :]:
            a, b = one.design.mechanisms, other.design.mechanisms
            switches = {name: (a[name], b[name]) for name in a if a[name] != b[name]}
            if switches and first == second and one.design.bounds == other.design.bounds:
                found.append(Alike((one.name, other.name), switches))
    kept: list[Alike] = []
    for alike in sorted(found, key=lambda x: len(x.switches)):
        pairs = _pairs(alike)
        if not any(_pairs(other) <= pairs for other in kept):
            kept.append(alike)
    return kept


def _pairs(alike: Alike) -> set[tuple[str, frozenset[str]]]:
    return {(name, frozenset(values)) for name, values in alike.switches.items()}


def _outcome(result: Result, variant: VariantResult) -> tuple[object, ...] | None:
    """Return what came out for a variant, for comparison; None where something is open."""
    if any(f.verdict == "undetermined" for f in variant.findings):
        return None
    cells = [(c.scenario, c.outcome) for c in result.cells if c.variant == variant.name]
    verdicts = [(f.name, f.verdict, f.events) for f in variant.findings]
    return (tuple(verdicts), tuple(cells)) if verdicts or cells else None


def finding_code(finding: Finding, expectations: bool) -> int:
    """Return what one finding makes the exit code: 0, 1 or 3.

    With ``expectations`` a required property that is not mentioned is expected to hold.
    """
    expected = finding.expected
    if expected is None and expectations and finding.required:
        expected = Expectation("holds")
    if expected is None and not finding.required:
        return 0
    wanted = expected or Expectation("holds")
    if finding.verdict == wanted.verdict and wanted.events in (None, finding.events):
        return 0
    return 3 if finding.verdict == "undetermined" else 1
