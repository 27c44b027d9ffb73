"""An owner: one process with its part of the states of a search, in the single engine's table.

It expands its states of a level, hands each successor to whoever owns it, and takes what is its
own. Its log has the levels one after another, as that of a search by one thread has. The driver
(search.py) calls its methods; nothing here knows of Ray.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cluster.dealing import Dealing
from fencecheck.explore.cluster.parcel import Parcel
from fencecheck.explore.cluster.saved import OwnerFile, check_sums, rows_of
from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.judging import LevelJudge
from fencecheck.explore.compiled.kernel.compile import compile_kernel
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.compiled.storage.checkpoint import append_states
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.store import Store, budget_of
from fencecheck.explore.compiled.worker import worker_of
from fencecheck.explore.graph import Search
from fencecheck.explore.machine import resident
from fencecheck.explore.native.code import NativeCode
from fencecheck.explore.resources import OwnerTick
from fencecheck.explore.threads import Threads
from fencecheck.explore.watch import Watch
from fencecheck.model.ask.questions import with_questions
from fencecheck.model.family import Design
from fencecheck.model.system import System

Questions = tuple[tuple[str, ...], tuple[str, ...]]  # texts: is it reached, does it always hold
PIECE = 16 * slots.CHUNK  # states expanded between two exchanges
_FILTER = 1 << 18  # successors of the filter of those just found, a power of two
_SHIFT = 65 - _FILTER.bit_length()  # bits of a hash that say nothing of a place in it
_CODE = NativeCode("fencecheck.explore.cluster", ("sending",))
_deal_fresh = _CODE.declare(
    "i64 deal_fresh(u64* found, i64 count, i64 width, u64* recent, i64 shift, u64* masks, "
    "i64* owner_of, i64 parts, i64* owners)"
)


@dataclass(frozen=True)
class OwnerTask:
    """What an owner works on: a design, what is watched, its number, how states are dealt."""

    parcel: Parcel
    design: Design
    names: tuple[str, ...]
    questions: Questions
    memory: int
    number: int
    dealing: Dealing


@dataclass(frozen=True)
class LevelReport:
    """What an owner says at the end of a level.

    ``handed`` is how many states it handed to others. ``notes`` are rows of a state's place in its
    level and its flags; ``full`` says that memory was not enough.
    """

    fresh: int
    transitions: int
    handed: int
    notes: Ints
    seen: npt.NDArray[np.uint32]
    full: bool
    progress: OwnerTick


class Owner:
    """One owner. States go in and out as rows of packed words."""

    def __init__(self, task: OwnerTask) -> None:
        family, self.task = task.parcel.opened(), task
        if any(task.questions):
            family = with_questions(family, task.design, *task.questions)
        self.system = System(family, task.design, asked=task.names)
        self.watched = Watch(self.system, list(task.names)).properties
        self.kernel = compile_kernel(self.system, self.watched)
        self.width = self.kernel.packing.words
        self.store = Store(self.kernel, Threads(1), budget_of(task.memory, None))
        self.worker = worker_of(self.system, self.kernel)
        self.levels = [0]
        self.notes, self.transitions, self.handed = list[Ints](), 0, 0
        self.full = False
        self.sent = np.zeros((_FILTER, self.width), np.uint64)
        self.sent[0] = ~np.uint64(0)  # no state is there yet, nor the one whose words are 0
        _CODE.load()
        self.masks = np.array(task.dealing.masks, np.uint64)
        self.homes = np.empty(len(self.worker.out) // self.width, np.int64)
        self.saved, self.sum = 0, 0
        self.begun, self.busy = 0, 0.0  # states that it was given, seconds of work on others

    def digest(self) -> str:
        """Return what the kernel is made of: that of all owners and of the driver is the same."""
        return self.kernel.digest

    def progress(self) -> OwnerTick:
        """Return how far it has come."""
        found = self.store.count - self.begun
        return OwnerTick(self.store.count, resident(), found / self.busy if found else 0.0)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.busy += time.perf_counter() - started

    # -- a level --------------------------------------------------------------------------------
    def expand(self, piece: int, mask: npt.NDArray[np.uint32]) -> list[Words]:
        """Expand a piece of the last level; return what goes to each owner, to itself nothing.

        ``mask`` has the flags of interest.
        """
        first = self.levels[-2] + piece * PIECE
        end, found = min(self.levels[-1], first + PIECE), list[tuple[Words, Ints]]()
        with self._at_work():
            for at in range(first, end if not self.full else first, slots.CHUNK):
                found.append(self._expanded(at, min(slots.CHUNK, end - at), mask))
            states = np.concatenate([np.empty((0, self.width), np.uint64), *(s for s, _ in found)])
            owners = np.concatenate([np.empty(0, np.int64), *(o for _, o in found)])
        self.handed += len(states)
        return [states[owners == number] for number in range(self.task.dealing.owners)]

    def _expanded(self, at: int, count: int, mask: npt.NDArray[np.uint32]) -> tuple[Words, Ints]:
        """Expand some states; return what others own of the successors, and who.

        Its own are inserted. Those that were just found as well are left out.
        """
        store, worker, width = self.store, self.worker, self.kernel.signs.flag_words
        made = worker.judge(store, at, count)
        self.transitions += made
        flags = worker.flags[: count * width].reshape(count, width) & mask
        hits = np.flatnonzero(flags.any(axis=1))
        if len(hits):
            rows = [hits + (at - self.levels[-2]), flags[hits].astype(np.int64)]
            self.notes.append(np.column_stack(rows).astype(np.int64))
        dealing = self.task.dealing
        fresh = _deal_fresh(
            worker.out, made, self.width, self.sent, _SHIFT, self.masks, dealing.owner_of,
            len(dealing.owner_of), self.homes,
        )  # fmt: skip
        found: Words = worker.out[: fresh * self.width].reshape(fresh, self.width)
        own = self.homes[:fresh] == self.task.number
        self._insert(found[own])
        return found[~own], self.homes[:fresh][~own]

    def take(self, *batches: Words) -> OwnerTick:
        """Take states of its own that others found; return how far it has come."""
        with self._at_work():
            for batch in batches:
                self._insert(np.asarray(batch))
        return self.progress()

    def _insert(self, states: Words) -> None:
        """Insert states; where memory is not enough, say so at the end of the level."""
        store = self.store
        for at in range(0, len(states), store.reserve):
            part = np.ascontiguousarray(states[at : at + store.reserve]).reshape(-1)
            count = len(part) // self.width
            while not self.full:
                room = int(store.table.shape[slots.ROOM]) >= store.count + count
                done = room and loop.insert(
                    part, count, store.log, store.own[0], store.table.slots, store.table.shape,
                    self.worker.recent, False,
                ) >= 0  # fmt: skip
                if done:
                    break
                self.full = not store.grow()

    def end_level(self) -> LevelReport:
        """Make a level of what was found since the last one, and say what there is to say."""
        count = self.store.count
        told = count - self.levels[-1], self.transitions, self.handed
        width = 1 + self.kernel.signs.flag_words
        notes = np.concatenate([np.empty((0, width), np.int64), *self.notes])
        self.levels.append(count)
        self.notes, self.transitions, self.handed = [], 0, 0
        return LevelReport(*told, notes, self.worker.seen.copy(), self.full, self.progress())

    def border(
        self, level: int, mask: npt.NDArray[np.uint32]
    ) -> tuple[Ints, npt.NDArray[np.uint32]]:
        """Return notes on the states of a level that will not be expanded, and triggers met."""
        judge = LevelJudge(Search(), self.watched, self.kernel, lambda _, places: places)
        judge.mask = mask
        first, end = self.levels[level : level + 2]
        noted, seen = judge.noted_unexpanded(self.worker, self.store, [(first, end)])
        notes = np.concatenate([np.empty((0, 1 + len(judge.mask)), np.int64), *noted])
        notes[:, 0] -= first
        return notes, seen

    # -- its states -----------------------------------------------------------------------------
    def begin(self, levels: list[Words]) -> None:
        """Begin with what it owns of levels that are known."""
        for level in levels:
            self._insert(np.asarray(level))
            self.levels.append(self.store.count)
        self.begun = self.store.count

    def read(self, files: list[OwnerFile]) -> list[int]:
        """Begin with what it owns of saved states; return where its levels begin.

        Raises OSError or ValueError where they cannot be read.
        """
        check_sums(files, self.width)
        for level in range(len(files[0].levels) - 1):
            rows = rows_of(files, level, self.width)
            self._insert(rows[self.task.dealing.of(rows) == self.task.number])
            self.levels.append(self.store.count)
        self.begun = self.store.count
        return self.levels

    def states(self, level: int, places: Ints | None = None) -> Words:
        """Return states of a level, by their places in it (None: all)."""
        first, end = self.levels[level : level + 2]
        found = self.store.read(first, end).reshape(-1, self.width)
        return found if places is None else found[places]

    def sources(self, level: int, targets: Words) -> tuple[Ints, Words]:
        """Return which states of a level lead to one of ``targets``: their places, and they."""
        first, end = self.levels[level : level + 2]
        wanted = np.ascontiguousarray(targets).reshape(-1)
        places = self.worker.sources(self.store, [(first, end)], wanted) - first
        return places, self.states(level, places)

    # -- on disk --------------------------------------------------------------------------------
    def save(self, file: Path, levels: int) -> tuple[list[int], int]:
        """Append what is not saved yet of so many levels to its file.

        Returns where they begin, and the checksum of all.
        """
        del self.levels[levels + 1 :]  # one that was empty, or is not to count
        fresh = self.store.read(self.saved, self.levels[-1])
        file.parent.mkdir(parents=True, exist_ok=True)
        self.sum = append_states(file, self.saved * self.width, [fresh], self.sum)
        self.saved = self.levels[-1]
        return list(self.levels), self.sum
