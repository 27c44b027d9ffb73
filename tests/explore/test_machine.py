"""What a process may take: free memory, its control groups, its address space; and full disks."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any

import pytest

from fencecheck.explore.compiled import levels
from fencecheck.explore.compiled.engine import explore_compiled as explore_compiled
from fencecheck.explore.compiled.storage import store
from fencecheck.explore.engine import Explorer
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.machine import group_room
from fencecheck.explore.reference import explore
from fencecheck.explore.resources import Resources
from fencecheck.explore.threads import Threads
from fencecheck.explore.watch import Watch
from fencecheck.model.system import System
from tests.models_for_tests import pipelined, system_of

MIB = 1 << 20


def group(folder: Path, **files: str) -> None:
    """Make a control group of files; underscores stand for dots."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text + "\n")


def test_the_room_of_a_container_is_that_of_its_tightest_group(tmp_path: Path) -> None:
    """Version 2: every group above counts, and what is cached of files does not."""
    root, own = tmp_path / "cgroup", tmp_path / "own"
    own.write_text("0::/outer/inner\n")
    group(root / "outer" / "inner", memory__max="max", memory__current="5")
    group(
        root / "outer",
        memory__max=str(400 * MIB),
        memory__current=str(150 * MIB),
        memory__stat=f"anon 1\ninactive_file {50 * MIB}",
    )
    assert list(group_room(root, own)) == [300 * MIB]


def test_the_room_of_a_container_in_version_1(tmp_path: Path) -> None:
    """Its path is the host's and not there: the group that is seen is at the root."""
    root, own = tmp_path / "cgroup", tmp_path / "own"
    own.write_text("3:cpu,cpuacct:/docker/x\n9:memory:/docker/x\n")
    group(
        root / "memory",
        memory__limit_in_bytes=str(400 * MIB),
        memory__usage_in_bytes=str(390 * MIB),
        memory__stat="total_inactive_file 0",
    )
    assert list(group_room(root, own)) == [10 * MIB]


def test_no_group_and_no_limit_is_no_bound(tmp_path: Path) -> None:
    """Nothing there, nothing readable, or numbers that stand for no limit."""
    root, own = tmp_path / "cgroup", tmp_path / "own"
    assert list(group_room(root, own)) == []
    own.write_text("9:memory:/\nnot a line\n")
    group(root / "memory", memory__limit_in_bytes=str(2**63 - 4096), memory__usage_in_bytes="1")
    assert list(group_room(root, own)) == []


@pytest.mark.parametrize("engine", [explore, explore_compiled])
def test_a_limit_below_what_the_process_takes_cuts_at_once_and_says_so(
    engine: Callable[[System, Watch, Limits], StateGraph],
) -> None:
    """Both engines alike: nothing is explored, and how to go on is said."""
    system = system_of(pipelined.model, steps=2, edits=1)
    search = engine(system, Watch(system), Limits(memory=MIB)).search
    assert (search.stopped_by, search.complete, search.count) == ("memory", False, 1)
    (warning,) = search.warnings
    assert "MiB before it searches and may take 1 MiB; raise --max-memory" in warning


WIDE = """
from fencecheck.model import Int, Model

model = Model("wide", "Three counters")
for name in "xyz":
    model.variable(name, Int(0, 300))
A = model.actor("A")


@A.action(when=lambda s: s.x < 300)
def up_x(s):
    s.x += 1


@A.action(when=lambda s: s.y < 300)
def up_y(s):
    s.y += 1


@A.action(when=lambda s: s.z < 300)
def up_z(s):
    s.z += 1


@model.invariant()
def below(s):
    \"\"\"The first stays below 9.\"\"\"
    return s.x < 9


@model.invariant()
def last(s):
    \"\"\"They are never all at their ends.\"\"\"
    return s.x + s.y + s.z < 900
"""
# what a process takes before it is limited differs from machine to machine: it is measured
LIMITED = f"""
import importlib, resource, sys
from fencecheck.cli import main
for name in sys.argv.pop(1).split():
    importlib.import_module(name)
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
limit = taken + int(sys.argv.pop(1)) * {MIB}
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
main()
"""
LOADED = "fencecheck.explore.compiled.engine fencecheck.checking.check"


def limited(
    folder: Path, room: int, *given: str, loaded: str = ""
) -> subprocess.CompletedProcess[str]:
    """Check a wide model in a process that may map so many MiB more once modules are loaded."""
    (folder / "m.py").write_text(WIDE)
    (folder / "x.toml").write_text('model = "m.py"\n')
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            LIMITED,
            loaded,
            str(room),
            "check",
            "x.toml",
            "--format",
            "json",
            *list(given),
        ],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["reference", "compiled", "auto"])
def test_an_address_space_that_is_full_is_a_cut_search(tmp_path: Path, engine: str) -> None:
    """``ulimit -v``: what was found is told, nothing holds, and no traceback."""
    done = limited(tmp_path, 200, "--engine", engine, "--threads", "2", loaded=LOADED)
    (variant,) = json.loads(done.stdout)["variants"]
    assert variant["exploration"]["stopped_by"] == "memory"
    verdicts = {found["name"]: found["verdict"] for found in variant["properties"]}
    assert verdicts == {"below": "violated", "last": "undetermined"}
    assert done.returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 16])
@pytest.mark.parametrize("loaded", ["fencecheck.checking.check", LOADED])
@pytest.mark.parametrize("room", [80, 130, 180, 230, 300, 400])
def test_whatever_runs_out_of_addresses_first_is_a_cut_search(
    tmp_path: Path, room: int, loaded: str, threads: int
) -> None:
    """Libraries, threads or tables: a result is told, and the exit code is its verdicts'."""
    given = ("--engine", "compiled", "--threads", str(threads))
    done = limited(tmp_path, room, *given, loaded=loaded)
    (variant,) = json.loads(done.stdout)["variants"]
    assert variant["exploration"]["stopped_by"] == "memory"
    verdicts = {found["verdict"] for found in variant["properties"]}
    assert verdicts <= {"violated", "undetermined"}
    assert done.returncode == (1 if "violated" in verdicts else 3)


@pytest.mark.slow
@pytest.mark.parametrize("room", [1, 8, 20, 40, 60, 75, 90, 105, 120])
def test_an_address_space_that_does_not_hold_the_program_is_undetermined(
    tmp_path: Path, room: int
) -> None:
    """Nothing is loaded before: it is said in a line, and there is no verdict."""
    done = limited(tmp_path, room)
    assert done.returncode == 3
    assert done.stderr.startswith("undetermined: ")


def test_threads_that_cannot_be_started_are_a_cut_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one is refused: the first ends, and what is told is the initial state."""
    real, calls = threading.Thread.start, iter(range(1_000))

    def start(thread: threading.Thread) -> None:
        if next(calls) >= 1:
            raise RuntimeError("can't start new thread")
        real(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    before, system = threading.active_count(), system_of(pipelined.model, steps=2, edits=1)
    search = Explorer("compiled", Resources(3)).explore(system, Watch(system), Limits()).search
    assert (search.stopped_by, search.complete, search.count) == ("memory", False, 1)
    assert "(3 threads cannot be started: can't start new thread)" in search.warnings[-1]
    assert threading.active_count() == before


def test_work_that_a_pool_refuses_leaves_no_thread_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory runs out between two threads of a level: the first is stopped and waited for."""
    system = system_of(pipelined.model, **dict(zip(pipelined.BOUNDS, (3, 3, 2, 1, 1), strict=True)))
    real, given = Threads.submit, list[Future[Any]]()

    def submit(pool: Threads, function: Callable[..., Any], *args: Any) -> Future[Any]:
        if len(given) == 4:  # the pool's own two, and one of a level
            assert not wait(given[:3], 60).not_done
            raise MemoryError
        given.append(real(pool, function, *args))
        return given[-1]

    monkeypatch.setattr(Threads, "submit", submit)
    found = explore_compiled(system, Watch(system), Limits(), Resources(2))
    assert found.search.stopped_by == "memory"
    assert all(future.done() for future in given)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_spill_folder_that_is_full_is_a_cut_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Room is asked for before it is written to: no signal ends the process."""
    for module in (levels, store):  # as if the process itself took nothing
        monkeypatch.setattr(module, "resident", lambda: 0)
    real, calls = os.posix_fallocate, iter(range(1_000))

    def fallocate(file: int, offset: int, length: int) -> None:
        if next(calls) >= after:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file, offset, length)

    monkeypatch.setattr(os, "posix_fallocate", fallocate)
    system = system_of(pipelined.model, **dict(zip(pipelined.BOUNDS, (3, 3, 2, 1, 1), strict=True)))
    found = explore_compiled(system, Watch(system), Limits(memory=6 * MIB), Resources(1, tmp_path))
    assert found.search.stopped_by == "memory"
    assert 1_000 < found.search.count < pipelined.KNOWN[3, 3, 2, 1, 1][0]


def test_memory_that_runs_out_in_the_middle_of_a_state_leaves_whole_ones() -> None:
    """The reference engine keeps what it expanded before; half a state is forgotten."""
    system = system_of(pipelined.model, steps=2, edits=1)
    whole = explore(system, Watch(system), Limits())
    calls, step = iter(range(1_000)), system.steps[0]

    def out_of_memory(*args: Any) -> Any:
        if next(calls) == 3:
            raise MemoryError
        return step(*args)

    system.steps[0] = out_of_memory
    found = explore(system, Watch(system), Limits())
    assert found.search.stopped_by == "memory"
    assert found.states == whole.states[: len(found.states)]
    assert found.search.count == len(found.states)
    assert found.search.transitions == sum(map(len, found.edges))
