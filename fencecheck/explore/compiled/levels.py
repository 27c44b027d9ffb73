"""Expand a search level by level, and have judged what was noted on the way.

Threads take chunks of a level from a common counter; one barrier ends a level. Violations are noted
by the states they happen in; judging.py says what becomes of them. Limits, progress and checkpoints
are the engine's.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from dataclasses import replace
from typing import Any

import numpy as np

from fencecheck.errors import UsageError
from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.judging import LevelJudge, goes_wrong
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.compiled.storage.checkpoint import restore
from fencecheck.explore.compiled.storage.needed import NeededStore
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.store import Store
from fencecheck.explore.compiled.worker import in_chunks, worker_of
from fencecheck.explore.machine import resident
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System

_TICK = 0.1  # seconds between looks at the clock while threads work
_SMALL_LEVELS = 4_096  # levels of few states that one call may expand
_AT_ONCE = 1 << 20  # states that are unpacked at a time
_LONGEST_WAIT = 64  # levels until small ones are tried again, where that was of no use


class LevelSearch:
    """One search under way."""

    def __init__(self, system: System, watch: Watch, store: Store | NeededStore) -> None:
        self.system, self.watch, self.store = system, watch, store
        self.threads = store.threads
        self.kernel = store.kernel
        self.workers = [worker_of(system, self.kernel) for _ in range(self.threads)]
        self.graph = CompiledGraph(system, self.kernel, store, self.workers[0])
        self.judge = LevelJudge(
            self.graph.search, watch.properties, self.kernel, self.graph.numbers
        )
        self.mask = self.judge.mask
        self.common = np.zeros(3, np.int64)
        self.noted: list[Ints] = []
        self.ends: list[int] = []
        self.looked = time.monotonic()
        self.small_ends = np.zeros(_SMALL_LEVELS, np.int64)
        self.waiting, self.next_wait = 0, 1
        self._warm()

    def _warm(self) -> None:
        """Load the search loop, so that what it takes is part of the budget's base."""
        loop.load()
        held = sum(worker.bytes for worker in self.workers)
        self.store.budget = replace(self.store.budget, base=resident() + held)

    # -- many levels ----------------------------------------------------------------------------
    def expand_small(self, most: int | None) -> None:
        """Expand levels of few states as long as nothing is to be said of any, many in one call.

        A level of which something is to be said is left to ``expand``. ``most`` states end it, at
        the end of a level. The first thread does so alone, where the whole level is its own.
        """
        if self.waiting:
            self.waiting -= 1
            return
        store, graph, worker = self.store, self.graph, self.workers[0]
        (first, end), *more = graph.segments[-1]
        if more or end != store.own[0, slots.END] or end - first > slots.CHUNK:
            return
        kept, ends, others = np.empty_like(worker.seen), self.small_ends, store.count - end
        done = loop.search_small_levels(
            self.kernel.address, worker.buffers, store.log, first, store.own[0],
            store.table.slots, store.table.shape, worker.recent, self.mask, len(self.mask),
            kept, len(kept), ends, len(ends), most or 1 << 62, others,
        )  # fmt: skip
        self.next_wait = 1 if done else min(2 * self.next_wait, _LONGEST_WAIT)
        self.waiting = 0 if done else self.next_wait
        if not done:
            return
        made = ends[:done].tolist()
        graph.segments += [[pair] for pair in itertools.pairwise([end, *made])]
        graph.search.levels += [place + others for place in made]
        graph.search.transitions = int(store.own[:, slots.TRANSITIONS].sum())
        self.ends[0] = made[-1]

    # -- one level ------------------------------------------------------------------------------
    def expand(self, watching: Callable[[], str | None]) -> str | None:
        """Expand the last level; return what stopped it early, or None."""
        store, own = self.store, self.store.own
        chunks = in_chunks(self.graph.segments[-1])
        self.common[:] = (0, store.count, 0)
        own[:, slots.CHUNK_UNDER_WAY], own[:, slots.CAME_BACK] = -1, slots.GROW
        self.noted = []
        if len(chunks) == 1:
            own[1:, slots.CAME_BACK] = slots.FINISHED
        while True:
            going = [t for t in range(self.threads) if own[t, slots.CAME_BACK] != slots.FINISHED]
            if not going:
                return None
            stopped = None
            if len(chunks) == 1:
                self._work(0, chunks)  # too little work to be worth a thread
            else:
                stopped = self._together(going, chunks, watching)
            stopped = stopped or self._look(watching)
            self._drain()
            if stopped:
                return stopped
            if (own[:, slots.CAME_BACK] == slots.GROW).any():
                if not store.grow():
                    return "memory"
                self.common[slots.RESERVED] = store.count

    def _work(self, thread: int, chunks: Ints) -> None:
        worker, store = self.workers[thread], self.store
        loop.search_level(
            self.kernel.address, worker.buffers, store.log, chunks, len(chunks), self.common,
            store.own[thread], store.table.slots, store.table.shape, worker.recent, self.mask,
            len(self.mask), worker.notes, len(worker.notes), self.threads > 1,
        )  # fmt: skip

    def _look(self, watching: Callable[[], str | None]) -> str | None:
        """Ask whether to stop, if it has not been asked for a while."""
        now = time.monotonic()
        if now - self.looked < _TICK:
            return None
        self.looked = now
        return watching()

    def _together(
        self, going: list[int], chunks: Ints, watching: Callable[[], str | None]
    ) -> str | None:
        """Let threads work, asking now and then whether to stop; none works on afterwards."""
        stopped: str | None = None
        futures = list[Future[None]]()
        try:
            for thread in going:
                futures.append(self.store.pool.submit(self._work, thread, chunks))
            while wait(futures, timeout=_TICK).not_done:
                stopped = stopped or watching()
                if stopped:
                    self.common[slots.STOP] = 1
        except BaseException:
            self.common[slots.STOP] = 1
            wait(futures)
            raise
        for future in futures:
            future.result()
        return stopped

    def _drain(self) -> None:
        for thread, worker in enumerate(self.workers):
            count = int(self.store.own[thread, slots.NOTED])
            if count:
                self.noted.append(worker.notes[:count].copy())
                self.store.own[thread, slots.NOTED] = 0

    # -- between levels -------------------------------------------------------------------------
    def end_level(self) -> None:
        """Judge what was noted in the level just expanded, and make the new level.

        A level with a state that itself goes wrong counts as not expanded: whoever judges a level
        before expanding it, as the reference engine does, would not have gone on.
        """
        search, store = self.graph.search, self.store
        if any(goes_wrong(notes) for notes in self.noted):
            self.judge_border()
            return
        self.judge.expanded(len(self.graph.segments) - 1, self.noted)
        search.transitions = int(store.own[:, slots.TRANSITIONS].sum())
        self.judge.note_seen(np.bitwise_or.reduce([w.seen for w in self.workers]))
        ends = [int(end) for end in store.own[:, slots.END]]
        fresh = [(a, b) for a, b in zip(self.ends, ends, strict=True) if b > a]
        self.ends = ends
        store.let_go(self.graph.segments[-1])
        if fresh:
            self.graph.segments.append(fresh)
            search.levels.append(store.count)

    def begin(self) -> None:
        """Put the initial states first."""
        store, starts = self.store, self.system.beginnings
        count = len(starts)
        layout, packing = self.system.lowered.layout, self.kernel.packing
        words = np.concatenate([packing.pack(layout.numbers(s)) for s in starts])
        while int(store.table.shape[slots.ROOM]) < count + store.reserve:
            if not store.grow_for(count):
                raise MemoryError
        self.insert(words, count)
        self.graph.search.levels = [0, count]
        self.graph.segments.append([(0, count)])
        self.ends = [int(end) for end in store.own[:, slots.END]]

    def insert(self, words: Words, count: int) -> None:
        """Insert states, all at once."""
        store = self.store
        while loop.insert(
            words, count, store.log, store.own[0], store.table.slots, store.table.shape,
            self.workers[0].recent, False,
        ) < 0:  # fmt: skip
            if not store.grow():
                raise MemoryError

    def resume(self, head: dict[str, Any], states: Words) -> None:
        """Go on from a checkpoint: its states are the log, its last level is the frontier."""
        store, search = self.store, self.graph.search
        restore(head, search)
        while int(store.table.shape[slots.ROOM]) < search.count + store.reserve:
            if not store.grow_for(search.count):
                raise UsageError(
                    "the checkpoint's states do not fit the memory allowed; raise --max-memory"
                )
        store.write(0, states)
        store.own[0, slots.END] = search.count
        store.own[0, slots.TRANSITIONS] = search.transitions
        store.refill()
        self.graph.segments = [
            [(a, b)] for a, b in zip(search.levels, search.levels[1:], strict=False)
        ]
        self.judge.leave_out_broken()
        self.ends = [int(end) for end in store.own[:, slots.END]]

    def states_between(self, number: int, end: int) -> Iterator[Words]:
        """Yield the words of the states ``number`` .. ``end`` - 1, in breadth-first order."""
        graph = self.graph
        for level, segments in enumerate(graph.segments):
            at = graph.search.levels[level]
            for first, last in segments:
                start, stop = max(number, at), min(end, at + last - first)
                for part in range(start, stop, _AT_ONCE):
                    upto = min(part + _AT_ONCE, stop)
                    yield self.store.read(first + part - at, first + upto - at)
                at += last - first

    def judge_border(self) -> None:
        """Evaluate the invariants of states that will not be expanded."""
        level = len(self.graph.segments) - 1
        told = self.judge.noted_unexpanded(self.workers[0], self.store, self.graph.segments[level])
        self.judge.border(level, *told)
