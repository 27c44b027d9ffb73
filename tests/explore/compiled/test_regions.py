"""The parts of a kernel that are jumped over: what is in them, and that jumping changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fencecheck.explore.compiled.kernel import compile as kernel
from fencecheck.explore.compiled.kernel import regions
from fencecheck.explore.compiled.kernel import text as kernel_text
from fencecheck.explore.compiled.kernel.plan import KernelPlan, plan_edges, plan_kernel
from fencecheck.explore.compiled.kernel.regions import JumpRegion, regions_of
from fencecheck.explore.compiled.storage.packing import pack_fields
from fencecheck.model.system import System
from tests.explore.compiled.designs import STRUCTURES, Design, label, system
from tests.explore.compiled.engines import run_compiled, run_reference, told

FENCE: Design = ("fence", {"journal": "atomic"}, {"lost_replies": 1, "preemptions": 1, "edits": 1})


def plans(this: System) -> list[KernelPlan]:
    """Return the plan of a search, and the plan that labels edges."""
    watched = [p for p in this.properties() if p.kind in ("invariant", "transition", "deadlock")]
    search = plan_kernel(this.lowered, this.actions, watched)
    return [search, plan_edges(this.lowered, list(range(len(this.actions))), [])]


def walked(
    region: JumpRegion, known: frozenset[int]
) -> Iterator[tuple[JumpRegion, frozenset[int]]]:
    """Give every region with the numbers of the nodes that are known once it was entered."""
    for node in region.nodes:
        assert all(arg.number in known for arg in node.args), "computed before what it needs"
        assert node.number not in known, "computed twice"
        known |= {node.number}
    yield region, known
    for part in region.parts:
        yield from walked(part, known)


@pytest.mark.parametrize("design", STRUCTURES, ids=label)
def test_a_case_finds_what_it_needs_and_a_region_holds_its_cases(design: Design) -> None:
    """Nodes come after their arguments; no node is computed in two places."""
    for plan in plans(system(design)):
        whole, everywhere = regions_of(plan), list[int]()
        leaves = []
        for region, known in walked(whole, frozenset()):
            everywhere += [node.number for node in region.nodes]
            assert all(plan.cases[c].enabled.number in known for c in region.cases)
            if region.parts:
                inner = [case for part in region.parts for case in part.cases]
                assert sorted(region.cases) == sorted(inner)
            else:
                (case,) = region.cases
                leaves.append(case)
                assert all(node.number in known for node in plan.cases[case].nodes())
        assert sorted(leaves) == list(range(len(plan.cases)))
        assert len(everywhere) == len(set(everywhere))


def test_what_one_action_needs_is_not_computed_for_the_others() -> None:
    """Most of family fence lies in regions, and plans made anew share one."""
    this = system(FENCE)
    plan = plans(this)[0]
    whole = regions_of(plan)
    inside = sum(part.work for part in whole.parts)
    assert inside > len(whole.nodes)
    groups = [{this.actions[plan.cases[c].action].name for c in p.cases} for p in whole.parts]
    anew = {"planner.replan", "router.swap_model", "router.swap_model_drifted", "tests.fail"}
    assert anew in groups


@pytest.mark.parametrize(("jump", "many"), [(0, 1024), (0, 2), (64, 1024), (64, 2), (10**6, 1024)])
def test_jumping_changes_nothing(monkeypatch: pytest.MonkeyPatch, jump: int, many: int) -> None:
    """All regions are jumped over, some, none, asked by cases or by parts: the same graph."""
    monkeypatch.setattr(regions, "JUMP", jump)
    monkeypatch.setattr(kernel_text, "MANY", many)
    monkeypatch.setattr(kernel, "_kernels", {})
    this = system(FENCE)
    assert told(this, run_compiled(this)) == told(this, run_reference(this))


def test_of_many_cases_each_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again for each region around it, as few are."""
    monkeypatch.setattr(regions, "JUMP", 0)
    this, rows = system(FENCE), list[int]()
    packing = pack_fields(this.lowered.layout, narrow=True)
    for many in (2, 1024):
        monkeypatch.setattr(kernel_text, "MANY", many)
        text = kernel_text.KernelText(plans(this)[0], packing)
        rows.append(text.text().count(f"= or {text.e.mask} "))
    assert rows[0] < rows[1]
