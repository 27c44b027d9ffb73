"""What owners cost: one process with one thread, and searches over owners on this machine.

    python -m tests.bench.owners [--owners 2 4] [--case NAME] [--markdown]

Needs the extra ``cluster``. Searches each system in one process and over each number of owners, and
prints one table, with ``--markdown`` as it stands in reports/README.md: states, words of a state,
levels, how many successors stayed with their owner, bytes handed on for each state, seconds, and
how many times the processor time of one process all processes of the cluster take, Ray's own
included. What is explored before there are owners counts as theirs; the start of their processes is
told apart. Below the table it is said from what size they pay. Counts, levels, what breaks, and the
shortest order to it are compared: a difference ends the run.
"""

from __future__ import annotations

import argparse
import functools
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from fencecheck.explore.cluster.connection import connected
from fencecheck.explore.cluster.graph import ClusterGraph
from fencecheck.explore.cluster.search import ClusterExplorer
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.resources import Resources, Tick
from fencecheck.explore.shortest import shortest_run
from fencecheck.explore.watch import Watch
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests.bench.cases import BOUNDS, CASES, LADDER, LEASED, STEPS_DESIGN, Case
from tests.bench.machine import Clock, Spent
from tests.bench.ours import ROOT
from tests.bench.table import median, print_markdown, print_table
from tests.models_for_tests import bakery, journal, lamport, mcs, peterson, pipelined, two_phase

ALONE, LARGE = 50_000, 1_000_000  # states before there are owners, here and unless measured
FEWEST = 100_000  # states of a system that is measured
TURNS = 3  # searches of one process, of which the median counts
MODELS = (bakery, journal, lamport, mcs, peterson, pipelined, two_phase)
NAMES = {module.__name__.rpartition(".")[2]: module.BOUNDS for module in MODELS}
UNFENCED = Case("F4 unfenced", "pipelined", (3, 2, 2, 1, 1), 0, 0)
HEADS = ("", "states", "words", "levels")


def systems() -> Iterator[tuple[str, Callable[[], System]]]:
    """Yield what makes each system, from files as other processes load them; of one much breaks."""
    for case in CASES:
        if case.states >= FEWEST:
            yield case.name, functools.partial(_system, case, {})
    yield "F4 unfenced", functools.partial(_system, UNFENCED, {"fenced": "off"})
    for case in LADDER:
        if case.states >= FEWEST:
            yield f"fence, {case.name}", functools.partial(_system, case, {})
    for name, (reference, mechanisms, bounds) in LEASED.items():
        family = load_family(reference)
        yield name, functools.partial(System, family, family.design(mechanisms, bounds))


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


@dataclass
class Marks:
    """When a search over owners began, was last seen without them, and first seen with them."""

    begun: Clock = field(default_factory=Clock.now)
    alone: Clock | None = None
    owned: Clock | None = None

    def tick(self, tick: Tick) -> None:
        """Take the time once there are owners."""
        if not tick.owners:
            self.alone = Clock.now()
        elif self.owned is None:
            self.owned = Clock.now()


# -- what is measured -----------------------------------------------------------------------------
@dataclass(frozen=True)
class Shared:
    """One search over owners: the ``start`` of their processes is not among what it ``took``."""

    took: Spent
    start: float
    at_home: float
    bytes_a_state: float


@dataclass
class Compared:
    """One system: what its search says of it, and the search over each number of owners."""

    name: str
    states: int
    words: int
    levels: int
    one: Spent
    shared: dict[int, Shared] = field(default_factory=dict)

    def ratio(self, owners: int) -> float:
        """Return how many times the processor seconds of one process owners take."""
        return self.shared[owners].took.cpu / self.one.cpu


def in_one_process(system: System, watch: Watch) -> tuple[StateGraph, Spent]:
    """Return what one process finds, and the medians of what it takes with its kernel loaded."""
    explore_compiled(system, watch, Limits(states=1), Resources(1))
    turns = list[Spent]()
    for _ in range(TURNS):
        begun, cpu = time.perf_counter(), time.process_time()
        graph = explore_compiled(system, watch, Limits(), Resources(1))
        turns.append(Spent(time.perf_counter() - begun, time.process_time() - cpu))
    return graph, Spent(median(t.seconds for t in turns), median(t.cpu for t in turns))


def over_owners(system: System, watch: Watch, owners: int) -> tuple[ClusterGraph, Shared]:
    """Return what so many owners on this machine find, and what it takes."""
    marks = Marks()
    explorer = ClusterExplorer(
        "compiled", Resources(progress=marks.tick), address=f"local:{owners}", alone=ALONE
    )
    graph = explorer.explore(system, watch, Limits())
    end = Clock.now()
    assert isinstance(graph, ClusterGraph)
    assert marks.alone is not None
    assert marks.owned is not None
    alone, rest = marks.alone.since(marks.begun), end.since(marks.owned)
    took = Spent(alone.seconds + rest.seconds, alone.cpu + rest.cpu)
    count, transitions = graph.search.count, graph.search.transitions
    sent = 8 * graph.kernel.packing.words * graph.handed
    at_home = 1 - graph.handed / transitions
    return graph, Shared(took, marks.owned.since(marks.alone).seconds, at_home, sent / count)


def compared(name: str, make: Callable[[], System], owners: Sequence[int]) -> Compared:
    """Search a system in one process and over owners; raises SystemExit where they differ."""
    system = make()
    watch = Watch(system, [p.name for p in system.properties() if not p.temporal])
    alone, one = in_one_process(system, watch)
    expected, found = said(system, alone), None
    for number in owners:
        connected(f"local:{number}")
        graph, shared = over_owners(system, watch, number)
        if said(system, graph) != expected:
            raise SystemExit(f"{name}: {number} owners do not find what one process finds")
        graph.owners.end()
        if found is None:
            search, words = graph.search, graph.kernel.packing.words
            found = Compared(name, search.count, words, search.depth + 1, one)
        found.shared[number] = shared
    assert found is not None
    return found


# -- what is printed ------------------------------------------------------------------------------
def rows(found: Sequence[Compared], owners: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the table: a row of heads, and one for each system; of owners in the order given."""
    seconds = [f"{number} owners s" for number in owners]
    heads = ("", "states", "words", "levels", "at home", "bytes a state", "one process s", *seconds)
    return [(*heads, "processor time"), *(_row(one, owners) for one in found)]


def _row(found: Compared, owners: Sequence[int]) -> tuple[str, ...]:
    shared = [found.shared[number] for number in owners]
    return (
        found.name, f"{found.states:,}", str(found.words), f"{found.levels:,}",
        " / ".join(f"{one.at_home:.0%}" for one in shared),
        " / ".join(f"{one.bytes_a_state:.1f}" for one in shared),
        f"{found.one.seconds:.2f}",
        *(f"{one.took.seconds:.2f}" for one in shared),
        " / ".join(_times(found.ratio(number)) for number in owners) + " x",
    )  # fmt: skip


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def conclusion(found: Sequence[Compared], owners: int) -> str:
    """Return from what size so many owners pay here, and with how many machines they would."""
    times = [one.ratio(owners) for one in found]
    typical = median(one.ratio(owners) for one in _large(found))
    start = median(one.shared[owners].start for one in found)
    level = min(1e3 * one.shared[owners].took.seconds / one.levels for one in found)
    sizes, least, most = _sizes(found, owners), _times(min(times)), _times(max(times))
    if sizes:
        pays = (
            f"Once started they are faster for {len(sizes)} of {len(found)} systems, and pay from "
            f"{min(sizes):,.0f} states on, of others from {max(sizes):,.0f}."
        )
    else:
        pays = "They are slower than one process for every system: on this machine they never pay."
    return (
        f"{owners} owners on {len(os.sched_getaffinity(0))} cores: their processes start in "
        f"{start:.1f} s, and a level takes at least {level:.1f} ms. They take {least} to {most} "
        "times the processor time of one process; of the systems with a million states or more, "
        f"{typical:.1f} by the median. {pays} With a core for each and no more work in all, more "
        "owners than that ratio would be faster than one process: "
        f"{math.floor(min(times)) + 1} for the system that suits them best, "
        f"{math.floor(typical) + 1} by that median."
    )


def _large(found: Sequence[Compared]) -> Sequence[Compared]:
    """Return the systems that a cluster is used for at all, if any is that large."""
    return [one for one in found if one.states >= LARGE] or found


def _sizes(found: Sequence[Compared], owners: int) -> list[float]:
    """Return for each system that owners search sooner, once started, at what size that pays."""
    both = [(one, one.one.seconds - one.shared[owners].took.seconds) for one in found]
    return [one.states * one.shared[owners].start / less for one, less in both if less > 0]


def main() -> None:
    """Search each system both ways, compare, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--owners", type=int, nargs="+", default=[2])
    parser.add_argument("--case", action="append", help="only this system; repeatable")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    given = parser.parse_args()
    begun, found = time.perf_counter(), list[Compared]()
    for name, make in systems():
        if not given.case or name in given.case:
            found.append(compared(name, make, given.owners))
            passed = time.perf_counter() - begun
            print(f"{passed:6.0f} s  {' '.join(_row(found[-1], given.owners))}", file=sys.stderr)
    if not found:
        raise SystemExit("no system has that name")
    print(f"{len(found)} systems, all with the same counts, levels and shortest orders.\n")
    (print_markdown if given.markdown else print_table)(rows(found, given.owners))
    for number in given.owners:
        print(f"\n{conclusion(found, number)}")


if __name__ == "__main__":
    main()
