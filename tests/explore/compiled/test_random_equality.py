"""Models made up by chance: both engines give the same graph, or the same model error.

What they say of programs of which all states can be seen is also what the third judge says.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from fencecheck.errors import ModelError
from fencecheck.explore.compiled.kernel import emit, regions, rows
from fencecheck.model.family import Family
from fencecheck.model.lower import dag
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp
from tests.explore.compiled.engines import (
    edges,
    lasting,
    run_compiled,
    run_reference,
    told,
    told_in_any_order,
)
from tests.judge import disagreements
from tests.models_for_tests import load, system_of
from tests.models_for_tests.random_models import held_back, model_texts
from tests.models_for_tests.random_programs import program

LARGE = 400  # looks at the clock while a program is lowered; most programs need fewer than 60
BY_CHANCE = settings(
    max_examples=8,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # to shrink means to compile hundreds of kernels
    suppress_health_check=list(HealthCheck),
)


def compare(folder: pytest.TempPathFactory, text: str) -> None:
    """Compare the engines on the first few hundred states of a model."""
    mode = "narrow" if len(text) % 2 else "wide"
    this = system_of(load(folder.mktemp("chance"), text).model, {"mode": mode}, faults=1)
    with pytest.MonkeyPatch.context() as patch:
        if len(text) % 4 < 2:  # every region is jumped over where it can be, however small
            patch.setattr(regions, "JUMP", 0)
        if len(text) % 8 < 4:  # blocks end everywhere, and what is not written is copied
            patch.setattr(emit, "STRAIGHT", 1 + len(text) % 16)
            patch.setattr(rows, "FEW", 0)
        expected, found = run_reference(this, states=200), run_compiled(this, states=200)
        assert told(this, found) == told(this, expected)
        if expected.search.complete:
            assert edges(this, found) == edges(this, expected)
        other = run_compiled(this, threads=2, states=200)
    assert told_in_any_order(this, other) == told_in_any_order(this, expected)


@BY_CHANCE
@given(text=model_texts())
def test_random_models_give_the_same_graph(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """States, levels, edges, what breaks and what goes wrong are the same."""
    compare(tmp_path_factory, text)


@settings(BY_CHANCE, max_examples=6)
@given(text=model_texts())
def test_models_with_bounds_that_hold_back_give_the_same_graph(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """And the same events are held back."""
    compare(tmp_path_factory, held_back(text))


@pytest.mark.slow
@settings(BY_CHANCE, max_examples=150)
@given(text=model_texts())
def test_many_random_models_give_the_same_graph(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """The same for many more models."""
    compare(tmp_path_factory, text)


def refused(text: str, folder: Path) -> bool:
    """Tell whether a program is outside the subset, or too large, as a few are by chance.

    How large it is, is how often lowering looks at the clock: the same on every machine. A helper
    in a loop in a loop can take minutes, and shows nothing that smaller programs do not.
    """
    looks = itertools.count()

    def looked_at() -> None:
        if next(looks) > LARGE:
            raise TimeUp

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dag, "check_time", looked_at)
        try:
            system_of(load(folder, text).model)
        except (ModelError, TimeUp):
            return True
    return False


def three_agree(folder: Path, seed: int) -> bool:
    """Compare the engines and the third judge on a program; tell whether it was accepted."""
    text, bounds = program(seed), {"faults": 1}
    if refused(text, folder):
        return False
    family = Family(load(folder, text).model)
    chosen = {"mode": "narrow" if seed % 3 else "wide"}
    this = System(family, family.design(chosen, bounds))
    expected, found = run_reference(this, states=400), run_compiled(this, states=400)
    assert told(this, found) == told(this, expected), f"seed {seed}"
    if expected.search.stopped_by != "states":
        assert disagreements(family, chosen, bounds, "reference") == [], f"seed {seed}"
    if expected.search.complete:
        assert lasting(this, found) == lasting(this, expected), f"seed {seed}"
        assert edges(this, found) == edges(this, expected), f"seed {seed}"
    return True


def test_engines_and_judge_agree_on_programs_by_chance(tmp_path: Path) -> None:
    """Graphs, verdicts of every kind of property and their evidence are the same."""
    accepted = [three_agree(tmp_path, seed) for seed in range(10)]
    assert sum(accepted) > 6


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_engines_and_judge_agree_on_many_programs(tmp_path: Path, block: int) -> None:
    """The same for many more programs."""
    accepted = [three_agree(tmp_path, 100 + 25 * block + i) for i in range(25)]
    assert sum(accepted) > 10
