"""Dominance against the exact search: what must be the same, and which states must be kept.

``needed_by_hand`` says the latter again, level by level, with sets of states; it shares no line
with fencecheck.explore.
"""

from __future__ import annotations

import itertools
from typing import Any

from fencecheck.explore.graph import StateGraph
from fencecheck.model.system import State, System
from fencecheck.properties.temporal import TemporalJudge
from fencecheck.runs.event import execute
from tests.explore.compiled.engines import runs


def answers(system: System, graph: StateGraph) -> dict[str, Any]:
    """Return what dominance must not change: what breaks, and how, and what ever happened."""
    search = graph.search
    if search.failure is not None:
        failure = search.failure.events, search.failure.in_event
        return {"failure": failure, "run": runs(system, graph)["model error"]}
    assert search.complete
    return {
        "broken": {name: (b.events, b.in_event) for name, b in search.broken.items()},
        "triggered": search.triggered,
        "happened": search.happened,
        "held_back": search.held_back,
        "runs": runs(system, graph),
        "lasting": lasting(system, graph),
    }


def lasting(system: System, graph: StateGraph) -> dict[str, Any]:
    """Return the evidence on all temporal properties, and what put them to the test."""
    judge = TemporalJudge(system, graph, system.properties())
    asked = [prop for prop in system.properties() if prop.temporal]
    return {p.name: (judge.judge(p), judge.triggered(p)) for p in asked}


def kept(graph: StateGraph) -> list[set[State]]:
    """Return the states of each level of a graph."""
    levels = itertools.pairwise(graph.search.levels)
    return [{graph.state(n) for n in range(*level)} for level in levels]


def needed_by_hand(system: System, names: tuple[str, ...]) -> list[set[State]]:
    """Return the states of each level that none makes superfluous by what is left of ``names``."""
    places = [system.place[name] for name in names]

    def covers(one: State, other: State) -> bool:
        pairs = enumerate(zip(one, other, strict=True))
        return all(a >= b if i in places else a == b for i, (a, b) in pairs)

    def rest(state: State) -> State:
        return tuple(value for i, value in enumerate(state) if i not in places)

    found: dict[State, list[State]] = {}
    levels = [set(map(system.representative, system.initials))]
    while levels[-1]:
        after = set[State]()
        for state in levels[-1]:
            found.setdefault(rest(state), []).append(state)
        for state in levels[-1]:
            for action, args in system.enabled(system.view(state), state):
                after.add(system.representative(execute(system, state, action, args).after))
        new = {s for s in after if not any(covers(o, s) for o in found.get(rest(s), []))}
        levels.append({s for s in new if not any(o != s and covers(o, s) for o in new)})
    return levels[:-1]
