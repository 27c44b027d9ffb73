"""One search over owners: who has one machine pays nothing for it, and who has more goes further.

The first states are explored in this process alone; a space that ends there never sees the
cluster. What was found is then dealt to owners, and a level is: expand, hand on, take, and a
barrier at which the driver adds up. Verdicts, counts, depths and the counterexample chosen are
those of one process. An owner that dies is made up for from the last level saved.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fencecheck.errors import ClusterError, InternalError, UsageError
from fencecheck.explore.cluster.connection import connected
from fencecheck.explore.cluster.dealing import Dealing, dealt
from fencecheck.explore.cluster.graph import ClusterGraph
from fencecheck.explore.cluster.owner import PIECE, LevelReport, OwnerTask, Questions
from fencecheck.explore.cluster.owners import (
    OwnerLost,
    Owners,
    machines_of_owners,
    memory_of_owners,
)
from fencecheck.explore.cluster.parcel import parcel_of
from fencecheck.explore.cluster.saved import SavedSearch, is_saved, rows_of
from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.judging import LevelJudge, goes_wrong
from fencecheck.explore.compiled.kernel.compile import compile_kernel
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.compiled.storage.checkpoint import identity
from fencecheck.explore.compiled.storage.coding import by_words
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.worker import worker_of
from fencecheck.explore.engine import SMALL, Explorer
from fencecheck.explore.graph import Limits, Search, StateGraph
from fencecheck.explore.interrupt import heard, looked_for
from fencecheck.explore.resources import OwnerTick, Tick
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System

ALONE = 1_000_000  # states that are explored in one process before a cluster is worth its cost
_SAMPLE = slots.CHUNK  # states whose edges say which fields are steady
_TICK = 0.1  # seconds between looks at the clock while owners work
_AHEAD = 3  # pieces that are handed on before the first of them is taken
_LOSSES = 5  # times in a row that owners may be lost before a level is done


@dataclass
class ClusterExplorer(Explorer):
    """Explores with the processes of a cluster, once a space has more than ``alone`` states.

    ``questions`` are those in predicates that the family explored was given.
    """

    address: str = "auto"
    questions: Questions = ((), ())
    alone: int = ALONE

    def explore(self, system: System, watch: Watch, limits: Limits) -> StateGraph:
        """Explore every state reachable from the initial one, up to ``limits``.

        The limit on memory is that of each process. Raises ClusterError where owners die time and
        again.
        """
        if self.engine == "reference":
            return super().explore(system, watch, limits)
        limits = replace(limits, dominance=False)  # every state is somebody's
        folder, started = self.resources.checkpoint, time.monotonic()
        small = None
        if folder is None or not is_saved(folder):
            small = self._alone(system, watch, limits)
            if not _goes_on(small, limits):
                return small
        if limits.seconds is not None:
            left = max(0.0, limits.seconds - (time.monotonic() - started))
            limits = replace(limits, seconds=left)
        driver = _Driver(self, system, watch, limits)
        try:
            with looked_for():
                if isinstance(small, CompiledGraph):
                    driver.begin(small)
                else:
                    driver.resume()
                driver.go()
        finally:
            driver.close()
        return driver.graph()

    def _alone(self, system: System, watch: Watch, limits: Limits) -> StateGraph:
        engine = "compiled" if self.alone < SMALL else self.engine
        states = min(self.alone, limits.states or self.alone)
        own = Explorer(engine, replace(self.resources, checkpoint=None))
        return own.explore(system, watch, replace(limits, states=states))


def _goes_on(small: StateGraph, limits: Limits) -> bool:
    """Tell whether a search ended only where a cluster is worth its cost."""
    search = small.search
    enough = limits.states is not None and search.count >= limits.states
    return isinstance(small, CompiledGraph) and search.stopped_by == "states" and not enough


class _Driver:
    """Drives the owners of one search level by level."""

    def __init__(
        self, explorer: ClusterExplorer, system: System, watch: Watch, limits: Limits
    ) -> None:
        self.explorer, self.system, self.watch, self.limits = explorer, system, watch, limits
        self.ray = connected(explorer.address)
        self.number = max(2, int(self.ray.cluster_resources().get("CPU", 2)))
        self.kernel = compile_kernel(system, watch.properties)
        self.names = tuple(p.name for p in watch.properties)
        of = identity(system, self.kernel, list(self.names))
        self.saved = SavedSearch(of, explorer.resources.checkpoint)
        self.search, self.shares = Search(), list[list[int]]()
        self.told, self.memory, self.handed = list[OwnerTick](), 0, 0
        self.before, self.started = 0.0, time.perf_counter()
        self.deadline = limits.deadline()
        self.saved_at, self.losses = time.perf_counter(), 0

    # -- beginning ------------------------------------------------------------------------------
    def begin(self, small: CompiledGraph) -> None:
        """Deal out what was found in one process."""
        self.saved.load(Search())  # takes the folder
        kept, rows = small.search, small.in_order().reshape(-1, self.kernel.packing.words)
        self.search = replace(kept, levels=list(kept.levels), broken=dict(kept.broken))
        self.search.stopped_by, self.before = None, kept.seconds
        levels = [rows[a:b] for a, b in itertools.pairwise(kept.levels)]
        self.dealing = self._dealt(levels[-1])
        self._start_owners()
        owned = [self.dealing.of(level) for level in levels]
        self.shares = [np.bincount(o, minlength=self.number).tolist() for o in owned]
        self.owners.got([
            self.owners.begin(i, "begin", [r[o == i] for r, o in zip(levels, owned, strict=True)])
            for i in range(self.number)
        ])  # fmt: skip
        self._renumber(lambda level: owned[level])
        self._judge_from_here()
        self.save()

    def resume(self) -> None:
        """Go on from what an earlier run saved, whatever its number of owners was."""
        self.saved.load(self.search)
        files = self.saved.files
        self.dealing = self._dealt(rows_of(files, len(self.search.levels) - 2, self.width))
        try:
            self._renumber(lambda level: self.dealing.of(rows_of(files, level, self.width)))
            self._read()
        except (OSError, ValueError) as error:
            raise UsageError(
                f"{self.saved.folder}: what is saved there cannot be read ({error}); name another "
                "folder or remove it"
            ) from None

    @property
    def width(self) -> int:
        """Return the words of a state."""
        return self.kernel.packing.words

    def _dealt(self, states: Words) -> Dealing:
        worker = worker_of(self.system, self.kernel)
        some = states[:: -(-len(states) // _SAMPLE)]
        log, coding = np.ascontiguousarray(some).reshape(-1), by_words(self.width, 64)
        made = loop.judge_states(self.kernel.address, worker.buffers, log, 0, len(some), coding)
        sources = np.repeat(some, np.diff(worker.offsets[: len(some) + 1]), axis=0)
        targets = worker.out[: made * self.width].reshape(made, self.width)
        return dealt(self.kernel.packing, (sources, targets), states, self.number)

    def _start_owners(self) -> None:
        parcel = parcel_of(self.system.family)
        machines = machines_of_owners(self.ray, self.number)
        self.memory = memory_of_owners(self.ray, machines, self.limits.memory)
        of = parcel, self.system.design, self.names, self.explorer.questions, self.memory
        tasks = [OwnerTask(*of, number, self.dealing) for number in range(self.number)]
        self.owners = Owners(self.ray, tasks, machines)
        if set(self.owners.all("digest")) != {self.kernel.digest}:
            raise InternalError("a process of the cluster makes another kernel of the same model")

    def _renumber(self, owners: Callable[[int], Ints]) -> None:
        """Number states by their owners where something breaks; ``owners`` are those of a level."""
        for name, broken in self.search.broken.items():
            level = broken.events - 1 if broken.in_event else broken.events
            first, order = self.search.levels[level], np.argsort(owners(level), kind="stable")
            number_of = np.empty_like(order)
            number_of[order] = np.arange(len(order))
            again = number_of[np.array(broken.states, np.int64) - first] + first
            self.search.broken[name] = replace(broken, states=sorted(again.tolist()))

    def _read(self) -> None:
        """Have new owners read what was saved."""
        self._start_owners()
        levels = self.owners.all("read", self.saved.files)
        self.shares = [
            [int(end[level + 1] - end[level]) for end in levels]
            for level in range(len(levels[0]) - 1)
        ]
        self.saved.deal_again()
        self._judge_from_here()
        self.save()

    def _judge_from_here(self) -> None:
        self.told = self.owners.all("progress")
        self.judge = LevelJudge(
            self.search, self.watch.properties, self.kernel, lambda _, places: places
        )
        self.judge.leave_out_broken()

    # -- level by level -------------------------------------------------------------------------
    def go(self) -> None:
        """Expand level after level until nothing is new or something stops it."""
        lost = False
        while True:
            try:
                if lost:  # a machine that died is found out late, and new owners may die of it too
                    self._make_up()
                    lost = False
                if self._level():
                    return
                self.losses = 0
                if time.perf_counter() - self.saved_at > self.explorer.resources.every:
                    self.save()
            except OwnerLost as error:
                lost = True
                self.losses += 1
                if self.losses > _LOSSES:
                    raise ClusterError(
                        f"owners of the search died {self.losses} times in a row ({error}); give "
                        "the processes more memory, or use fewer of them"
                    ) from None

    def _make_up(self) -> None:
        """Go on with new owners from the last level saved."""
        self.owners.end()
        self.search = Search()
        try:
            self.saved.restore(self.saved.read(), self.search)
            self._read()
        except (OSError, ValueError) as error:
            raise ClusterError(
                f"an owner of the search died, and what it saved cannot be read ({error}); name "
                "a folder that all machines share by --checkpoint"
            ) from None

    def _level(self) -> bool:
        """Expand the last level; tell whether the search is over."""
        search, level = self.search, len(self.shares) - 1
        if self.limits.states and search.count >= self.limits.states:
            self._border(level)
            search.stopped_by = "error" if search.failure is not None else "states"
            return True
        stopped, reports = self._expand()
        self.told = [report.progress for report in reports]
        self.handed += sum(report.handed for report in reports)
        notes = np.concatenate([
            np.column_stack([report.notes[:, 0] + first, report.notes[:, 1:]])
            for report, first in zip(reports, self.graph().firsts(level), strict=True)
        ])  # fmt: skip
        if goes_wrong(notes):
            self._border(level)
            search.stopped_by = "error"
            return True
        self.judge.expanded(level, [notes])
        search.transitions += sum(report.transitions for report in reports)
        self.judge.note_seen(np.bitwise_or.reduce([report.seen for report in reports]))
        fresh = [report.fresh for report in reports]
        if any(fresh):
            self.shares.append(fresh)
            search.levels.append(search.count + sum(fresh))
        if search.failure is not None:
            stopped = "error"
        elif any(report.full for report in reports):
            stopped = "memory"
        elif stopped is None and not self.limits.broken.isdisjoint(search.broken):
            stopped = "broken"
        search.stopped_by = stopped
        return stopped is not None or not any(fresh)

    def _expand(self) -> tuple[str | None, list[LevelReport]]:
        """Have the last level expanded and its successors taken.

        Returns what stopped it early, and what owners say at its end.
        """
        sizes, under_way = self.shares[-1], deque[list[Any]]()
        mask, stopped = self.judge.mask, None
        expanded = deque[dict[int, Any]]()
        for piece in range(-(-max(sizes) // PIECE)):
            busy = [i for i, size in enumerate(sizes) if size > piece * PIECE]
            expanded.append({
                i: self.owners.begin(i, "expand", piece, mask, several=self.number) for i in busy
            })  # fmt: skip
            if len(expanded) > 1:
                under_way.append(self._hand_on(expanded.popleft()))
            if len(under_way) >= _AHEAD:
                stopped = self._wait(under_way.popleft())
            stopped = stopped or self._watching()
            if stopped:
                break
        for batches in expanded:
            under_way.append(self._hand_on(batches))
        # an owner does what it is told in turn: its level ends once it has taken all
        ended = [self.owners.begin(i, "end_level") for i in range(self.number)]
        for taken in under_way:
            stopped = self._wait(taken) or stopped
        return stopped, self.owners.got(ended)

    def _hand_on(self, batches: dict[int, Any]) -> list[Any]:
        """Have every owner take what others found of its own."""
        return [
            self.owners.begin(owner, "take", *(b[owner] for i, b in batches.items() if i != owner))
            for owner in range(self.number)
        ]

    def _wait(self, results: list[Any]) -> str | None:
        """Wait for owners to take states; return what stops the search meanwhile."""
        stopped = None
        while not self.owners.done(results, _TICK):
            stopped = stopped or self._watching()
        self.told = self.owners.got(results)
        return stopped

    def _watching(self) -> str | None:
        """Report progress, and say whether time is up or an interrupt was heard."""
        search, progress = self.search, self.explorer.resources.progress
        if progress is not None:
            sizes = np.diff(search.levels[-3:])
            trend = "shrinking" if sizes[-1] < sizes[0] else "growing"
            states, memory = sum(o.states for o in self.told), sum(o.memory for o in self.told)
            far = states, int(sizes[-1]), trend, search.depth, self._seconds()
            room = memory, self.memory * self.number
            progress(Tick(*far, *room, tuple(search.broken), owners=tuple(self.told)))
        if time.monotonic() > self.deadline:
            return "time"
        return "interrupt" if heard() else None

    def _border(self, level: int) -> None:
        """Evaluate the invariants of the last level, which will not be expanded."""
        answers = self.owners.all("border", level, self.judge.mask)
        noted = [
            np.column_stack([notes[:, 0] + first, notes[:, 1:]])
            for (notes, _), first in zip(answers, self.graph().firsts(level), strict=True)
        ]
        self.judge.border(level, noted, np.bitwise_or.reduce([seen for _, seen in answers]))

    def _seconds(self) -> float:
        """Return how long it has taken, with what was before owners; earlier runs do not count."""
        return self.before + time.perf_counter() - self.started

    # -- what is left ---------------------------------------------------------------------------
    def save(self) -> None:
        """Save the search as it is between two levels."""
        calls = [
            self.owners.begin(i, "save", self.saved.place(i), len(self.search.levels) - 1)
            for i in range(self.number)
        ]
        self.search.seconds = self._seconds()
        self.saved.save(self.search, self.owners.got(calls))
        self.saved_at = time.perf_counter()

    def close(self) -> None:
        """Give the folder free."""
        self.saved.close()

    def graph(self) -> ClusterGraph:
        """Return the graph of the search as far as it has come."""
        search = self.search
        search.engine, search.threads = "compiled", self.number
        search.complete = search.stopped_by is None
        search.seconds = self._seconds()
        owned = self.owners, self.shares, self.handed, len(self.watch.lasting)
        return ClusterGraph(self.system, self.kernel, search, *owned)
