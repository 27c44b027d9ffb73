"""One search in a process of its own, for tests that measure, interrupt or kill it.

``python -m tests.explore.compiled.search_process JSON`` explores the pipelined model and prints
what came out as one line of JSON; ``start`` and ``finished`` run it and read that line. With
``kills`` it searches in children that are killed at moments by chance, each of which goes on
from the checkpoint of the one before, until one is left alone.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


def peak_resident() -> int:
    """The most bytes that were resident; ru_maxrss would count the process that forked this one."""
    with open("/proc/self/status") as file:
        (line,) = (line for line in file if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def start(**request: Any) -> subprocess.Popen[str]:
    """Start a search.

    ``request`` has bounds and, where wanted, fenced, threads (a list: one after the other),
    memory, spill, checkpoint, every, digests, kills, seed.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "tests.explore.compiled.search_process", json.dumps(request)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for a search to end by itself and return what it printed."""
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found


def _digests(graph: Any) -> list[str]:
    """Return a digest of each level, the states in an order that threads do not change."""
    rows = graph.in_order().reshape(-1, graph.store.words)
    levels = graph.search.levels
    return [
        hashlib.sha256(b"".join(sorted(row.tobytes() for row in rows[a:b]))).hexdigest()
        for a, b in itertools.pairwise(levels)
    ]


def _search(request: dict[str, Any], threads: int) -> dict[str, Any]:
    from fencecheck.explore.compiled.engine import explore_compiled
    from fencecheck.explore.graph import Limits
    from fencecheck.explore.resources import Resources
    from fencecheck.explore.shortest import shortest_run
    from fencecheck.explore.watch import Watch
    from tests.models_for_tests import pipelined, system_of

    bounds = dict(zip(pipelined.BOUNDS, request["bounds"], strict=True))
    system = system_of(pipelined.model, {"fenced": request.get("fenced", "on")}, **bounds)
    spill, checkpoint = request.get("spill"), request.get("checkpoint")
    resources = Resources(
        threads,
        Path(spill) if spill else None,
        Path(checkpoint) if checkpoint else None,
        request.get("every", 20.0),
        lambda tick: print("searching", flush=True),
    )
    graph = explore_compiled(system, Watch(system), Limits(memory=request.get("memory")), resources)
    search = graph.search
    runs = {
        name: [
            (system.actions[e.action].name, str(e.args))
            for e in shortest_run(system, graph, broken, system.family.properties[name])
        ]
        for name, broken in sorted(search.broken.items())
    }
    levels = _digests(graph) if request.get("digests") else []
    return {
        "levels": search.levels,
        "transitions": search.transitions,
        "complete": search.complete,
        "stopped_by": search.stopped_by,
        "triggered": sorted(search.triggered),
        "runs": runs,
        "digests": levels,
        "peak": peak_resident(),
        "in_files": getattr(graph.store, "files", None) is not None,
        "table_in_file": getattr(graph.store.table, "in_file", False),
    }


def _killed(request: dict[str, Any], threads: int, after: float) -> bool:
    """Search in a child and kill it after some seconds; False if it had ended by then."""
    child = os.fork()
    if not child:
        try:
            _search(request, threads)
        finally:
            os._exit(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    kills, each = request.get("kills", 0), request.get("threads", 1)
    chance, turns, killed = random.Random(request.get("seed", 0)), 0, 0
    choices = each if isinstance(each, list) else [each]
    if kills:
        _search({**request, "bounds": (2, 1, 0, 0, 0), "checkpoint": None}, 1)  # loads the code
    started = time.perf_counter()
    if kills:
        _search({**request, "checkpoint": None, "digests": False}, 1)
    whole = time.perf_counter() - started
    while turns < kills:
        after = chance.uniform(0, whole / kills)  # what is left is always longer
        killed += _killed(request, choices[turns % len(choices)], after)
        turns += 1
    return {**_search(request, choices[turns % len(choices)]), "killed": killed}


if __name__ == "__main__":
    print(json.dumps(_answer(json.loads(sys.argv[1]))))
