"""The compiled engine: level-synchronous breadth-first search over packed states.

Takes what the reference engine takes and gives the same StateGraph: with one thread the same
states in the same order, with more the same sets, depths, counts and verdicts. Which
counterexample is shown is chosen afterwards, by the same code as for the reference engine.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from fencecheck.explore.compiled.kernel.compile import Kernel, compile_kernel
from fencecheck.explore.compiled.levels import LevelSearch
from fencecheck.explore.compiled.needed_levels import NeededSearch
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.compiled.storage.checkpoint import Checkpoint, identity
from fencecheck.explore.compiled.storage.needed import NeededStore
from fencecheck.explore.compiled.storage.store import Store, budget_of
from fencecheck.explore.dominance import spent_budgets
from fencecheck.explore.graph import Limits, Search
from fencecheck.explore.interrupt import heard, looked_for
from fencecheck.explore.machine import too_little
from fencecheck.explore.resources import Resources, Tick
from fencecheck.explore.threads import Threads
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System


def explore_compiled(
    system: System, watch: Watch, limits: Limits, resources: Resources | None = None
) -> CompiledGraph:
    """Explore every state reachable from the initial one, up to ``limits``.

    Raises MemoryError where not even the engine's threads and arrays fit.
    """
    resources = resources or Resources()
    kernel = compile_kernel(system, watch.properties)
    with Threads(resources.threads) as pool:
        run = _search(system, watch, (kernel, pool), (limits, resources))
        driver = _Driver(run, limits, resources)
        search = run.graph.search
        search.engine, search.threads = "compiled", resources.threads
        try:
            driver.start(kernel)
            try:
                with looked_for():
                    driver.go()
            finally:
                driver.save()
        finally:
            driver.close()
    search.complete = search.stopped_by is None
    run.store.drop()
    search.seconds = driver.seconds()
    return run.graph


def _search(
    system: System, watch: Watch, means: tuple[Kernel, Threads], how: tuple[Limits, Resources]
) -> LevelSearch:
    """Return a search that has not begun: under dominance where that is asked and can be had."""
    (kernel, pool), (limits, resources) = means, how
    spent = spent_budgets(system, watch) if limits.dominance else ()
    folder = resources.spill or resources.checkpoint
    budget = budget_of(limits.memory, resources.spill, folder)
    if not spent:
        return LevelSearch(system, watch, Store(kernel, pool, budget))
    places = system.lowered.layout.place
    store = NeededStore(kernel, pool, budget, [places[name] for name in spent])
    return NeededSearch(system, watch, store, spent)


class _Driver:
    """Drives a search level by level: limits, progress, checkpoints."""

    def __init__(self, run: LevelSearch, limits: Limits, resources: Resources) -> None:
        self.run, self.limits, self.resources = run, limits, resources
        self.started, self.deadline = time.perf_counter(), limits.deadline()
        self.checkpoint: Checkpoint | None = None
        self.settled = (0, Search())
        self.saved_at = time.perf_counter()
        self.unsaved = ""

    def seconds(self) -> float:
        """Return how long the search has taken, earlier runs of it not counted."""
        return time.perf_counter() - self.started

    def start(self, kernel: Kernel) -> None:
        """Begin with the initial state, or where a checkpoint of the same search left off."""
        if self.resources.checkpoint is not None:
            names = [p.name for p in self.run.watch.properties]
            of = identity(self.run.system, kernel, names)
            self.checkpoint = Checkpoint(self.resources.checkpoint, of)
            earlier = self.checkpoint.load()
            if earlier is not None:
                self.run.resume(*earlier)
                return
        self.run.begin()

    def go(self) -> None:
        """Expand level after level until nothing is new or something stops it."""
        run, search = self.run, self.run.graph.search
        budget = run.store.budget
        warning = too_little(self.limits.memory, budget.base)
        if warning and budget.spill is None:
            self.settle()
            run.judge_border()
            search.stopped_by = "error" if search.failure is not None else "memory"
            search.warnings.append(warning)
            return
        while True:
            run.expand_small(self.limits.states)
            self.settle()
            if self.limits.states and search.count >= self.limits.states:
                search.stopped_by = "states"
                run.judge_border()
                if search.failure is not None:
                    search.stopped_by = "error"
                return
            before = len(run.graph.segments)
            try:
                search.stopped_by = run.expand(self.watching)
                run.end_level()
            except MemoryError:
                search.stopped_by = "memory"
                return
            if search.failure is not None:
                search.stopped_by = "error"
            if search.stopped_by is None and not self.limits.broken.isdisjoint(search.broken):
                search.stopped_by = "broken"
            if search.stopped_by or len(run.graph.segments) == before:
                return
            if time.perf_counter() - self.saved_at > self.resources.every:
                self.save()

    def watching(self) -> str | None:
        """Report progress, and say whether time is up or an interrupt was heard."""
        if self.resources.progress is not None:
            run, search = self.run, self.run.graph.search
            sizes = np.diff(search.levels[-3:])
            frontier, before = int(sizes[-1]), int(sizes[0])
            trend = "shrinking" if frontier < before else "growing"
            budget = run.store.budget
            used = budget.base + run.store.bytes()
            self.resources.progress(
                Tick(
                    run.store.count,
                    frontier,
                    trend,
                    search.depth,
                    self.seconds(),
                    used,
                    budget.limit,
                    tuple(search.broken),
                )
            )
        if time.monotonic() > self.deadline:
            return "time"
        return "interrupt" if heard() else None

    def settle(self) -> None:
        """Remember the search as it is now, all but its last level expanded and judged.

        That is what a checkpoint holds, whenever it is written.
        """
        search = self.run.graph.search
        kept = replace(search, broken=dict(search.broken), triggered=set(search.triggered))
        kept.happened, kept.held_back = set(search.happened), set(search.held_back)
        self.settled = len(search.levels), kept

    def save(self) -> None:
        """Write the checkpoint of the search as it was last settled."""
        length, kept = self.settled
        if self.checkpoint is None or not length:
            return
        kept.levels, kept.seconds = self.run.graph.search.levels[:length], self.seconds()
        fresh = self.run.states_between(self.checkpoint.saved, kept.count)
        try:
            self.checkpoint.save(kept, kept.count, fresh)
            self.unsaved = ""
        except OSError as error:
            folder, why = self.checkpoint.folder, error.strerror or str(error)
            self.unsaved = f"the checkpoint in {folder} could not be written ({why})"
        self.saved_at = time.perf_counter()

    def close(self) -> None:
        """Give the checkpoint's folder free; what could not be saved becomes a warning."""
        if self.checkpoint is not None:
            self.checkpoint.close()
        if self.unsaved:
            self.run.graph.search.warnings.append(self.unsaved)
