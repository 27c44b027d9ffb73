"""Processes of Ray below one of our own, and waiting for what a process is to do."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

SECONDS = 120  # that anything may take for which a test waits
T = TypeVar("T")


def said(pid: int) -> bytes:
    """Return the command line of a process, nothing once it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def children(parent: int) -> list[int]:
    """Return the processes that another has started and that run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(path.parent.name))
    return found


def raylet_of(parent: int) -> int | None:
    """Return the process that all workers of a node are children of, below what started it."""
    return next((pid for pid in children(parent) if b"raylet/raylet" in said(pid)), None)


def owners_of(parent: int) -> list[int]:
    """Return the processes of owners of the node that a process has started."""
    raylet = raylet_of(parent)
    return [p for p in children(raylet) if said(p).startswith(b"ray::Owner")] if raylet else []


def awaited(process: subprocess.Popen[bytes], log: Path, happened: Callable[[], T]) -> T:
    """Return what is there once it is; fail with the log of a process that ends before, or hangs.

    The log is what the process prints.
    """
    until = time.monotonic() + SECONDS
    while not (found := happened()):
        ended = process.poll() is not None
        if ended or time.monotonic() > until:
            how = f"ended with {process.returncode}" if ended else f"is no further in {SECONDS} s"
            pytest.fail(f"{process.args!r} {how}:\n{log.read_text(errors='replace')}")
        time.sleep(0.1)
    return found
