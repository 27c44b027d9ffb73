"""Runs of fencecheck: each in a process of its own, so that start-up is paid for.

``python -m tests.bench.ours JSON`` is such a process; it prints one line of JSON. What the search
itself took is measured inside, the whole from outside. ``split`` is measured in a process that
has everything loaded.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.cases import BOUNDS, STEPS_DESIGN, Case, Run

if TYPE_CHECKING:
    from fencecheck.model.family import Design, Family

ROOT = Path(__file__).parents[2]


def run(case: Case, threads: int, cache: Path, sizes: tuple[int, ...] | None = None) -> Run:
    """Search one case in a new process, with kernels kept in ``cache``."""
    started = time.perf_counter()
    told = _child({"kind": case.kind, "sizes": sizes or case.sizes, "threads": threads}, cache)
    whole = time.perf_counter() - started
    if sizes is None and (told["states"], told["transitions"]) != (case.states, case.transitions):
        raise SystemExit(f"{case.name}: fencecheck found {told}, which is not what is known")
    return Run(**told, whole=whole)


def make_loops(cache: Path) -> None:
    """Put into ``cache`` what no model decides: the loops that every search runs."""
    _child({"loops": True}, cache)


def first_run(case: Case) -> float:
    """Return the seconds of the first search after an install: nothing is compiled yet."""
    request = {"kind": case.kind, "sizes": case.sizes, "threads": 1}
    with tempfile.TemporaryDirectory() as empty:
        started = time.perf_counter()
        _child(request, Path(empty) / "kernels")
        return time.perf_counter() - started


def split(case: Case, cache: Path) -> dict[str, float]:
    """Return where the seconds of a search with one thread go."""
    found: dict[str, float] = _child(
        {"kind": case.kind, "sizes": case.sizes, "threads": 1, "split": True}, cache
    )
    return found


def liveness(case: Case, cache: Path) -> dict[str, float]:
    """Return the seconds of a search, and of all it takes to decide two properties besides.

    They are ``can_finish``, a possibility, and ``finishes``, a liveness property.
    """
    found: dict[str, float] = _child(
        {"kind": case.kind, "sizes": case.sizes, "threads": 1, "liveness": True}, cache
    )
    return found


def export(form: str, kind: str, sizes: tuple[int | str, ...]) -> dict[str, str]:
    """Return the files of family fence in another checker's language, by their names."""
    with tempfile.TemporaryDirectory() as cache:
        files: dict[str, str] = _child(
            {"kind": kind, "sizes": sizes, "export": form}, Path(cache) / "kernels"
        )
    return files


def _child(request: dict[str, Any], cache: Path, **env: str) -> Any:
    process = subprocess.run(
        [sys.executable, "-m", "tests.bench.ours", json.dumps(request)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "FENCECHECK_CACHE": str(cache), **env},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise SystemExit(f"fencecheck failed:\n{process.stderr}")
    return json.loads(process.stdout)


# -- in the process that is measured --------------------------------------------------------------


def _search(request: dict[str, Any]) -> Any:
    from fencecheck.explore.compiled.engine import explore_compiled
    from fencecheck.explore.graph import Limits
    from fencecheck.explore.resources import Resources
    from fencecheck.explore.watch import Watch
    from fencecheck.model.system import System

    if request["kind"] in BOUNDS:
        system = System(*_steps(request))
        names = [p.name for p in system.properties() if not p.temporal]
    else:
        system = System(*_declared(request))
        names = [p.name for p in system.properties() if p.of_states]  # what the peers check
    return explore_compiled(system, Watch(system, names), Limits(), Resources(request["threads"]))


def _declared(request: dict[str, Any]) -> tuple[Family, Design]:
    """Return a model for tests at the sizes that are measured."""
    from fencecheck.model.family import Family

    module = importlib.import_module(f"tests.models_for_tests.{request['kind']}")
    family = Family(module.model)
    return family, family.design({}, dict(zip(module.BOUNDS, request["sizes"], strict=True)))


def _steps(request: dict[str, Any]) -> tuple[Family, Design]:
    """Return family fence with the design that is measured."""
    from fencecheck.model.files.loading import load_family

    family = load_family("fence")
    bounds = dict(zip(BOUNDS[request["kind"]], request["sizes"], strict=True))
    return family, family.design(STEPS_DESIGN, bounds)


def _measured(request: dict[str, Any]) -> dict[str, Any]:
    graph = _search(request)
    search = graph.search
    return {
        "bits": graph.kernel.packing.used,
        "depth": search.depth,
        "states": search.count,
        "transitions": search.transitions,
        "search": search.seconds,
        "resident": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def _loops(request: dict[str, Any]) -> dict[str, float]:
    from fencecheck.explore.compiled import loop

    loop.load()
    return {}


def _split(request: dict[str, Any]) -> dict[str, float]:
    from fencecheck.explore.compiled.loops import slots
    from fencecheck.explore.compiled.storage import store

    _search(request)
    growth, original = [0.0], store.Store.grow

    def grow(self: store.Store) -> bool:
        started = time.perf_counter()
        grown = original(self)
        growth[0] += time.perf_counter() - started
        return grown

    setattr(store.Store, "grow", grow)  # noqa: B010 (a method is replaced, to measure it)
    graph = _search(request)
    worker = graph.worker

    def judge(first: int, count: int) -> None:
        worker.judge(graph.store, first, count)

    judge(0, 0)  # loads the code
    started = time.perf_counter()
    for first in range(0, graph.search.count, slots.CHUNK):
        judge(first, min(slots.CHUNK, graph.search.count - first))
    kernel = time.perf_counter() - started
    seconds = graph.search.seconds
    return {
        "whole search": seconds,
        "kernel": kernel,
        "growth of the table": growth[0],
        "inserts and the rest": seconds - kernel - growth[0],
    }


def _liveness(request: dict[str, Any]) -> dict[str, float]:
    from fencecheck.checking.check import check_design
    from fencecheck.checking.question import Options, Question

    started = time.perf_counter()
    result = check_design(
        *_steps(request), Question(("can_finish", "finishes")), Options(engine="compiled")
    )
    whole = time.perf_counter() - started
    return {"search": result.exploration.seconds, "search, edges and both verdicts": whole}


def _export(request: dict[str, Any]) -> dict[str, str]:
    from fencecheck.analysis.crosscheck.exported import export_design
    from fencecheck.checking.question import Options

    family, design = _steps(request)
    names = [name for name, prop in family.properties.items() if not prop.temporal]
    return export_design(family, design, names, Options(engine="compiled")).files(request["export"])


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    jobs = {"split": _split, "liveness": _liveness, "loops": _loops, "export": _export}
    job = next((jobs[name] for name in jobs if asked.get(name)), _measured)
    print(json.dumps(job(asked)))
