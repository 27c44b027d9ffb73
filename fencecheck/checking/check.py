"""Check designs of a model: explore each, judge each property, tell each counterexample.

Takes a Family, a design, the properties and the limits; gives a VariantResult whose findings
carry a verdict (holds, violated, undetermined) and the evidence. Counterexamples are replayed on
the model before anyone sees them. Verdicts of a search that was cut are never ``holds``.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fencecheck.checking.findings import exploration_of, finding_of, held_back, state_error
from fencecheck.checking.question import Options, Predicates, Question
from fencecheck.checking.results import (
    Exploration,
    Finding,
    ModelFault,
    ReachAnswer,
    Result,
    VariantResult,
    alike_variants,
)
from fencecheck.errors import ModelError, StateError
from fencecheck.explore import interrupt
from fencecheck.explore.cutting import telling_within
from fencecheck.explore.engine import SMALL
from fencecheck.explore.graph import Search, StateGraph
from fencecheck.explore.watch import Watch
from fencecheck.model.ask.questions import Asked, with_questions
from fencecheck.model.checks.ways import warned_ways
from fencecheck.model.family import Design, Family
from fencecheck.model.files.identity import hash_in_time
from fencecheck.model.ordinary import noting_faults
from fencecheck.model.property import Invariant
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_limit
from fencecheck.properties.coverage import coverage_of
from fencecheck.runs.telling import reached
from fencecheck.runs.trace import Origin
from fencecheck.spec.values import Spec, Variant

if TYPE_CHECKING:
    from fencecheck.properties.temporal import TemporalJudge

_LONGEST_NAME = 80


def check_design(
    family: Family, design: Design, question: Question, options: Options | None = None
) -> VariantResult:
    """Check one design.

    Raises StateError, with the trace that leads there, where the model itself goes wrong. The
    limit on time includes what it takes to compile the model. After an interrupt that is listened
    for, what was not searched is undetermined.
    """
    options, started = options or Options(), time.monotonic()
    stopped_by = "interrupt"
    if not interrupt.heard():
        try:
            return _check_design(family, design, question, options)
        except TimeUp:
            stopped_by = "time"
        except KeyboardInterrupt:
            if not interrupt.heard():
                raise
    search = Search([0, 0], stopped_by=stopped_by, engine=options.engine, threads=options.threads)
    search.seconds = time.monotonic() - started
    return not_searched(family, design, question, (options.predicates, search))


def not_searched(
    family: Family, design: Design, question: Question, given: tuple[Predicates, Search]
) -> VariantResult:
    """Return what is known of a design whose search never began: every answer is open."""
    asked, search = given
    name = question.origin.variant or question.origin.title or family.title
    findings, answers = _undetermined(family, question, asked)
    not_tried = family.not_tried(design)
    return VariantResult(
        name, design, exploration_of(search), findings, answers=answers, not_tried=not_tried,
        constraints=family.constraints,
    )  # fmt: skip


def _undetermined(
    family: Family, question: Question, asked: Predicates
) -> tuple[list[Finding], list[ReachAnswer]]:
    """Return what is asked of a design that nothing is known about."""
    expect = question.expect
    names = [] if asked.texts and asked.alone else question.names
    findings = [
        Finding(p.name, p.kind, p.doc, p.name in question.required, "undetermined",
                expected=expect.get(p.name))
        for p in family.declared.properties
        if p.name in names
    ]  # fmt: skip
    findings += [
        Finding(
            text, Invariant.kind, "This is true in every reachable state.", True, "undetermined"
        )
        for text in asked.invariants
    ]
    return findings, [ReachAnswer(text, None) for text in asked.reach]


def _check_design(
    family: Family, design: Design, question: Question, options: Options
) -> VariantResult:
    predicates = options.predicates
    with time_limit(options.limits.seconds):  # what was found by then is told all the same
        if predicates.texts:
            family = with_questions(family, design, predicates.reach, predicates.invariants)
            question = _with_asked(question, family, alone=predicates.alone)
        system = System(family, design, asked=question.names)
        watch = Watch(system, question.names)
        graph, temporal = _searched(system, watch, options)
    search = graph.search
    search.warnings += warned_ways(system)
    if search.failure is not None:
        error = state_error(system, graph, watch.properties, question.origin)
        error.exploration = exploration_of(search)
        raise error
    findings, answers = list[Finding](), list[ReachAnswer]()
    limits = options.limits
    with noting_faults() as faults, telling_within(limits.seconds, limits.memory):
        for prop in watch.properties:
            found = finding_of(system, graph, prop, question, temporal)
            if isinstance(prop, Asked) and prop.reach:
                answers.append(_answer(prop, found))
            else:
                findings.append(found)
    name = question.origin.variant or question.origin.title or family.title
    result = VariantResult(name, design, exploration_of(search), findings, answers=answers)
    result.not_tried, result.held_back = family.not_tried(design), held_back(system, search)
    result.constraints = family.constraints
    if any(prop.fair for prop in watch.properties):
        result.fairness, result.strengths = family.fairness, family.strengths
    if faults:
        result.error = ModelFault("\n".join(faults))
    small = options.engine == "auto" and search.count < SMALL  # whichever engine it was
    counted = options.coverage or options.strict or small or search.engine == "reference"
    counted = counted and not search.dominance
    result.coverage = coverage_of(system, graph, counted=counted)
    return result


def _searched(
    system: System, watch: Watch, options: Options
) -> tuple[StateGraph, TemporalJudge | None]:
    """Explore a design, and return the judge of what needs the whole graph.

    Where the states that are needed leave open how a behaviour for ever breaks something, all
    states are explored.
    """
    counts = options.exact or options.coverage or options.strict
    needed = not counts and options.elsewhere is None
    explorer = options.explorer()
    graph = explorer.explore(system, watch, replace(options.limits, dominance=needed))
    temporal = _temporal_judge(system, watch, graph, options)
    if graph.search.dominance and temporal is not None:
        lasting = [prop for prop in watch.properties if prop.temporal]
        if not all(temporal.settles(prop) for prop in lasting):
            del graph, temporal
            graph = explorer.explore(system, watch, options.limits)
            temporal = _temporal_judge(system, watch, graph, options)
    return graph, temporal


def _temporal_judge(
    system: System, watch: Watch, graph: StateGraph, options: Options
) -> TemporalJudge | None:
    """Return the judge of what needs the whole graph, if that is there and fits the memory."""
    if not graph.search.complete or not any(p.temporal for p in watch.properties):
        return None
    from fencecheck.properties.parted import judge_of

    return judge_of(system, graph, watch.properties, options.limits.memory)


def _with_asked(question: Question, family: Family, *, alone: bool) -> Question:
    names = tuple(p.name for p in family.declared.properties if isinstance(p, Asked))
    if alone:
        return replace(question, required=names, reported=(), expect={})
    return replace(question, required=(*question.required, *names))


def _answer(prop: Asked, found: Finding) -> ReachAnswer:
    """Turn the violation of "this is never reached" into a witness that it is."""
    if found.trace is None:
        return ReachAnswer(prop.text, None if found.verdict == "undetermined" else False)
    return ReachAnswer(prop.text, True, found.events, reached(found.trace, prop.text))


def check_spec(spec: Spec, options: Options | None = None) -> Result:
    """Check every variant of a spec, in order; one whose model goes wrong is told among them."""
    variants = []
    options = options or Options()
    for variant, (question, wait) in zip(spec.variants, begun(spec, options), strict=True):
        try:
            variants.append(wait())
        except ModelError as error:
            variants.append(variant_gone_wrong(spec, variant, question, options, error))
    result = Result(
        spec.path,
        spec.family.reference,
        hash_in_time(spec.family, options.limits.seconds),
        spec.title,
        spec.note,
        variants,
        spec.has_expectations,
        strict=options.strict,
        show_coverage=options.coverage,
    )
    result.alike = alike_variants(result)
    return result


def begun(
    spec: Spec, options: Options, *, alone: bool = True
) -> list[tuple[Question, Callable[[], VariantResult]]]:
    """Return what is asked of each variant, and what gives the answer.

    Elsewhere, if there is such a place, all are under way by then; a variant that is ``alone`` is
    not one of many, and its answer comes from a search in all the processes together.
    """
    alone, asked = alone and len(spec.variants) == 1, []
    for variant in spec.variants:
        origin = Origin(spec.path, variant.name, variant.name)
        question = Question(spec.required, spec.reported, variant.expect, origin)
        here = replace(options, checkpoint=_place(options.checkpoint, spec.path, variant.name))
        given = spec.family, variant.design, question, here
        place = options.elsewhere
        kept = None if place is None else place.kept(question)
        if kept is None and place is not None and not alone:
            kept = place.begin(*given)
        asked.append((question, kept or functools.partial(check_design, *given)))
    return asked


def variant_gone_wrong(
    spec: Spec, variant: Variant, question: Question, options: Options, error: ModelError
) -> VariantResult:
    """Return what is known of a variant whose model goes wrong: no property has a verdict."""
    exploration = error.exploration if isinstance(error, StateError) else None
    if exploration is None:
        exploration = Exploration(0, 0, 0, False, "error", options.engine, options.threads, 0.0)
    findings, answers = _undetermined(spec.family, question, options.predicates)
    return VariantResult(
        variant.name,
        variant.design,
        exploration,
        findings,
        answers=answers,
        error=fault_of(error),
        not_tried=spec.family.not_tried(variant.design),
        constraints=spec.family.constraints,
    )


def fault_of(error: ModelError) -> ModelFault:
    """Return a model's error as a result holds it."""
    return ModelFault(str(error), error.trace if isinstance(error, StateError) else None)


def _place(folder: Path | None, spec: str | None, variant: str) -> Path | None:
    """Return the folder of one variant's checkpoint: readable, and no other variant's."""
    if folder is None:
        return None
    file = Path(os.path.normpath(spec)).as_posix() if spec else ""
    named = f"{Path(file).with_suffix('') if file else 'model'} {variant}"
    readable = re.sub(r"[^0-9A-Za-z]+", "-", named).strip("-").lower()[:_LONGEST_NAME]
    told = f"{file}\0{variant}".encode("utf-8", "surrogateescape")
    digest = hashlib.sha256(told).hexdigest()[:8]
    return folder / f"{readable}-{digest}"
