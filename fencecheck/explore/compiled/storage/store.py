"""Store: the packed states of a search, in breadth-first order, and the table that finds them.

One log holds every state; thread t appends from state ``t * stride`` on. What may be used is a
budget of bytes; a table that would break it grows less. When that no longer helps the log goes to a
file, of which the levels that are closed are read again only by traces and temporal properties;
then the table; then the store is full.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fencecheck.errors import InternalError
from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.storage.coding import Coding
from fencecheck.explore.compiled.storage.memory import MemoryRegion
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.compiled.storage.table import LINE, StateTable, lines_for, room_of
from fencecheck.explore.machine import address_room, available, resident
from fencecheck.explore.threads import Threads

_LINE_BYTES = 8 * LINE
_FIRST_LINES = 1 << 13
_LOAD_ONE, _LOAD_MORE = 0.85, 0.62  # beyond, many states end up far from their line
_SMALL_TABLE = 100_000  # lines (6 MB): below, growing fast costs little memory
_FAST, _SLOW = 4.0, 1.5  # once growth is slow, at most 18 bytes a state with the log
_SHARE_OF_ADDRESSES = 0.6  # the rest is for the threads' buffers and for going over to files
_SHARE = 0.9  # of the memory that can be had, where no budget is given


@dataclass(frozen=True)
class Budget:
    """How many bytes may be resident, and folders for what does not fit (None: nowhere).

    The table may go to ``spill``, the log to ``folder``.
    """

    limit: int
    base: int
    spill: Path | None
    folder: Path | None = None


def budget_of(memory: int | None, spill: Path | None, folder: Path | None = None) -> Budget:
    """Return the budget for ``memory`` bytes in all (None: what the machine can give)."""
    base = resident()
    limit = memory if memory is not None else base + int(available() * _SHARE)
    return Budget(limit, base, spill, folder or spill)


class Store:
    """The log and the table of one search; each thread of ``pool`` has a part of the log."""

    def __init__(self, kernel: Kernel, pool: Threads, budget: Budget) -> None:
        self.kernel, self.pool, self.budget = kernel, pool, budget
        self.threads = threads = pool.number
        self.words = kernel.packing.words
        self.coding = Coding(self.words, kernel.packing.used)
        self.stride = self._stride()
        self.files: Path | None = None  # where the log is, if it is in a file
        self._log = MemoryRegion(self._words_to(self.stride * threads) + 64 * self.words)
        self.log = self._log.array
        self.own = np.zeros((threads, slots.OWN), np.int64)
        self.own[:, slots.END] = np.arange(threads) * self.stride
        self.own[:, slots.CHUNK_UNDER_WAY] = -1
        self.reserve = slots.CHUNK * kernel.cases * threads
        lines = max(_FIRST_LINES, self._lines_for(2 * self.reserve))
        most = self._lines_for(self.stride - 8) - 1  # no thread's part of the log can overflow
        if most < lines:
            raise MemoryError("the address space is too small for a table")
        self.table = StateTable(self._kind, self.load, (lines, most), self.coding.numbers)

    def _stride(self) -> int:
        """Return how many states each thread's part of the log has addresses for, eights of them.

        Memory is taken as it is touched; only an address space with a limit is to be shared out.
        """
        room = max(self.budget.limit - self.budget.base, 1 << 24)
        if self.budget.folder is not None:
            room += shutil.disk_usage(_existing(self.budget.folder)).free
        # a table of several words numbers its states, one of a word has less than 2^32 lines
        most = (2**32 - 2) // self.threads if self.words > 1 else 2**34
        stride = min(most, room // self.size + (1 << 16))
        space = address_room()
        if space is not None:
            per_state = self.threads * self.size + 8 / self.load
            stride = min(stride, int(space * _SHARE_OF_ADDRESSES / per_state))
        return stride & -8

    def _words_to(self, state: int) -> int:
        """Return how many words of the log there are up to a state."""
        return -(-state * self.size // 8)

    @property
    def count(self) -> int:
        """Return how many states are stored."""
        return int((self.own[:, slots.END] - np.arange(self.threads) * self.stride).sum())

    def _lines_for(self, states: int) -> int:
        return lines_for(*self._kind, states, self.load)

    @property
    def _kind(self) -> tuple[int, int]:
        return self.coding.kind

    @property
    def size(self) -> int:
        """Return how many bytes a state takes in the log."""
        return self.coding.size

    @property
    def load(self) -> float:
        """Return how full the table may be."""
        return _LOAD_ONE if self._kind[0] == 1 else _LOAD_MORE

    @property
    def _room(self) -> int:
        """Return how many bytes log and table may take."""
        return self.budget.limit - self.budget.base - self.coding.bytes

    @property
    def _state_bytes(self) -> int:
        """Return how many bytes of memory the log takes for each state."""
        return self.size if self.files is None else 0

    def bytes(self) -> int:
        """Return the bytes that the log and the table use by now."""
        return self.count * self._state_bytes + self.table.bytes + self.coding.bytes

    def grow(self) -> bool:
        """Make the table larger, in files if there are some; False if that has no room either."""
        return self._with_room(self._make_wider if self.coding.full else self._grow)

    def _with_room(self, grown: Callable[[], bool]) -> bool:
        """Try to grow, with the log in a file where it must be, and then the table too."""
        return grown() or (self._log_to_file() and grown()) or (self._table_to_file() and grown())

    def _grow(self) -> bool:
        lines = self.table.lines
        factor = _FAST if lines < _SMALL_TABLE else _SLOW
        room = self._room - self.reserve * self._state_bytes
        most = min(self._lines_within(room), self.table.most)
        wanted = max(int(lines * factor), self._lines_for(self.count + 2 * self.reserve))
        target = min(wanted, most)
        if target < lines * 1.02 or target < self._lines_for(self.count + self.reserve):
            return False
        if not self._hold(target):
            return False
        moved = self.table.grow(target, self.pool)
        if moved < 0:
            self.table.clear(target)
            self.refill()
        elif moved != self.count:
            raise InternalError("a state got lost while the table grew")
        return True

    def _lines_within(self, room: int) -> int:
        """Return how many lines there can be in so many bytes, with all that they can find."""
        lines = self.table.lines
        states = room_of(*self._kind, lines, self.load)  # no line will hold fewer than now
        return int(room * lines // (lines * _LINE_BYTES + states * self._state_bytes))

    def _log_to_file(self) -> bool:
        """Move the log to a file; False if there is no room for it either."""
        folder, used = self.budget.folder, self._log
        if folder is None or self.files is not None:
            return False
        if shutil.disk_usage(folder).free < self.count * self.size:
            return False
        log = self._new_log(self.coding, folder)
        if log is None:
            return False
        for part in self._parts_of(self.coding):
            log.array[part] = self.log[part]
            log.let_go(part.start, part.stop)
        self.files, self._log, self.log = folder, log, log.array  # only now: a copy may be stopped
        used.drop()
        return True

    def _parts_of(self, coding: Coding, more: int = 0) -> list[slice]:
        """Return the words of the log that each thread's states and some more take in a coding."""
        return [
            slice(thread * self.stride * coding.size // 8, -(-(int(end) + more) * coding.size // 8))
            for thread, end in enumerate(self.own[:, slots.END])
        ]

    def _new_log(self, coding: Coding, folder: Path | None, more: int = 0) -> MemoryRegion | None:
        """Return memory, or a file, for a log with room for the states there are and some more.

        None where there is no room.
        """
        words = -(-self.stride * self.threads * coding.size // 8) + 64 * self.words
        try:
            log = MemoryRegion(words, folder)
        except MemoryError:
            return None
        if not all(log.hold(part.start, part.stop) for part in self._parts_of(coding, more)):
            log.drop()
            return None
        return log

    def _keep_words(self, plain: Coding, more: int) -> bool:
        """Keep states by their words from now on, with room for more; False if there is none."""
        log, used = self._new_log(plain, self.files, more), self._log
        if log is None:
            return False
        for thread, end in enumerate(self.own[:, slots.END].tolist()):
            for first in range(thread * self.stride, end, slots.KEYS):
                states = self.read(first, min(first + slots.KEYS, end))
                at = first * self.words
                log.array[at : at + len(states)] = states
        self.coding, self._log, self.log = plain, log, log.array
        used.drop()
        return True

    def _table_to_file(self) -> bool:
        """Move the table to a file; False if there is no room for it, or it is in one."""
        spill = self.budget.spill
        if spill is None or self.files is None or self.table.in_file:
            return False
        free = shutil.disk_usage(spill).free
        if free < self.table.bytes or not self.table.go_to(spill):
            return False
        self.budget = replace(self.budget, limit=self.budget.base + free)
        return True

    def let_go(self, closed: list[tuple[int, int]]) -> None:
        """Take no memory for a level, if it is in a file: hardly anyone will read it again."""
        for first, end in closed:
            self._log.let_go(self._words_to(first), self._words_to(end))

    def _hold(self, lines: int) -> bool:
        """Make sure that a table of so many lines, and all that it can find, can be written."""
        if self.files is None:
            return True
        more = room_of(*self._kind, lines, self.load) - self.count + 64
        ends = [int(end) for end in self.own[:, slots.END]]
        return self.table.hold(lines) and all(
            self._log.hold(self._words_to(end), self._words_to(end + more)) for end in ends
        )

    def grow_for(self, states: int) -> bool:
        """Make an empty table for ``states`` and some more; False if there is no room for it."""
        return self._with_room(lambda: self._grow_for(states))

    def _grow_for(self, states: int) -> bool:
        lines = self._lines_for(states + 2 * self.reserve)
        in_log = self._state_bytes * (states + self.reserve)
        if lines * _LINE_BYTES + in_log > self._room:
            return False
        if lines > self.table.most or not self._hold(lines):
            return False
        self.table.clear(lines)
        return True

    def _make_wider(self, *, refilled: bool = True) -> bool:
        """Let dictionaries have more words, or keep states by words; False if it does not fit."""
        wider = self.coding.wider(self.count)
        new = wider or self.coding.plain()
        load = _LOAD_ONE if wider else _LOAD_MORE
        lines = lines_for(*new.kind, self.count + 2 * self.reserve, load)
        lines = max(self.table.lines, lines)
        in_log = (0 if self.files else new.size) * (self.count + self.reserve)
        taken = self.budget.base + new.bytes + in_log + lines * _LINE_BYTES
        if taken > self.budget.limit or lines > self.table.most or not self._hold(lines):
            return False
        if wider:
            own, numbers = self.own, self.coding.numbers
            loop.change_keys(self.log, own, self.threads, self.stride, numbers, wider.numbers)
            self.coding.become(wider)
        elif not self._keep_words(new, room_of(*new.kind, lines, load) - self.count + 64):
            return False
        self.table.see(self._kind, self.load, self.coding.numbers, lines)
        if refilled:
            self.refill()
        return True

    def refill(self) -> None:
        """Put every state of the log into the (fresh) table, all threads at it."""
        parts = []
        for thread in range(self.threads):
            first, last = thread * self.stride, int(self.own[thread, slots.END])
            cuts = [first + (last - first) * i // self.threads for i in range(self.threads + 1)]
            parts += list(itertools.pairwise(cuts))
        done = list(self.pool.map(self._reinsert, parts))
        if min(done) < 0:
            raise InternalError("a state is too far from its home in the table")

    def _reinsert(self, part: tuple[int, int]) -> int:
        first, last = part
        count: int = loop.reinsert(
            self.log, first, last - first, self.table.slots, self.table.shape, self.threads > 1
        )
        return count

    def read(self, first: int, end: int, into: Words | None = None) -> Words:
        """Return the words of the states at places ``first`` .. ``end`` - 1 of the log.

        They are written ``into`` an array of that size, if one is given.
        """
        states = np.empty((end - first) * self.words, np.uint64) if into is None else into
        loop.read_states(self.log, first, end - first, self.coding.numbers, states)
        return states

    def write(self, first: int, states: Words) -> None:
        """Put states at places from ``first`` on of the log, the last of all that it holds.

        They belong to the first thread. The table does not find them yet. Raises MemoryError.
        """
        end, rows = first, states.reshape(-1, self.words)
        while len(rows) and self.coding.keyed:
            part = np.ascontiguousarray(rows[: slots.KEYS])
            made = loop.make_keys(part, len(part), self.coding.numbers, self.log[end:])
            end, rows = end + made, rows[made:]
            if made < len(part):
                self.own[0, slots.END] = end
                if not self._make_wider(refilled=False):
                    raise MemoryError
        if len(rows):
            rest = np.ascontiguousarray(rows).reshape(-1)
            loop.write_states(self.log, end, len(rows), self.coding.numbers, rest)

    def words_of(self, place: int) -> Words:
        """Return the words of the state at ``place`` of the log."""
        return self.read(place, place + 1)

    def drop(self) -> None:
        """Give the table back; the log stays readable."""
        self.table.drop()


def _existing(folder: Path) -> Path:
    """Return a folder, or the nearest one around it that there is already."""
    return next(each for each in (folder, *folder.absolute().parents) if each.exists())
