"""Loops as machine code: found again, never stale, never needed, and free of Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fencecheck.errors import InternalError
from fencecheck.explore.native.code import NativeCode
from fencecheck.properties import graph_algorithms

TEXT = """
import numba

@numba.njit
def raised(x):
    return x + {added}

def summed(numbers, count):
    total = 0
    for i in range(count):
        total += raised(numbers[i])
    return total * 2
"""
SUMMED = "i64 summed(i64* numbers, i64 count)"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own, and a package for its texts."""
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "native_texts").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "cache"


def summed(folder: Path, added: int = 1) -> tuple[int, bool]:
    """Return what the text makes of (2, 3), and whether a new process would find its code."""
    path = folder / "native_texts" / "text.py"
    if not path.exists() or path.read_text() != TEXT.format(added=added):
        path.write_text(TEXT.format(added=added))
    for name in ("native_texts.text", "native_texts"):
        sys.modules.pop(name, None)
    function = NativeCode("native_texts", ("text",)).declare(SUMMED)
    result = function(np.array([2, 3]), 2)
    return result, "native_texts.text" not in sys.modules


def entries(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.o"))


def test_the_second_process_finds_the_code(tmp_path: Path, cache: Path) -> None:
    """One entry for the text, made once; where it is found the text is not even imported."""
    assert summed(tmp_path) == (14, False)
    assert len(entries(cache)) == 1
    assert summed(tmp_path) == (14, True)


@pytest.mark.parametrize("damage", ["empty", "short", "flipped", "text"])
def test_a_damaged_entry_is_made_anew(tmp_path: Path, cache: Path, damage: str) -> None:
    """It is replaced, and good again afterwards."""
    assert summed(tmp_path) == (14, False)
    (path,) = entries(cache)
    good = path.read_bytes()
    flipped = bytearray(good)
    flipped[len(good) // 2] ^= 64
    contents = {"empty": b"", "short": good[: len(good) // 2], "flipped": bytes(flipped)}
    path.write_bytes(contents.get(damage, b"this is no code" * 40))
    assert summed(tmp_path) == (14, False)
    assert summed(tmp_path) == (14, True)


def test_a_change_that_time_and_size_do_not_show_is_seen(tmp_path: Path) -> None:
    """A function that another calls changes; the file keeps its time and size."""
    assert summed(tmp_path) == (14, False)
    path = tmp_path / "native_texts" / "text.py"
    before = path.stat()
    path.write_text(TEXT.format(added=2))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    for kept in (tmp_path / "native_texts" / "__pycache__").glob("*.pyc"):
        kept.unlink()
    assert path.stat().st_size == before.st_size
    assert summed(tmp_path, added=2) == (18, False)
    assert summed(tmp_path, added=2) == (18, True)


def test_no_place_to_keep_code_costs_time_only(tmp_path: Path, cache: Path) -> None:
    """The folder of the cache cannot be made."""
    cache.write_text("a file stands in its place")
    for _ in range(2):
        assert summed(tmp_path) == (14, False)
    cache.unlink()
    assert summed(tmp_path) == (14, False)
    assert summed(tmp_path) == (14, True)


@pytest.mark.parametrize(
    ("text", "declared", "message"),
    [
        ("def other(x):\n    return x\n", "i64 f(i64 x)", "no module has the declared function f"),
        ("def f(y):\n    return y\n", "i64 f(i64 x)", r"f takes \('y',\), declared are"),
        ("import numpy as np\ndef f(x):\n    return np.zeros(x).size\n", "i64 f(i64 x)", "needs"),
    ],
    ids=["missing", "other arguments", "memory"],
)
def test_what_cannot_be_called_from_c_is_refused(
    tmp_path: Path, cache: Path, text: str, declared: str, message: str
) -> None:
    """No code is kept that would not run."""
    (tmp_path / "native_texts" / "wrong.py").write_text(text)
    sys.modules.pop("native_texts.wrong", None)
    sys.modules.pop("native_texts", None)
    function = NativeCode("native_texts", ("wrong",)).declare(declared)
    with pytest.raises(InternalError, match=message):
        function(3)
    assert entries(cache) == []


@pytest.mark.parametrize(
    "array", [np.zeros(4, np.int32), np.zeros(4, np.uint64), np.zeros((4, 2), np.int64)[:, 0]]
)
def test_an_array_of_another_kind_is_refused(tmp_path: Path, array: Any) -> None:
    """An address alone would be read as whatever the function expects."""
    path = tmp_path / "native_texts" / "text.py"
    path.write_text(TEXT.format(added=1))
    function = NativeCode("native_texts", ("text",)).declare(SUMMED)
    with pytest.raises(InternalError, match="summed takes an array of i64"):
        function(array, 4)


def test_a_declaration_that_cannot_be_read_is_refused() -> None:
    """Numbers are handed over as i64 only."""
    for declared in ("int f(i64 x)", "i64 f(u32 x)", "i64 f(f64* x)", "i64 f x"):
        with pytest.raises(InternalError, match="no declaration"):
            NativeCode("native_texts", ("text",)).declare(declared)


def test_walks_over_small_graphs_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same walks, as Python."""
    monkeypatch.setattr(NativeCode, "address", lambda _, name: pytest.fail(name))
    walks = graph_algorithms.graph_functions(False)
    offsets, targets = np.array([0, 1, 2]), np.array([1, 0], np.uint32)
    component, count = walks.components(offsets, targets, np.ones(2, np.uint8))
    assert (component.tolist(), count) == ([0, 0], 1)


WARM = """
import sys
import fencecheck as fc
result = fc.check("fence", {"fence": "none"}, {"steps": 2, "edits": 1, "lost_replies": 1},
                  engine="compiled")
print("numba" in sys.modules, "fencecheck.explore.compiled.loops.tables" in sys.modules)
"""


def test_a_warm_run_imports_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second process has machine code for all that it runs, temporal properties included."""

    def run() -> str:
        return subprocess.run(
            [sys.executable, "-c", WARM], check=True, capture_output=True, text=True, cwd=tmp_path
        ).stdout.strip()

    monkeypatch.delenv("FENCECHECK_CACHE")
    run()
    assert run() == "False False"
