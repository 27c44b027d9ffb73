"""What a search over owners leaves in a folder: enough to go on from the last level saved.

``cluster.json`` says everything but the states, which are in a file of each owner below a folder
of their own generation. Owners' files are on the disk before the new ``cluster.json`` takes the
old one's place; a new dealing of the states begins a new generation, and the old one goes last.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fencecheck.errors import UsageError
from fencecheck.explore.compiled.storage.checkpoint import (
    head_of,
    locked,
    refuse_foreign,
    restore,
    told_search,
    write_head,
)
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.graph import Search

_HEAD = "cluster.json"


@dataclass(frozen=True)
class OwnerFile:
    """The states of one owner on disk: ``levels`` says where each begins, ``sum`` checks all."""

    path: Path
    levels: tuple[int, ...]
    sum: int


def is_saved(folder: Path) -> bool:
    """Tell whether a search over owners was saved in a folder."""
    return (folder / _HEAD).is_file()


def rows_of(files: Sequence[OwnerFile], level: int, width: int) -> Words:
    """Return the states of a level that owners saved, one after another, a row for each."""
    parts = [np.empty((0, width), np.uint64)]
    for file in files:
        first, end = file.levels[level : level + 2]
        if end > first:
            rows = np.memmap(file.path, np.uint64, "r").reshape(-1, width)
            parts.append(rows[first:end])
    return np.concatenate(parts)


def check_sums(files: Sequence[OwnerFile], width: int) -> None:
    """Raise ValueError where the states of an owner are not those that were written."""
    for file in files:
        words = np.fromfile(file.path, np.uint64, file.levels[-1] * width)
        if len(words) != file.levels[-1] * width or zlib.crc32(words.data) != file.sum:
            raise ValueError(f"{file.path.name}: its states are not those that were written")


@dataclass
class SavedSearch:
    """One folder; without ``kept`` it is a temporary one, which goes with the search."""

    identity: dict[str, Any]
    kept: Path | None
    files: list[OwnerFile] = field(default_factory=list)
    _generation: int = 0
    _lock: int | None = None

    def __post_init__(self) -> None:
        self.folder = self.kept or Path(tempfile.mkdtemp(prefix="fencecheck-cluster-"))

    def load(self, search: Search) -> bool:
        """Lock the folder; fill in ``search`` and the files of an earlier run, if there is one.

        Raises UsageError for what belongs to another search or cannot be read.
        """
        try:
            self._lock = locked(self.folder)
            content = (self.folder / _HEAD).read_bytes()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise UsageError(f"{self.folder}: {error.strerror}") from None
        try:
            head = head_of(content)
            refuse_foreign(self.folder, self.identity, head["identity"])
            self.restore(head, search)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise UsageError(
                f"{self.folder}: it is no checkpoint that can be read ({error}); "
                "name another folder or remove it"
            ) from None
        return True

    def restore(self, head: dict[str, Any], search: Search) -> None:
        """Fill in a search, and the files it goes on from, from a head."""
        restore(head, search)
        self._generation = int(head["generation"])
        self.files = [
            OwnerFile(self.place(number), tuple(owner["levels"]), int(owner["sum"]))
            for number, owner in enumerate(head["owners"])
        ]
        for level, (first, end) in enumerate(zip(search.levels, search.levels[1:], strict=False)):
            if sum(f.levels[level + 1] - f.levels[level] for f in self.files) != end - first:
                raise ValueError("its levels make no sense")

    def place(self, owner: int) -> Path:
        """Return the file of an owner's states."""
        return self.folder / f"generation-{self._generation}" / f"owner-{owner}.bin"

    def deal_again(self) -> None:
        """Begin a new generation: every owner writes all that it has."""
        self._generation += 1

    def save(self, search: Search, owners: list[tuple[list[int], int]]) -> None:
        """Make what owners have written count; raises OSError where that cannot be done."""
        told = [{"levels": levels, "sum": total} for levels, total in owners]
        head = {"identity": self.identity, "generation": self._generation, "owners": told}
        write_head(self.folder / _HEAD, {**head, **told_search(search)})
        self.files = [
            OwnerFile(self.place(i), tuple(levels), total)
            for i, (levels, total) in enumerate(owners)
        ]
        for old in self.folder.glob("generation-*"):
            if old.name != f"generation-{self._generation}":
                shutil.rmtree(old, ignore_errors=True)

    def read(self) -> dict[str, Any]:
        """Return the head that was written last."""
        return head_of((self.folder / _HEAD).read_bytes())

    def close(self) -> None:
        """Give the folder free; a temporary one is removed."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self.kept is None:
            shutil.rmtree(self.folder, ignore_errors=True)
