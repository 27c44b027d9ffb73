"""Findings: what a graph says of a property, with the evidence told and replayed.

Evidence that does not replay is never shown. A search that was cut gives no ``holds``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fencecheck.checking.question import Question
from fencecheck.checking.results import (
    Exploration,
    Finding,
)
from fencecheck.errors import InternalError, StateError
from fencecheck.explore.cutting import MemoryUp
from fencecheck.explore.graph import Search, StateGraph
from fencecheck.explore.interrupt import heard
from fencecheck.explore.shortest import shortest_run, start_of
from fencecheck.model.property import Property
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp
from fencecheck.properties.evidence import Evidence, evidence_in_words
from fencecheck.runs.replay import replayed
from fencecheck.runs.telling import tell
from fencecheck.runs.told.failure import model_failure
from fencecheck.runs.trace import Origin, Trace

if TYPE_CHECKING:
    from fencecheck.properties.temporal import TemporalJudge


def exploration_of(search: Search) -> Exploration:
    """Return the figures of a search."""
    return Exploration(
        search.count,
        search.transitions,
        search.depth,
        search.complete,
        search.stopped_by,
        search.engine,
        search.threads,
        search.seconds,
        tuple(search.warnings),
        search.levels[1],
        search.cut,
        search.dominance,
    )


def finding_of(
    system: System,
    graph: StateGraph,
    prop: Property,
    question: Question,
    temporal: TemporalJudge | None,
) -> Finding:
    """Return what a graph says of a property, with its shortest event order where it breaks."""
    search = graph.search
    judged = search.complete and (not prop.temporal or temporal is not None)
    finding = Finding(
        prop.name,
        prop.kind,
        prop.doc,
        prop.name in question.required,
        "holds" if judged else "undetermined",
        expected=question.expect.get(prop.name),
        situation=prop.situation,
    )
    evidence, cut = _evidence_in_time(system, graph, prop, temporal)
    if cut is not None:
        finding.verdict, finding.reason = "undetermined", cut
    elif evidence is not None:
        finding.verdict, finding.events = "violated", len(evidence.events)
        finding.trace = tell_evidence(system, evidence, prop, question.origin)
    elif judged:
        finding.vacuous = not was_tested(search, prop, temporal)
    elif search.complete:
        finding.reason = "memory"
    return finding


def _evidence_in_time(
    system: System, graph: StateGraph, prop: Property, temporal: TemporalJudge | None
) -> tuple[Evidence | None, str | None]:
    """Return how a property breaks, and what cut the judging before that was known."""
    try:
        return evidence_of(system, graph, prop, temporal), None
    except TimeUp:
        return None, "time"
    except MemoryUp:
        return None, "memory"
    except KeyboardInterrupt:
        if not heard() or not prop.temporal:
            raise
        return None, "interrupt"


def was_tested(search: Search, prop: Property, temporal: TemporalJudge | None) -> bool:
    """Tell whether anything in a whole graph put a property to the test."""
    if prop.temporal:
        return temporal is not None and temporal.triggered(prop)
    return prop.name in search.triggered


def evidence_of(
    system: System, graph: StateGraph, prop: Property, temporal: TemporalJudge | None
) -> Evidence | None:
    """Return how a property breaks in a graph, canonically; None where nothing breaks it."""
    if prop.temporal:
        return None if temporal is None else temporal.judge(prop)
    broken = graph.search.broken.get(prop.name)
    if broken is None:
        return None
    events = shortest_run(system, graph, broken, prop)
    if len(events) != broken.events:
        raise InternalError(f"{prop.name} breaks in {broken.events} events, not {len(events)}")
    return Evidence(events, start=start_of(system, graph, broken, events))


def tell_evidence(system: System, evidence: Evidence, prop: Property, origin: Origin) -> Trace:
    """Tell a counterexample and replay it: evidence that does not replay is never shown."""
    if evidence.start is not None:
        system = system.starting(evidence.start)
    trace = tell(system, evidence.events, prop, origin, evidence.loop_start, evidence.onward)
    trace = replayed(system, replace(trace, onward_loop=evidence.onward_loop))
    if not prop.temporal or trace.violation is None:
        return trace
    says = evidence_in_words(evidence, trace.violation.says)
    return replace(trace, violation=replace(trace.violation, says=says))


def state_error(
    system: System, graph: StateGraph, watched: Sequence[Property], origin: Origin
) -> StateError:
    """Return the error to raise where the model went wrong in a search, with the trace to it."""
    failure = graph.search.failure
    assert failure is not None
    events = shortest_run(system, graph, failure, None, watched)
    last = events[-1] if failure.in_event else None
    chosen = None if last is None else (last.action, last.args)
    system = system.starting(start_of(system, graph, failure, events))
    return model_failure(system, events[:-1] if last else events, chosen, origin, watched)


def held_back(system: System, search: Search) -> dict[str, tuple[str, ...]]:
    """Return the bounds that held events back, in order, each with the events, in order."""
    found = {bound: list[int]() for bound in system.family.bounds}
    for action, bound in sorted(search.held_back):
        found[bound].append(action)
    return {b: tuple(system.actions[a].name for a in held) for b, held in found.items() if held}
