"""States of models by chance, and the same states with other numbers and names, can do the same.

That is what makes one representative of them enough. It holds if whatever the language lets a model
do with such values commutes with renaming them.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from fencecheck.model.system import State, System
from fencecheck.runs.event import possible
from fencecheck.runs.random_run import random_walk
from tests.models_for_tests import load, system_of
from tests.models_for_tests.orbits import Orbits
from tests.models_for_tests.random_marked import marked_model

FEW, MANY = range(6), range(6, 120)


def compare(folder: Path, seed: int) -> None:
    """Compare states of a model made up by chance with the same ones renamed."""
    compare_renamed(system_of(load(folder, marked_model(seed)).model, faults=1), seed)


def compare_renamed(system: System, seed: int) -> None:
    """Rename some states by chance, and compare what can happen in them."""
    orbits, choose, found = Orbits(system), Random(seed), list[State]()
    for number in range(3):
        walk = random_walk(system, [], number, 10)
        found += [walk.start, *(event.after for event in walk.events)]
    small = [state for state in found if orbits.ways(state) <= 48]
    for state in choose.sample(small, min(4, len(small))):
        other = orbits.otherwise_named(state, choose)
        assert orbits.smallest(system.representative(state)) == orbits.smallest(state)
        assert orbits.smallest(system.representative(other)) == orbits.smallest(state)
        assert after(system, orbits, other) == after(system, orbits, state)


def after(system: System, orbits: Orbits, state: State) -> Counter[object]:
    return Counter(
        (event.action, orbits.smallest(event.after))
        for event in possible(system, state)
        if orbits.ways(event.after) <= 200
    )


@pytest.mark.parametrize("seed", FEW)
def test_renamed_states_can_do_the_same(tmp_path: Path, seed: int) -> None:
    """For every event there is one of the same name that leads to the same orbit."""
    compare(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_renamed_states_of_many_models_can_do_the_same(tmp_path: Path, seed: int) -> None:
    """The same for many more models."""
    compare(tmp_path, seed)
