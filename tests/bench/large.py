"""Search a large space: in one go, and killed in the middle of levels and resumed; counts agree.

    python -m tests.bench.large [--sizes 5 2 2 1 1] [--kills 3] [--threads 1] [--memory MIB]

The system is the pipelined fence. Searches run in processes of their own. The second is killed by
SIGKILL as often as asked, each time while a level is under way and after a share of the states of
the first, and goes on from its checkpoint with another number of threads; at last it is left alone.
With ``--kills 0`` there is no second one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

_TINY = (1, 0, 0, 0, 0)


def _search(request: dict[str, Any]) -> None:
    """Search; print a line as often as there is progress, and what was found."""
    from fencecheck.explore.compiled.engine import explore_compiled
    from fencecheck.explore.graph import Limits
    from fencecheck.explore.resources import Resources, Tick
    from fencecheck.explore.watch import Watch
    from tests.models_for_tests import pipelined, system_of

    def show(tick: Tick) -> None:
        print(json.dumps({"states": tick.states, "depth": tick.depth}), flush=True)

    def searched(sizes: Sequence[int], resources: Resources, limits: Limits) -> Any:
        system = system_of(pipelined.model, **dict(zip(pipelined.BOUNDS, sizes, strict=True)))
        return explore_compiled(system, Watch(system), limits, resources)

    searched(_TINY, Resources(), Limits())
    before = resource.getrusage(resource.RUSAGE_SELF)
    checkpoint = Path(request["checkpoint"]) if request["checkpoint"] else None
    resources = Resources(request["threads"], None, checkpoint, request["every"], show)
    memory = request["memory"]
    graph = searched(request["sizes"], resources, Limits(memory=memory << 20 if memory else None))
    after, search = resource.getrusage(resource.RUSAGE_SELF), graph.search
    found = {
        "levels": search.levels,
        "transitions": search.transitions,
        "stopped by": search.stopped_by,
        "seconds": round(search.seconds, 1),
        "cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        "bytes a state": round((after.ru_maxrss - before.ru_maxrss) * 1024 / search.count, 1),
        "log in a file": graph.store.files is not None,
    }
    print(json.dumps(found), flush=True)


def run(request: dict[str, Any], kill_after: int | None = None) -> dict[str, Any] | None:
    """Search in a process; kill it past so many states, and return None, or what it found."""
    command = [sys.executable, "-m", "tests.bench.large", json.dumps(request)]
    found: dict[str, Any] | None = None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said = json.loads(line)
            if "levels" in said:
                found = said
            elif kill_after is not None and said["states"] > kill_after:
                os.kill(process.pid, signal.SIGKILL)
                return None
    if process.returncode or found is None:
        raise SystemExit(f"the search of {request['sizes']} ended with {process.returncode}")
    return found


def killed_and_resumed(
    request: dict[str, Any], states: int, kills: int, folder: str
) -> tuple[dict[str, Any], int]:
    """Return what a search found that was killed again and again, and how often it was."""
    killed = 0
    for turn in range(kills):
        threads = 1 + (request["threads"] + turn) % 2
        asked = {**request, "threads": threads, "checkpoint": folder}
        found = run(asked, states * (turn + 1) // (kills + 1))
        killed += found is None
    last = run({**request, "checkpoint": folder})
    assert last is not None
    return last, killed


def compared(
    request: dict[str, Any], whole: dict[str, Any], kills: int
) -> tuple[dict[str, Any], int]:
    """Return what the killed search found, and how often it was; SystemExit where it differs."""
    with tempfile.TemporaryDirectory() as folder:
        again, killed = killed_and_resumed(request, whole["levels"][-1], kills, folder)
    for key in ("levels", "transitions", "stopped by"):
        if whole[key] != again[key]:
            raise SystemExit(f"{key}: {whole[key]} in one go, {again[key]} killed and resumed")
    return again, killed


def show(name: str, found: dict[str, Any]) -> None:
    """Print what a search took."""
    told = {key: value for key, value in found.items() if key not in ("levels", "transitions")}
    print(f"{name:16} {told}", flush=True)


def main() -> None:
    """Measure, compare and print."""
    if len(sys.argv) == 2 and sys.argv[1].startswith("{"):
        _search(json.loads(sys.argv[1]))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sizes", type=int, nargs=5, default=[5, 2, 2, 1, 1])
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", type=int, help="MiB that a search may take")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between checkpoints")
    asked = vars(parser.parse_args())
    kills, started = asked.pop("kills"), time.perf_counter()
    request = {**asked, "checkpoint": None}
    whole = run(request)
    assert whole is not None
    print(f"{whole['levels'][-1]:,} states, {whole['transitions']:,} transitions")
    show("in one go", whole)
    if kills:
        again, killed = compared(request, whole, kills)
        show(f"killed {killed} times", again)
        print("the same levels and transitions")
    print(f"{time.perf_counter() - started:.0f} s in all")


if __name__ == "__main__":
    main()
