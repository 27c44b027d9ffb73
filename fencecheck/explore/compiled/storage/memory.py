"""Memory of the compiled engine: large arrays that cost what is touched.

Arrays are anonymous mappings (huge pages where the system has them) or, with a spill folder,
mappings of unlinked files that the system may write out. Dropping an array gives its memory back
at once. Room in a file is asked for before it is written to, since a disk that is full ends a
process that writes to a mapping.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_PAGE = mmap.PAGESIZE
_NORESERVE = 0x4000


class MemoryRegion:
    """A large zeroed array of 64-bit words; ``array`` is it, ``drop`` frees it.

    Raises MemoryError where it cannot be mapped.
    """

    def __init__(self, words: int, spill: Path | None = None) -> None:
        size = max(_PAGE, -(-words * 8 // _PAGE) * _PAGE)
        self._file: int | None = None
        try:
            self._map = _anonymous(size) if spill is None else self._in_file(size, spill)
        except (OSError, OverflowError) as error:
            raise MemoryError(f"{size >> 20} MiB cannot be mapped: {error}") from None
        self.array: npt.NDArray[Any] = np.frombuffer(self._map, np.uint64)[:words]

    def _in_file(self, size: int, folder: Path) -> mmap.mmap:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.truncate(size)
            mapped = mmap.mmap(file.fileno(), size, flags=mmap.MAP_SHARED)
            self._file = os.dup(file.fileno())
        self._close = weakref.finalize(self, os.close, self._file)
        return mapped

    def hold(self, first: int, last: int) -> bool:
        """Make sure that words ``first`` .. ``last`` - 1 can be written; False if they cannot."""
        if self._file is None or last <= first:
            return True
        try:
            os.posix_fallocate(self._file, first * 8, (last - first) * 8)
        except OSError:
            return False
        return True

    def let_go(self, first: int, last: int) -> None:
        """Let the system have the memory of words ``first`` .. ``last`` - 1, if a file has them."""
        start, end = -(-first * 8 // _PAGE) * _PAGE, last * 8 // _PAGE * _PAGE
        if self._file is not None and start < end and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED, start, end - start)

    def drop(self) -> None:
        """Give the memory back. Nothing may use the array any more."""
        self.array = np.empty(0, np.uint64)
        self._map.close()
        if self._file is not None:
            self._close()


def _anonymous(size: int) -> mmap.mmap:
    mapped = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        mapped.madvise(mmap.MADV_HUGEPAGE)
    return mapped
