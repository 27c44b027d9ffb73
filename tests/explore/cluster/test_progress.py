"""What a search over owners says as it goes: of all together, and of each owner."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fencecheck.explore.cluster.owner as owner
import fencecheck.explore.cluster.search as cluster
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.resources import Resources, Tick
from fencecheck.explore.watch import Watch
from tests.explore.cluster.in_process import InProcess
from tests.explore.cluster.test_owners import system_named


def listened(ray: InProcess, monkeypatch: pytest.MonkeyPatch) -> tuple[StateGraph, list[Tick]]:
    """Search with owners in this process, in pieces of few states."""
    for module in (owner, cluster):
        monkeypatch.setattr(module, "PIECE", 200)
    monkeypatch.setattr(cluster, "connected", lambda address: ray)
    ticks, system = list[Tick](), system_named("pipelined")
    explorer = ClusterExplorer("compiled", Resources(every=0.0), alone=50)
    explorer.resources = replace(explorer.resources, progress=ticks.append)
    graph = explorer.explore(system, Watch(system), Limits(memory=8 << 30))
    return graph, [tick for tick in ticks if tick.owners]


@pytest.mark.parametrize("owners", [2, 5])
def test_each_owner_says_its_states_memory_and_speed(
    owners: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, ticks = listened(InProcess(owners), monkeypatch)
    assert ticks
    for tick in ticks:
        assert len(tick.owners) == owners
        assert tick.states == sum(one.states for one in tick.owners)
        assert tick.memory == sum(one.memory for one in tick.owners)
        assert min(one.memory for one in tick.owners) > 1 << 20
        assert tick.budget == owners * (8 << 30)
    assert min(one.speed for one in ticks[-1].owners) > 0
    assert ticks[0].states < ticks[-1].states <= graph.search.count


def test_states_are_told_before_a_level_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, ticks = listened(InProcess(2), monkeypatch)
    states = [tick.states for tick in ticks]
    assert states == sorted(states)
    assert set(states) - set(graph.search.levels)


def test_the_owners_told_of_are_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """New ones begin with what was saved, and have found nothing themselves."""
    ends = 0

    def dies(name: str, call: int) -> bool:
        nonlocal ends
        ends += name == "end_level"
        return name == "end_level" and ends == 12

    graph, ticks = listened(InProcess(3, dies=dies), monkeypatch)
    began = [tick for tick in ticks if not any(one.speed for one in tick.owners)]
    assert len({tick.depth for tick in began}) == 2
    assert all(tick.states in graph.search.levels for tick in began)


def test_the_seconds_told_count_from_the_first_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was searched before there were owners is part of the search."""
    alone = ClusterExplorer._alone

    def slow(*args: object) -> StateGraph:
        graph = alone(*args)  # type: ignore[arg-type]
        graph.search.seconds += 1_000
        return graph

    monkeypatch.setattr(ClusterExplorer, "_alone", slow)
    graph, ticks = listened(InProcess(2), monkeypatch)
    told = [ticks[0].seconds, ticks[-1].seconds, graph.search.seconds]
    assert told == sorted(told)
    assert told[0] > 1_000
