"""Temporal properties over owners: the evidence of one process, only cycles gathered."""

from __future__ import annotations

import functools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fencecheck.explore.cluster.search as cluster
import fencecheck.properties.parted as parted
from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.explore.cluster.edge_driver import OwnedPlaces
from fencecheck.explore.cluster.graph import ClusterGraph
from fencecheck.explore.cluster.graph_owner import OwnerOfGraph
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.properties.parted import PartedJudge
from fencecheck.properties.temporal import TemporalJudge
from tests.explore.cluster.in_process import InProcess
from tests.explore.cluster.test_owners import SYSTEMS, Elsewhere, one_process
from tests.models_for_tests.random_graphs import graph_model
from tests.random_designs import FAMILIES, draw

CAN_FINISH = """
from fencecheck.model import Array, Index, Int, Model
model = Model("stairs", "Everyone climbs, and may come to a landing that nothing leads on from")
SIDE = Index("sides", "side")
model.bound("sides", 2, "climbers")
model.mechanism("door", ("open", "shut"), "open", "whether the landing has a door")
model.budget("pushes", "how often someone is pushed")
model.variable("at", Array(SIDE, Int(0, 12)), owner=model.store("store"))
climber, push = model.actor("climber"), model.actor("push", "interference")
@climber.action(side=SIDE, when=lambda s, side: s.at[side] < 11)
def climb(s, side):
    s.at[side] += 1
@climber.action(side=SIDE, when=lambda s, side: s.at[side] == 12 and s.door == "open")
def leave(s, side):
    s.at[side] = 0
@push.interference("pushes", side=SIDE, when=lambda s, side: 3 <= s.at[side] < 11)
def shove(s, side):
    s.at[side] = 12
@model.possibility()
def up(s):
    "Everyone can get to the top."
    return all(at == 11 for at in s.at)
"""


def both(
    make: Any, owners: int, alone: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[ClusterGraph, dict[str, Any], dict[str, Any]] | None:
    """Return what owners and one process say of temporal properties; None for a small space."""
    monkeypatch.setattr(cluster, "connected", lambda address: InProcess(owners))
    system = make()
    graph = ClusterExplorer("compiled", alone=alone).explore(system, Watch(system), Limits())
    if not isinstance(graph, ClusterGraph) or graph.search.failure is not None:
        return None
    over = PartedJudge(system, graph, system.properties(), None)
    other = make()
    alone_graph = one_process(other)
    assert figures(graph) == figures(alone_graph)
    here = TemporalJudge(other, alone_graph, other.properties())
    return graph, told(system, over), told(other, here)


def figures(graph: StateGraph) -> tuple[Any, ...]:
    search = graph.search
    return search.levels, search.transitions, search.triggered, search.held_back, search.happened


def told(system: System, judge: TemporalJudge) -> dict[str, Any]:
    asked = [prop for prop in system.properties() if prop.temporal]
    return {prop.name: (judge.judge(prop), judge.triggered(prop)) for prop in asked}


def test_the_state_of_which_no_bit_is_set_is_found_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is what an empty filter of states just sent would hold."""
    (tmp_path / "stairs.py").write_text(CAN_FINISH)
    family = load_family(str(tmp_path / "stairs.py"))
    make = functools.partial(System, family, family.design({}, {"pushes": 2}))
    found = both(make, 2, 20, monkeypatch)
    assert found is not None
    numbers, graph = make().lowered.layout.numbers, found[0]
    assert any(not any(numbers(graph.state(n))) for n in range(graph.search.count))


@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("owners", [2, 3, 4])
def test_random_graphs_are_judged_as_by_one_process(
    owners: int, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    violated = 0
    for seed in range(4 * block, 4 * block + 4):
        text, bounds = graph_model(seed)
        (tmp_path / f"graph_{seed}.py").write_text(text)
        family = load_family(str(tmp_path / f"graph_{seed}.py"))
        make = functools.partial(System, family, family.design({}, bounds))
        found = both(make, owners, 4, monkeypatch)
        if found is not None:
            assert found[1] == found[2], seed
            violated += sum(evidence is not None for evidence, _ in found[1].values())
    assert violated


@pytest.mark.parametrize("name", FAMILIES)
def test_random_designs_are_judged_as_by_one_process(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of designs of one shape, which one kernel serves."""
    family, chance = load_family(name), random.Random(f"over owners {name}")
    like = family.design({}, SYSTEMS[name][2])
    compared = 0
    for owners in (2, 3, 4):
        design = draw(family, chance, like)
        found = both(functools.partial(System, family, design), owners, 20, monkeypatch)
        if found is not None:
            assert found[1] == found[2], design
            compared += 1
    assert compared


def refuse(graph: ClusterGraph) -> Any:
    raise AssertionError("states are gathered")


@pytest.mark.parametrize(("door", "verdict"), [("open", "holds"), ("shut", "violated")])
@pytest.mark.parametrize("owners", [2, 3, 4])
def test_what_can_always_be_reached_is_found_by_owners_alone(
    door: str, verdict: str, owners: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stairs.py").write_text(CAN_FINISH)
    family = load_family(str(tmp_path / "stairs.py"))
    design = family.design({"door": door}, {"pushes": 2})
    monkeypatch.setattr(cluster, "connected", lambda address: InProcess(owners))
    for gathers in ("gathered", "kept"):
        monkeypatch.setattr(ClusterGraph, gathers, refuse)
    results = []
    for place in (None, Elsewhere()):
        options = Options(elsewhere=place, engine="compiled")  # type: ignore[arg-type]
        results += check_design(family, design, Question(("up",)), options).findings
    assert [finding.verdict for finding in results] == [verdict] * 2
    assert results[0] == results[1]


def test_only_what_may_lie_on_a_cycle_is_gathered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def size_of(door: str) -> tuple[int, int]:
        (tmp_path / "stairs.py").write_text(CAN_FINISH)
        family = load_family(str(tmp_path / "stairs.py"))
        system = System(family, family.design({"door": door}, {"pushes": 1}))
        monkeypatch.setattr(cluster, "connected", lambda address: InProcess(3))
        explorer = ClusterExplorer("compiled", alone=20)
        graph = explorer.explore(system, Watch(system), Limits())
        assert isinstance(graph, ClusterGraph)
        return graph.keep_cyclic(0)

    assert size_of("open") == size_of("shut") == (0, 0)


ROUND = """
from fencecheck.model import Int, Model
model = Model("round", "A long way, at the end of which two places are passed in turn")
model.variable("at", Int(0, 120), owner=model.store("store"))
walker = model.actor("walker")
@walker.action(when=lambda s: s.at < 120)
def go(s):
    s.at += 1
@walker.action(when=lambda s: s.at == 120)
def back(s):
    s.at = 118
@model.liveness()
def home(s):
    "It comes home."
    return s.at == 60 and s.at == 61
"""


@pytest.fixture
def circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Family:
    (tmp_path / "round.py").write_text(ROUND)
    monkeypatch.setattr(cluster, "connected", lambda address: InProcess(2))
    return load_family(str(tmp_path / "round.py"))


def test_a_cycle_is_gathered_and_then_the_way_to_it(circle: Family) -> None:
    system = System(circle, circle.design())
    graph = ClusterExplorer("compiled", alone=20).explore(system, Watch(system), Limits())
    assert isinstance(graph, ClusterGraph)
    assert graph.keep_cyclic(0) == (3, 3)
    part = graph.kept()
    assert part.numbers.tolist() == [118, 119, 120]
    assert part.edges.targets.tolist() == [1, 2, 0]
    assert graph.nearest_starts([118], 0, None) == [0]
    assert graph.keep_ways([0]) == (121, 121)


@pytest.mark.parametrize("short", ["here", "there"])
def test_what_does_not_fit_is_undetermined_by_name(
    short: str, circle: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    if short == "here":
        monkeypatch.setattr(parted, "fits", lambda states, edges, memory: False)
    else:
        monkeypatch.setattr(OwnerOfGraph, "has_room", lambda self, needed: False)
    options = Options(elsewhere=Elsewhere(), engine="compiled")  # type: ignore[arg-type]
    (finding,) = check_design(circle, circle.design(), Question(("home",)), options).findings
    assert (finding.verdict, finding.reason) == ("undetermined", "memory")


def test_numbers_and_places_of_owners_are_told_from_each_other() -> None:
    """Levels of which an owner has nothing included."""
    shares = [[1, 0, 0], [0, 2, 3], [4, 0, 0], [1, 1, 1]]
    levels = [0, *np.cumsum(np.sum(shares, axis=1)).tolist()]
    places = OwnedPlaces(levels, shares)
    found = places.places(range(levels[-1]))
    assert [own.tolist() for own in found] == [list(range(6)), list(range(3)), list(range(4))]
    assert places.numbers(0, found[0]).tolist() == [0, 6, 7, 8, 9, 10]
    assert places.numbers(2, found[2]).tolist() == [3, 4, 5, 12]
