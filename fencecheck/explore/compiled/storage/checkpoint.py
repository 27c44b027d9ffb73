"""Checkpoints: a search at the end of a level, on disk, from which it goes on as if never stopped.

A folder holds ``states.bin``, the packed states in breadth-first order, only ever appended to,
and ``checkpoint.json``, which says how many of them count and everything else. The states are on
the disk before the new ``checkpoint.json`` takes the old one's place, so a process killed at any
moment leaves a checkpoint that is whole. One that belongs to another model, design, bound,
property or version is refused by name, and so is one of which a bit has changed. A search locks
its folder: a second one is refused.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from fencecheck.errors import UsageError
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.graph import Broken, Search
from fencecheck.model.files.identity import digest_of
from fencecheck.model.system import System
from fencecheck.version import __version__

SCHEMA = "fencecheck/checkpoint/2"
_STATES, _HEAD, _LOCK = "states.bin", "checkpoint.json", "lock"
_ADVICE = "name another folder or remove it"


def identity(system: System, kernel: Kernel, properties: list[str]) -> dict[str, Any]:
    """Return what a checkpoint must have in common with the search that resumes from it.

    The model is what it was lowered to, and the code made of that: not the files it came from.
    """
    return {
        "schema": SCHEMA,
        "fencecheck": __version__,
        "model": system.family.name,
        "mechanisms": dict(sorted(system.design.mechanisms.items())),
        "bounds": dict(sorted(system.design.bounds.items())),
        "properties": properties,
        "packing": [kernel.packing.width, kernel.packing.words, kernel.packing.used],
        "lowered": hashlib.sha256(f"{digest_of(system)} {kernel.digest}".encode()).hexdigest(),
    }


class Checkpoint:
    """One folder. ``saved`` states of it are known to be on disk, with the checksum ``sum``."""

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        self.folder, self.identity, self.saved, self.sum = folder, identity, 0, 0
        self._lock: int | None = None

    def load(self) -> tuple[dict[str, Any], Words] | None:
        """Lock the folder; return the head and the states of an earlier run, None without one.

        Raises UsageError if another search has the folder, and if the checkpoint is another
        search's or cannot be read.
        """
        try:
            self._take()
            content = (self.folder / _HEAD).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(f"{self.folder}: {error.strerror}") from None
        try:
            refuse_foreign(self.folder, self.identity, json.loads(content)["identity"])
            head = head_of(content)
            states = self._states(head)
            _refuse_damaged(head, self.identity["properties"])
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError) as err:
            raise UsageError(
                f"{self.folder}: it is no checkpoint that can be read ({err}); {_ADVICE}"
            ) from None
        self.saved = int(head["count"])
        return head, states

    def _take(self) -> None:
        """Lock the folder until ``close``, or until this process ends in any way."""
        self._lock = locked(self.folder)

    def close(self) -> None:
        """Let other searches have the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _states(self, head: dict[str, Any]) -> Words:
        words = int(self.identity["packing"][1])
        file, count = self.folder / _STATES, int(head["count"]) * words
        if not 0 < count <= file.stat().st_size // 8:
            raise ValueError("states are missing")
        states: Words = np.memmap(file, np.uint64, "r", shape=(count,))
        self.sum = zlib.crc32(states.data)
        if self.sum != head["sum"]:
            raise ValueError("its states are not those that were written")
        return states

    def save(self, search: Search, count: int, fresh: Iterable[Words]) -> None:
        """Append ``fresh`` states, the ones after those saved, and make ``count`` of them count.

        Raises OSError where that cannot be written; the checkpoint is then what it was before.
        """
        words = int(self.identity["packing"][1])
        total = append_states(self.folder / _STATES, self.saved * words, fresh, self.sum)
        head = {"identity": self.identity, "count": count, "sum": total, **told_search(search)}
        write_head(self.folder / _HEAD, head)
        self.saved, self.sum = count, total


def append_states(file: Path, place: int, fresh: Iterable[Words], total: int) -> int:
    """Write words to the disk behind the first ``place`` words of a file, which now end it.

    ``total`` is the checksum of those; returns that of all.
    """
    total = total if place else 0
    with open(file, "r+b" if place else "w+b") as out:
        out.truncate(place * 8)
        out.seek(0, os.SEEK_END)
        for part in fresh:
            out.write(part.data)
            total = zlib.crc32(part.data, total)
        out.flush()
        os.fsync(out.fileno())
    return total


def locked(folder: Path) -> int:
    """Make a folder and lock it; return what holds the lock as long as it is open.

    Raises UsageError if another search has it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise UsageError(
            f"{folder}: another search is using this checkpoint; wait for it to end, "
            "or name another folder"
        ) from None
    return lock


def refuse_foreign(folder: Path, own: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Raise UsageError where what a folder holds is of another search; name the difference."""
    for key, mine in own.items():
        other = theirs.get(key)
        if other != mine:
            if key == "lowered":
                raise UsageError(
                    f"{folder}: model {own['model']} has changed since this checkpoint was "
                    f"written; {_ADVICE}"
                )
            if isinstance(mine, dict) and isinstance(other, dict):
                name = next(n for n in {**mine, **other} if mine.get(n) != other.get(n))
                key, mine, other = f"{key}.{name}", mine.get(name), other.get(name)
            raise UsageError(
                f"{folder}: this checkpoint has {key} {other}, the search has {mine}; {_ADVICE}"
            )


def write_head(file: Path, head: dict[str, Any]) -> None:
    """Write a head with its checksum in place of an older one; it is never half there.

    Raises OSError where that cannot be done; the older one then stays.
    """
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with open(temporary, "w", encoding="ascii") as out:
            json.dump({**head, "checksum": _checksum(head)}, out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, file)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def head_of(content: bytes) -> dict[str, Any]:
    """Return what ``write_head`` wrote; raises ValueError or LookupError for anything else."""
    head: dict[str, Any] = json.loads(content)
    if head.pop("checksum") != _checksum(head):
        raise ValueError("it is not what was written")
    return head


def _checksum(head: dict[str, Any]) -> str:
    """Return the checksum of a head, which depends on nothing but what it says."""
    return hashlib.sha256(json.dumps(head, sort_keys=True).encode()).hexdigest()


def _refuse_damaged(head: dict[str, Any], properties: list[str]) -> None:
    """Raise an error that ``load`` knows for a head that says what no search can say."""
    search = Search()
    restore(head, search)
    levels = search.levels
    if (
        len(levels) < 2
        or levels[0] != 0
        or sorted(set(levels)) != levels
        or search.count != head["count"]
    ):
        raise ValueError("its levels make no sense")
    for name, broken in search.broken.items():
        if name not in properties or not all(0 <= n < search.count for n in broken.states):
            raise ValueError(f"{name} cannot be broken there")


def told_search(search: Search) -> dict[str, Any]:
    """Return what a head says of a search; ``restore`` reads it."""
    return {
        "levels": search.levels,
        "transitions": search.transitions,
        "cut": search.cut,
        "broken": {n: [b.events, b.states, b.in_event] for n, b in search.broken.items()},
        "triggered": sorted(search.triggered),
        "happened": sorted(search.happened),
        "held_back": sorted(search.held_back),
        "seconds": search.seconds,
    }


def restore(head: dict[str, Any], search: Search) -> None:
    """Fill in a search from a checkpoint's head."""
    search.levels = list(head["levels"])
    search.transitions = int(head["transitions"])
    search.cut = int(head["cut"])
    search.broken = {n: Broken(e, list(s), bool(i)) for n, (e, s, i) in head["broken"].items()}
    search.triggered = set(head["triggered"])
    search.happened = set(head["happened"])
    search.held_back = {(action, bound) for action, bound in head["held_back"]}
    search.seconds = float(head["seconds"])
