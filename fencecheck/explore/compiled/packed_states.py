"""The states that a compiled search leaves: packed, in a log, level by level."""

from __future__ import annotations

import bisect
import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.storage.needed import NeededStore
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.store import Store
from fencecheck.explore.compiled.worker import Segment, Worker
from fencecheck.explore.graph import Search
from fencecheck.model.system import State, System

Ints = npt.NDArray[np.int64]


@dataclass
class PackedStates:
    """Packed states in a log. ``segments[d]`` are the parts of the log that level d is."""

    system: System
    kernel: Kernel
    store: Store | NeededStore
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

    def in_order(self, spare: int = 0) -> Words:
        """Return the words of all states in order of number, and so many words of 0 behind them."""
        width, at = self.store.words, 0
        states = np.zeros(self.search.count * width + spare, np.uint64)
        for first, last in itertools.chain.from_iterable(self.segments):
            end = at + (last - first) * width
            self.store.read(first, last, states[at:end])
            at = end
        return states
