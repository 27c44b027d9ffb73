"""Random interleavings from numbered seeds, held beside the exhaustive check of the same design.

Takes a Spec and what to draw; gives, per variant and safety property, in how many of the seeds it
broke, and the shortest of those runs shrunk to a minimal one. A seed stands for one run, whatever
else is drawn (runs/random_run.py says how). A property that broke in no seed is not found to
hold: only the exhaustive check can say that, within its bounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import Finding, Result, VariantResult
from fencecheck.errors import InternalError, StateError
from fencecheck.explore import interrupt
from fencecheck.explore.cutting import MemoryUp, telling_within
from fencecheck.explore.random_runs import SeedOutcomes, seed_outcomes
from fencecheck.model.family import Family
from fencecheck.model.files.identity import hash_in_time
from fencecheck.model.property import Property
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_limit
from fencecheck.runs.random_run import random_walk
from fencecheck.runs.replay import told_and_replayed
from fencecheck.runs.shrinking import shrink
from fencecheck.runs.told.failure import failing_event, model_failure
from fencecheck.runs.trace import Origin, Trace
from fencecheck.spec.values import Spec, Variant

SEEDS, LENGTH = 5_000, 100


@dataclass(frozen=True)
class Draw:
    """Which seeds, how many events a run has at most, and the bounds of the exhaustive check."""

    seeds: int = SEEDS
    first_seed: int = 1
    length: int = LENGTH
    options: Options = field(default_factory=Options)


@dataclass
class Rate:
    """How often one property broke, and the shortest run of a seed that breaks it.

    ``seed`` made that run, of ``events`` events; ``trace`` is what it was shrunk to, ``shrunk``
    its number of events. ``exhaustive`` is the finding of the exhaustive check. ``judged`` is
    false for a property that a run of finite length cannot break.
    """

    exhaustive: Finding
    judged: bool
    broke: int = 0
    seed: int | None = None
    events: int | None = None
    shrunk: int | None = None
    trace: Trace | None = None


@dataclass
class Fuzzed:
    """What came out for one variant, in ``seeds`` seeds.

    There are fewer than asked for after an interrupt, or, with ``out_of_time``, where the limit on
    time did not suffice; a run that breaks a property is then perhaps not shrunk. ``over`` runs
    ended by themselves, ``cut`` at the length.
    """

    name: str
    checked: VariantResult
    seeds: int = 0
    rates: list[Rate] = field(default_factory=list)
    events: int = 0
    over: int = 0
    cut: int = 0
    seconds: float = 0.0
    out_of_time: bool = False


@dataclass
class FuzzResult:
    """What came out for one spec; ``result`` is that of the exhaustive check."""

    draw: Draw
    result: Result
    variants: list[Fuzzed]

    @property
    def exit_code(self) -> int:
        """Return the exit code of the check, in which what a seed broke counts as violated."""
        found = []
        for fuzzed in self.variants:
            findings = [_combined(rate) for rate in fuzzed.rates]
            found.append(replace(fuzzed.checked, findings=findings))
        return replace(self.result, variants=found).exit_code


def _combined(rate: Rate) -> Finding:
    """Return the verdict of both: violated where either found it so."""
    finding = rate.exhaustive
    if not rate.broke or finding.verdict == "violated":
        return finding
    wanted = finding.expected
    if wanted is not None and wanted.verdict == "violated" and wanted.events is not None:
        return finding  # how long a shortest one is stays open
    return replace(finding, verdict="violated")


def fuzz_spec(spec: Spec, draw: Draw, say: Callable[[str], None] = lambda text: None) -> FuzzResult:
    """Check every variant of a spec, and draw runs of it, each for as long as the limit allows."""
    variants = []
    for variant in spec.variants:
        if interrupt.heard():
            break
        say(f"{variant.name}: exhaustive check ...")
        origin = Origin(spec.path, variant.name, spec.title)
        question = Question(spec.required, spec.reported, variant.expect, origin)
        checked = check_design(spec.family, variant.design, question, draw.options)
        say(f"{variant.name}: {draw.seeds:,} seeds ...")
        variants.append(_fuzz(spec.family, variant, checked, (draw, origin)))
    result = Result(
        spec.path,
        spec.family.reference,
        hash_in_time(spec.family, draw.options.limits.seconds),
        spec.title,
        spec.note,
        [fuzzed.checked for fuzzed in variants],
        spec.has_expectations,
    )
    return FuzzResult(draw, result, variants)


def _fuzz(
    family: Family, variant: Variant, checked: VariantResult, drawn: tuple[Draw, Origin]
) -> Fuzzed:
    draw, origin = drawn
    system = System(family, variant.design)
    properties = {f.name: system.property(f.name) for f in checked.findings}
    fuzzed = Fuzzed(variant.name, checked)
    fuzzed.rates = [Rate(f, not properties[f.name].temporal) for f in checked.findings]
    judged = {rate.exhaustive.name: rate for rate in fuzzed.rates if rate.judged}
    watched = [properties[name] for name in judged]
    started = time.perf_counter()
    seeds = range(draw.first_seed, draw.first_seed + draw.seeds)
    limits = draw.options.limits
    with time_limit(limits.seconds):
        place, runs = draw.options.elsewhere, (seeds, draw.length)
        if place is not None:
            outcomes = place.seeds(system, list(judged), runs, draw.options)
        else:
            outcomes = seed_outcomes(system, watched, *runs, draw.options.explorer())
        for outcome in _until_stopped(outcomes):
            if outcome.failed is not None:
                raise _failure(system, watched, (outcome.failed, draw.length), origin)
            _add(fuzzed, judged, outcome)
    fuzzed.seconds = time.perf_counter() - started
    fuzzed.out_of_time = fuzzed.seeds < draw.seeds and not interrupt.heard()
    with telling_within(limits.seconds, limits.memory):
        for name, rate in judged.items():
            if rate.seed is not None:
                _shrink_in_time(system, properties[name], rate, origin)
    return fuzzed


def _add(fuzzed: Fuzzed, judged: Mapping[str, Rate], outcome: SeedOutcomes) -> None:
    """Add what some seeds gave."""
    fuzzed.seeds += outcome.seeds
    fuzzed.events += outcome.events
    fuzzed.over += outcome.over
    fuzzed.cut += outcome.cut
    for name, (broke, events, seed) in outcome.broken.items():
        rate = judged[name]
        rate.broke += broke
        if rate.events is None or events < rate.events:
            rate.events, rate.seed = events, seed


def _until_stopped(outcomes: Iterator[SeedOutcomes]) -> Iterator[SeedOutcomes]:
    """Yield what comes before an interrupt that is listened for, and before time is up."""
    while not interrupt.heard():
        try:
            outcome = next(outcomes, None)
        except TimeUp:
            return
        except KeyboardInterrupt:
            if interrupt.heard():
                return
            raise
        if outcome is None:
            return
        yield outcome


def _shrink_in_time(system: System, prop: Property, rate: Rate, origin: Origin) -> None:
    """Shrink a seed's run as far as time allows: what broke is known without that."""
    with suppress(TimeUp, MemoryUp):
        _shrink(system, prop, rate, origin)


def _shrink(system: System, prop: Property, rate: Rate, origin: Origin) -> None:
    """Make a seed's run again, cut it where the property breaks, and shrink it."""
    assert rate.seed is not None
    assert rate.events is not None
    walk = random_walk(system, [prop], rate.seed, rate.events)
    if walk.first.get(prop.name) != rate.events:
        raise InternalError(f"seed {rate.seed} breaks {prop.name} in one engine only")
    if rate.exhaustive.verdict == "holds":
        raise InternalError(f"seed {rate.seed} breaks {prop.name}, which the search found to hold")
    system = system.starting(walk.start)
    events = shrink(system, walk.events, prop)
    rate.shrunk, rate.trace = len(events), told_and_replayed(system, events, prop, origin)


def _failure(
    system: System, watched: list[Property], seed: tuple[int, int], origin: Origin
) -> StateError:
    """Return the error of a model that goes wrong after a seed's run."""
    walk = random_walk(system, watched, *seed)
    system = system.starting(walk.start)
    error = model_failure(system, walk.events, failing_event(system, walk.events), origin, watched)
    return StateError(
        f"{str(error).splitlines()[0]}, after {len(walk.events)} events of seed {seed[0]}; "
        "fencecheck check shows a shortest order that leads there",
        error.trace,
    )
