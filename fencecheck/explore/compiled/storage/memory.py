"""Memory of the compiled engine: large arrays that cost what is touched.

Arrays are anonymous mappings (huge pages where the system has them) or, with a spill folder,
mappings of unlinked files that the system may write out. Dropping an array gives its memory back
at once.
"""

from __future__ import annotations

import mmap
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_PAGE = mmap.PAGESIZE
_NORESERVE = 0x4000


class Region:
    """A large zeroed array of 64-bit words; ``array`` is it, ``drop`` frees it."""

    def __init__(self, words: int, spill: Path | None = None) -> None:
        size = max(_PAGE, -(-words * 8 // _PAGE) * _PAGE)
        if spill is None:
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE
            self._map = mmap.mmap(-1, size, flags=flags)
            if hasattr(mmap, "MADV_HUGEPAGE"):
                self._map.madvise(mmap.MADV_HUGEPAGE)
        else:
            with tempfile.TemporaryFile(dir=spill) as file:
                file.truncate(size)
                self._map = mmap.mmap(file.fileno(), size, flags=mmap.MAP_SHARED)
        self.array: npt.NDArray[Any] = np.frombuffer(self._map, np.uint64)[:words]

    def drop(self) -> None:
        """Give the memory back. Nothing may use the array any more."""
        self.array = np.empty(0, np.uint64)
        self._map.close()
