"""The graph that a compiled search leaves: packed states in a log, level by level.

``CompiledGraph`` is a StateGraph; a ``Worker`` has the buffers in which one thread runs a kernel.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled import loop as runtime
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.store import Store
from fencecheck.explore.graph import Search
from fencecheck.model.system import State, System

_NOTES = 1 << 16
_RECENT = 1 << 14
Ints = npt.NDArray[np.int64]
Segment = tuple[int, int]


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
