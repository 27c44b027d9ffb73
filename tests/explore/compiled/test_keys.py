"""States of several words as keys: exact, however many words there are and however keys widen."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.engine import explore_compiled
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.compiled.storage import coding
from fencecheck.explore.compiled.storage.store import Store, budget_of
from fencecheck.explore.compiled.worker import empty_filter
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources
from fencecheck.explore.threads import Threads
from fencecheck.explore.watch import Watch
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests.explore.compiled.engines import (
    edges_in_any_order,
    run_compiled,
    run_reference,
    sources,
    told,
    told_in_any_order,
)

SMALL = {"steps": 2, "edits": 2, "in_flight": 2, "duplicates": 1}  # of family fence: two words
LARGE = {"steps": 3, "edits": 2, "in_flight": 2, "duplicates": 2}


def fence(bounds: dict[str, Any]) -> System:
    """Return a system of family fence whose states take several words."""
    family = load_family("fence")
    return System(family, family.design({}, bounds))


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let keys begin with five bits for each word, so that they become wider many times."""
    monkeypatch.setattr(coding, "_FIRST_BITS", 5)
    monkeypatch.setattr(coding, "_SPARE", 8)
    monkeypatch.setattr(coding, "_QUICK_BITS", 7)
    monkeypatch.setattr(coding, "_WORTH", 1 << 20)
    monkeypatch.setattr(slots, "CHUNK", 16)
    return monkeypatch


def rows_by_chance(words: int, count: int, values: int) -> Any:
    """Return states of which each word has so many values, those of all ones and none first."""
    chance = np.random.default_rng(words)
    some = chance.integers(0, ~np.uint64(0), (words, values), np.uint64, endpoint=True)
    picked = chance.integers(0, values, (words, count))
    rows = np.take_along_axis(some, picked, axis=1).T
    ones = np.triu(np.full((words, words), ~np.uint64(0)))
    return np.ascontiguousarray(np.concatenate([ones, 0 * ones[:1], rows, ones[::-1]]))


def stored(words: int, used: int, rows: Any) -> Store:
    """Put states into a store, growing as the engine does."""
    kernel: Any = SimpleNamespace(packing=SimpleNamespace(words=words, used=used), cases=2)
    with Threads(1) as pool:
        store = Store(kernel, pool, budget_of(None, None))
        recent = empty_filter(words)
        for at in range(0, len(rows), 700):
            batch = rows[at : at + 700].reshape(-1)
            room = store.count + 700 <= int(store.table.shape[slots.ROOM])
            while not room or not inserted(store, batch, recent):
                assert store.grow()
                room = True
    return store


def inserted(store: Store, batch: Any, recent: Any) -> bool:
    """Insert states; False if the store must grow."""
    shape, table = store.table.shape, store.table.slots
    count = len(batch) // store.words
    return loop.insert(batch, count, store.log, store.own[0], table, shape, recent, False) >= 0


@pytest.mark.parametrize("words", [2, 3, 4, 5])
@pytest.mark.parametrize("values", [7, 300, 3_000])
def test_each_state_is_stored_once_and_comes_back(
    monkeypatch: pytest.MonkeyPatch, words: int, values: int
) -> None:
    """In the order in which they first come, though keys widen on the way."""
    monkeypatch.setattr(coding, "_FIRST_BITS", 5)
    monkeypatch.setattr(coding, "_SPARE", 1)
    monkeypatch.setattr(coding, "_WORTH", 1 << 20)
    rows = rows_by_chance(words, 12_000, values)
    store = stored(words, 64 * words, rows)
    expected = list(dict.fromkeys(map(tuple, rows.tolist())))
    assert store.coding.keyed == ((words, values) != (5, 3_000))  # five times 13 bits are no key
    assert [
        tuple(row) for row in store.read(0, store.count).reshape(-1, words).tolist()
    ] == expected
    assert tuple(store.words_of(5).tolist()) == expected[5]


def test_states_of_words_of_their_own_are_kept_by_words() -> None:
    """Dictionaries as large as the states are of no use: the store goes over to words."""
    rows = np.arange(1, 200_001, dtype=np.uint64).reshape(-1, 2) * np.uint64(0x9E3779B97F4A7C15)
    store = stored(2, 128, rows)
    assert not store.coding.keyed
    assert store.coding.bytes == 0
    assert store.read(0, store.count).tolist() == rows.reshape(-1).tolist()


def test_who_waits_for_a_number_sees_that_it_is_written() -> None:
    """One thread has taken a place of a dictionary and is held up before it writes to it."""
    kernel: Any = SimpleNamespace(packing=SimpleNamespace(words=2, used=128), cases=2)
    row = np.array([77, 78], np.uint64)
    with Threads(1) as pool:
        store = Store(kernel, pool, budget_of(None, None))
        part = store.coding.numbers[slots.FIRST_PART :]
        places = np.array([0, 1], np.uint64)  # the one place that any word has: "being written"
        part[slots.PLACES], part[slots.LAST_PLACE] = places.ctypes.data, 0
        table, own = store.table, store.own[0]
        args = (row, 1, store.log, own, table.slots, table.shape, empty_filter(2), True)
        waiting = threading.Thread(target=loop.insert, args=args, daemon=True)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
        places[0] = row[0]
        places[1] = 5 + 2
        waiting.join(60)
        assert not waiting.is_alive()
        assert int(store.log[0]) & 0xFFF == 5


def test_states_of_many_words_are_kept_by_words() -> None:
    """So many numbers are no key."""
    assert not coding.Coding(6, 384).keyed
    assert coding.Coding(6, 384).kind == (6, 384)


@pytest.mark.parametrize("most", [63, 15, 12])
def test_both_engines_agree_though_keys_widen(narrow: pytest.MonkeyPatch, most: int) -> None:
    """One thread: everything, in order; with few bits in all keys are given up on the way."""
    narrow.setattr(coding, "_MOST_BITS", most)
    system = fence(SMALL)
    expected, found = run_reference(system), run_compiled(system)
    assert isinstance(found, CompiledGraph)
    keyed, (_, bits) = found.store.coding.keyed, found.store.coding.kind
    assert keyed == (most == 63)
    assert bits > 2 * 5
    assert told(system, found) == told(system, expected)
    assert sources(found) == sources(expected)


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("most", [63, 15])
def test_threads_agree_though_keys_widen(
    narrow: pytest.MonkeyPatch, threads: int, most: int
) -> None:
    narrow.setattr(coding, "_MOST_BITS", most)
    system = fence(SMALL)
    expected, found = run_reference(system), run_compiled(system, threads=threads)
    assert told_in_any_order(system, found) == told_in_any_order(system, expected)
    assert edges_in_any_order(system, found) == edges_in_any_order(system, expected)


@pytest.mark.parametrize("most", [63, 20])
def test_a_checkpoint_is_read_into_keys(
    narrow: pytest.MonkeyPatch, tmp_path: Path, most: int
) -> None:
    """What was saved by words becomes keys again, and these widen while it is read."""
    system = fence(LARGE)
    watch = Watch(system)
    explore_compiled(system, watch, Limits(states=5_000), Resources(checkpoint=tmp_path))
    narrow.setattr(coding, "_MOST_BITS", most)
    again = explore_compiled(system, watch, Limits(), Resources(checkpoint=tmp_path))
    narrow.undo()
    whole = run_compiled(system)
    keyed = again.store.coding.keyed
    assert keyed == (most == 63)
    assert (again.search.levels, again.search.transitions) == (
        whole.search.levels,
        whole.search.transitions,
    )
    assert isinstance(whole, CompiledGraph)
    assert np.array_equal(again.in_order(), whole.in_order())


@pytest.mark.parametrize("threads", [1, 2])
def test_keys_in_a_file(narrow: pytest.MonkeyPatch, tmp_path: Path, threads: int) -> None:
    """The log is in a file from the start, and so is what it becomes when keys are given up."""
    narrow.setattr(coding, "_MOST_BITS", 20)
    system = fence(LARGE)
    resources = Resources(threads, spill=tmp_path)
    found = explore_compiled(system, Watch(system), Limits(memory=1), resources)
    narrow.undo()
    whole = run_compiled(system)
    assert isinstance(found.store, Store)
    assert found.store.files == tmp_path
    assert found.search.levels == whole.search.levels
    assert list(tmp_path.iterdir()) == []
