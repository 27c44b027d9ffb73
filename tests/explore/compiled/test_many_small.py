"""Models of hundreds of small actions over many words: short blocks, few rows, the same graph."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from fencecheck.explore.compiled.kernel import compile as kernel
from fencecheck.explore.compiled.kernel import emit, regions, rows
from fencecheck.explore.compiled.kernel.plan import KernelPlan, plan_edges, plan_kernel
from fencecheck.explore.compiled.kernel.regions import JumpRegion, regions_of
from fencecheck.explore.compiled.kernel.rows import ScratchRows
from fencecheck.explore.compiled.kernel.text import KernelText
from fencecheck.explore.compiled.storage.packing import pack_fields
from fencecheck.model.system import System
from tests.explore.compiled.engines import edges, run_compiled, run_reference, told
from tests.models_for_tests import load, system_of
from tests.models_for_tests.many_small import NARROW, WIDE, many_small


def model(folder: Path, actions: int, variables: int, ways: int, high: int = NARROW) -> System:
    """Return a model of many small actions, ready to run."""
    text = many_small(actions, variables, ways=ways, high=high)
    return system_of(load(folder, text).model, spills=1)


def text_of(system: System, plan: KernelPlan) -> str:
    """Return the text of a kernel."""
    return KernelText(plan, pack_fields(system.lowered.layout, narrow=True)).text()


def blocks(text: str) -> list[int]:
    """Return how many instructions each block of a module has."""
    found = [0]
    for line in text.splitlines():
        if line.endswith(":"):
            found.append(0)
        found[-1] += " = " in line
    return found


def inner(region: JumpRegion) -> list[JumpRegion]:
    """Return all regions that stand in a region."""
    return [*region.parts, *itertools.chain(*map(inner, region.parts))]


@pytest.mark.parametrize(("actions", "ways"), [(300, 0), (5, 200)])
def test_no_block_of_a_kernel_is_long(tmp_path: Path, actions: int, ways: int) -> None:
    """Neither that of many actions nor that of the many ways of one."""
    system = model(tmp_path, actions, 16, ways)
    watched = [p for p in system.properties() if not p.temporal]
    plans = [
        plan_kernel(system.lowered, system.actions, watched),
        plan_edges(system.lowered, range(len(system.actions)), []),
    ]
    for plan in plans:
        found = blocks(text_of(system, plan))
        assert sum(found) > 10 * emit.STRAIGHT
        assert max(found) <= emit.STRAIGHT + 50  # what one node and its stores can add


def test_small_cases_are_taken_together(tmp_path: Path) -> None:
    """All but the last few stand in regions that are worth a jump, none in one much larger."""
    system = model(tmp_path, 300, 16, 0)
    whole = regions_of(plan_kernel(system.lowered, system.actions, []))
    alone = [part for part in whole.parts if not part.worth_a_jump]
    assert sum(part.work for part in alone) < regions.JUMP
    largest = max(part.work for part in whole.parts if len(part.parts) > 1)
    assert largest < 2 * regions.JUMP


def test_a_case_has_rows_for_the_words_that_it_changes(tmp_path: Path) -> None:
    """Where states have many words; where they have few, for every one."""
    for variables, words in ((16, 8), (6, 3)):
        system = model(tmp_path, 40, variables, 0)
        plan = plan_kernel(system.lowered, system.actions, [])
        packing = pack_fields(system.lowered.layout, narrow=True)
        assert packing.words == words
        found = ScratchRows(plan, packing, 8)
        most = max(map(len, found.of_case))
        assert most == (words if words <= rows.FEW else 2)
        assert found.masks_at == 8 * sum(map(len, found.of_case))


SHAPES = [(40, 12, 0, NARROW), (12, 5, 40, WIDE), (70, 20, 8, NARROW), (20, 2, 33, WIDE)]


@pytest.mark.parametrize("straight", [1, 256])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_both_engines_find_the_same(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    shape: tuple[int, int, int, int],
    straight: int,
) -> None:
    """Wherever blocks end, and whether all cases are jumped over or only many together."""
    monkeypatch.setattr(emit, "STRAIGHT", straight)
    monkeypatch.setattr(kernel, "_kernels", {})
    if straight == 1:
        monkeypatch.setattr(regions, "JUMP", 8)
        monkeypatch.setattr(rows, "FEW", 0)
    system = model(tmp_path, *shape)
    expected, found = (run(system, states=300) for run in (run_reference, run_compiled))
    assert told(system, found) == told(system, expected)
    assert expected.search.transitions > 50
    if expected.search.complete:
        assert edges(system, found) == edges(system, expected)
