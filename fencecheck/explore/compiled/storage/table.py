"""Table: the hash table of a search, in one stretch of memory in which it grows in place.

Its slots and their meaning are those of loop.py. Memory is asked for up to the most lines there
can ever be, and taken as it is touched. To grow, lines move to where they belong in the larger
table from the end on, a stretch at a time: each stretch goes where nothing is or what was there
has moved already. So a table that grows needs no more memory than the larger one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.errors import InternalError
from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.storage.memory import MemoryRegion
from fencecheck.explore.threads import Threads

LINE = 8  # words of a line
_SLOTS = {32: 16, 40: 12, 48: 10, 64: 8}  # of a line, by the bits of each
_FARTHEST = 64  # lines; no state of one word is so far from home, and none of more should be
_FAR_SHARE = 32  # states there is room for to one place for those far from home
_WORTH_THREADS = 1 << 13  # lines


def _layout(words: int, used: int, lines: int) -> tuple[int, int, int]:
    """Return the bits of a state, of what its line does not tell of it, and of a slot.

    Raises InternalError where a state's remainder does not fit beside its distance.
    """
    bits = used if words == 1 else 64
    rest = max(bits - (lines.bit_length() - 1), 1)
    if words > 1:
        return bits, rest, 64
    width = next((width for width in _SLOTS if rest + 2 <= width), None)
    if width is None or lines >= 1 << 32:
        raise InternalError(f"{used} bits leave {rest} beside {lines} lines")
    return bits, rest, width


class StateTable:
    """``slots`` are what the loops of loop.py work on, ``shape`` is how they read them."""

    def __init__(
        self, kind: tuple[int, int], load: float, size: tuple[int, int], coding: Any
    ) -> None:
        """Make an empty table; ``size`` is its number of lines, and the most it can grow to.

        ``kind`` is the words and bits that it sees of states, ``coding`` how they are in the log.
        """
        lines, self.most = size
        self._kind, self._coding = kind, coding
        self.load, self.in_file = load, False
        self._region = MemoryRegion(self.most * LINE)
        self._take(lines)

    def _take(self, lines: int) -> None:
        if lines > self.most:
            raise InternalError(f"{lines} lines do not fit where there is room for {self.most}")
        self.slots: npt.NDArray[Any] = self._region.array[: lines * LINE]
        room = room_of(*self._kind, lines, self.load)
        self.far = np.zeros(1 << max(6, (room // _FAR_SHARE).bit_length()), np.uint64)
        bits, rest, width = _layout(*self._kind, lines)
        far = (self.far.ctypes.data, self.far.size, 0)
        how = (int(self._coding[slots.STATE_SIZE]), lines, rest, width, room)
        coding = self._coding.ctypes.data
        self.shape = np.array([self._kind[0], bits, *how, *far, coding, 0], np.int64)

    @property
    def lines(self) -> int:
        """Return how many lines there are."""
        return int(self.shape[slots.LINES])

    @property
    def bytes(self) -> int:
        """Return the bytes that it takes."""
        return self.slots.nbytes + self.far.nbytes

    def clear(self, lines: int) -> None:
        """Empty the table, and let it have so many lines."""
        self.slots[:] = 0
        self._take(lines)

    def see(self, kind: tuple[int, int], load: float, coding: Any, lines: int) -> None:
        """Empty the table, and let it have so many lines for states that are kept otherwise."""
        self._kind, self.load, self._coding = kind, load, coding
        self.clear(lines)

    def go_to(self, folder: Path) -> bool:
        """Go on in a file of a folder; False if there is no room in it."""
        try:
            region = MemoryRegion(self.most * LINE, folder)
        except MemoryError:
            return False
        if not region.hold(0, self.slots.size):
            region.drop()
            return False
        region.array[: self.slots.size] = self.slots
        old, self._region = self._region, region
        self.slots, self.in_file = region.array[: self.slots.size], True
        old.drop()
        return True

    def hold(self, lines: int) -> bool:
        """Make sure that so many lines can be written; False if they cannot."""
        return self._region.hold(0, lines * LINE)

    def drop(self) -> None:
        """Give the memory back; the table is of no more use."""
        self.slots = np.empty(0, np.uint64)
        self._region.drop()

    def grow(self, lines: int, pool: Threads) -> int:
        """Grow to so many lines; return how many states moved.

        -1 means that some did not find a place: the table is to be cleared and filled again.
        """
        old, shape, far, threads = self.lines, self.shape, self.far, pool.number
        self._take(lines)
        stretches = list(_stretches(old, lines))
        front = self.slots[: (stretches[-1][0] if stretches else old) * LINE]
        kept = front.copy()
        front[:] = 0

        def move(source: npt.NDArray[Any], piece: _Piece) -> int:
            count: int = loop.move(
                source, shape, *astuple(piece), self.slots, self.shape, threads > 1
            )
            return count

        moved = list[int]()
        for start, end in stretches:
            apart, between = _pieces(start, end, (old, lines), threads)
            moved += pool.map(partial(move, self.slots), apart)
            moved += [move(self.slots, piece) for piece in between]
        moved.append(move(kept, _Piece(0, kept.size // LINE, 0, lines)))
        moved.append(loop.move_far(far, len(far), self.slots, self.shape))
        return -1 if min(moved) < 0 else sum(moved)


def room_of(words: int, used: int, lines: int, load: float) -> int:
    """Return how many states so many lines have room for, at a load."""
    return int(lines * _SLOTS[_layout(words, used, lines)[2]] * load)


def lines_for(words: int, used: int, states: int, load: float) -> int:
    """Return how many lines have room for so many states, at a load."""
    for each in _SLOTS.values():
        lines = int(states / (load * each)) + 1
        if room_of(words, used, lines, load) >= states:
            return lines
    raise InternalError(f"no table has room for {states} states")


def _stretches(old: int, lines: int) -> Iterator[tuple[int, int]]:
    """Give the stretches (start, end) in which a table of ``old`` lines moves, the last one first.

    A state in a stretch belongs at ``end`` or beyond, however far from its home it is; the front
    that is left over is at least as long as that, and all of it moves last.
    """
    end = old
    while (start := -(-end * old // lines) + _FARTHEST) < end:
        yield start, end
        end = start


@dataclass(frozen=True)
class _Piece:
    """Lines ``first`` .. ``last`` - 1, which move to lines ``onto`` .. ``before`` - 1."""

    first: int
    last: int
    onto: int
    before: int


def _pieces(
    start: int, end: int, sizes: tuple[int, int], threads: int
) -> tuple[list[_Piece], list[_Piece]]:
    """Cut lines ``start`` .. ``end`` - 1 into pieces to move; ``sizes`` are those of both tables.

    The first ones go where no other of them does, so that threads can move them at the same time;
    the others lie between them and move afterwards. Few lines are one piece.
    """
    old, lines = sizes
    many = threads if end - start >= _WORTH_THREADS else 1
    cuts = [start + (end - start) * i // many for i in range(1, many)]
    borders = [(cut + _FARTHEST) * lines // old for cut in cuts]
    firsts, lasts = [start, *(cut + 2 * _FARTHEST for cut in cuts)], [*cuts, end]
    goals = [end, *borders], [*borders, lines]
    apart = [_Piece(*each) for each in zip(firsts, lasts, *goals, strict=True)]
    return apart, [_Piece(cut, cut + 2 * _FARTHEST, end, lines) for cut in cuts]
