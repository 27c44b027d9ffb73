"""Wide, deep and long graphs by chance, and many small actions: both engines find the same."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.storage import store
from fencecheck.explore.graph import Limits
from fencecheck.explore.watch import Watch
from tests.explore.compiled.engines import (
    edges,
    run_compiled,
    run_reference,
    told,
    told_in_any_order,
)
from tests.models_for_tests import load, system_of
from tests.models_for_tests.random_shapes import SHAPES, shaped_model

STATES = {"wide": 20_000, "deep": 16_000, "long": 1_200, "many small": 400}


def compare(folder: Path, shape: str, seed: int) -> None:
    """Compare the engines with one thread, and with more; tables are small at first for some."""
    system = system_of(load(folder, shaped_model(shape, seed)).model, spills=1)
    limit = STATES[shape]
    with pytest.MonkeyPatch.context() as patch:
        if seed % 2:
            patch.setattr(store, "_FIRST_LINES", 1)
        expected, found = run_reference(system, states=limit), run_compiled(system, states=limit)
        assert told(system, found) == told(system, expected)
        if expected.search.complete and expected.search.count < 5_000:
            assert edges(system, found) == edges(system, expected)
        for threads in (2, 3):
            other = run_compiled(system, threads=threads, states=limit)
            assert told_in_any_order(system, other) == told_in_any_order(system, expected)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
def test_engines_agree_on_graphs_of_every_shape(tmp_path: Path, shape: str, seed: int) -> None:
    """States, levels, edges, what breaks and what goes wrong are the same."""
    compare(tmp_path, shape, seed)


def test_the_shapes_are_what_they_are_called(tmp_path: Path) -> None:
    """Levels of more states than a thread takes at a time, thousands of levels, many words."""
    systems = [
        system_of(load(tmp_path, shaped_model(shape, seed)).model)
        for shape, seed in (("wide", 2), ("deep", 0), ("long", 0))
    ]
    wide, deep, long = (explore_compiled(each, Watch(each), Limits(16_000)) for each in systems)
    assert max(b - a for a, b in itertools.pairwise(wide.search.levels)) > slots.CHUNK
    assert deep.search.depth > 2_000
    assert long.kernel.packing.words > 8


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 40))
@pytest.mark.parametrize("shape", SHAPES)
def test_engines_agree_on_many_graphs(tmp_path: Path, shape: str, seed: int) -> None:
    """The same for many more."""
    compare(tmp_path, shape, seed)
