"""A kernel whose model says which states stand for others: it gives those and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.system import State, System
from tests.explore.compiled.engines import run_compiled
from tests.models_for_tests import HEADER, load, system_of

COUNTERS = (
    HEADER
    + '''
model = Model("counters", "Counters that nothing tells apart")
model.bound("counters", 3, "how many there are")
model.bound("most", 3, "how far each counts")
I = Index("counters", "i")
model.variable("first", Bool(), True)
model.variable("count", Array(I, Int(0, lambda k: k.most)))
A = model.actor("A")


@A.action(i=I, when=lambda s, i: s.count[i] < s.most)
def step(s, i):
    """One of them counts on."""
    s.count[i] += 1
    s.first = not s.first


@A.action(i=I, when=lambda s, i: s.count[i] > 0 and not s.first)
def back(s, i):
    """One of them begins again."""
    s.count[i] = 0
'''
)


def ascending(dag: Dag, nodes: list[Node]) -> list[Node]:
    """Return nodes in ascending order."""
    found = list(nodes)
    for end in range(len(found), 1, -1):
        for i in range(end - 1):
            pair = found[i : i + 2]
            found[i : i + 2] = dag.minimum(*pair), dag.maximum(*pair)
    return found


def sorted_counts(system: System, state: State) -> State:
    """Return a state with its counters in ascending order."""
    first, counts = state
    return first, tuple(sorted(counts))


@pytest.mark.parametrize(("counters", "most"), [(3, 3), (4, 2), (5, 200_000), (3, 1 << 40)])
def test_a_kernel_keeps_representatives(tmp_path: Path, counters: int, most: int) -> None:
    """States of one, two and three words, in half words and in whole ones."""
    system = system_of(load(tmp_path, COUNTERS).model, counters=counters, most=most)
    lowered, dag = system.lowered, system.lowered.dag
    numbers = [lowered.layout.place[f"count[{i}]"] for i in range(counters)]
    counts = [dag.read(1, number, (0, most)) for number in numbers]
    lowered.representative = dict(zip(numbers, ascending(dag, counts), strict=True))
    levels = [{sorted_counts(system, state) for state in system.initials}]
    found = set(levels[0])
    for _ in range(4):
        after = {
            sorted_counts(system, system.steps[action](state, *args)[0])
            for state in levels[-1]
            for action, args in system.enabled(system.view(state), state)
        }
        levels.append(after - found)
        found |= after
    graph = run_compiled(system, states=len(found))
    ends = graph.search.levels
    for level, states in enumerate(levels[: len(ends) - 1]):
        assert {graph.state(n) for n in range(ends[level], ends[level + 1])} == states
