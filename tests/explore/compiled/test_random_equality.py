"""Models made up by chance: both engines give the same graph, or the same model error."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from fencecheck.explore.compiled.kernel import regions
from tests.explore.compiled.engines import (
    edges,
    run_compiled,
    run_reference,
    told,
    told_in_any_order,
)
from tests.models_for_tests import load, system_of
from tests.models_for_tests.random_models import model_texts

BY_CHANCE = settings(
    max_examples=12,
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


@pytest.mark.slow
@settings(BY_CHANCE, max_examples=150)
@given(text=model_texts())
def test_many_random_models_give_the_same_graph(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """The same for many more models."""
    compare(tmp_path_factory, text)
