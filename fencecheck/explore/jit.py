"""Compile the fixed loops with numba, with a cache on disk that is never stale and never needed.

``compiled`` is a decorator like ``numba.njit``. What numba keeps beside the source, or in the
user's cache, is found again by the content of the file that a function stands in (not by its time
and size); so everything that is compiled into a function stands in the same file. An entry carries
a digest of itself and of what it is for: in the place of another's or a damaged one, code is
compiled anew. Where nothing can be written, or the disk is full, it is compiled in each process.
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
        stamp = f"{hashlib.sha256(source).hexdigest()} {numba.__version__} {_FLAGS}"
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for a signature; None if there is none that can be used."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code for a signature, if that is possible."""
        with contextlib.suppress(Exception):
            super().save_overload(sig, data)


class _Files(IndexDataCacheFile):  # type: ignore[misc]
    """The files of a cache: one for each function, source and signature, and no index."""

    def _file(self, key: Any) -> tuple[Path, bytes]:
        """Return the file of a signature, and what its digest begins with."""
        purpose = f"{self._source_stamp}\n{key!r}\n".encode()
        number = int.from_bytes(hashlib.sha256(purpose).digest()[:6])
        return Path(self._data_path(self._data_name(number))), purpose

    def load(self, key: Any) -> Any:
        """Return what was kept for a signature; None if nothing was, an error if it is damaged."""
        path, purpose = self._file(key)
        if not path.exists():
            return None
        content = path.read_bytes()
        digest, data = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(purpose + data).digest() != digest:
            raise ValueError(f"{path} is damaged")
        return pickle.loads(data)

    def save(self, key: Any, data: Any) -> None:
        """Keep what is compiled for a signature; the file is whole or not there."""
        path, purpose = self._file(key)
        dumped = self._dump(data)
        with self._open_for_write(str(path)) as file:
            file.write(hashlib.sha256(purpose + dumped).digest() + dumped)

    def flush(self) -> None:
        """Forget nothing: another source has other files."""
