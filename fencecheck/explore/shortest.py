"""Choose the counterexample to show among all the shortest ones.

Canonical: among runs of the least number of events, the one with the least interference (first of
kinds that have a number, then of any); among those, the one in which the actor changes least often;
among those, the one from the first of the initial states (``System.initials``), and the smallest by
its list of (event name, arguments). Takes the states in which something first breaks, walks back
level by level to the states that lead there, then forward keeping the best run to each (state, last
actor). The graph knows representatives of states; a run goes through states as people see them,
with real numbers and names. Independent of engine, of threads, of the order of declarations, and of
dominance (dominance.py): a run by way of a superfluous state has a twin with less interference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencecheck.errors import InternalError
from fencecheck.explore.cutting import check_told
from fencecheck.explore.graph import Broken, StateGraph
from fencecheck.model.declaring.any_number import AnyNumber
from fencecheck.model.property import Property
from fencecheck.model.system import Args, State, System
from fencecheck.runs.event import MODEL_ERRORS, Event, enabled, event_key, execute, possible
from fencecheck.runs.run import breaking
from fencecheck.runs.told.behind import Behind, behind


@dataclass(frozen=True)
class _Run:
    """The best run to a state: what it costs, how it compares, how to follow it back.

    ``cost`` is how much interference there was with a number, and of any, and how often the actor
    changed.
    """

    cost: tuple[int, int, int]
    rank: int
    last: Event | None
    previous: _Run | None
    here: Behind


def shortest_run(
    system: System,
    graph: StateGraph,
    broken: Broken,
    prop: Property | None,
    watched: Sequence[Property] | None = None,
) -> list[Event]:
    """Return the canonical shortest run to where ``prop`` breaks (None: where the model fails).

    The model fails where a function of it does, or one of the properties ``watched`` (None: all).
    Raises TimeUp or MemoryUp where a limit is in force and does not allow for more.
    """
    last_level = broken.events - 1 if broken.in_event else broken.events
    path = _levels_towards(graph, broken.states, last_level)
    runs = _best_runs(system, graph, path)
    failing = system.properties() if watched is None else watched
    ends: list[_Run] = []
    for step, run in enumerate(runs.values()):
        check_told(step)
        if not broken.in_event:
            ends.append(run)
            continue
        if prop is None:
            found = _events_that_fail(system, run.here.state, failing)
        else:
            found = breaking(system, run.here.state, prop)
        ends += _ranked_ends(system, run, found)
    if not ends:
        what = f"{prop.name} breaks" if prop else "the model goes wrong"
        raise InternalError(
            f"the {graph.search.engine} engine says that {what} after {broken.events} events, and "
            "the model's own functions do not: the engines differ, which is a bug of fencecheck; "
            "please report it with the model"
        )
    best = min(
        ends, key=lambda run: (run.cost, run.rank if not broken.in_event else _path(system, run))
    )
    return _events(best)


def start_of(system: System, graph: StateGraph, broken: Broken, events: Sequence[Event]) -> State:
    """Return the initial state of the run that ``shortest_run`` gave for ``broken``."""
    if events:
        return events[0].before
    broken_at = {graph.state(number) for number in broken.states}
    return next(state for state in system.initials if system.representative(state) in broken_at)


def _path(system: System, run: _Run) -> tuple[Any, ...]:
    assert run.last is not None
    before = run.previous.rank if run.previous else 0
    return before, event_key(system, run.last.action, run.last.args)


def _levels_towards(graph: StateGraph, targets: Iterable[int], level: int) -> list[set[int]]:
    """Return, for each level up to ``level``, the states on a shortest way to ``targets``."""
    path = [set(targets)]
    for above in range(level - 1, -1, -1):
        check_told(0)
        path.append(set(graph.sources(above, path[-1])))
    return path[::-1]


def _best_runs(
    system: System, graph: StateGraph, path: list[set[int]]
) -> dict[tuple[State, str], _Run]:
    """Return the best run to each (representative, last actor) of the last level of ``path``.

    A run goes through states as people see them. Two that lead to one representative can go on
    alike, so that the best of them is enough.
    """
    runs: dict[tuple[State, str], _Run] = {}
    wanted = {graph.state(number) for number in path[0]}
    for number, state in enumerate(system.initials):
        if (start := behind(system, state)).representative in wanted:
            runs.setdefault((start.representative, ""), _Run((0, 0, 0), number, None, None, start))
    for targets in path[1:]:
        wanted = {graph.state(number) for number in targets}
        found: dict[tuple[State, str], list[tuple[tuple[Any, ...], _Run]]] = {}
        for step, ((_, actor), run) in enumerate(runs.items()):
            check_told(step)
            for event in possible(system, run.here.representative):
                if system.representative(event.after) in wanted:
                    real, to = run.here.after(system, event)
                    entry = _extend(system, run, actor, (real, to))
                    key = (to.representative, system.actions[event.action].actor)
                    found.setdefault(key, []).append(entry)
        runs = _ranked({key: min(options, key=_order) for key, options in found.items()})
    return runs


def _order(entry: tuple[tuple[Any, ...], _Run]) -> tuple[Any, ...]:
    return entry[1].cost, entry[0]


def _extend(
    system: System, run: _Run, actor: str, step: tuple[Event, Behind]
) -> tuple[tuple[Any, ...], _Run]:
    event, to = step
    new_actor = system.actions[event.action].actor
    numbered, unlimited = interference_of(system, event)
    changes = 1 if actor and actor != new_actor else 0
    cost = run.cost[0] + numbered, run.cost[1] + unlimited, run.cost[2] + changes
    key = (run.rank, event_key(system, event.action, event.args))
    return key, _Run(cost, 0, event, run, to)


def interference_of(system: System, event: Event) -> tuple[int, int]:
    """Return how much interference an event is: with a number, and of any."""
    budget = system.actions[event.action].budget
    if budget is None:
        return 0, 0
    return (0, 1) if isinstance(system.design.bounds[budget], AnyNumber) else (1, 0)


def _ranked(
    best: dict[tuple[State, str], tuple[tuple[Any, ...], _Run]],
) -> dict[tuple[State, str], _Run]:
    """Number the runs of one level in the order of their events."""
    ranks = {key: i for i, key in enumerate(sorted({key for key, _ in best.values()}))}
    return {where: replace(run, rank=ranks[key]) for where, (key, run) in best.items()}


def _ranked_ends(system: System, run: _Run, events: list[Event]) -> list[_Run]:
    actor = system.actions[run.last.action].actor if run.last else ""
    return [_extend(system, run, actor, (event, run.here))[1] for event in events]


def _events_that_fail(system: System, state: State, props: Sequence[Property]) -> list[Event]:
    """Return the events of a state that raise an error, or that one of ``props`` raises one on."""
    return [
        Event(action, args, state, state)
        for action, args in enabled(system, state)
        if _goes_wrong(system, state, (action, args), props)
    ]


def _goes_wrong(
    system: System, state: State, event: tuple[int, Args], props: Sequence[Property]
) -> bool:
    try:
        after = execute(system, state, *event).after
        before, later = system.view(state), system.view(after)
        for prop in props:
            prop.evaluate_event(system.actions[event[0]], event[1], before, later)
    except MODEL_ERRORS:
        return True
    return False


def _events(run: _Run) -> list[Event]:
    events: list[Event] = []
    while run.last is not None:
        events.append(run.last)
        assert run.previous is not None
        run = run.previous
    return events[::-1]
