"""Memory: a budget that is kept, what is said when it is used up, and going on in files."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.explore.compiled import levels
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.compiled.storage import memory, store, table
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources
from fencecheck.explore.watch import Watch
from tests.explore.compiled.designs import family_of
from tests.explore.compiled.engines import runs
from tests.explore.compiled.search_process import finished, start
from tests.models_for_tests import pipelined, system_of

LARGE = (4, 2, 2, 1, 1)
STATES, TRANSITIONS = 8_711_632, 45_382_787
LARGER = (5, 2, 2, 1, 1)  # 131,696,880 states
MIB = 1 << 20


def searched(**request: Any) -> dict[str, Any]:
    """Search in a process of its own."""
    return finished(start(**request))


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_the_memory_budget_is_kept(threads: int) -> None:
    """A space larger than the budget: the process stays within it, growth of tables included."""
    budget = 190 * MIB
    found = searched(bounds=LARGER, memory=budget, threads=threads)
    assert (found["stopped_by"], found["in_files"]) == ("memory", False)
    assert not found["complete"]
    assert 1_000_000 < found["levels"][-1] < STATES * 10
    assert found["peak"] <= 1.1 * budget


@pytest.mark.slow
def test_enough_memory_gives_everything() -> None:
    """The known counts, and no more memory than the budget."""
    budget = 400 * MIB
    found = searched(bounds=LARGE, memory=budget)
    assert (found["levels"][-1], found["transitions"]) == (STATES, TRANSITIONS)
    assert found["complete"]
    assert found["peak"] <= 1.1 * budget


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_spilling_goes_on_beyond_the_budget(tmp_path: Path, threads: int) -> None:
    """With a folder to spill to the search is complete, and the folder is empty again."""
    found = searched(bounds=LARGE, memory=165 * MIB, spill=str(tmp_path), threads=threads)
    assert (found["levels"][-1], found["transitions"]) == (STATES, TRANSITIONS)
    assert found["in_files"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("threads", [1, 2])
def test_a_checkpoints_folder_takes_the_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, threads: int
) -> None:
    """Memory for the table and not for the log: closed levels are in a file, and traces read them.

    Nothing is named to spill to, so the table stays in memory.
    """
    for module in (levels, store):  # as if the process itself took nothing
        monkeypatch.setattr(module, "resident", lambda: 0)
    bounds = dict(zip(pipelined.BOUNDS, (3, 3, 2, 1, 1), strict=True))
    this = system_of(pipelined.model, {"fenced": "off"}, **bounds)
    plain = explore_compiled(this, Watch(this), Limits(), Resources(threads))
    memory = plain.store.budget.base + 8 * plain.search.count
    resources = Resources(threads, checkpoint=tmp_path)
    kept = explore_compiled(this, Watch(this), Limits(memory=memory), resources)
    assert isinstance(plain.store, store.Store)
    assert isinstance(kept.store, store.Store)
    assert (plain.store.files, kept.store.files) == (None, tmp_path)
    assert not kept.store.table.in_file
    for key in ("levels", "transitions", "complete"):
        assert getattr(kept.search, key) == getattr(plain.search, key)
    assert runs(this, kept) == runs(this, plain)
    for first, end in itertools.pairwise(plain.search.levels):
        one, other = (np.sort(graph.in_order()[first:end]) for graph in (plain, kept))
        assert np.array_equal(one, other)
    names = [path.name for path in tmp_path.iterdir()]
    assert sorted(names) == ["checkpoint.json", "lock", "states.bin"]


@pytest.mark.parametrize("threads", [1, 2])
def test_spilling_changes_nothing(tmp_path: Path, threads: int) -> None:
    """State for state the same, with a table that first grows in the folder, or never."""
    request: dict[str, Any] = {"bounds": (3, 3, 2, 1, 1), "threads": threads, "digests": True}
    plain, roomy = searched(**request), searched(**request, spill=str(tmp_path))
    spilled = searched(**request, spill=str(tmp_path), memory=1)
    assert [plain["in_files"], roomy["in_files"], spilled["in_files"]] == [False, False, True]
    assert spilled["table_in_file"]
    apart = {"peak": 0, "in_files": None, "table_in_file": None}
    assert {**spilled, **apart} == {**roomy, **apart} == {**plain, **apart}
    assert list(tmp_path.iterdir()) == []


def test_spilling_from_the_start_of_a_resumed_search(tmp_path: Path) -> None:
    """What a checkpoint holds does not fit the memory: it is read into files."""
    bounds, kept = (3, 2, 1, 1, 1), str(tmp_path / "kept")
    whole = searched(bounds=bounds, checkpoint=kept)
    again = searched(bounds=bounds, checkpoint=kept, memory=1, spill=str(tmp_path))
    assert again["in_files"]
    assert (again["levels"], again["transitions"]) == (whole["levels"], whole["transitions"])


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_out_of_memory_says_what_it_found(
    monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    """Violations found are told; nothing is said to hold."""
    for module in (levels, store):  # as if the process itself took nothing
        monkeypatch.setattr(module, "resident", lambda: 0)
    family = family_of("pipelined")
    bounds = {"steps": 4, "edits": 3, "retries": 2, "lost_acks": 2, "duplicates": 1}
    question = Question(tuple(family.properties))
    options = Options(Limits(memory=12 * MIB), "compiled", threads)
    result = check_design(family, family.design({"fenced": "off"}, bounds), question, options)
    assert result.exploration.stopped_by == "memory"
    assert not result.exploration.complete
    assert result.exploration.states > 10_000
    assert {f.name: (f.verdict, f.events) for f in result.findings} == {
        "fence_ok": ("violated", 3),
        "applied_grows": ("undetermined", None),
    }


class Stopping(np.ndarray[Any, Any]):
    """An array that Ctrl-C hits while it is written to."""

    def __setitem__(self, where: Any, values: Any) -> None:
        whole = np.asarray(self)
        start = where.start or 0
        whole[start : start + len(values) // 2] = values[: len(values) // 2]
        raise KeyboardInterrupt


@pytest.mark.parametrize("moment", ["log", "table"])
def test_an_interrupt_on_the_way_to_files_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Half of the log, or of the table, is in a file: the checkpoint holds what there was."""
    bounds = dict(zip(pipelined.BOUNDS, (3, 3, 2, 1, 1), strict=True))
    this, kept = system_of(pipelined.model, **bounds), tmp_path / "kept"
    original = memory.MemoryRegion

    def region(words: int, spill: Path | None = None) -> memory.MemoryRegion:
        made = original(words, spill)
        if spill is not None:
            made.array = made.array.view(Stopping)
        return made

    with monkeypatch.context() as patch:
        patch.setattr({"log": store, "table": table}[moment], "MemoryRegion", region)
        with pytest.raises(KeyboardInterrupt):
            explore_compiled(this, Watch(this), Limits(memory=1), Resources(1, tmp_path, kept))
    search = explore_compiled(this, Watch(this), Limits(), Resources(1, checkpoint=kept)).search
    assert (search.count, search.transitions, search.depth) == pipelined.KNOWN[3, 3, 2, 1, 1]
    assert search.broken == {}
