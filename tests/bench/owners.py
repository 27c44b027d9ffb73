"""From what size owners pay: one process with one thread, and a search over owners on this machine.

    python -m tests.bench.owners [--owners 2]

Needs the extra ``cluster``. Prints for each system, of both, the seconds of the search and states a
second; how many successors stayed at home; and the bytes handed on for each
state. States that are explored before there are owners count for both.
"""

from __future__ import annotations

import argparse
import time

from fencecheck.explore.cluster.connection import connected
from fencecheck.explore.cluster.graph import ClusterGraph
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources
from fencecheck.explore.watch import Watch
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests.bench.ours import ROOT
from tests.models_for_tests import pipelined

SIZES = ((3, 3, 2, 1, 1), (4, 2, 2, 1, 1), (5, 2, 1, 1, 1), (4, 3, 2, 1, 1))
ALONE = 100_000  # states before there are owners


def system_of_size(sizes: tuple[int, ...]) -> System:
    """Return the pipelined fence, loaded from its file as other processes load it."""
    family = load_family(str(ROOT / "tests/models_for_tests/pipelined.py"))
    bounds = dict(zip(pipelined.BOUNDS, sizes, strict=True))
    return System(family, family.design({}, bounds))


def main() -> None:
    """Search each system both ways, and print a line of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, default=2)
    address = f"local:{parser.parse_args().owners}"
    connected(address)
    print("system             states  one process s  owners s  ratio  at home  bytes a state")
    for sizes in SIZES:
        system = system_of_size(sizes)
        watch = Watch(system)
        begun = time.perf_counter()
        alone = explore_compiled(system, watch, Limits(), Resources(1)).search
        middle = time.perf_counter()
        graph = ClusterExplorer(address=address, alone=ALONE).explore(system, watch, Limits())
        seconds = middle - begun, time.perf_counter() - middle
        found = graph.search
        if (found.levels, found.transitions) != (alone.levels, alone.transitions):
            raise SystemExit(f"{sizes}: owners found {found.count} states, not {alone.count}")
        assert isinstance(graph, ClusterGraph)
        handed, words = graph.handed, graph.kernel.packing.words
        home = 1 - handed / found.transitions
        print(
            f"F{str(sizes).replace(' ', ''):<14} {found.count:>9,} {seconds[0]:>14.2f} "
            f"{seconds[1]:>9.2f} {seconds[0] / seconds[1]:>6.2f} {home:>8.0%} "
            f"{8 * words * handed / found.count:>14.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
