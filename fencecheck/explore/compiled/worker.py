"""Worker: the buffers in which one thread runs a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.storage.store import Store

_NOTES = 1 << 16
_RECENT = 1 << 14
Segment = tuple[int, int]


class Worker:
    """The buffers of one thread."""

    def __init__(self, kernel: Kernel, switches: npt.NDArray[np.int32]) -> None:
        words, cases = kernel.packing.words, kernel.cases
        self.kernel, self.switches = kernel, switches
        self.flags = np.zeros((loop.CHUNK + 8) * kernel.plan.flag_words, np.uint32)
        self.seen = np.zeros(kernel.seen_words, np.uint32)
        self.notes = np.zeros((_NOTES, 1 + kernel.plan.flag_words), np.int64)
        self.buffers = (
            np.empty((loop.CHUNK + 8) * cases * words, np.uint64),
            np.empty(loop.CHUNK + 16, np.uint32),
            self.flags,
            self.seen,
            np.empty(kernel.scratch_words, np.uint64),
            np.arange(_RECENT, dtype=np.uint64) ^ np.uint64(1),
        )

    def find(
        self, store: Store, segment: Segment, targets: tuple[Any, Any], hits: npt.NDArray[np.int64]
    ) -> int:
        """Write to ``hits`` the states of a segment with a successor among ``targets``."""
        count: int = loop.find_sources(
            self.kernel.address, store.log, *segment, *targets,
            store.table.shape, self.buffers, self.switches, hits,
        )  # fmt: skip
        return count
