"""Temporal properties over two owners on Ray itself: verdicts, counts and runs of one process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.explore.cluster.connection import disconnect
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from tests.explore.cluster.test_lasting import CAN_FINISH
from tests.explore.cluster.test_on_ray import WHERE

pytestmark = pytest.mark.cluster
POISONED = {
    "intent": "on", "intent_hash": "on", "on_drift": "pin", "effect_key": "step",
    "commit": "separate", "reaper": "on", "poison": "ack",
}  # fmt: skip
CRASHES = {"steps": 2, "revocations": 2, "edits": 2}
LOSSES = {"steps": 3, "edits": 2, "lost_replies": 1, "duplicates": 1, "preemptions": 1}
DESIGNS: dict[str, tuple[str, dict[str, str], dict[str, Any], dict[str, str]]] = {
    "a step that crashes its worker, capped": (
        "ledger",
        POISONED | {"attempts": "2"},
        CRASHES,
        {"can_finish": "holds", "finishes": "holds", "bounded_retries": "holds"},
    ),
    "a step that crashes its worker for ever": (
        "ledger",
        POISONED,
        CRASHES,
        {"can_finish": "violated", "finishes": "violated", "bounded_retries": "violated"},
    ),
    "a reply is waited for": (
        "fence",
        {"retry": "same"},
        LOSSES,
        {"can_finish": "holds", "finishes": "holds"},
    ),
    "a reply is waited for in vain": (
        "fence",
        {"retry": "off"},
        LOSSES,
        {"can_finish": "violated", "finishes": "violated"},
    ),
}
# how many events there are in the loop of each behaviour for ever that is shown
LOOPS = {"a step that crashes its worker for ever": {"finishes": 8, "bounded_retries": 8}}


class OnRay:
    """Explores over two owners once there are some hundred states."""

    def explorer(self, options: Options) -> ClusterExplorer:
        return ClusterExplorer("compiled", address=WHERE, alone=500)


@pytest.fixture(autouse=True, scope="module")
def _leave() -> Iterator[None]:
    yield
    disconnect()


def both(family: Family, design: Design, names: tuple[str, ...]) -> list[VariantResult]:
    """Check a design in one process and over owners; see that both searched as they are to."""
    found = []
    for place in (None, OnRay()):
        options = Options(elsewhere=place, engine="compiled", exact=True)  # type: ignore[arg-type]
        found.append(check_design(family, design, Question(names), options))
    assert [one.exploration.threads for one in found] == [1, 2]
    here, there = (replace(one.exploration, seconds=0.0, threads=1) for one in found)
    assert here == there
    return found


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_are_judged_as_by_one_process(name: str) -> None:
    reference, mechanisms, bounds, verdicts = DESIGNS[name]
    family = load_family(reference)
    here, there = both(family, family.design(mechanisms, bounds), tuple(verdicts))
    assert {finding.name: finding.verdict for finding in there.findings} == verdicts
    assert there.findings == here.findings
    assert there.exploration.states > 3_000
    loops = {
        finding.name: len(finding.trace.events) - finding.trace.loop_start
        for finding in there.findings
        if finding.trace is not None and finding.trace.loop_start is not None
    }
    assert loops == LOOPS.get(name, {})


@pytest.mark.parametrize(("door", "verdict"), [("open", "holds"), ("shut", "violated")])
def test_a_model_from_a_file_is_judged_as_by_one_process(
    door: str, verdict: str, tmp_path: Path
) -> None:
    (tmp_path / "stairs.py").write_text(CAN_FINISH)
    family = load_family(str(tmp_path / "stairs.py"))
    design = family.design({"door": door}, {"sides": 3, "pushes": 2})
    here, there = both(family, design, ("up",))
    assert [finding.verdict for finding in there.findings] == [verdict]
    assert there.findings == here.findings
