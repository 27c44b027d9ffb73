"""Drive the implementation behind an adapter through the designs of a spec; judge ``conforms``.

Takes a spec, a class of adapters and how to drive; gives a result like that of a check, with one
property: what can be seen of the implementation is what the model says. ``holds`` is said of the
event orders that were tried, which the result names; what a limit cut is undetermined.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from fencecheck.analysis.driving.calling import AdapterError
from fencecheck.analysis.driving.divergences import CONFORMS, Divergence, shrunk, told_divergence
from fencecheck.analysis.driving.driven import Driven
from fencecheck.analysis.driving.driver import SECONDS, Driver
from fencecheck.analysis.driving.lockstep import Lockstep, NotSaved, why_not_saved
from fencecheck.analysis.driving.mistakes import mistakes_of
from fencecheck.analysis.driving.survey import Clock, Survey, survey_states
from fencecheck.analysis.driving.tours import Cover, Runs, Tour
from fencecheck.analysis.driving.walks import LENGTH, along, drive_seeds
from fencecheck.checking.question import Elsewhere
from fencecheck.checking.results import Conduct, Exploration, Finding, Other, Result, VariantResult
from fencecheck.conform.adapter import Adapter
from fencecheck.errors import UsageError
from fencecheck.explore import interrupt
from fencecheck.explore.graph import Limits
from fencecheck.model.files.identity import hash_in_time
from fencecheck.model.system import System
from fencecheck.model.wording.templates import value_text
from fencecheck.runs.event import start_of_run
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Origin, Trace
from fencecheck.spec.values import Spec, Variant

if TYPE_CHECKING:
    from fencecheck.analysis.driving.parts import DrivingParts

By = Literal["lockstep", "runs", "walks"]
Means = tuple[Clock, "DrivingParts | None"]  # the time there is, and what drives in other processes
WALKS, MOST, SURVEYED = 1_000, 10, 5_000


@dataclass(frozen=True)
class Manner:
    """How to drive. ``by`` None: in lockstep where the adapter can be saved, else by runs.

    ``most`` divergences are told; ``batch`` are the only runs to make of a tour, by their numbers.
    ``known`` are the surveys of variants that were made before, by their names. ``elsewhere`` are
    other processes that drive; a ``batch`` and a ``trace`` are driven in this one all the same.
    """

    by: By | None = None
    cover: Cover = "seen"
    walks: int = WALKS
    seed: int = 1
    length: int = LENGTH
    seconds: float = SECONDS
    most: int = MOST
    strict: bool = False
    limits: Limits = field(default_factory=Limits)
    trace: Trace | None = None
    batch: range | None = None
    known: dict[str, Survey] = field(default_factory=dict, compare=False)
    elsewhere: Elsewhere | None = None


@dataclass
class Driving:
    """One design that is driven: its system, its survey and the adapter's name and class."""

    variant: Variant
    origin: Origin
    system: System
    survey: Survey
    driver: Driver
    by: str


def drive_spec(
    spec: Spec,
    adapter: tuple[str, type[Adapter]],
    manner: Manner,
    say: Callable[[str], None] = lambda text: None,
) -> Result:
    """Drive an adapter, a name and a class, through every variant of a spec.

    Raises AdapterError with everything that is wrong with the adapter, before anything is driven.
    """
    if manner.trace is not None:
        spec = _spec_of(spec, manner.trace)
    clock = Clock(manner.limits)
    with interrupt.looked_for():
        prepared = []
        for variant in spec.variants:
            say(f"{variant.name}: exploring the model ...")
            prepared.append(_prepared(spec, variant, adapter, manner, clock))
        _refuse_mistakes(prepared)
        _choose(prepared, manner)
        parts = _parts(prepared, manner, clock)
        variants = []
        for driving in prepared:
            if interrupt.heard():
                break
            say(f"{driving.variant.name}: driving {adapter[0]} ...")
            variants.append(_driven(spec, driving, manner, (clock, parts)))
    seconds = manner.limits.seconds
    return Result(
        spec.path,
        spec.family.reference,
        hash_in_time(spec.family, seconds),
        spec.title,
        spec.note,
        variants,
        strict=manner.strict,
    )


def survey_of(spec: Spec, variant: Variant, limits: Limits) -> Survey:
    """Return the state graph of a design, for those who ask what an adapter has to have."""
    origin = Origin(spec.path, variant.name, variant.name)
    return survey_states(
        System(spec.family, variant.design, asked=[]), limits, Clock(limits), origin
    )


def can_be_saved(spec: Spec, variant: Variant, adapter: tuple[str, type[Adapter]]) -> bool:
    """Tell whether a fresh adapter for a design can be saved."""
    system = System(spec.family, variant.design, asked=[])
    return not why_not_saved(Driver(system, adapter[1], adapter[0]))


def _spec_of(spec: Spec, trace: Trace) -> Spec:
    """Return a spec whose only design is that of a trace."""
    if trace.name != spec.family.name:
        raise UsageError(
            f"--run: the trace is of model {trace.name}, and {spec.path} of {spec.family.name}"
        )
    design = spec.family.design(trace.mechanisms, trace.bounds)
    name = trace.variant or trace.title or spec.family.name
    return replace(spec, variants=[Variant(name, design, {})])


def _prepared(
    spec: Spec, variant: Variant, adapter: tuple[str, type[Adapter]], manner: Manner, clock: Clock
) -> Driving:
    origin = Origin(spec.path, variant.name, variant.name)
    system = System(spec.family, variant.design, asked=[])
    limits = manner.limits
    if manner.by == "walks" or manner.trace is not None:
        limits = replace(limits, states=min(limits.states or SURVEYED, SURVEYED))
    found = manner.known.get(variant.name) or survey_states(system, limits, clock, origin)
    if manner.trace is None and manner.by != "walks" and found.stopped_by is None:
        manner.known[variant.name] = found
    driver = Driver(found.system, adapter[1], adapter[0], manner.seconds)
    return Driving(variant, origin, found.system, found, driver, manner.by or "")


def _refuse_mistakes(prepared: Sequence[Driving]) -> None:
    """Raise AdapterError with every mistake that an adapter has for any of the designs."""
    found: dict[str, list[str]] = {}
    for driving in prepared:
        for text in mistakes_of(driving.driver, driving.survey):
            found.setdefault(text, []).append(driving.variant.name)
    told_of = [
        text if len(names) == len(prepared) else f"{text} (variant {', '.join(names)})"
        for text, names in found.items()
    ]
    if told_of:
        raise AdapterError("\n".join(told_of))


def _choose(prepared: Sequence[Driving], manner: Manner) -> None:
    """Choose how each design is driven, where nothing was asked for."""
    for driving in prepared:
        if manner.trace is not None:
            driving.by = "trace"
        elif driving.by in ("", "lockstep"):
            why = why_not_saved(driving.driver)
            if why and driving.by:
                raise AdapterError(
                    f"{driving.driver.name}: it cannot be saved ({why}); write save() and "
                    "load(saved), or leave out --by lockstep"
                )
            driving.by = "runs" if why else "lockstep"
        driving.driver.calls = 0


def _parts(prepared: Sequence[Driving], manner: Manner, clock: Clock) -> DrivingParts | None:
    """Return what drives in other processes; designs in lockstep are begun. None for none."""
    if manner.elsewhere is None or manner.batch is not None or manner.trace is not None:
        return None
    from fencecheck.analysis.driving.parts import DrivingParts

    parts = DrivingParts(manner.elsewhere, manner.limits, clock)
    parts.begin_lockstep([d.driver for d in prepared if d.by == "lockstep"], manner.most)
    return parts


def _driven(spec: Spec, driving: Driving, manner: Manner, by: Means) -> VariantResult:
    """Drive one design and tell what came of it."""
    started, driver = time.perf_counter(), driving.driver
    try:
        driven = _drive(spec, driving, manner, by)
        calls = driver.calls
        finding = _finding(driving, driven, manner)
    finally:
        driver.close()
    done = {name for name, _ in driven.reached}
    never = [] if manner.trace is not None or manner.batch is not None else [
        event_in_words(name, outcome)
        for name, outcome in driving.survey.outcomes
        if (name, outcome) not in driven.reached
    ]  # fmt: skip
    conduct = Conduct(
        driver.name,
        driving.by,
        calls,
        driven.pairs,
        driven.runs,
        manner.cover if driving.by == "runs" else None,
        driven.targets,
        driven.covered,
        manner.seed if driving.by == "walks" else None,
        tuple(never if done or driven.stopped_by is None else ()),
    )
    return VariantResult(
        driving.variant.name,
        driving.variant.design,
        _exploration(driving, driven, conduct, time.perf_counter() - started),
        [finding],
        not_tried=spec.family.not_tried(driving.variant.design),
        constraints=spec.family.constraints,
    )


def event_in_words(name: str, outcome: object) -> str:
    """Return an event with its outcome, where it has one."""
    return name if outcome is None else f"{name} -> {value_text(outcome)}"


def _drive(spec: Spec, driving: Driving, manner: Manner, by: Means) -> Driven:
    driver, limits = driving.driver, manner.limits
    clock, parts = by
    if driving.by == "lockstep":
        try:
            if parts is not None:
                return parts.lockstep(driver)
            return Lockstep(driver, limits.states, clock, manner.most).search()
        except NotSaved:
            if manner.by is not None:
                raise
            driving.by, driver.calls = "runs", 0
    if driving.by == "walks":
        seeds = range(manner.seed, manner.seed + manner.walks)
        if parts is not None:
            return parts.seeds(driver, seeds, manner.length, driving.origin)
        return drive_seeds(driver, seeds, manner.length, clock, driving.origin)
    if driving.by == "runs":
        runs = Runs(driver, Tour(driving.survey, manner.cover), clock)
        return runs.drive(manner.batch) if parts is None else parts.runs(runs)
    assert manner.trace is not None
    again = replay(spec.family, replace(manner.trace, observed=None, verdict="witness"))
    if again.misfit:
        raise UsageError(f"--run: the trace does not replay on the model: {again.misfit}")
    driven = Driven()
    start = start_of_run(driver.system, again.events)
    along(driver, driven, start, again.events)
    return driven


def _finding(driving: Driving, driven: Driven, manner: Manner) -> Finding:
    finding = Finding(CONFORMS.name, CONFORMS.kind, CONFORMS.meaning, True, "holds")
    found = [_least(driving, divergence) for divergence in driven.divergences.first(manner.most)]
    found.sort(key=lambda divergence: len(divergence.events))
    if found:
        finding.verdict, finding.events = "violated", len(found[0].events)
        finding.trace = told_divergence(driving.system, found[0], driving.origin)
        finding.others = [_other(driving, divergence) for divergence in found[1:]]
    elif driven.stopped_by is not None or (driving.by == "runs" and not driven.runs):
        finding.verdict = "undetermined"
    return finding


def _least(driving: Driving, divergence: Divergence) -> Divergence:
    """Return a divergence from which nothing can be left out; that of lockstep is a shortest."""
    if driving.by in ("lockstep", "trace") or not divergence.events:
        return divergence
    return shrunk(driving.driver, divergence)


def _other(driving: Driving, divergence: Divergence) -> Other:
    last = divergence.events[-1] if divergence.events else None
    name = "initial state" if last is None else driving.system.actions[last.action].name
    differs = ", ".join(difference.of for difference in divergence.differences)
    trace = told_divergence(driving.system, divergence, driving.origin)
    return Other(f"also at {name}: {differs}", len(divergence.events), trace)


def _exploration(driving: Driving, driven: Driven, conduct: Conduct, seconds: float) -> Exploration:
    found = driving.survey
    return Exploration(
        len(found.states),
        sum(map(len, found.edges)),
        driven.depth,
        driven.stopped_by is None,
        driven.stopped_by,
        "reference",
        1,
        seconds,
        initials=len(dict.fromkeys(driving.system.initials)),
        conduct=conduct,
    )
