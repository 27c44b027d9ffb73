"""What the machine says of memory: what this process has, and what it may still take.

Besides the memory that is free, limits on the process count: those of its control groups (a
container's) and that on its address space (``ulimit -v``). Where a system says nothing (it is not
Linux), the answer is 0 or no limit.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
from collections.abc import Iterator
from pathlib import Path

_PAGE = mmap.PAGESIZE
_NONE = 1 << 60  # a limit beyond this is none
_SPARE = 64 << 20  # of an address space: for what else a process does
GROUPS, OWN_GROUPS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def resident() -> int:
    """Return the resident bytes of this process (0 where the system does not say)."""
    return _pages(1)


def _pages(field: int) -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[field]) * _PAGE
    except OSError:
        return 0


def available() -> int:
    """Return the bytes of memory that can still be had (0 where the system does not say)."""
    return max(0, min([_free(), *group_room(), *_address_rooms()]))


def _free() -> int:
    try:
        with open("/proc/meminfo") as file:
            rows = dict(line.split(":", 1) for line in file)
        return int(rows["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError):
        return os.sysconf("SC_PHYS_PAGES") * _PAGE if hasattr(os, "sysconf") else 0


def most_resident(allowed: int | None) -> int:
    """Return how many bytes may be resident: what is ``allowed``, else what the machine gives."""
    if allowed is not None:
        return allowed
    return resident() + available() if resident() else _NONE


def too_little(allowed: int | None, taken: int) -> str:
    """Return what is wrong with a limit below what the process takes anyway, or nothing."""
    if allowed is None or taken <= allowed:
        return ""
    return (
        f"the process takes {taken >> 20} MiB before it searches and may take "
        f"{allowed >> 20} MiB; raise --max-memory"
    )


# -- control groups -----------------------------------------------------------------------------
def group_room(root: Path = GROUPS, own: Path = OWN_GROUPS) -> Iterator[int]:
    """Yield what each control group of this process leaves it, where one has a limit.

    ``root`` is where they are mounted, ``own`` says which are this process's. Both versions of
    control groups are read; what is cached of files does not count as taken.
    """
    with contextlib.suppress(OSError, ValueError):
        for line in own.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers:
                yield from _rooms(root, path, ("memory.max", "memory.current", "inactive_file"))
            elif "memory" in controllers.split(","):
                names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
                yield from _rooms(root / "memory", path, names)


def _rooms(root: Path, path: str, names: tuple[str, str, str]) -> Iterator[int]:
    """Yield the room in a group and in those above it; inside a container only some are seen."""
    folder = root / path.strip("/")
    while True:
        with contextlib.suppress(OSError, ValueError):
            said = (folder / names[0]).read_text().strip()
            if said != "max" and int(said) < _NONE:
                yield int(said) - int((folder / names[1]).read_text()) + _cached(folder, names[2])
        if folder == root:
            return
        folder = folder.parent


def _cached(folder: Path, name: str) -> int:
    with contextlib.suppress(OSError, ValueError, KeyError):
        rows = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return int(rows[name])
    return 0


# -- the address space --------------------------------------------------------------------------
def address_room() -> int | None:
    """Return how many bytes this process may still map (None: no limit)."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY or limit > _NONE:
        return None
    return max(0, limit - _pages(0) - _SPARE)


def _address_rooms() -> list[int]:
    room = address_room()
    return [] if room is None else [room]
