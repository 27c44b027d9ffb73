"""The reference engine: breadth-first search, one state at a time. It defines what is right.

Takes a System and the properties to watch, gives a MemoryGraph of the representatives of states.
Events are executed in a representative and judged on the very state that they lead to; what is
kept is that state's representative, and with dominance only where no other covers it. Exploration
goes on past violations, so counts do not depend on properties. A limit on states acts at the end of
the level that reaches it, limits on time and memory between two states. A model that goes wrong
ends the search after its level, so that a shortest failing run is among those found.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from fencecheck.explore.dominance import Fronts, spent_budgets
from fencecheck.explore.graph import Edge, Limits, MemoryGraph
from fencecheck.explore.interrupt import heard, looked_for
from fencecheck.explore.machine import most_resident, resident, too_little
from fencecheck.explore.resources import Tick
from fencecheck.explore.watch import Watch, failed
from fencecheck.model.system import State, System
from fencecheck.model.values import HeldBack
from fencecheck.runs.event import MODEL_ERRORS

_GLANCE = 256  # states between two looks at the memory
_Asked = tuple[Callable[[Tick], None] | None, Callable[[int], bool] | None]


def explore(
    system: System,
    watch: Watch,
    limits: Limits,
    progress: Callable[[Tick], None] | None = None,
    leaving: Callable[[int], bool] | None = None,
) -> MemoryGraph:
    """Explore every state reachable from the initial ones, up to ``limits``.

    ``progress`` hears now and then how far the search has come. ``leaving`` is asked as often, with
    how many states were expanded, whether to stop there, as ``left``.
    """
    with looked_for():
        return _explore(system, watch, limits, (progress, leaving))


def _explore(system: System, watch: Watch, limits: Limits, asked: _Asked) -> MemoryGraph:
    progress, leaving = asked
    started, deadline = time.perf_counter(), limits.deadline()
    graph = MemoryGraph(system, states=list(system.beginnings))
    search, number_of = graph.search, _numbers(graph, watch, limits)
    depth, frontier = 0, range(len(graph.states))
    search.levels = [0, len(graph.states)]
    allowed = most_resident(limits.memory)
    search.warnings += filter(None, [too_little(limits.memory, resident())])
    while frontier:
        for number in frontier:
            graph.marks.append(watch.state(search, number, graph.states[number], depth))
        if search.failure or (limits.states and search.count >= limits.states):
            search.stopped_by = "error" if search.failure else "states"
            break
        for source in frontier:
            glance = source % _GLANCE == 0
            search.stopped_by = _cut(allowed, deadline, source)
            if search.stopped_by is None and glance and leaving is not None and leaving(source):
                search.stopped_by = "left"
            if search.stopped_by:
                break
            if glance and progress is not None:
                progress(_tick(graph, depth, len(frontier), time.perf_counter() - started))
            known = len(graph.states), search.transitions
            try:
                graph.edges.append(_expand(system, watch, (graph, number_of), source, depth))
            except MemoryError:
                del graph.states[known[0] :]
                if isinstance(number_of, Fronts):
                    number_of.forget(known[0])
                search.transitions, search.stopped_by = known[1], "memory"
                break
        if isinstance(number_of, Fronts):
            number_of.settle(frontier)
        depth, frontier = depth + 1, range(frontier.stop, len(graph.states))
        if frontier:
            search.levels.append(len(graph.states))
        if search.failure or search.stopped_by:
            search.stopped_by = search.stopped_by or "error"
            break
        if not limits.broken.isdisjoint(search.broken):
            search.stopped_by = "broken"
            break
    search.happened = {action for edges in graph.edges for action, _, _ in edges}
    search.complete = search.stopped_by is None
    search.seconds = time.perf_counter() - started
    return graph


def _numbers(graph: MemoryGraph, watch: Watch, limits: Limits) -> dict[State, int] | Fronts:
    """Return what finds the numbers of states, those of the initial ones in it."""
    budgets = spent_budgets(graph.system, watch) if limits.dominance else ()
    graph.search.spent = budgets
    if budgets:
        return Fronts(graph, budgets)
    return {state: number for number, state in enumerate(graph.states)}


def _cut(allowed: int, deadline: float, source: int) -> str | None:
    """Return which limit of the machine is reached; memory is looked at now and then."""
    if time.monotonic() > deadline:
        return "time"
    if heard():
        return "interrupt"
    if source % _GLANCE == 0 and resident() > allowed:
        return "memory"
    return None


def _tick(graph: MemoryGraph, depth: int, frontier: int, seconds: float) -> Tick:
    search, count = graph.search, len(graph.states)
    before = search.levels[-2] - search.levels[-3] if len(search.levels) > 2 else 0
    trend = "shrinking" if frontier < before else "growing"
    broken = tuple(search.broken)
    return Tick(count, frontier, trend, depth, seconds, resident(), broken=broken)


def _expand(
    system: System,
    watch: Watch,
    found: tuple[MemoryGraph, dict[State, int] | Fronts],
    source: int,
    depth: int,
) -> list[Edge]:
    """Execute everything that can happen in a state and return the edges out of it."""
    graph, number_of = found
    search, state, edges = graph.search, graph.states[source], list[Edge]()
    steps, actions, on_event = system.steps, system.actions, watch.on_event
    view, quiet = system.view(state), True
    named = system.representative if system.representatives else None
    try:
        choices = list(system.enabled(view, state))
    except MODEL_ERRORS:
        failed(search, depth, source, in_event=False)
        return edges
    search.cut += not choices and system.is_cut(view)
    for action, args in choices:
        quiet = quiet and actions[action].budget is not None
        try:
            target, _ = steps[action](state, *args)
            kept = named(target) if named else target
            number = number_of.get(kept)
            if (number is None or named) and system.escapes(action, state, target):
                raise ValueError
            if on_event[action]:
                watch.event(search, source, (action, args), (view, target, depth + 1))
        except HeldBack as held:
            search.held_back.add((action, held.bound))
            graph.held.append((source, action, args))
            continue
        except MODEL_ERRORS:
            failed(search, depth + 1, source, in_event=True)
            continue
        if number is None:
            number = number_of[kept] = len(graph.states)
            graph.states.append(kept)
        edges.append((action, args, number))
    search.transitions += len(edges)
    if quiet:
        try:
            watch.quiet(search, source, view, depth)
        except MODEL_ERRORS:
            failed(search, depth, source, in_event=False)
    return edges
