"""Checkpoints: a search that was stopped anyhow and goes on ends as if it had not been stopped."""

from __future__ import annotations

import errno
import itertools
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import fencecheck.checking.check as checking
from fencecheck.errors import UsageError
from fencecheck.explore.compiled import levels
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.compiled.storage import checkpoint as checkpoint_module
from fencecheck.explore.compiled.storage import store
from fencecheck.explore.compiled.storage.checkpoint import Checkpoint
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources
from fencecheck.explore.watch import Watch
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests.explore.compiled.engines import edges, run_compiled, told, told_in_any_order
from tests.explore.compiled.search_process import finished, start
from tests.models_for_tests import HEADER, load, pipelined, queue, system_of, two_phase

F6 = (3, 3, 2, 1, 1)
STATES = "states.bin"
HEAD = "checkpoint.json"


def search(
    system: System,
    folder: Path,
    names: list[str] | None = None,
    threads: int = 1,
    **limits: Any,
) -> CompiledGraph:
    """Search with a checkpoint that is written at every level."""
    resources = Resources(threads, None, folder, 0.0)
    return explore_compiled(system, Watch(system, names), Limits(**limits), resources)


def unfenced(**bounds: int) -> System:
    """Return the pipelined model with something to break."""
    return system_of(pipelined.model, {"fenced": "off"}, **{"steps": 2, "edits": 1, **bounds})


def test_only_a_checkpoint_asks_what_a_search_is_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The digest of a large model takes longer than a small search of it."""
    asked: list[System] = []

    def digest(system: System) -> str:
        asked.append(system)
        return ""

    monkeypatch.setattr(checkpoint_module, "digest_of", digest)
    run_compiled(unfenced())
    assert asked == []
    search(unfenced(), tmp_path)
    assert len(asked) == 1


@pytest.mark.parametrize("threads", [(1, 1), (1, 3), (3, 1), (2, 4)])
@pytest.mark.parametrize("states", [1, 2, 30, 200, 1_000, 10_000])
def test_a_search_cut_and_resumed_is_the_whole_search(
    tmp_path: Path, states: int, threads: tuple[int, int]
) -> None:
    """Cut by states at any level, resumed with any number of threads."""
    system = unfenced(retries=1)
    whole = run_compiled(system)
    search(system, tmp_path, threads=threads[0], states=states)
    resumed = search(system, tmp_path, threads=threads[1])
    assert told_in_any_order(system, resumed) == told_in_any_order(system, whole)
    if threads == (1, 1):
        assert told(system, resumed) == told(system, whole)
        assert edges(system, resumed) == edges(system, whole)


@pytest.mark.parametrize("model", [two_phase.model, queue.model])
def test_a_complete_search_resumed_is_the_same_search(tmp_path: Path, model: Any) -> None:
    """Whatever the last level holds, self-loops among it, counts once."""
    system = system_of(model)
    first = told(system, search(system, tmp_path))
    for _ in range(3):
        assert told(system, search(system, tmp_path)) == first


def test_a_search_resumed_level_by_level(tmp_path: Path) -> None:
    """One more level each time; broken properties and triggers of all runs come together."""
    system = unfenced(retries=1, duplicates=1)
    whole = run_compiled(system)
    states = 0
    while not (found := search(system, tmp_path, states=states + 1)).search.complete:
        assert found.search.count > states
        states = found.search.count
    assert told(system, found) == told(system, whole)


def test_a_model_error_is_found_again(tmp_path: Path) -> None:
    """A checkpoint does not go past the level in which the model went wrong."""
    text = (
        HEADER
        + '''
model = Model("wrong", "Wrong")
model.variable("x", Int(0, 9))
model.variable("y", Int(0, 3))
A = model.actor("A")


@A.action(when=lambda s: s.x < 9)
def up(s):
    """Up."""
    s.x += 1


@A.action()
def aside(s):
    """It leaves its domain at the fourth."""
    s.y += 1
'''
    )
    system = system_of(load(tmp_path, text).model)
    folder = tmp_path / "checkpoint"
    first = told(system, search(system, folder))
    assert first["failure"][0] == 4
    assert told(system, search(system, folder)) == first


def test_a_search_stopped_by_time_goes_on(tmp_path: Path) -> None:
    """What whole levels there are is kept, also if no checkpoint was due yet."""
    system = system_of(pipelined.model, **dict(zip(pipelined.BOUNDS, F6, strict=True)))
    resources = Resources(1, None, tmp_path, 1e9)
    counts = [0]
    for seconds in (0.0, 0.2, None):
        found = explore_compiled(system, Watch(system), Limits(seconds=seconds), resources)
        kept = json.loads((tmp_path / HEAD).read_text())["count"]
        assert kept >= counts[-1]
        counts.append(kept)
    assert counts[1] >= 1
    search = found.search
    assert (search.count, search.transitions, search.depth) == pipelined.KNOWN[F6]


def test_a_search_out_of_memory_goes_on_with_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A budget that was too small costs no more than the level it ended in."""
    for module in (levels, store):  # as if the process itself took nothing
        monkeypatch.setattr(module, "resident", lambda: 0)
    system = system_of(pipelined.model, **dict(zip(pipelined.BOUNDS, F6, strict=True)))
    little = 5 << 20  # for the table alone: the log is in a file by then
    assert search(system, tmp_path, memory=little).search.stopped_by == "memory"
    kept = json.loads((tmp_path / HEAD).read_text())["count"]
    assert kept > 1_000
    with pytest.raises(UsageError, match="raise --max-memory"):
        search(system, tmp_path, memory=little // 2)
    whole = search(system, tmp_path).search
    assert (whole.count, whole.transitions, whole.depth) == pipelined.KNOWN[F6]


# -- killed and interrupted -------------------------------------------------------------------


def comparable(found: dict[str, Any]) -> dict[str, Any]:
    """Return what a search in a process found, apart from how it went."""
    return {k: v for k, v in found.items() if k not in ("peak", "killed", "in_files")}


@pytest.fixture(scope="module")
def uninterrupted() -> dict[str, Any]:
    """Return what an uninterrupted search of F6 without a fence gives."""
    return finished(start(bounds=(3, 2, 1, 1, 1), fenced="off", digests=True))


def killed(folder: Path, kills: int, seed: int) -> dict[str, Any]:
    """Search in processes that are killed ``kills`` times on the way."""
    return finished(
        start(
            bounds=(3, 2, 1, 1, 1),
            fenced="off",
            digests=True,
            checkpoint=str(folder),
            every=0.0,
            kills=kills,
            seed=seed,
            threads=[1, 2, 3],
        )
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_searches_end_as_uninterrupted_ones(
    tmp_path: Path, uninterrupted: dict[str, Any], seed: int
) -> None:
    """Killed at moments by chance, each time gone on: the same states, counts, and runs."""
    found = killed(tmp_path, 6, seed)
    assert found["killed"] >= 3
    assert comparable(found) == comparable(uninterrupted)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 13))
def test_many_killed_searches_end_as_uninterrupted_ones(
    tmp_path: Path, uninterrupted: dict[str, Any], seed: int
) -> None:
    """The same, dozens of times."""
    assert comparable(killed(tmp_path, 8, seed)) == comparable(uninterrupted)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_saves_what_there_is(tmp_path: Path, threads: int) -> None:
    """Ctrl-C in the middle of a level: the checkpoint holds all whole levels."""
    bounds = (4, 3, 2, 1, 1)
    process = start(bounds=bounds, checkpoint=str(tmp_path), every=1e9, threads=threads)
    assert process.stdout is not None
    while "searching" not in process.stdout.readline():
        assert process.poll() is None
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    head = json.loads((tmp_path / HEAD).read_text())
    assert head["count"] == head["levels"][-1] > 100
    assert (tmp_path / STATES).stat().st_size == head["count"] * 8 * head["identity"]["packing"][1]


# -- refused ----------------------------------------------------------------------------------


def test_a_checkpoint_of_something_else_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another model, mechanism, bound, property, version: each is named."""
    search(unfenced(), tmp_path, states=50)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    others: list[tuple[System, list[str] | None, str]] = [
        (system_of(two_phase.model), None, "model two_phase|model pipelined"),
        (system_of(pipelined.model, steps=2, edits=1), None, r"mechanisms\.fenced"),
        (unfenced(steps=3), None, r"bounds\.steps"),
        (unfenced(retries=1), None, r"bounds\.retries"),
        (unfenced(), ["fence_ok"], "properties"),
    ]
    for system, names, said in others:
        with pytest.raises(UsageError, match=said) as caught:
            search(system, tmp_path, names)
        assert str(tmp_path) in str(caught.value)
        assert "name another folder or remove it" in str(caught.value)
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint_module, "__version__", "9.9.9")
        with pytest.raises(UsageError, match=r"9\.9\.9"):
            search(unfenced(), tmp_path)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


HELPED = """
from fencecheck.model import *
from helper_of_helped import further

model = Model("helped", "Helped")
model.variable("x", Int(0, 20))
A = model.actor("A")


@A.action(when=lambda s: s.x < 20)
def up(s):
    \"\"\"Up.\"\"\"
    s.x = further(s.x)
"""


def model_with_helper(folder: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> System:
    """Return a model whose only action calls a function of another file."""
    folder.mkdir()
    helper = f"def further(x):\n    return min(x + {step}, 20)\n"
    (folder / "helper_of_helped.py").write_text(helper)
    (folder / "helped.py").write_text(HELPED)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "helper_of_helped", raising=False)
    family = load_family("helped.py", folder)
    return System(family, family.design())


def test_a_checkpoint_of_a_changed_model_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same names and shapes, another helper function in another file."""
    folder = tmp_path / "checkpoint"
    search(model_with_helper(tmp_path / "one", monkeypatch, 1), folder, states=3)
    with pytest.raises(UsageError, match="has changed since this checkpoint was written"):
        search(model_with_helper(tmp_path / "two", monkeypatch, 2), folder)


def test_a_checkpoint_of_another_packing_is_refused(tmp_path: Path) -> None:
    """Should states be packed otherwise, old ones cannot be read."""
    search(unfenced(), tmp_path, states=50)
    path = tmp_path / HEAD
    head = json.loads(path.read_text())
    head["identity"]["packing"][2] += 1
    path.write_text(json.dumps(head))
    with pytest.raises(UsageError, match="packing"):
        search(unfenced(), tmp_path)


def _without(key: str) -> Any:
    return lambda text: json.dumps({k: v for k, v in json.loads(text).items() if k != key})


def _with(key: str, value: Any) -> Any:
    return lambda text: json.dumps({**json.loads(text), key: value})


DAMAGE = {
    "empty": lambda text: "",
    "half": lambda text: text[: len(text) // 2],
    "no object": lambda text: "[]",
    "nothing": lambda text: "null",
    "identity of another kind": _with("identity", []),
    "no identity": _without("identity"),
    "no levels": _without("levels"),
    "levels of another kind": _with("levels", "abc"),
    "levels that do not ascend": _with("levels", [0, 1, 30, 20]),
    "levels that end elsewhere": _with("levels", [0, 1, 2]),
    "no count": _without("count"),
    "count below zero": _with("count", -1),
    "count beyond the states": _with("count", 10**9),
    "no transitions": _without("transitions"),
    "broken of another kind": _with("broken", {"fence_ok": 3}),
    "an unknown property is broken": _with("broken", {"nobody": [1, [0], False]}),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_head_is_a_clear_error(tmp_path: Path, damage: Any) -> None:
    """It names the folder and what to do; no traceback, no wrong result."""
    search(unfenced(), tmp_path, states=50)
    path = tmp_path / HEAD
    path.write_text(damage(path.read_text()))
    with pytest.raises(UsageError, match="name another folder or remove it") as caught:
        search(unfenced(), tmp_path)
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("damage", ["short", "gone", "flipped"])
def test_damaged_states_are_a_clear_error(tmp_path: Path, damage: str) -> None:
    """States that are missing, or not those that were written."""
    search(unfenced(), tmp_path, states=50)
    path = tmp_path / STATES
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    if damage == "short":
        path.write_bytes(path.read_bytes()[:-8])
    elif damage == "flipped":
        path.write_bytes(content)
    else:
        path.unlink()
    with pytest.raises(UsageError, match="name another folder or remove it"):
        search(unfenced(), tmp_path)


def test_states_beyond_the_head_are_left_out(tmp_path: Path) -> None:
    """What a killed process had begun to append does not count."""
    system = unfenced()
    whole = told(system, run_compiled(system))
    search(system, tmp_path, states=50)
    with open(tmp_path / STATES, "ab") as file:
        file.write(b"begun")
    (tmp_path / f"{HEAD}.12345").write_text("{")
    assert told(system, search(system, tmp_path)) == whole


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    """A file stands in its place."""
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError, match="file"):
            search(unfenced(), path)


# -- bits that change, disks that fill, searches that meet ----------------------------------------


def flips(folder: Path, seeds: range) -> list[str]:
    """Flip one bit of the head for each seed, and resume: what comes of it, refused or the same."""
    system = unfenced(retries=1)
    whole = told(system, run_compiled(system))
    search(system, folder, states=100)
    kept = {p.name: p.read_bytes() for p in folder.iterdir()}
    outcomes = []
    for seed in seeds:
        dice = random.Random(seed)
        content = bytearray(kept[HEAD])
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        for name, before in kept.items():
            (folder / name).write_bytes(content if name == HEAD else before)
        try:
            found = told(system, search(system, folder))
        except UsageError:
            outcomes.append("refused")
        else:
            assert found == whole
            outcomes.append("the same")
    return outcomes


def test_a_bit_that_changed_is_refused_or_changes_nothing(tmp_path: Path) -> None:
    """Never another count, another counterexample or a traceback."""
    assert "refused" in flips(tmp_path, range(40))


@pytest.mark.slow
def test_many_bits_that_changed_are_refused_or_change_nothing(tmp_path: Path) -> None:
    """The same, hundreds of times."""
    assert "refused" in flips(tmp_path, range(40, 340))


@pytest.mark.parametrize("full", ["states", "head"])
def test_a_disk_that_fills_up_costs_the_checkpoint_and_not_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    """What is found is whole, a warning says so, and the folder holds what it held before."""
    system = unfenced(retries=1)
    whole = told(system, run_compiled(system))
    search(system, tmp_path, states=50)
    before = json.loads((tmp_path / HEAD).read_text())
    real, calls = os.fsync, itertools.count()

    def fsync(file: int) -> None:
        if next(calls) % 2 == (full == "head"):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        found = search(system, tmp_path)
    assert told(system, found) == whole
    assert found.search.warnings == [
        f"the checkpoint in {tmp_path} could not be written (No space left on device)"
    ]
    assert json.loads((tmp_path / HEAD).read_text()) == before
    assert sorted(p.name for p in tmp_path.iterdir()) == [HEAD, "lock", STATES]
    assert told(system, search(system, tmp_path)) == whole


def test_a_second_search_on_a_folder_is_refused(tmp_path: Path) -> None:
    """Two at once would spoil each other's checkpoint; the second says so, and later is let in."""
    first = Checkpoint(tmp_path, {})
    assert first.load() is None
    with pytest.raises(UsageError, match="another search is using this checkpoint"):
        search(unfenced(), tmp_path)
    first.close()
    search(unfenced(), tmp_path)


NAMES = ("α", "β", "a b", "a+b", "A B", "a/b", "x" * 300, "x" * 300 + "y", "..", "")


def test_variants_never_share_a_folder() -> None:
    """Whatever their names are, and whatever stays of them in the name of a folder."""
    base = Path("saved")
    folders = {checking._place(base, spec, name) for name in NAMES for spec in ("x.toml", "y.toml")}
    assert len(folders) == 2 * len(NAMES)
    assert all(f is not None and f.parent == base and len(f.name) < 120 for f in folders)
    assert checking._place(base, "./x.toml", "α") == checking._place(base, "x.toml", "α")
