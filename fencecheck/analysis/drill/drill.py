"""Drills: what each control is for, and how each failure is recovered from, as replayed traces.

Takes a Family and what its model declares (model/drills.py): what to leave out or to inject.
Gives for a control the shortest order that shows its absence and the shortest one that the design
with it answers; for a failure the longest of the shortest recoveries, by system events alone, from
the states it leads to. A search that was cut gives ``undetermined``, never a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fencecheck.checking.check import check_design
from fencecheck.checking.findings import held_back
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import Finding
from fencecheck.errors import InternalError
from fencecheck.explore.cutting import MemoryUp, telling_within
from fencecheck.explore.graph import Broken, StateGraph, expanded_levels
from fencecheck.explore.shortest import shortest_run, start_of
from fencecheck.explore.watch import Watch
from fencecheck.model.declaring.any_number import ANY, HowMany
from fencecheck.model.drills import Bounds, Control, InjectedFailure, Mechanisms
from fencecheck.model.family import Design, Family
from fencecheck.model.property import Transition
from fencecheck.model.system import Args, System
from fencecheck.model.time_limit import TimeUp
from fencecheck.runs.event import Event, event_key
from fencecheck.runs.replay import told_and_replayed
from fencecheck.runs.told.behind import Behind, behind
from fencecheck.runs.trace import Origin, Trace
from fencecheck.spec.values import Verdict


@dataclass(frozen=True)
class Tried:
    """With how much interference something was searched, and by which capacities it was held back.

    A budget of any is any number of its interference. ``at_most`` gives the capacities that held
    back what would not fit.
    """

    bounds: Mapping[str, HowMany]
    at_most: Mapping[str, HowMany]


@dataclass(frozen=True)
class ControlRow:
    """What came out for a control; the traces are None where there is no such order.

    ``kept`` is what came out of its property in the design with it, as ``tried``.
    """

    control: Control
    symptom: Verdict
    absence: Trace | None
    answered: Trace | None
    searched: bool
    kept: Finding
    tried: Tried

    @property
    def unexpected(self) -> bool:
        """Tell whether something else came out than the plan says."""
        wanted = self.control.expect
        return wanted is not None and self.kept.verdict not in (wanted, "undetermined")


@dataclass(frozen=True)
class Recovery:
    """How a failure is recovered from, at worst.

    ``events`` is None where there is no recovery, and then ``trace`` leads to a state without one;
    else the trace goes on to the goal, its first ``injected`` events being those up to the
    failure. ``decisive`` is the event that settles it, ``owner`` who answers for that.
    """

    failure: InjectedFailure
    design: str
    verdict: str
    tried: Tried
    events: int | None = None
    owner: str = ""
    decisive: str = ""
    injected: int = 0
    trace: Trace | None = None

    @property
    def unexpected(self) -> bool:
        """Tell whether something else came out than the plan says."""
        wanted = self.failure.expected(self.design)
        return wanted is not None and self.verdict not in (wanted, "undetermined")


def run_control(
    family: Family, base: Mechanisms, control: Control, options: Options | None = None
) -> ControlRow:
    """Return the two shortest orders of one control, and what it keeps from happening."""
    options = options or Options()
    without = family.design({**base, **control.without}, control.bounds)
    question = Question((control.symptom,), origin=Origin(variant=f"without {control.name}"))
    checked = check_design(family, without, question, options)
    found = checked[control.symptom]
    fenced = family.design({**base, **control.fenced}, control.bounds)
    question = Question((control.symptom,), origin=Origin(variant=f"with {control.name}"))
    kept = check_design(family, fenced, question, options)
    system = System(family, fenced)
    graph = options.explorer().explore(system, Watch(system, []), options.limits)
    searched, answered = graph.search.complete, None
    if searched:
        try:
            with telling_within(options.limits.seconds, options.limits.memory):
                answered = _answered(system, graph, control)
        except (TimeUp, MemoryUp):
            searched = False
    return ControlRow(
        control,
        found.verdict,
        found.trace,
        answered,
        searched,
        kept[control.symptom],
        _tried(fenced, control.bounds, kept.held_back),
    )


def _answered(system: System, graph: StateGraph, control: Control) -> Trace | None:
    run = shortest_to(system, graph, control.answer)
    return None if run is None else told(system, run, f"with {control.name}")


def _tried(design: Design, asked: Bounds, held_back: Iterable[str]) -> Tried:
    """Return with what a design was searched, of the bounds that a plan names."""
    numbers = design.bounds
    return Tried({n: numbers[n] for n in asked}, {n: numbers[n] for n in held_back})


def shortest_to(system: System, graph: StateGraph, event: str) -> list[Event] | None:
    """Return the canonical shortest run that ends in an event, or None where it never happens."""
    for depth, first in enumerate(graph.search.levels[:-1]):
        level = range(first, graph.search.levels[depth + 1])
        if depth >= expanded_levels(graph):
            break
        sources = [n for n in level if any(_is(system, e[0], event) for e in graph.out_edges(n))]
        if sources:
            wanted = Transition(event, lambda before, after: False, about=(event,))
            return shortest_run(system, graph, Broken(depth + 1, sources, in_event=True), wanted)
    return None


def _is(system: System, action: int, event: str) -> bool:
    return system.actions[action].name == event


def told(system: System, run: list[Event], title: str) -> Trace:
    """Return the trace of a run that can happen; raises InternalError if it does not replay."""
    return told_and_replayed(system, run, None, Origin(variant=title))


# -- recovery -----------------------------------------------------------------------------------
def run_failure(
    family: Family,
    design: tuple[str, Mechanisms],
    failure: InjectedFailure,
    owners: Mapping[str, str],
    options: Options | None = None,
) -> Recovery:
    """Return the worst recovery from a failure under one design (a name and its mechanisms).

    The goal is the model's, in a state in which its invariants hold. ``owners`` says who answers
    for an event that settles a failure, the most decisive event first.
    """
    options, (name, mechanisms) = options or Options(), design
    own = {a.budget for a in family.declared.actions if a.name == failure.event and a.budget}
    bounds = {**dict.fromkeys(own, ANY), **failure.bounds}
    chosen = family.design({**mechanisms, **failure.mechanisms}, bounds)
    system = System(family, chosen)
    graph = options.explorer().explore(system, Watch(system, []), options.limits)
    tried = _tried(chosen, bounds, held_back(system, graph.search))
    undetermined = Recovery(failure, name, "undetermined", tried)
    if not graph.search.complete:
        return undetermined
    try:
        with telling_within(options.limits.seconds, options.limits.memory):
            return _recovery(system, graph, undetermined, owners)
    except (TimeUp, MemoryUp):
        return undetermined


def _recovery(
    system: System, graph: StateGraph, row: Recovery, owners: Mapping[str, str]
) -> Recovery:
    """Return a row with what a complete graph says of the failure."""
    failure = row.failure
    struck = _struck(system, graph, failure)
    if not struck:
        return replace(row, verdict="cannot happen")
    distance = _distances(system, graph)
    lost = [n for n in struck if n not in distance]
    worst = lost or [n for n in struck if distance[n] == max(distance[m] for m in struck)]
    run = _to_failure(system, graph, failure, set(worst))
    injected, title = len(run), f"{row.design}: {failure.name}"
    if lost:
        trace = told(system, run, title)
        return replace(row, verdict="none", injected=injected, trace=trace)
    struck_at = behind(system, run[0].before).along(system, run)
    run += _way(system, graph, struck_at, distance)
    decisive = _decisive(system, run[injected:], owners)
    owner = owners.get(decisive, "worker: it goes on as before")
    trace = told(system, run, title)
    count = len(run) - injected
    return replace(
        row, verdict="recovers", events=count, owner=owner, decisive=decisive,
        injected=injected, trace=trace,
    )  # fmt: skip


def _struck(system: System, graph: StateGraph, failure: InjectedFailure) -> set[int]:
    """Return the states right after the failure."""
    return {
        target
        for source in range(graph.search.count)
        for action, args, target in graph.out_edges(source)
        if _strikes(system, graph, failure, (source, action, args))
    }


def _strikes(
    system: System, graph: StateGraph, failure: InjectedFailure, edge: tuple[int, int, Args]
) -> bool:
    source, action, args = edge
    if not _is(system, action, failure.event):
        return False
    return failure.when is None or failure.when(system.view(graph.state(source)), args)


def _to_failure(
    system: System, graph: StateGraph, failure: InjectedFailure, worst: set[int]
) -> list[Event]:
    """Return the canonical shortest run that ends in the failure, in one of the worst states."""
    wanted = {graph.state(number) for number in worst}
    for depth, first in enumerate(graph.search.levels[:-1]):
        sources = [
            source
            for source in range(first, graph.search.levels[depth + 1])
            for action, args, target in graph.out_edges(source)
            if target in worst and _strikes(system, graph, failure, (source, action, args))
        ]
        if sources:
            states = list(dict.fromkeys(sources))
            broken = Broken(depth, states, in_event=False)
            run = shortest_run(system, graph, broken, None)
            start = behind(system, start_of(system, graph, broken, run))
            before = start.along(system, run)
            ends = [
                event
                for event, to in before.steps(system)
                if _is(system, event.action, failure.event)
                and to.representative in wanted
                and (failure.when is None or failure.when(system.view(before.state), event.args))
            ]
            return [*run, min(ends, key=lambda e: event_key(system, e.action, e.args))]
    raise InternalError(f"{failure.name}: no run leads to the states after it")


def _distances(system: System, graph: StateGraph) -> dict[int, int]:
    """Return how many system events lead from a state to the goal, where they can."""
    sources: dict[int, list[int]] = {}
    for source in range(graph.search.count):
        for action, _, target in graph.out_edges(source):
            if not system.actions[action].interference:
                sources.setdefault(target, []).append(source)
    states = (graph.state(number) for number in range(graph.search.count))
    level = [n for n, state in enumerate(states) if is_recovered(system, system.view(state))]
    distance = dict.fromkeys(level, 0)
    while level:
        found = []
        for target in level:
            for source in sources.get(target, ()):
                if source not in distance:
                    distance[source] = distance[target] + 1
                    found.append(source)
        level = found
    return distance


def is_recovered(system: System, view: Any) -> bool:
    """Tell whether all work is done and no invariant of the model is broken."""
    invariants = (p for p in system.properties() if p.of_states)
    return system.family.is_goal(view) and all(p.holds(view) for p in invariants)


def _way(
    system: System, graph: StateGraph, here: Behind, distance: Mapping[int, int]
) -> list[Event]:
    """Return the shortest way to the goal by system events, the smallest event at each fork."""
    numbers = {graph.state(number): number for number in range(graph.search.count)}
    run: list[Event] = []

    def left(where: Behind) -> int:
        return distance.get(numbers[where.representative], -1)

    while left(here):
        closer = [
            (event, to)
            for event, to in here.steps(system)
            if not system.actions[event.action].interference and left(to) == left(here) - 1
        ]
        event, here = min(closer, key=lambda e: event_key(system, e[0].action, e[0].args))
        run.append(event)
    return run


def _decisive(system: System, run: Iterable[Event], owners: Mapping[str, str]) -> str:
    """Return the name of the event that settles it, with its outcome where that is what counts."""
    names: set[str] = set()
    for event in run:
        name = system.actions[event.action].name
        names |= {name, f"{name}: {event.outcome}"}
    return next((name for name in owners if name in names), "")
