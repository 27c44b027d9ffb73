"""One answer for several processes that ask the same: the first to come works it out.

Takes a folder that they share, a name for what is asked, and how it is worked out. What comes out
is pickled, by and for processes of one run of one program.
"""

from __future__ import annotations

import fcntl
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any


def once_for_all(folder: Path, name: str, work_out: Callable[[], Any]) -> Any:
    """Return what another process has left under ``name``, or work it out and leave it there.

    Whoever comes while another one works waits for it. A folder that is not there belongs to
    another machine: each works by itself then.
    """
    if not folder.is_dir():
        return work_out()
    place = folder / hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if place.exists():
            return pickle.loads(place.read_bytes())
        answer = work_out()
        part = place.with_suffix(".part")
        part.write_bytes(pickle.dumps(answer))
        part.replace(place)  # whole or not at all, whenever a process is killed
        return answer
