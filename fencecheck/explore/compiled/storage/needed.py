"""The states of a search under dominance: a log as in a Store, and a table of what covers what.

Only in memory, for one search from its beginning: a search that is to go on in files or from a
checkpoint is exact. A table that grows is filled again from the log.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.storage.coding import Coding
from fencecheck.explore.compiled.storage.memory import MemoryRegion
from fencecheck.explore.compiled.storage.packing import FieldPlace, Packing, Words
from fencecheck.explore.compiled.storage.store import Budget
from fencecheck.explore.compiled.storage.table import LINE
from fencecheck.explore.machine import address_room
from fencecheck.explore.threads import Threads

Segment = tuple[int, int]
Struck = npt.NDArray[np.uint8]
_LOAD = 0.7
_FIRST_LINES = 1 << 13
_SMALL_TABLE = 300_000  # lines: below, growing fast costs little memory
_FAST, _SLOW = 4.0, 1.6
_SHARE_OF_ADDRESSES = 0.6  # the rest is for the threads' buffers


class NeededTable:
    """``slots`` and ``shape`` are what loops/dominance.py works on."""

    def __init__(
        self, packing: Packing, spent: Sequence[FieldPlace], size: tuple[int, int]
    ) -> None:
        """Make an empty table; ``size`` is its number of lines, and the most it can grow to."""
        lines, self.most = size
        most = self.most
        self._region = MemoryRegion(most * LINE)
        self._shape = _shape(packing, spent)
        self.take(lines)

    def take(self, lines: int) -> None:
        """Let the table, which is empty, have so many lines."""
        self.slots = self._region.array[: lines * LINE]
        self.shape = self._shape.copy()
        self.shape[slots.LINES], self.shape[slots.ROOM] = lines, int(lines * LINE * _LOAD)

    def see(self, coding: npt.NDArray[np.int64]) -> None:
        """Know how states stand in the log."""
        self._shape[slots.CODING] = self.shape[slots.CODING] = coding.ctypes.data

    @property
    def lines(self) -> int:
        """Return how many lines there are."""
        return int(self.shape[slots.LINES])

    @property
    def masks(self) -> Words:
        """Return for each word of a state a mask without what is left of budgets."""
        first = slots.SPENT + 1
        return self._shape[first : first + int(self._shape[slots.WORDS])].view(np.uint64)

    def drop(self) -> None:
        """Give the memory back; the table is of no more use."""
        self.slots = np.empty(0, np.uint64)
        self._region.drop()


def _shape(packing: Packing, spent: Sequence[FieldPlace]) -> npt.NDArray[np.int64]:
    """Return how states of a packing are read, for a table of no lines."""
    masks, fields, borders, bits = [(1 << 64) - 1] * packing.words, list[int](), 0, 0
    for place in spent:
        word, shift = packing.in_word(place)
        mask = (1 << place.bits) - 1
        masks[word] &= ~(mask << shift)
        fields += [word, shift, mask, bits]
        bits += place.bits
        borders |= 1 << bits
    head = np.zeros(slots.SPENT + 1, np.int64)
    head[slots.WORDS], head[slots.SPENT] = packing.words, len(spent)
    head[slots.SIZE] = 8 * packing.words
    head[slots.LEFT_BITS], head[slots.BORDERS] = bits, borders
    return np.concatenate(
        [head, np.array(masks, np.uint64).view(np.int64), np.array(fields, np.int64)]
    )


class NeededStore:
    """The log and the table; each thread of ``pool`` has a part of the log."""

    def __init__(self, kernel: Kernel, pool: Threads, budget: Budget, spent: Sequence[int]) -> None:
        """Make an empty store; ``spent`` are the fields of the budgets that are only spent."""
        self.kernel, self.pool, self.budget = kernel, pool, budget
        self.threads, self.words = pool.number, kernel.packing.words
        self.coding = Coding(self.words, 64 * self.words).plain()
        self.spent = [kernel.packing.places[field] for field in spent]
        self.stride = self._stride()
        self._log = MemoryRegion((self.stride * self.threads + 64) * self.words)
        self.log = self._log.array
        self.own = np.zeros((self.threads, slots.CAME_BACK + 1), np.int64)
        self.own[:, slots.END] = np.arange(self.threads) * self.stride
        self.own[:, slots.CHUNK_UNDER_WAY] = -1
        self.reserve = slots.CHUNK * kernel.cases * self.threads
        lines = max(_FIRST_LINES, _lines_for(2 * self.reserve))
        most = int(self.stride / (_LOAD * LINE))
        if most < lines:
            raise MemoryError("the address space is too small for a table")
        self.table = NeededTable(kernel.packing, self.spent, (lines, most))
        self.table.see(self.coding.numbers)

    def _stride(self) -> int:
        """Return how many states each thread's part of the log has addresses for."""
        room = max(self.budget.limit - self.budget.base, 1 << 24)
        stride = min((2**32 - 2) // self.threads, room // (8 * self.words) + (1 << 16))
        space = address_room()
        if space is not None:
            per_state = 8 * (self.threads * self.words + 1 / _LOAD)
            stride = min(stride, int(space * _SHARE_OF_ADDRESSES / per_state))
        return stride

    @property
    def count(self) -> int:
        """Return how many states are stored."""
        return int((self.own[:, slots.END] - np.arange(self.threads) * self.stride).sum())

    def bytes(self) -> int:
        """Return the bytes that the log and the table use by now."""
        return self.count * 8 * self.words + self.table.slots.nbytes

    def grow(self) -> bool:
        """Make the table larger; False if that has no room."""
        lines = self.table.lines
        factor = _FAST if lines < _SMALL_TABLE else _SLOW
        per_line = 8 * LINE + int(_LOAD * LINE * 8 * self.words)
        aside = self.reserve * 8 * self.words
        most = min((self.budget.limit - self.budget.base - aside) // per_line, self.table.most)
        wanted = max(int(lines * factor), _lines_for(self.count + 2 * self.reserve))
        target = min(wanted, most)
        if target < lines * 1.02 or target < _lines_for(self.count + self.reserve):
            return False
        self._clear(target)
        self.refill()
        return True

    def _clear(self, lines: int) -> None:
        self.table.slots[:] = 0
        self.table.take(lines)

    def grow_for(self, states: int) -> bool:
        """Make an empty table for ``states`` and some more; False if there is no room for it."""
        lines = _lines_for(states + 2 * self.reserve)
        per_state = 8 * self.words * (states + self.reserve)
        if self.budget.base + lines * 8 * LINE + per_state > self.budget.limit:
            return False
        if lines > self.table.most:
            return False
        self._clear(lines)
        return True

    def refill(self) -> None:
        """Put every state of the log into the table, which is empty, all threads at it."""
        parts = list[Segment]()
        for thread in range(self.threads):
            first, last = thread * self.stride, int(self.own[thread, slots.END])
            cuts = [first + (last - first) * i // self.threads for i in range(self.threads + 1)]
            parts += itertools.pairwise(cuts)
        list(self.pool.map(self._reinsert, parts))

    def _reinsert(self, part: Segment) -> None:
        table, (first, last) = self.table, part
        loop.reinsert_needed(
            self.log, first, last - first, table.slots, table.shape, self.threads > 1
        )

    def strike(self, begins: Sequence[int]) -> None:
        """Take out of the level under way, from ``begins`` on in each part, what is superfluous."""
        ends = [int(end) for end in self.own[:, slots.END]]
        parts = list(zip(begins, ends, strict=True))
        struck = [np.zeros(last - first, np.uint8) for first, last in parts]
        many = list(self.pool.map(self._strike_part, parts, struck))
        if any(many):
            self.own[:, slots.END] = list(self.pool.map(self._close_part, parts, struck))
            self.table.shape[slots.ROOM] -= sum(many)  # their slots stay

    def _strike_part(self, part: Segment, struck: Struck) -> int:
        table, (first, last) = self.table, part
        return loop.strike_covered(self.log, first, last - first, table.slots, table.shape, struck)

    def _close_part(self, part: Segment, struck: Struck) -> int:
        table, (first, last) = self.table, part
        return loop.close_gaps(self.log, first, last - first, table.slots, table.shape, struck)

    def read(self, first: int, end: int, into: Words | None = None) -> Words:
        """Return the words of the states at places ``first`` .. ``end`` - 1 of the log.

        They are written ``into`` an array of that size, if one is given.
        """
        states = self.log[first * self.words : end * self.words]
        if into is not None:
            into[:] = states
        return states

    def write(self, first: int, states: Words) -> None:
        """Put states at places from ``first`` on of the log."""
        self.log[first * self.words : first * self.words + len(states)] = states

    def words_of(self, place: int) -> Words:
        """Return the words of the state at ``place`` of the log."""
        return self.read(place, place + 1)

    def let_go(self, closed: list[Segment]) -> None:
        """Keep a level that is closed: all of the log is in memory."""

    def drop(self) -> None:
        """Give the table back; the log stays readable."""
        self.table.drop()


def table_of(store: NeededStore, log: Words, count: int) -> NeededTable:
    """Return a table that finds the states of a log, numbered as they stand in it."""
    lines = _lines_for(count + 64)
    table = NeededTable(store.kernel.packing, store.spent, (lines, lines))
    loop.reinsert_needed(log, 0, count, table.slots, table.shape, 0)
    return table


def _lines_for(states: int) -> int:
    return int(states / (_LOAD * LINE)) + 1
