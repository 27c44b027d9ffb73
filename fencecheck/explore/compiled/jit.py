"""Compile the fixed loops with numba, with a cache on disk that is never stale and never needed.

``compiled`` is a decorator like ``numba.njit``. What numba keeps beside the source, or in the
user's cache, is found again by the content of the file that a function stands in (not by its time
and size); so everything that is compiled into a function stands in the same file. An entry carries
a digest of itself: a damaged one is compiled anew. Where nothing can be written, or the disk is
full, functions are compiled in each process, and that is all.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

_FLAGS = {"nogil": True, "boundscheck": False, "error_model": "numpy"}
_DIGEST = 32


def compiled(function: Callable[..., Any]) -> Any:
    """Return ``function`` as numba compiles it when it is first called with arguments of a type."""
    dispatcher = numba.njit(**_FLAGS)(function)
    with contextlib.suppress(RuntimeError, OSError):  # there is no place to keep it
        dispatcher._cache = _Cache(function)
    return dispatcher


class _Cache(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, with damage and full disks taken for an empty cache."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        source = Path(function.__code__.co_filename).read_bytes()
        stamp = hashlib.sha256(source).hexdigest()
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for a signature; None if there is none that can be used."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code for a signature, if that is possible."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


class _Files(IndexDataCacheFile):  # type: ignore[misc]
    """The files of a cache: an index, and an entry for each signature behind its digest."""

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        digest, data = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(data).digest() != digest:
            raise ValueError(f"{name} is damaged")
        return pickle.loads(data)

    def _save_data(self, name: str, data: Any) -> None:
        dumped = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(hashlib.sha256(dumped).digest() + dumped)
