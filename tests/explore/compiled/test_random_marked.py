"""Models by chance with versions, fresh values, counts and symmetric indices: one graph.

Both engines keep the same representatives, find the same edges between them, and say alike where a
value is ahead of its clock, a bag too full or something missing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.explore.compiled.kernel import emit
from fencecheck.explore.compiled.random_runs.batches import Walkers
from tests.explore.compiled.engines import edges, run_compiled, run_reference, told
from tests.explore.compiled.test_random_walks import by_hand, compiled
from tests.models_for_tests import load, system_of
from tests.models_for_tests.random_marked import marked_model

FEW = (0, 1, 2, 3, 5, 7, 8, 9, 11, 13)
MANY = tuple(seed for seed in range(160) if seed not in FEW)


def compare(folder: Path, seed: int) -> None:
    """Compare the engines on the first few hundred states of a model."""
    system = system_of(load(folder, marked_model(seed)).model, faults=1)
    assert system.lowered.representative is not None
    with pytest.MonkeyPatch.context() as patch:
        if seed % 2:  # blocks end everywhere
            patch.setattr(emit, "STRAIGHT", 1)
        expected, found = run_reference(system, states=200), run_compiled(system, states=200)
        assert told(system, found) == told(system, expected)
        if expected.search.complete:
            assert edges(system, found) == edges(system, expected)


@pytest.mark.parametrize("seed", FEW)
def test_random_models_with_marked_values_give_the_same_graph(tmp_path: Path, seed: int) -> None:
    """States, levels, edges, what breaks and what goes wrong are the same."""
    compare(tmp_path, seed)


@pytest.mark.parametrize("seed", FEW[::3])
def test_random_runs_of_models_with_marked_values_agree(tmp_path: Path, seed: int) -> None:
    """The compiled walks make the choices that a seed stands for."""
    system = system_of(load(tmp_path, marked_model(seed)).model, faults=1)
    batch = Walkers(system, system.properties()).walk(40, 20, 12)
    assert compiled(batch) == by_hand(system, 40, 20, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_many_random_models_with_marked_values(tmp_path: Path, seed: int) -> None:
    """The same for many more models."""
    compare(tmp_path, seed)
