"""The state graph for other tools: the graph of the engines, its parts, and two formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx
import pytest

from fencecheck.analysis.state_graph import Extent, state_graph
from fencecheck.checking.check import check_spec
from fencecheck.errors import UsageError
from fencecheck.explore.graph import Limits
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System
from fencecheck.report.picture.render import _run, renderer
from fencecheck.report.results.state_graph import graph_to_dot, graph_to_graphml
from fencecheck.runs.replay import rerun
from fencecheck.spec.files import load_specs

SPECS = Path(__file__).parents[2] / "specs"
WHOLE = Extent(5_000)


def loaded(name: str) -> tuple[Any, System]:
    """Return a spec and the system of its first variant."""
    (spec,) = load_specs([SPECS / name])
    return spec, System(spec.family, spec.variants[0].design)


@pytest.fixture(scope="module")
def graph() -> Any:
    """Return the state graph of a small design that breaks a property."""
    _, system = loaded("incidents/n53_slow_worker.toml")
    return state_graph(system, system.properties(), WHOLE)


@pytest.mark.parametrize(
    "name",
    ["incidents/n53_slow_worker.toml", "incidents/n49_waiter_lapsed.toml", "facts/any_number.toml"],
)
def test_it_is_the_graph_that_the_reference_engine_explores(name: str) -> None:
    """State for state, in the same order, and edge for edge; also up to names."""
    _, system = loaded(name)
    known = explore(system, Watch(system, []), Limits())
    found = state_graph(system, [], WHOLE)
    assert found.number_of_nodes() == known.search.count
    edges = [(n, to) for n in range(known.search.count) for _, _, to in known.out_edges(n)]
    assert sorted((a, b) for a, b, _ in found.edges) == sorted(edges)
    assert found.nodes[0]["initial"]


def test_a_graph_of_too_many_states_is_refused_with_what_to_do() -> None:
    """The limit is said, and that a part can be had; at the limit exactly it is made."""
    _, system = loaded("incidents/n53_slow_worker.toml")
    with pytest.raises(UsageError, match=r"more than 44 states: .*--around.*--depth N.*--limit"):
        state_graph(system, [], Extent(44))
    assert state_graph(system, [], Extent(45)).number_of_nodes() == 45


def test_depth_keeps_the_first_levels_and_the_edges_among_them() -> None:
    """No state further away, and no edge into one."""
    _, system = loaded("incidents/n53_slow_worker.toml")
    known = explore(system, Watch(system, []), Limits())
    for depth in (0, 1, 3):
        part = state_graph(system, [], Extent(5_000, depth))
        assert part.number_of_nodes() == known.search.levels[depth + 1]
        inside = [e for n in part for e in known.out_edges(n) if e[2] in part]
        assert part.number_of_edges() == len(inside)


def test_around_a_trace_is_the_trace_and_what_lies_near() -> None:
    """Its states come first, its events are marked, and the one that breaks says what."""
    spec, _ = loaded("incidents/n53_slow_worker.toml")
    trace = check_spec(spec).variants[0]["one_effect"].trace
    assert trace is not None
    system, again = rerun(spec.family, trace)
    part = state_graph(system, system.properties(), Extent(5_000, 1), again.events)
    on_trace = [number for number, state in part.nodes(data=True) if state["on_trace"]]
    assert on_trace == list(range(len(trace.events) + 1))
    steps = {(a, b) for a, b, event in part.edges(data=True) if event["on_trace"]}
    assert steps == {(n, n + 1) for n in range(len(trace.events))}
    assert part.nodes[len(trace.events)]["breaks"] == "one_effect"
    assert len(on_trace) < part.number_of_nodes() < 45


def test_what_breaks_in_an_event_is_marked_on_its_edge() -> None:
    """A lost update is of a transition, so no state shows it."""
    spec, _ = loaded("facts/no_fence.toml")
    trace = check_spec(spec).variants[0]["no_lost_update"].trace
    assert trace is not None
    system, again = rerun(spec.family, trace)
    part = state_graph(system, system.properties(), Extent(5_000, 0), again.events)
    (last,) = [event for a, _, event in part.edges(data=True) if a == len(trace.events) - 1]
    assert "no_lost_update" in last["breaks"]
    assert all(not state["breaks"] for _, state in part.nodes(data=True))


def test_graphml_is_read_back_by_networkx(graph: Any, tmp_path: Path) -> None:
    """Nodes, edges and attributes are all there."""
    path = tmp_path / "x.graphml"
    path.write_text(graph_to_graphml(graph))
    again = networkx.read_graphml(path, node_type=int, force_multigraph=True)
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert sorted(d["event"] for *_, d in again.edges(data=True)) == sorted(
        d["event"] for *_, d in graph.edges(data=True)
    )


def test_dot_draws_every_state_and_event(graph: Any) -> None:
    """The renderer reads it; texts with what DOT gives a meaning to stay texts."""
    graph = graph.copy()
    graph.nodes[0]["breaks"] = 'a "b" <c> \\N {d}'
    dot = graph_to_dot(graph, 'title "x" <y>')
    drawn = _run(renderer().path, ["-Kdot", "-Tsvg"], dot.encode())
    assert drawn.returncode == 0, drawn.stderr
    svg = ElementTree.fromstring(drawn.stdout)
    kinds = [g.get("class") for g in svg.iter("{http://www.w3.org/2000/svg}g")]
    assert kinds.count("node") == graph.number_of_nodes()
    assert kinds.count("edge") == graph.number_of_edges()
    assert 'a "b" <c> \\N {d}' in "".join(svg.itertext())
