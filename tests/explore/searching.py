"""What the tests of exploration share: running the reference engine, and oracles for it.

``graph_of`` collects the reachable graph depth first into networkx; ``best_by_hand`` tries all
runs, one length after another, until one breaks a property, and returns the canonical one. Both
use nothing of fencecheck.explore.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import networkx as nx

from fencecheck.explore.graph import Limits, MemoryGraph
from fencecheck.explore.reference import explore
from fencecheck.explore.shortest import shortest_run
from fencecheck.explore.watch import Watch
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event
from tests.models_for_tests import HEADER

Named = tuple[str, dict[str, Any]]


def search(system: System, names: list[str] | None = None, **limits: Any) -> MemoryGraph:
    """Explore a system with the reference engine."""
    return explore(system, Watch(system, names), Limits(**limits))


def named(system: System, events: list[Event]) -> list[Named]:
    """Return the events of a run by name and arguments, as people see them."""
    return [(system.actions[e.action].name, system.shown_args(e.action, e.args)) for e in events]


def shown(system: System, graph: MemoryGraph, name: str) -> list[Named]:
    """Return the counterexample that is shown for a property."""
    prop = system.family.properties[name]
    return named(system, shortest_run(system, graph, graph.search.broken[name], prop))


def shown_failure(system: System, graph: MemoryGraph) -> list[Named]:
    """Return the run that is shown where the model itself goes wrong."""
    assert graph.search.failure is not None
    return named(system, shortest_run(system, graph, graph.search.failure, None))


def graph_of(system: System) -> nx.MultiDiGraph:
    """Return the whole graph of a system, found depth first."""
    graph, waiting = nx.MultiDiGraph(), [system.initial]
    graph.add_node(system.initial)
    while waiting:
        state = waiting.pop()
        for number, args in system.enabled(system.view(state), state):
            after, _ = system.steps[number](state, *args)
            if after not in graph:
                waiting.append(after)
            graph.add_edge(state, after, event=(number, args))
    return graph


def _breaks(system: System, prop: Property, run: list[Event]) -> bool:
    if prop.kind == "invariant":
        return not prop.holds(system.view(run[-1].after if run else system.initial))
    if not run or (prop.events and system.actions[run[-1].action].name not in prop.events):
        return False
    return not prop.holds(system.view(run[-1].before), system.view(run[-1].after))


def _longer(system: System, run: list[Event]) -> list[list[Event]]:
    state: State = run[-1].after if run else system.initial
    found = []
    for number, args in system.enabled(system.view(state), state):
        after, outcome = system.steps[number](state, *args)
        found.append([*run, Event(number, args, state, after, outcome)])
    return found


def _order(system: System, run: list[Event]) -> tuple[Any, ...]:
    actors = [system.actions[e.action].actor for e in run]
    changes = sum(a != b for a, b in itertools.pairwise(actors))
    interference = sum(system.actions[e.action].interference for e in run)
    return (
        interference,
        changes,
        [(name, sorted(args.items())) for name, args in named(system, run)],
    )


def best_by_hand(system: System, name: str, most: int) -> list[Named] | None:
    """Return the canonical counterexample of at most ``most`` events, or None."""
    prop, runs = system.family.properties[name], [list[Event]()]
    for _ in range(most + 1):
        wrong = [run for run in runs if _breaks(system, prop, run)]
        if wrong:
            return named(system, min(wrong, key=lambda run: _order(system, run)))
        runs = [longer for run in runs for longer in _longer(system, run)]
    return None


def random_graph_text(seed: int) -> str:
    """Return a model that walks through a graph drawn by chance, three actors sharing it."""
    chance, nodes = random.Random(seed), 9
    text = HEADER + f'model = Model("walk", "A walk")\nmodel.variable("n", Int(0, {nodes - 1}))\n'
    text += 'model.variable("steps", Int(0, 1))\n'
    for actor in chance.sample(["ann", "bob", "cid"], 3):
        table = tuple(
            chance.randrange(nodes) if chance.random() < 0.45 else -1 for _ in range(2 * nodes)
        )
        text += f"""
{actor.upper()} = {table}


@model.actor("{actor}").action(
    way=Int(0, 1), when=lambda s, way: {actor.upper()}[2 * s.n + way] >= 0
)
def go(s, way):
    "Walk on."
    s.n = {actor.upper()}[2 * s.n + way]
    s.steps = 1 - s.steps
"""
    return (
        text
        + f"""
@model.invariant()
def stays_low(s):
    "The last node is not reached."
    return s.n != {nodes - 1} or s.steps == 1


@model.transition("ann.go", "bob.go")
def small_steps(before, after):
    "No step between the ends."
    return abs(before.n - after.n) < 6
"""
    )
