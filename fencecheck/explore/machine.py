"""What the machine says of its memory, where it says it (Linux)."""

from __future__ import annotations

import mmap
import os

_PAGE = mmap.PAGESIZE


def resident() -> int:
    """Return the resident bytes of this process (0 where the system does not say)."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * _PAGE
    except OSError:
        return 0


def available() -> int:
    """Return the bytes of memory that can still be had (0 where the system does not say)."""
    try:
        with open("/proc/meminfo") as file:
            rows = dict(line.split(":", 1) for line in file)
        return int(rows["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError):
        return os.sysconf("SC_PHYS_PAGES") * _PAGE if hasattr(os, "sysconf") else 0
