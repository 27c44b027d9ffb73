"""From what size owners pay: one process with one thread, and a search over owners on this machine.

    python -m tests.bench.owners [--owners 2] [--case NAME]

Needs the extra ``cluster``. Prints for each system of the benchmark the seconds of both searches,
how many successors stayed with their owner, and the bytes handed on for each state. What is
explored before there are owners counts for both. Counts, levels, what breaks, and the shortest
order to it are compared: a difference ends the run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from fencecheck.explore.cluster.connection import connected
from fencecheck.explore.cluster.graph import ClusterGraph
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.resources import Resources
from fencecheck.explore.shortest import shortest_run
from fencecheck.explore.watch import Watch
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests.bench.cases import BOUNDS, CASES, STEPS_DESIGN, Case
from tests.bench.ours import ROOT
from tests.models_for_tests import bakery, journal, lamport, mcs, peterson, pipelined, two_phase

ALONE = 50_000  # states before there are owners
MODELS = (bakery, journal, lamport, mcs, peterson, pipelined, two_phase)
NAMES = {module.__name__.rpartition(".")[2]: module.BOUNDS for module in MODELS}


def systems() -> Iterator[tuple[str, System]]:
    """Yield the systems, loaded from files as other processes load them; of one much breaks."""
    for case in CASES:
        if case.states > ALONE:
            yield case.name, _system(case, {})
    unfenced = Case("F4 unfenced", "pipelined", (3, 2, 2, 1, 1), 0, 0)
    yield unfenced.name, _system(unfenced, {"fenced": "off"})


def _system(case: Case, mechanisms: dict[str, str]) -> System:
    if case.kind in BOUNDS:
        family, names, mechanisms = load_family("fence"), BOUNDS[case.kind], STEPS_DESIGN
    else:
        family = load_family(str(ROOT / f"tests/models_for_tests/{case.kind}.py"))
        names = NAMES[case.kind]
    return System(family, family.design(mechanisms, dict(zip(names, case.sizes, strict=True))))


def said(system: System, graph: StateGraph) -> object:
    """Return what must not depend on owners."""
    found = graph.search
    runs = {
        prop.name: shortest_run(system, graph, found.broken[prop.name], prop)
        for prop in system.properties()
        if prop.name in found.broken
    }
    return found.levels, found.transitions, found.triggered, found.happened, runs


def main() -> None:
    """Search each system both ways, compare, and print a line of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, default=2)
    parser.add_argument("--case", action="append", help="only this system; repeatable")
    given = parser.parse_args()
    address = f"local:{given.owners}"
    connected(address)
    print("system             states  one process s  owners s  ratio  at home  bytes a state")
    for name, system in systems():
        if given.case and name not in given.case:
            continue
        watch = Watch(system, [p.name for p in system.properties() if not p.temporal])
        begun = time.perf_counter()
        alone = explore_compiled(system, watch, Limits(), Resources(1))
        middle = time.perf_counter()
        graph = ClusterExplorer(address=address, alone=ALONE).explore(system, watch, Limits())
        seconds = middle - begun, time.perf_counter() - middle
        if said(system, graph) != said(system, alone):
            raise SystemExit(f"{name}: owners do not find what one process finds")
        assert isinstance(graph, ClusterGraph)
        count, transitions = graph.search.count, graph.search.transitions
        sent = 8 * graph.kernel.packing.words * graph.handed
        print(
            f"{name:<14} {count:>10,} {seconds[0]:>14.2f} {seconds[1]:>9.2f} "
            f"{seconds[0] / seconds[1]:>6.2f} {1 - graph.handed / transitions:>8.0%} "
            f"{sent / count:>14.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
