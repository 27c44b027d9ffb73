"""The cache of compiled kernels: found again, never stale, never needed."""

from __future__ import annotations

import gc
import hashlib
import os
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.kernel import compile as kernels
from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.native import object_code
from fencecheck.model.files.kept import cache_folder
from fencecheck.model.system import System
from tests.explore.compiled.designs import STRUCTURES
from tests.explore.compiled.engines import run_compiled, run_reference, told
from tests.models_for_tests import HEADER, load, pipelined, system_of

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty cache, and forget kernels that this process has."""
    path = tmp_path / "kernels"
    loop.load()  # what no model decides stands in another cache
    monkeypatch.setenv("FENCECHECK_CACHE", str(path))
    monkeypatch.setattr(kernels, "_kernels", {})
    return path


def compiled(system: System | None = None) -> tuple[Kernel, dict[str, Any]]:
    """Return the kernel that a search of a small model uses, and what the search said."""
    system = system or system_of(pipelined.model, {"fenced": "off"}, steps=1, edits=1)
    kernels._kernels.clear()
    graph = run_compiled(system)
    assert isinstance(graph, CompiledGraph)
    assert told(system, graph) == told(system, run_reference(system))
    return graph.kernel, told(system, graph)


def test_the_second_search_finds_the_kernel(folder: Path) -> None:
    """One entry, made by the first search and read by the second."""
    first, second = compiled(), compiled()
    assert (first[0].cached, second[0].cached) == (False, True)
    assert first[1] == second[1]
    assert len(list(folder.glob("*.o"))) == 1


def test_a_kernel_goes_with_the_lowering_that_it_was_made_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sizes that nobody asks for any more cost no memory."""
    monkeypatch.setattr(kernels, "_kernels", WeakKeyDictionary())
    system = system_of(pipelined.model, {"fenced": "off"}, steps=1, edits=1)
    graph = run_compiled(system)
    assert isinstance(graph, CompiledGraph)
    engine = weakref.ref(graph.kernel.engine)
    del graph
    gc.collect()
    assert engine() is not None
    del system
    gc.collect()
    assert engine() is None


@pytest.mark.parametrize("damage", ["empty", "digest only", "short", "flipped", "text"])
def test_a_damaged_entry_is_compiled_anew(folder: Path, damage: str) -> None:
    """It is replaced, and good again afterwards."""
    compiled()
    (path,) = folder.glob("*.o")
    good = path.read_bytes()
    flipped = bytearray(good)
    flipped[-5] ^= 64
    path.write_bytes(
        {
            "empty": b"",
            "digest only": good[:32],
            "short": good[: len(good) // 2],
            "flipped": bytes(flipped),
            "text": b"this is no kernel" * 40,
        }[damage]
    )
    assert not compiled()[0].cached
    assert path.read_bytes() == good
    assert compiled()[0].cached


def test_an_entry_that_is_a_folder_costs_time_only(folder: Path) -> None:
    """Nothing can be written there, and nothing has to be."""
    compiled()
    (path,) = folder.glob("*.o")
    path.unlink()
    path.mkdir()
    assert not compiled()[0].cached
    assert [p.name for p in folder.glob("*.o") if p != path] == []


def test_a_cache_that_cannot_be_written_costs_time_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path / "file" / "kernels"))
    assert not compiled()[0].cached
    assert not compiled()[0].cached


@pytest.mark.parametrize("function", ["mkstemp", "replace"])
def test_a_cache_on_a_full_disk_costs_time_only(
    monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """An error while an entry is written is no error of the search."""

    def full(*args: Any, **kwargs: Any) -> Any:
        raise OSError(28, "No space left on device")

    module = tempfile if function == "mkstemp" else os
    with monkeypatch.context() as patch:
        patch.setattr(module, function, full)
        assert not compiled()[0].cached
    assert not compiled()[0].cached
    assert compiled()[0].cached


def test_a_changed_helper_function_is_another_kernel(tmp_path: Path, folder: Path) -> None:
    """Same names, same shapes: the code that a helper stands for is part of the key."""
    counts = []
    for step in (1, 2, 1):
        text = f'''{HEADER}
model = Model("helped", "Helped")
model.variable("x", Int(0, 20))
A = model.actor("A")


def further(x):
    return min(x + {step}, 20)


@A.action(when=lambda s: s.x < 20)
def up(s):
    """Up."""
    s.x = further(s.x)
'''
        kernel, said = compiled(system_of(load(tmp_path, text).model))
        counts.append((kernel.cached, said["levels"][-1]))
    assert counts == [(False, 21), (False, 11), (True, 21)]
    assert len(list(folder.glob("*.o"))) == 2


@pytest.mark.parametrize(
    "target",
    [
        "fencecheck.explore.native.object_code.__version__",
        "llvmlite.__version__",
        "llvmlite.binding.llvm_version_info",
        "llvmlite.binding.get_host_cpu_name",
        "llvmlite.binding.get_host_cpu_features",
    ],
)
def test_versions_and_the_processor_are_part_of_the_key(
    monkeypatch: pytest.MonkeyPatch, folder: Path, target: str
) -> None:
    """An entry of another version or machine is not found."""
    names: list[str] = []

    def optimised(text: str) -> bytes:
        names.append(text)
        return b"code"

    monkeypatch.setattr(object_code, "_optimised", optimised)

    class Features:
        def flatten(self) -> str:
            return "+other"

    other: dict[str, Any] = {
        "get_host_cpu_name": lambda: "other",
        "get_host_cpu_features": Features,
        "llvm_version_info": (1, 2, 3),
    }
    assert object_code.machine_code("text") == (b"code", False)
    assert object_code.machine_code("text") == (b"code", True)
    with monkeypatch.context() as patch:
        patch.setattr(target, other.get(target.rsplit(".", 1)[1], "0.0.other"))
        assert object_code.machine_code("text") == (b"code", False)
    assert object_code.machine_code("text") == (b"code", True)
    assert object_code.machine_code("other text") == (b"code", False)
    assert len(list(folder.glob("*.o"))) == 3


def test_an_entry_carries_a_digest_of_itself(folder: Path) -> None:
    """What is read is what was written."""
    compiled()
    (path,) = folder.glob("*.o")
    content = path.read_bytes()
    assert hashlib.sha256(content[32:]).digest() == content[:32]


def test_where_kernels_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """FENCECHECK_CACHE, else the user's cache folder."""
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.delenv("FENCECHECK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache_folder() == tmp_path / "cache" / "fencecheck" / "kernels"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "fencecheck" / "kernels"


def test_one_kernel_serves_all_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mechanisms are arguments: another value compiles nothing."""
    family = system_of(pipelined.model, steps=1, edits=1).family
    bounds = {"steps": 1, "edits": 1}
    capacity = family.design({"fenced": "off"}, bounds)
    made: list[str] = []
    original = object_code.machine_code

    def machine_code(text: str) -> tuple[bytes, bool]:
        made.append(text)
        return original(text)

    monkeypatch.setattr(kernels, "machine_code", machine_code)
    for value in ("off", "on"):
        system = System(family, family.design({"fenced": value}, bounds), capacity)
        assert told(system, run_compiled(system)) == told(system, run_reference(system))
    assert len(made) == 1


DIGESTS = """
import hashlib
from fencecheck.explore.compiled.kernel.text import KernelText
from fencecheck.explore.compiled.storage.packing import pack_fields
from fencecheck.explore.compiled.kernel.plan import plan_edges, plan_kernel
from fencecheck.explore.compiled.random_runs.plan import plan_walks
from tests.explore.compiled.designs import STRUCTURES, system

for design in STRUCTURES:
    this = system(design)
    lowered, watched = this.lowered, [p for p in this.properties() if not p.temporal]
    plans = (
        plan_kernel(lowered, this.actions, watched),
        plan_edges(lowered, range(len(this.actions)), []),
        plan_walks(lowered, this.actions, watched[:16]),
    )
    for plan in plans:
        text = KernelText(plan, pack_fields(lowered.layout, narrow=False)).text()
        print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_a_kernel_is_found_again_by_another_process() -> None:
    """The text of a kernel, by which the cache knows it, does not follow the order of hashes."""
    found = []
    for seed in ("1", "2", "3"):
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", DIGESTS]
        done = subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.split())
    assert len(found[0]) == 3 * len(STRUCTURES)
    assert found[1] == found[0]
    assert found[2] == found[0]
