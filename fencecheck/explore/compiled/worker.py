"""Worker: the buffers in which one thread runs a kernel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.storage.needed import NeededStore
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.store import Store
from fencecheck.model.system import System

_NOTES = 1 << 16
Segment = tuple[int, int]


def empty_filter(words: int) -> npt.NDArray[np.uint64]:
    """Return a filter of states just seen that holds none: states where they do not belong."""
    rows = slots.ROWS * words if words > 1 else 0
    recent = np.zeros(slots.RECENT + rows, np.uint64)
    recent[0] = ~np.uint64(0)
    recent[slots.RECENT : slots.RECENT + words] = ~np.uint64(0)
    return recent


class Worker:
    """The buffers of one thread."""

    def __init__(self, kernel: Kernel, switches: npt.NDArray[np.int32]) -> None:
        words, cases = kernel.packing.words, kernel.cases
        self.kernel, self.switches = kernel, switches
        self.flags = np.zeros((slots.LONGEST + 8) * kernel.signs.flag_words, np.uint32)
        self.seen = np.zeros(kernel.seen_words, np.uint32)
        self.notes = np.zeros((_NOTES, 1 + kernel.signs.flag_words), np.int64)
        self.out = np.empty((slots.LONGEST + 8) * cases * words, np.uint64)
        self.offsets = np.empty(slots.LONGEST + 16, np.uint32)
        self.scratch = np.empty(kernel.scratch_words, np.uint64)
        self.recent = empty_filter(words)
        self.source = np.empty((slots.LONGEST + 8) * words, np.uint64)
        self.buffers = self.buffers_with(self.scratch)

    @property
    def bytes(self) -> int:
        """Return the bytes of all buffers."""
        held = (self.out, self.offsets, self.flags, self.seen, self.scratch, self.recent)
        return sum(array.nbytes for array in (*held, self.notes, self.source))

    def buffers_with(self, labels: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return the addresses of the buffers, those of ``labels`` among them, for a kernel."""
        arrays = (
            self.out, self.offsets, self.switches, self.flags, self.seen, self.scratch, labels,
            self.source,
        )  # fmt: skip
        return np.array([array.ctypes.data for array in arrays], np.int64)

    def judge(self, store: Store | NeededStore, first: int, count: int, buffers: Any = None) -> int:
        """Run the kernel on up to a chunk of states of the log; return how many successors."""
        made: int = loop.judge_states(
            self.kernel.address, self.buffers if buffers is None else buffers, store.log, first,
            count, store.coding.numbers,
        )  # fmt: skip
        return made

    def sources(
        self, store: Store | NeededStore, segments: Iterable[Segment], targets: Words
    ) -> npt.NDArray[np.int64]:
        """Return the places of the states of segments that have a successor among ``targets``."""
        count, found = len(targets) // store.words, [np.empty(0, np.int64)]
        table = np.zeros(1 << (2 * count + 2).bit_length(), np.int64)
        loop.index_targets(targets, count, table, len(table), store.words)
        for first, last in segments:
            hits = np.empty(last - first, np.int64)
            many = loop.find_sources(
                self.kernel.address, self.buffers, store.log, first, last, store.coding.numbers,
                targets, table, len(table), hits, len(hits),
            )  # fmt: skip
            found.append(hits[:many])
        return np.concatenate(found)


def worker_of(system: System, kernel: Kernel) -> Worker:
    """Return a worker that runs a kernel with the switches of a system."""
    ranks = [system.rank(name) for name in kernel.signs.switches]
    return Worker(kernel, np.array(ranks, np.int32))


def in_chunks(segments: Iterable[Segment]) -> npt.NDArray[np.int64]:
    """Cut segments into (first, count) of at most CHUNK states."""
    parts = [np.empty((0, 2), np.int64)]
    for first, last in segments:
        starts = np.arange(first, last, slots.CHUNK)
        parts.append(np.column_stack([starts, np.minimum(slots.CHUNK, last - starts)]))
    return np.concatenate(parts).astype(np.int64)
