"""Models by chance that the discipline lets through do the same whatever their values are called.

So what the lowering accepts of versions, fresh values and symmetric indices is what commutes with
giving them other names.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from fencecheck.model.system import State, System
from fencecheck.runs.event import MODEL_ERRORS
from tests.explore.compiled.engines import run_reference
from tests.models_for_tests import load, system_of
from tests.models_for_tests.orbits import Orbits
from tests.models_for_tests.random_marked import marked_model

STATES = 5


def ways(system: System, orbits: Orbits, state: State) -> Counter[object]:
    """Return how often each event leads into each orbit, or goes wrong."""
    found = Counter[object]()
    for number, args in system.enabled(system.view(state), state):
        try:
            after, outcome = system.steps[number](state, *args)
            wrong = system.escapes(number, state, after)
        except MODEL_ERRORS:
            wrong = True
        name = system.actions[number].name
        found[(name, "wrong") if wrong else (name, outcome, orbits.smallest(after))] += 1
    return found


def compare(folder: Path, seed: int) -> None:
    """Compare what some states of a model can do with what they can do under other names."""
    system = system_of(load(folder, marked_model(seed)).model, faults=1)
    orbits, choose = Orbits(system), random.Random(seed)
    graph = run_reference(system, states=100)
    for number in choose.sample(range(graph.search.count), min(STATES, graph.search.count)):
        state = graph.state(number)
        other = orbits.otherwise_named(state, choose)
        assert orbits.smallest(other) == orbits.smallest(state)
        assert system.representative(system.representative(other)) == system.representative(other)
        assert ways(system, orbits, other) == ways(system, orbits, state)


@pytest.mark.parametrize("seed", range(6))
def test_other_names_can_do_the_same(tmp_path: Path, seed: int) -> None:
    """For every event of a state, a renamed one has one that leads to the same orbit."""
    compare(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6, 100))
def test_other_names_can_do_the_same_in_many_models(tmp_path: Path, seed: int) -> None:
    """The same for many more models."""
    compare(tmp_path, seed)
