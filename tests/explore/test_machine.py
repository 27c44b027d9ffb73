"""What a process may take: free memory, its control groups, its address space; and full disks."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencecheck.explore.compiled import levels
from fencecheck.explore.compiled.engine import explore_compiled as explore_compiled
from fencecheck.explore.compiled.storage import store
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.machine import group_room
from fencecheck.explore.reference import explore
from fencecheck.explore.resources import Resources
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
LIMITED = f"""
import resource
import fencecheck.explore.compiled.engine
from fencecheck.cli import main
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + {150 * MIB}, taken + {150 * MIB}))
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["reference", "compiled", "auto"])
def test_an_address_space_that_is_full_is_a_cut_search(tmp_path: Path, engine: str) -> None:
    """``ulimit -v``: what was found is told, nothing holds, and no traceback."""
    (tmp_path / "m.py").write_text(WIDE)
    (tmp_path / "x.toml").write_text('model = "m.py"\n')
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "check", "x.toml", "--engine", engine, "--format", "json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    (variant,) = json.loads(done.stdout)["variants"]
    assert variant["exploration"]["stopped_by"] == "memory"
    verdicts = {found["name"]: found["verdict"] for found in variant["properties"]}
    assert verdicts == {"below": "violated", "last": "undetermined"}
    assert done.returncode == 1


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
    found = explore_compiled(system, Watch(system), Limits(memory=8 * MIB), Resources(1, tmp_path))
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
