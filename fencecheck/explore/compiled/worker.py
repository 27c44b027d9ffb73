"""Worker: the buffers in which one thread runs a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.storage.needed import NeededStore
from fencecheck.explore.compiled.storage.store import Store

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

    def find(
        self,
        store: Store | NeededStore,
        segment: Segment,
        targets: tuple[Any, Any],
        hits: npt.NDArray[np.int64],
    ) -> int:
        """Write to ``hits`` the states of a segment with a successor among ``targets``."""
        count: int = loop.find_sources(
            self.kernel.address, self.buffers, store.log, *segment, store.coding.numbers,
            *targets, len(targets[1]), hits, len(hits),
        )  # fmt: skip
        return count
