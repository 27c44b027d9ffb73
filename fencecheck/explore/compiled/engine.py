"""The compiled engine: level-synchronous breadth-first search over packed states.

Takes what the reference engine takes and gives the same StateGraph: with one thread the same
states in the same order, with more the same sets, depths, counts and verdicts. Threads take
chunks of a level from a common counter; one barrier ends a level. Violations are noted by the
states they happen in; which counterexample is shown is chosen afterwards, by the same code as
for the reference engine.
"""

from __future__ import annotations

import bisect
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.errors import UsageError
from fencecheck.explore.compiled import runtime
from fencecheck.explore.compiled.checkpoint import Checkpoint, identity, restore
from fencecheck.explore.compiled.kernel import Kernel, compile_kernel
from fencecheck.explore.compiled.packing import Words
from fencecheck.explore.compiled.plan import EFFECT_ERROR, GUARD_ERROR, STATE_ERROR
from fencecheck.explore.compiled.store import Store, budget_of
from fencecheck.explore.graph import Broken, Limits, Search, State
from fencecheck.explore.machine import resident
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System

_NOTES = 1 << 16
_RECENT = 1 << 14
_TICK = 0.1  # seconds between looks at the clock while threads work
Ints = npt.NDArray[np.int64]
Segment = tuple[int, int]


@dataclass(frozen=True)
class Tick:
    """What a progress line shows."""

    states: int
    frontier: int
    trend: str
    depth: int
    seconds: float
    memory: int
    budget: int


@dataclass
class CompiledGraph:
    """A StateGraph of packed states. ``segments[d]`` are the parts of the log that level d is."""

    system: System
    kernel: Kernel
    store: Store
    worker: Worker
    search: Search = field(default_factory=Search)
    segments: list[list[Segment]] = field(default_factory=list)

    def place(self, number: int) -> int:
        """Return where state ``number`` is in the log."""
        level = bisect.bisect_right(self.search.levels, number) - 1
        rest = number - self.search.levels[level]
        for first, last in self.segments[level]:
            if rest < last - first:
                return first + rest
            rest -= last - first
        raise IndexError(number)

    def state(self, number: int) -> State:
        """Return state ``number`` in breadth-first order."""
        return self.decode(self.store.words_of(self.place(number)))

    def decode(self, words: Any) -> State:
        """Return the state that packed words stand for."""
        return self.system.lowered.layout.state(self.kernel.packing.unpack(words))

    def numbers(self, level: int, places: Ints) -> Ints:
        """Return the numbers of states of a level given by their places in the log."""
        result, number = np.empty_like(places), self.search.levels[level]
        for first, last in self.segments[level]:
            inside = (places >= first) & (places < last)
            result[inside] = places[inside] - first + number
            number += last - first
        return result

    def in_order(self) -> Words:
        """Return the words of all states in order of number; with one thread, the log itself."""
        words = self.store.words
        starts = zip(self.segments, self.search.levels, strict=False)
        if all(len(parts) == 1 and parts[0][0] == first for parts, first in starts):
            return self.store.log[: self.search.count * words]
        return np.concatenate(
            [self.store.log[a * words : b * words] for parts in self.segments for a, b in parts]
        )

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        wanted = np.concatenate([self.store.words_of(self.place(n)) for n in sorted(targets)])
        table = np.zeros(1 << (2 * len(targets) + 2).bit_length(), np.int64)
        runtime.index_targets(wanted, len(targets), table, self.store.words)
        found: list[Ints] = []
        for first, last in self.segments[level]:
            hits = np.empty(last - first, np.int64)
            count = self.worker.find(self.store, (first, last), (wanted, table), hits)
            found.append(hits[:count])
        places = np.concatenate(found) if found else np.empty(0, np.int64)
        return sorted(int(n) for n in self.numbers(level, places))


class Worker:
    """The buffers of one thread."""

    def __init__(self, kernel: Kernel, switches: npt.NDArray[np.int32]) -> None:
        words, cases = kernel.packing.words, kernel.cases
        self.kernel, self.switches = kernel, switches
        self.flags = np.zeros((runtime.CHUNK + 8) * kernel.plan.flag_words, np.uint32)
        self.seen = np.zeros(kernel.plan.flag_words, np.uint32)
        self.notes = np.zeros((_NOTES, 1 + kernel.plan.flag_words), np.int64)
        self.buffers = (
            np.empty((runtime.CHUNK + 8) * cases * words, np.uint64),
            np.empty(runtime.CHUNK + 16, np.uint32),
            self.flags,
            self.seen,
            np.empty(kernel.scratch_words, np.uint64),
            np.arange(_RECENT, dtype=np.uint64) ^ np.uint64(1),
        )

    def find(self, store: Store, segment: Segment, targets: tuple[Any, Any], hits: Ints) -> int:
        """Write to ``hits`` the states of a segment with a successor among ``targets``."""
        count: int = runtime.find_sources(
            self.kernel.address, store.log, *segment, *targets,
            store.table.shape, self.buffers, self.switches, hits,
        )  # fmt: skip
        return count


class _Run:
    """One search under way."""

    def __init__(self, system: System, watch: Watch, threads: int, store: Store) -> None:
        self.system, self.watch, self.threads, self.store = system, watch, threads, store
        self.kernel = store.kernel
        plan = self.kernel.plan
        self.switches = np.array([_rank(system, name) for name in plan.switches], np.int32)
        self.workers = [Worker(self.kernel, self.switches) for _ in range(threads)]
        self.graph = CompiledGraph(system, self.kernel, store, self.workers[0])
        self.kinds = {p.name: p.kind for p in watch.properties}
        self.mask = np.zeros(plan.flag_words, np.uint32)
        for word, bit in plan.bits.values():
            self.mask[word] |= np.uint32(1 << bit)
        for bit in (STATE_ERROR, GUARD_ERROR, EFFECT_ERROR):
            self.mask[0] |= np.uint32(1 << bit)
        self.common = np.zeros(3, np.int64)
        self.noted: list[Ints] = []
        self.ends: list[int] = []
        self.looked = time.monotonic()
        self._warm()

    def _warm(self) -> None:
        """Load the search loop, so that what it takes is part of the budget's base."""
        store, worker, nothing = self.store, self.workers[0], np.zeros(6, np.int64)
        slots, shape, shared = store.table.slots, store.table.shape, self.threads > 1
        runtime.search_level(
            self.kernel.address, store.log, np.zeros((0, 2), np.int64),
            np.array([0, 0, 1], np.int64), nothing, slots, shape, worker.buffers, self.switches,
            self.mask, worker.notes, shared,
        )  # fmt: skip
        runtime.insert(
            np.zeros(store.words, np.uint64), 0, store.log, nothing, slots, shape,
            worker.buffers[5], False,
        )  # fmt: skip
        runtime.move(slots, shape, 0, 0, slots, shape, 0, shared)
        held = sum(b.nbytes for w in self.workers for b in (*w.buffers, w.notes))
        store.budget = replace(store.budget, base=resident() + held)

    # -- one level ------------------------------------------------------------------------------
    def expand(self, pool: ThreadPoolExecutor, watching: Callable[[], str | None]) -> str | None:
        """Expand the last level; return what stopped it early, or None."""
        store, own = self.store, self.store.own
        chunks = _chunks(self.graph.segments[-1])
        self.common[:] = (0, store.count, 0)
        own[:, 2], own[:, 5] = -1, runtime.GROW
        self.noted = []
        if len(chunks) == 1:
            own[1:, 5] = runtime.FINISHED
        while True:
            going = [t for t in range(self.threads) if own[t, 5] != runtime.FINISHED]
            if not going:
                return None
            stopped = None
            if len(chunks) == 1:
                self._work(0, chunks)  # too little work to be worth a thread
            else:
                futures = [pool.submit(self._work, t, chunks) for t in going]
                stopped = self._await(futures, watching)
            stopped = stopped or self._look(watching)
            self._drain()
            if stopped:
                return stopped
            if (own[:, 5] == runtime.GROW).any():
                if not store.grow():
                    return "memory"
                self.common[1] = store.count

    def _work(self, thread: int, chunks: Ints) -> None:
        worker, store = self.workers[thread], self.store
        runtime.search_level(
            self.kernel.address, store.log, chunks, self.common, store.own[thread],
            store.table.slots, store.table.shape, worker.buffers, self.switches, self.mask,
            worker.notes, self.threads > 1,
        )  # fmt: skip

    def _look(self, watching: Callable[[], str | None]) -> str | None:
        """Ask whether to stop, if it has not been asked for a while."""
        now = time.monotonic()
        if now - self.looked < _TICK:
            return None
        self.looked = now
        return watching()

    def _await(self, futures: list[Future[None]], watching: Callable[[], str | None]) -> str | None:
        """Wait for the threads, asking now and then whether to stop."""
        stopped: str | None = None
        try:
            while wait(futures, timeout=_TICK).not_done:
                stopped = stopped or watching()
                if stopped:
                    self.common[2] = 1
        except BaseException:
            self.common[2] = 1
            wait(futures)
            raise
        for future in futures:
            future.result()
        return stopped

    def _drain(self) -> None:
        for thread, worker in enumerate(self.workers):
            count = int(self.store.own[thread, 4])
            if count:
                self.noted.append(worker.notes[:count].copy())
                self.store.own[thread, 4] = 0

    # -- between levels -------------------------------------------------------------------------
    def end_level(self) -> None:
        """Judge what was noted in the level just expanded, and make the new level."""
        search, store = self.graph.search, self.store
        self._judge(len(self.graph.segments) - 1, self.noted, self.mask)
        search.transitions = int(store.own[:, 3].sum())
        self._note_triggers(np.bitwise_or.reduce([w.seen for w in self.workers]), self.mask)
        ends = [int(end) for end in store.own[:, 0]]
        fresh = [(a, b) for a, b in zip(self.ends, ends, strict=True) if b > a]
        self.ends = ends
        if fresh:
            self.graph.segments.append(fresh)
            search.levels.append(store.count)

    def begin(self) -> None:
        """Put the initial state first."""
        store = self.store
        words = self.kernel.packing.pack(self.system.lowered.layout.numbers(self.system.initial))
        runtime.insert(
            words, 1, store.log, store.own[0], store.table.slots, store.table.shape,
            self.workers[0].buffers[5], False,
        )  # fmt: skip
        self.graph.segments.append([(0, 1)])
        self.ends = [int(end) for end in store.own[:, 0]]

    def resume(self, head: dict[str, Any], states: Words) -> None:
        """Go on from a checkpoint: its states are the log, its last level is the frontier."""
        store, search = self.store, self.graph.search
        restore(head, search)
        while int(store.table.shape[4]) < search.count + store.reserve:
            if not store.grow_for(search.count):
                raise UsageError(
                    "the checkpoint's states do not fit the memory allowed; raise --max-memory"
                )
        store.log[: len(states)] = states
        store.own[0, 0] = search.count
        store.own[0, 3] = search.transitions
        store.refill()
        self.graph.segments = [
            [(a, b)] for a, b in zip(search.levels, search.levels[1:], strict=False)
        ]
        for name in search.broken:
            word, bit = self.kernel.plan.bits[name]
            self.mask[word] &= ~np.uint32(1 << bit)
        self.ends = [int(end) for end in store.own[:, 0]]

    def states_between(self, number: int, end: int) -> list[Words]:
        """Return the words of the states ``number`` .. ``end`` - 1, in breadth-first order."""
        graph, words, found = self.graph, self.store.words, list[Words]()
        for level, segments in enumerate(graph.segments):
            at = graph.search.levels[level]
            for first, last in segments:
                start, stop = max(number, at), min(end, at + last - first)
                if start < stop:
                    part = slice((first + start - at) * words, (first + stop - at) * words)
                    found.append(self.store.log[part])
                at += last - first
        return found

    def _judge(self, level: int, noted: list[Ints], mask: npt.NDArray[np.uint32]) -> None:
        """Turn notes on states of a level into what first breaks there."""
        if not noted:
            return
        notes, search = np.concatenate(noted), self.graph.search
        for name, (word, bit) in self.kernel.plan.bits.items():
            if mask[word] >> np.uint32(bit) & np.uint32(1):
                places = notes[(notes[:, 1 + word] >> bit & 1) == 1, 0]
                if len(places):
                    in_event = self.kinds[name] == "transition"
                    search.broken[name] = self._broken(level, places, in_event)
                    self.mask[word] &= ~np.uint32(1 << bit)
        for bits, in_event in (((STATE_ERROR, GUARD_ERROR), False), ((EFFECT_ERROR,), True)):
            chosen = int(mask[0]) & sum(1 << b for b in bits)
            places = notes[(notes[:, 1] & chosen) != 0, 0]
            if len(places) and search.failure is None:
                search.failure = self._broken(level, places, in_event)

    def _broken(self, level: int, places: Ints, in_event: bool) -> Broken:
        numbers = self.graph.numbers(level, places)
        return Broken(level + in_event, sorted(numbers.tolist()), in_event)

    def _note_triggers(self, seen: Any, mask: Any) -> None:
        for name, (word, bit) in self.kernel.plan.bits.items():
            if int(seen[word]) >> bit & 1:
                self.graph.search.triggered.add(name)

    def judge_border(self) -> None:
        """Evaluate the invariants of states that will not be expanded."""
        plan, worker = self.kernel.plan, self.workers[0]
        only = np.zeros_like(self.mask)
        only[0] |= np.uint32(1 << STATE_ERROR)
        for name, (word, bit) in plan.bits.items():
            if self.kinds[name] == "invariant":
                only[word] |= np.uint32(1 << bit)
        seen_before, noted = worker.seen.copy(), []
        for first, n in _chunks(self.graph.segments[-1]):
            runtime.judge_states(
                self.kernel.address, self.store.log, first, n, worker.buffers, self.switches,
                self.store.words,
            )  # fmt: skip
            flags = (
                worker.flags[: n * plan.flag_words].reshape(n, plan.flag_words) & only & self.mask
            )
            hits = np.flatnonzero(flags.any(axis=1))
            if len(hits):
                rows = np.column_stack([hits + first, flags[hits].astype(np.int64)])
                noted.append(rows.astype(np.int64))
        triggered = worker.seen & only
        worker.seen[:] = seen_before
        self._judge(len(self.graph.segments) - 1, noted, only & self.mask)
        self._note_triggers(triggered, only)


def _rank(system: System, name: str) -> int:
    values = sorted(system.family.mechanisms[name].values)
    return values.index(system.design.mechanisms[name])


def _chunks(segments: list[Segment]) -> Ints:
    """Cut segments into (first, count) of at most CHUNK states."""
    parts = []
    for first, last in segments:
        starts = np.arange(first, last, runtime.CHUNK)
        parts.append(np.column_stack([starts, np.minimum(runtime.CHUNK, last - starts)]))
    return np.concatenate(parts).astype(np.int64)


@dataclass(frozen=True)
class Comfort:
    """What does not change a result: threads, spilling, checkpoints, progress.

    ``checkpoint`` is a folder; it is written at the end of a level when ``every`` seconds have
    passed since the last time, when the search is interrupted, and when it ends.
    """

    threads: int = 1
    spill: Path | None = None
    checkpoint: Path | None = None
    every: float = 20.0
    progress: Callable[[Tick], None] | None = None


def explore(
    system: System, watch: Watch, limits: Limits, comfort: Comfort | None = None
) -> CompiledGraph:
    """Explore every state reachable from the initial one, up to ``limits``."""
    comfort = comfort or Comfort()
    kernel = compile_kernel(system, watch.properties)
    store = Store(kernel, comfort.threads, budget_of(limits.memory, comfort.spill))
    run = _Run(system, watch, comfort.threads, store)
    journey = _Journey(run, limits, comfort)
    search = run.graph.search
    search.engine, search.threads = "compiled", comfort.threads
    journey.start(identity(system, kernel, [p.name for p in watch.properties]))
    try:
        with ThreadPoolExecutor(comfort.threads) as pool:
            journey.go(pool)
    finally:
        journey.save()
    search.complete = search.stopped_by is None
    store.drop()
    search.seconds = journey.seconds()
    return run.graph


class _Journey:
    """Drives a search level by level: limits, progress, checkpoints."""

    def __init__(self, run: _Run, limits: Limits, comfort: Comfort) -> None:
        self.run, self.limits, self.comfort = run, limits, comfort
        self.started, self.deadline = time.perf_counter(), limits.deadline()
        self.checkpoint: Checkpoint | None = None
        self.settled = (0, Search())
        self.saved_at = time.perf_counter()

    def seconds(self) -> float:
        """Return how long the search has taken, earlier runs of it not counted."""
        return time.perf_counter() - self.started

    def start(self, identity: dict[str, Any]) -> None:
        """Begin with the initial state, or where a checkpoint left off."""
        if self.comfort.checkpoint is not None:
            self.checkpoint = Checkpoint(self.comfort.checkpoint, identity)
            earlier = self.checkpoint.load()
            if earlier is not None:
                self.run.resume(*earlier)
                return
        self.run.begin()

    def go(self, pool: ThreadPoolExecutor) -> None:
        """Expand level after level until nothing is new or something stops it."""
        run, search = self.run, self.run.graph.search
        while True:
            self.settle()
            if self.limits.states and search.count >= self.limits.states:
                search.stopped_by = "states"
                run.judge_border()
                if search.failure is not None:
                    search.stopped_by = "error"
                return
            before = len(run.graph.segments)
            search.stopped_by = run.expand(pool, self.watching)
            run.end_level()
            if search.failure is not None:
                search.stopped_by = "error"
            if search.stopped_by is None and not self.limits.broken.isdisjoint(search.broken):
                search.stopped_by = "broken"
            if search.stopped_by or len(run.graph.segments) == before:
                return
            if time.perf_counter() - self.saved_at > self.comfort.every:
                self.save()

    def watching(self) -> str | None:
        """Report progress, and say whether time is up."""
        if self.comfort.progress is not None:
            run, search = self.run, self.run.graph.search
            sizes = np.diff(search.levels[-3:])
            frontier, before = int(sizes[-1]), int(sizes[0])
            trend = "shrinking" if frontier < before else "growing"
            budget = run.store.budget
            used = budget.base + run.store.bytes()
            self.comfort.progress(
                Tick(
                    run.store.count,
                    frontier,
                    trend,
                    search.depth,
                    self.seconds(),
                    used,
                    budget.limit,
                )
            )
        return "time" if time.monotonic() > self.deadline else None

    def settle(self) -> None:
        """Remember the search as it is now, all but its last level expanded and judged.

        That is what a checkpoint holds, whenever it is written.
        """
        search = self.run.graph.search
        kept = replace(search, broken=dict(search.broken), triggered=set(search.triggered))
        self.settled = len(search.levels), kept

    def save(self) -> None:
        """Write the checkpoint of the search as it was last settled."""
        length, kept = self.settled
        if self.checkpoint is None or not length:
            return
        kept.levels, kept.seconds = self.run.graph.search.levels[:length], self.seconds()
        fresh = self.run.states_between(self.checkpoint.saved, kept.count)
        self.checkpoint.save(kept, kept.count, fresh)
        self.saved_at = time.perf_counter()
