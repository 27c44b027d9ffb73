"""Store: the packed states of a search, in breadth-first order, and the table that finds them.

One log holds every state; thread t appends from ``t * stride`` on. A table that grows moves into
the new one from front to back, in parts whose memory is given back as it goes, so that the two
never stand side by side whole. What may be used is a budget of bytes; a table that would break it
is made smaller, and when that no longer helps the store goes over to files, or is full.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.errors import InternalError
from fencecheck.explore.compiled import runtime
from fencecheck.explore.compiled.kernel import Kernel
from fencecheck.explore.compiled.memory import Region
from fencecheck.explore.compiled.packing import Words
from fencecheck.explore.machine import available, resident

_LINE = 8  # slots of a line
_FIRST_LINES = 1 << 13
_LOAD_ONE, _LOAD_MORE = 0.8, 0.62  # beyond, some states end up too far from their line
_SMALL_TABLE = 300_000  # lines (19 MB): below, growing fast costs little memory
_FAST, _SLOW = 4.0, 1.5  # from 5 million states on, at most 24 bytes a state with the log
_PART = 1 << 18  # lines (16 MB) of a table that are moved at a time, and then given back
_SHARE = 0.9  # of the memory that can be had, where no budget is given


@dataclass(frozen=True)
class Budget:
    """How many bytes may be resident, and where to spill what does not fit (None: nowhere)."""

    limit: int
    base: int
    spill: Path | None


def budget_of(memory: int | None, spill: Path | None) -> Budget:
    """Return the budget for ``memory`` bytes in all (None: what the machine can give)."""
    base = resident()
    limit = memory if memory is not None else base + int(available() * _SHARE)
    return Budget(limit, base, spill)


def table_shape(words: int, used: int, lines: int, load: float) -> npt.NDArray[np.int64]:
    """Return the ``shape`` of a table for states of ``used`` bits in so many words (see runtime).

    Raises InternalError where a state's remainder does not fit beside its distance.
    """
    bits = used if words == 1 else 64
    rest = max(bits - (lines.bit_length() - 1), 1)
    if words == 1 and rest > 58:
        raise InternalError(f"{used} bits leave {rest} beside {lines} lines")
    capacity = int(lines * _LINE * load)
    return np.array([words, bits, lines, rest, capacity, *divmod(1 << bits, lines)], np.int64)


class Store:
    """The log and the table of one search."""

    def __init__(self, kernel: Kernel, threads: int, budget: Budget) -> None:
        self.kernel, self.threads, self.budget = kernel, threads, budget
        self.words = kernel.packing.words
        room = max(budget.limit - budget.base, 1 << 24)
        if budget.spill is not None:
            room += shutil.disk_usage(budget.spill).free
        self.stride = min((2**32 - 2) // threads, room // (8 * self.words) + (1 << 16))
        self.files: Path | None = None
        self._log = Region((self.stride * threads + 64) * self.words)
        self.log = self._log.array
        self.load = _LOAD_ONE if self.words == 1 else _LOAD_MORE
        self.own = np.zeros((threads, 6), np.int64)
        self.own[:, 0] = np.arange(threads) * self.stride
        self.own[:, 2] = -1
        self.reserve = runtime.CHUNK * kernel.cases * threads
        self.shape = np.zeros(7, np.int64)
        self._table: Region | None = None
        self.table: npt.NDArray[Any] = np.empty(0, np.uint64)
        self._make_table(max(_FIRST_LINES, self._lines_for(2 * self.reserve)))

    @property
    def count(self) -> int:
        """Return how many states are stored."""
        return int((self.own[:, 0] - np.arange(self.threads) * self.stride).sum())

    def _lines_for(self, states: int) -> int:
        return int(states / (self.load * _LINE)) + 1

    def _make_table(self, lines: int) -> None:
        self.drop()
        self._table = Region(lines * _LINE, self.files)
        self.table = self._table.array
        self.shape = table_shape(self.words, self.kernel.packing.used, lines, self.load)

    def bytes(self) -> int:
        """Return the bytes that the log and the table use by now."""
        return self.count * 8 * self.words + self.table.nbytes

    def grow(self) -> bool:
        """Make the table larger, in files if there are some; False if that has no room either."""
        return self._grow() or (self._go_to_files() and self._grow())

    def _grow(self) -> bool:
        lines = int(self.shape[2])
        factor = _FAST if lines < _SMALL_TABLE else _SLOW
        per_line = 64 + int(self.load * _LINE * 8 * self.words)
        aside = self.reserve * 8 * self.words + min(lines, _PART * self.threads) * 64
        most = (self.budget.limit - self.budget.base - aside) // per_line
        wanted = max(int(lines * factor), self._lines_for(self.count + 2 * self.reserve))
        target = min(wanted, most)
        if target < lines * 1.02 or target < self._lines_for(self.count + self.reserve):
            return False
        self._move_to(target)
        return True

    def _move_to(self, lines: int) -> None:
        """Go over to a table of so many lines, all threads at it."""
        old, shape, self._table = self._table, self.shape, None
        assert old is not None
        self._make_table(lines)
        count = int(shape[2])
        parts = [(at, min(at + _PART, count)) for at in range(0, count, _PART)]

        def move(part: tuple[int, int]) -> int:
            moved: int = runtime.move(
                old.array, shape, *part, self.table, self.shape, self.threads > 1
            )
            old.release(part[0] * _LINE, part[1] * _LINE)
            return moved

        done = self._in_turns(move, parts)
        old.drop()
        if min(done) < 0 or sum(done) != self.count:
            raise InternalError("a state got lost while the table grew")

    def _in_turns(
        self, work: Callable[[tuple[int, int]], int], parts: list[tuple[int, int]]
    ) -> list[int]:
        if self.threads == 1 or len(parts) == 1:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(work, parts))

    def _go_to_files(self) -> bool:
        """Move the log to a file, as the table will be when it grows; False if that is no way."""
        spill, used = self.budget.spill, self._log
        if spill is None or self.files is not None:
            return False
        self.files = spill
        self._log = Region((self.stride * self.threads + 64) * self.words, spill)
        self.log = self._log.array
        for thread, end in enumerate(self.own[:, 0]):
            first, last = thread * self.stride * self.words, int(end) * self.words
            for at in range(first, last, _PART):
                part = slice(at, min(at + _PART, last))
                self.log[part] = used.array[part]
                used.release(part.start, part.stop)
        used.drop()
        free = shutil.disk_usage(spill).free
        self.budget = replace(self.budget, limit=self.budget.base + self.bytes() + free)
        return True

    def grow_for(self, states: int) -> bool:
        """Make an empty table for ``states`` and some more; False if there is no room for it."""
        return self._grow_for(states) or (self._go_to_files() and self._grow_for(states))

    def _grow_for(self, states: int) -> bool:
        lines = self._lines_for(states + 2 * self.reserve)
        per_state = 8 * self.words * (states + self.reserve)
        if self.budget.base + lines * 64 + per_state > self.budget.limit:
            return False
        self._make_table(lines)
        return True

    def refill(self) -> None:
        """Put every state of the log into the (fresh) table, all threads at it."""
        parts = []
        for thread in range(self.threads):
            first, last = thread * self.stride, int(self.own[thread, 0])
            cuts = [first + (last - first) * i // self.threads for i in range(self.threads + 1)]
            parts += list(itertools.pairwise(cuts))
        if min(self._in_turns(self._reinsert, parts)) < 0:
            raise InternalError("a state is too far from its home in the table")

    def _reinsert(self, part: tuple[int, int]) -> int:
        first, last = part
        count: int = runtime.reinsert(
            self.log, first, last - first, self.table, self.shape, self.threads > 1
        )
        return count

    def words_of(self, place: int) -> Words:
        """Return the words of the state at ``place`` of the log."""
        return self.log[place * self.words : (place + 1) * self.words]

    def drop(self) -> None:
        """Give the table back; the log stays readable."""
        if self._table is not None:
            self.table = np.empty(0, np.uint64)
            self._table.drop()
            self._table = None
