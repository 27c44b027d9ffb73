"""The cache of the loops that numba compiles: found again, never stale, never needed."""

from __future__ import annotations

import errno
import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import FunctionCache

from fencecheck.explore import jit
from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.random_runs import loop as random_walks
from fencecheck.properties.graph_algorithms import compiled_walks, graph_functions

TEXT = """
from fencecheck.explore.jit import compiled

@compiled
def inner(x):
    return x + {added}

@compiled
def outer(x):
    return inner(x) * 2
"""


def loaded(folder: Path, added: int = 1) -> Any:
    """Return ``outer`` of a module in a folder, as a new process would load it."""
    path = folder / "loops.py"
    if not path.exists() or path.read_text() != TEXT.format(added=added):
        path.write_text(TEXT.format(added=added))
    spec = importlib.util.spec_from_file_location("loops", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.outer


def asked(outer: Any) -> tuple[int, bool]:
    """Return what ``outer`` makes of 5, and whether its code came from the cache."""
    result: int = outer(5)
    return result, bool(outer.stats.cache_hits)


def full(self: Any, path: str) -> Any:
    """Stand for a disk on which there is no space left."""
    raise OSError(errno.ENOSPC, "No space left on device", path)


def entries(folder: Path, ending: str) -> list[Path]:
    """Return the files of the cache."""
    return sorted((folder / "__pycache__").glob(f"*.{ending}"))


def test_the_second_process_finds_the_code(tmp_path: Path) -> None:
    """One entry for each function, made once."""
    assert asked(loaded(tmp_path)) == (12, False)
    assert len(entries(tmp_path, "nbc")) == 2
    assert asked(loaded(tmp_path)) == (12, True)


@pytest.mark.parametrize("damage", ["empty", "short", "flipped", "text", "another's"])
def test_a_damaged_entry_is_compiled_anew(tmp_path: Path, damage: str) -> None:
    """It is replaced, and good again afterwards."""
    assert asked(loaded(tmp_path)) == (12, False)
    (other,) = (p.read_bytes() for p in entries(tmp_path, "nbc") if "inner" in p.name)
    for path in entries(tmp_path, "nbc"):
        good = path.read_bytes()
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 64
        contents = {"empty": b"", "short": good[: len(good) // 2], "flipped": bytes(flipped)}
        contents["another's"] = other if "outer" in path.name else b""
        path.write_bytes(contents.get(damage, b"this is no code" * 40))
    assert asked(loaded(tmp_path)) == (12, False)
    assert asked(loaded(tmp_path)) == (12, True)


def test_a_change_that_time_and_size_do_not_show_is_seen(tmp_path: Path) -> None:
    """A helper changes; the file keeps its time and size, and its Python cache is gone."""
    assert asked(loaded(tmp_path)) == (12, False)
    before = (tmp_path / "loops.py").stat()
    (tmp_path / "loops.py").write_text(TEXT.format(added=2))
    os.utime(tmp_path / "loops.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    for path in entries(tmp_path, "pyc"):
        path.unlink()
    assert (tmp_path / "loops.py").stat().st_size == before.st_size
    assert asked(loaded(tmp_path, added=2)) == (14, False)
    assert asked(loaded(tmp_path, added=2)) == (14, True)


def test_an_older_entry_is_not_taken_for_one_that_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The source changes while the disk is full: the next process compiles as well."""
    assert asked(loaded(tmp_path)) == (12, False)
    with monkeypatch.context() as patch:
        patch.setattr(jit._Files, "_open_for_write", full)
        assert asked(loaded(tmp_path, added=30)) == (70, False)
    assert asked(loaded(tmp_path, added=30)) == (70, False)
    assert asked(loaded(tmp_path, added=30)) == (70, True)
    assert asked(loaded(tmp_path)) == (12, True)


def test_no_place_to_keep_code_costs_time_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """numba finds no folder that can be written."""
    monkeypatch.setattr(FunctionCache._impl_class, "_locator_classes", [])
    for _ in range(2):
        assert asked(loaded(tmp_path)) == (12, False)
    assert entries(tmp_path, "nbc") == []


def test_a_full_disk_costs_time_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be written any more; when it can, the code is kept."""
    with monkeypatch.context() as patch:
        patch.setattr(jit._Files, "_open_for_write", full)
        for _ in range(2):
            assert asked(loaded(tmp_path)) == (12, False)
    assert asked(loaded(tmp_path)) == (12, False)
    assert asked(loaded(tmp_path)) == (12, True)


@pytest.mark.parametrize("module", [loop, random_walks])
def test_the_loops_are_compiled_so(module: Any) -> None:
    """Every compiled function has this cache, and calls none of another file."""
    functions = [f for f in vars(module).values() if hasattr(f, "py_func")]
    assert {f.py_func.__module__ for f in functions} == {module.__name__}
    kept = [f for f in functions if "inline" not in f.targetoptions]
    assert len(kept) > 1
    assert all(isinstance(f._cache, jit._Cache) for f in kept)


def test_walks_over_large_graphs_are_compiled_so_too() -> None:
    """They have the same cache; on small graphs nothing is compiled."""
    large, small = vars(compiled_walks()), vars(graph_functions(False))
    assert all(isinstance(f._cache, jit._Cache) for f in large.values())
    assert all(large[name].py_func is f.func for name, f in small.items())
