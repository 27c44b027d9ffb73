"""The exact table by itself: nothing is lost or invented, whatever its size, load and hash."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fencecheck.explore.compiled import levels, loop, second_pass, worker
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.packed_graph import CompiledGraph
from fencecheck.explore.compiled.storage import store
from fencecheck.explore.compiled.storage import table as tables_in_place
from fencecheck.explore.compiled.storage.coding import by_words
from fencecheck.explore.native.code import NativeCode
from fencecheck.explore.threads import Threads
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests.explore.compiled.engines import run_compiled
from tests.models_for_tests import pipelined, system_of

WIDTHS = [
    (1, 44),
    (1, 50),
    (1, 56),
    (1, 64),
]  # bits for slots of 32, 40, 48 and 64, from 2^14 lines
CASES = [(1, 7), (1, 20), (1, 40), *WIDTHS, (1, 63), (2, 64), (3, 64)]
BOUNDS = {"steps": 2, "edits": 2, "retries": 2, "lost_acks": 1, "duplicates": 1}


class Driven:
    """A table and a log of its own, driven as the engine drives them."""

    def __init__(self, words: int, bits: int, lines: int) -> None:
        self.words, self.bits = words, bits
        self.log = np.zeros(400_000 * words, np.uint64)
        self.own = np.zeros(slots.CAME_BACK + 1, np.int64)
        self.recent = worker.empty_filter(words)
        self.coding = by_words(words, bits)
        self.table = tables_in_place.StateTable((words, bits), 1.0, (lines, 2_000_000), self.coding)

    def insert(self, states: Any, shared: bool = False) -> bool:
        """Insert states; False if one is too far from its place."""
        count, table, shape = len(states) // self.words, self.table.slots, self.table.shape
        made = loop.insert(states, count, self.log, self.own, table, shape, self.recent, shared)
        return bool(made >= 0)

    def grow(self, lines: int, *, rebuild: bool = False, threads: int = 1) -> None:
        """Go over to a larger table: the states move, or it is filled again from the log."""
        stored = int(self.own[slots.END])
        if not rebuild:
            with Threads(threads) as pool:
                assert self.table.grow(lines, pool) == stored
            return
        self.table.clear(lines)
        table, shape = self.table.slots, self.table.shape
        assert loop.reinsert(self.log, 0, stored, table, shape, False) == stored

    @property
    def width(self) -> int:
        """Return the bits of a slot."""
        return int(self.table.shape[slots.WIDTH])

    def held(self) -> int:
        """Return how many states the table holds, near their home and far from it."""
        lines = self.table.slots.reshape(-1, 8).view(np.uint8)
        upper: dict[int, Any] = {32: lines.view(np.uint32), 64: lines.view(np.uint64)}
        upper |= {40: lines[:, 48:60], 48: lines.view(np.uint16)[:, 20:30]}
        far = np.count_nonzero(self.table.far)
        assert self.words > 1 or far == self.table.shape[slots.FAR_COUNT]
        return int(np.count_nonzero(upper[self.width]) + far)

    def stored(self) -> list[tuple[int, ...]]:
        """Return the states in the log, in the order in which they came."""
        return self.read(0, int(self.own[slots.END]))

    def read(self, first: int, end: int) -> list[tuple[int, ...]]:
        """Return states of the log."""
        states = np.empty((end - first, self.words), np.uint64)
        loop.read_states(self.log, first, end - first, self.coding, states)
        return [tuple(row) for row in states.tolist()]


def numbers(words: int, bits: int, count: int, seed: int) -> Any:
    """Return states by chance, with many repeats, and runs of neighbours."""
    chance = np.random.default_rng(seed)
    top = min(1 << bits, 3 * count)
    low = chance.integers(0, top, (count, words), dtype=np.uint64)
    if bits > 40:
        low[::3] |= np.uint64(1) << np.uint64(bits - 1)
    return low.reshape(-1)


def distinct(states: Any, words: int) -> list[tuple[int, ...]]:
    """Return states without repeats, in the order in which they first come."""
    return list(dict.fromkeys(tuple(row) for row in states.reshape(-1, words).tolist()))


@pytest.mark.parametrize(("words", "bits"), CASES)
@pytest.mark.parametrize("lines", [64, 100, 1_000, 4_099])
@pytest.mark.parametrize("how", [{}, {"rebuild": True}, {"threads": 3}])
def test_a_table_that_grows_is_exact(
    words: int, bits: int, lines: int, how: dict[str, Any]
) -> None:
    """Batches go in, the table grows whenever half full: each state once, in order."""
    table, batches = Driven(words, bits, lines), [numbers(words, bits, 700, k) for k in range(20)]
    for batch in batches:
        if int(table.own[slots.END]) + 700 > table.table.lines * 4:
            table.grow(table.table.lines * 3 // 2 + 180, **how)
        assert table.insert(batch)
    assert table.stored() == distinct(np.concatenate(batches), words)
    stored = int(table.own[slots.END])
    for batch in batches:
        assert table.insert(batch)
    assert int(table.own[slots.END]) == stored


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("factor", [1.02, 1.3, 4.0])
@pytest.mark.parametrize(("words", "bits"), [*WIDTHS, (2, 64)])
def test_a_large_table_moves_within_itself(
    words: int, bits: int, factor: float, threads: int
) -> None:
    """A table of many stretches, 80 % full: all states are found again, and none but them."""
    table = Driven(words, bits, 20_000 if bits == 64 else 16_400)
    count = int(0.8 * int(table.table.shape[slots.ROOM]))
    states = numbers(words, bits, 2 * count, 3)[: count * words]
    assert table.insert(states)
    for _ in range(3):
        table.grow(int(table.table.lines * factor), threads=threads)
        assert table.held() == int(table.own[slots.END])
        assert table.insert(states)
    assert table.stored() == distinct(states, words)


@pytest.mark.parametrize("words", [1, 2])
def test_states_that_find_no_place_are_filled_in_anew(
    monkeypatch: pytest.MonkeyPatch, words: int
) -> None:
    """No stretch leaves room for states far from home: the table says so, and is made anew."""
    failed: list[int] = []
    original = tables_in_place.StateTable.grow

    def grow(self: tables_in_place.StateTable, lines: int, pool: Threads) -> int:
        failed.append(original(self, lines, pool))
        return failed[-1]

    monkeypatch.setattr(tables_in_place, "_FARTHEST", 1)
    monkeypatch.setattr(tables_in_place.StateTable, "grow", grow)
    monkeypatch.setattr(store, "_FIRST_LINES", 1)
    monkeypatch.setattr(store, "_FAST", 1.05)
    monkeypatch.setattr(store, "_LOAD_MORE", 0.95)
    monkeypatch.setattr(store, "_LOAD_ONE", 0.95)
    monkeypatch.setattr(slots, "CHUNK", 16)
    if words == 1:
        this = system_of(pipelined.model, **BOUNDS)
    else:
        family = load_family("fence")
        this = System(
            family, family.design({}, {"steps": 3, "edits": 2, "in_flight": 2, "duplicates": 2})
        )
    found = run_compiled(this)
    assert isinstance(found, CompiledGraph)
    assert found.store.words == words
    assert min(failed) < 0
    monkeypatch.undo()
    whole = run_compiled(this).search
    assert (found.search.levels, found.search.transitions) == (whole.levels, whole.transitions)


@pytest.mark.parametrize("bits", [36, 44, 50, 54, 60])
def test_a_state_that_finds_no_place_is_not_lost(bits: int) -> None:
    """Lines and places far away are full: the batch stops, the table grows, it is done again."""
    table, most = Driven(1, bits, 64), int(1.3 * 64 * 16)
    states = np.random.default_rng(1).permutation(np.arange(1, most, dtype=np.uint64) * 7919)
    assert not table.insert(states)
    assert table.held() == int(table.own[slots.END]) > 0.9 * int(table.table.shape[slots.ROOM])
    table.grow(200)
    assert table.insert(states)
    assert sorted(table.stored()) == sorted(distinct(states, 1))
    assert table.held() == len(states)


def test_slots_become_narrower_as_a_table_grows() -> None:
    """A table goes through all widths, many times larger each; nothing is lost or doubled."""
    table = Driven(1, 48, 2)
    widths = [table.width]
    states = np.random.default_rng(2).integers(0, 1 << 48, 150_000, dtype=np.uint64)
    states = np.concatenate([states, np.arange(20_000, dtype=np.uint64)])
    for at in range(0, len(states), 500):
        batch = states[at : at + 500]
        while not table.insert(batch) or table.own[slots.END] + 500 > table.table.shape[slots.ROOM]:
            table.grow(table.table.lines * 9 // 8 + 17)
            widths.append(table.width)
            assert table.held() == int(table.own[slots.END])
    for lines in (1 << 18, (1 << 18) + (1 << 16) + 1):
        table.grow(lines)
        widths.append(table.width)
    assert list(dict.fromkeys(widths)) == [64, 48, 40, 32]
    assert table.insert(states)
    assert int(table.own[slots.END]) == table.held() == len(distinct(states, 1))


@pytest.mark.parametrize("bits", [1, 8, 9, 31, 40, 57, 64])
def test_the_log_keeps_no_more_bytes_than_needed(bits: int) -> None:
    """States come back as they were written, in one piece or in many, behind one another."""
    coding, top = by_words(1, bits), (1 << bits) - 1
    size = int(coding[slots.STATE_SIZE])
    assert size == -(-bits // 8)
    states = np.random.default_rng(1).integers(0, top, 999, np.uint64, endpoint=True)
    log, back = np.zeros(999 * size // 8 + 2, np.uint64), np.empty(999, np.uint64)
    for first, end in ((0, 1), (1, 500), (500, 999)):
        loop.write_states(log, first, end - first, coding, states[first:end])
    loop.read_states(log, 0, 999, coding, back)
    assert back.tolist() == states.tolist()
    loop.read_states(log, 700, 3, coding, back)
    assert back[:3].tolist() == states[700:703].tolist()


def test_neighbours_in_a_line_are_told_apart() -> None:
    """Every number of 16 bits is a state of its own, in tables of many sizes."""
    states = np.random.default_rng(1).permutation(np.arange(1 << 16, dtype=np.uint64))
    for lines in (1 << 14, 10_007, 16_383, 16_385, 60_000):
        table = Driven(1, 16, lines)
        assert table.insert(states)
        assert int(table.own[slots.END]) == 1 << 16
        assert table.insert(states[::-1].copy())
        assert int(table.own[slots.END]) == 1 << 16


@pytest.mark.parametrize(("words", "bits"), [(1, 40), (1, 48), (1, 56), (1, 64), (2, 64)])
def test_threads_store_each_state_once(words: int, bits: int) -> None:
    """Four threads insert the same states into one table: together they store each once."""
    states = numbers(words, bits, 20_000, 5)
    shared = Driven(words, bits, 10_000)
    tables = [Driven(words, bits, 64) for _ in range(4)]
    for thread, table in enumerate(tables):
        table.log = shared.log
        table.own[slots.END] = thread * 40_000
        table.table = shared.table
    threads = [threading.Thread(target=t.insert, args=(states, True)) for t in tables]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    found: list[tuple[int, ...]] = []
    for thread, table in enumerate(tables):
        found += table.read(thread * 40_000, int(table.own[slots.END]))
    assert sorted(found) == sorted(distinct(states, words))


def crippled(folder: Path, change: tuple[str, str]) -> SimpleNamespace:
    """Return the loops compiled from a private copy of their text with a worse hash."""
    own, package = Path(slots.__file__).parent, folder / "crippled_loops"
    package.mkdir()
    texts = {path.name: path.read_text() for path in own.glob("*.py")}
    assert texts["quotients.py"].count(change[0]) == 1
    texts["quotients.py"] = texts["quotients.py"].replace(*change)
    for name, text in texts.items():
        (package / name).write_text(text.replace(loop.CODE.package, package.name))
    code = NativeCode(package.name, loop.CODE.modules)
    functions = {d: code.declare(d) for d in loop.CODE.declarations}
    return SimpleNamespace(load=code.load, **{f.__name__: f for f in functions.values()})


FIRST_MIX = """    x = (x * MIX2) & mask
    x ^= x >> half
    return x
"""
NO_MIX = (
    "    x ^= x >> half\n    x = (x * MIX1) & mask\n    x ^= x >> half\n" + FIRST_MIX,
    "    return x\n",
)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_bad_hash_costs_memory_and_not_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    """States crowd together: tables grow because of distance, and the counts stay right."""
    monkeypatch.syspath_prepend(tmp_path)
    module = crippled(tmp_path, NO_MIX)
    grown: list[tuple[int, int]] = []
    original = store.Store.grow

    def grow(self: store.Store) -> bool:
        grown.append((self.count, int(self.table.shape[slots.ROOM])))
        return original(self)

    for user in (levels, second_pass, store, tables_in_place, worker):
        monkeypatch.setattr(user, "loop", module)
    monkeypatch.setattr(store.Store, "grow", grow)
    bounds = {"steps": 3, "edits": 1, "retries": 1, "lost_acks": 1, "duplicates": 1}
    search = run_compiled(system_of(pipelined.model, **bounds), threads=threads).search
    assert (search.count, search.transitions) == (59_167, 214_763)
    assert any(count < capacity / 4 for count, capacity in grown)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("lines", [1, 200, 3_000])
def test_growth_from_a_small_table_gives_the_known_counts(
    monkeypatch: pytest.MonkeyPatch, lines: int, threads: int
) -> None:
    """F4 from tables so small that they grow many times."""
    monkeypatch.setattr(store, "_FIRST_LINES", lines)
    monkeypatch.setattr(store, "_FAST", 1.05)
    monkeypatch.setattr(store, "_SLOW", 1.05)
    monkeypatch.setattr(slots, "CHUNK", 16)
    search = run_compiled(system_of(pipelined.model, **BOUNDS), threads=threads).search
    assert (search.count, search.transitions, search.depth) == pipelined.KNOWN[2, 2, 2, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_growth_gives_the_known_counts_of_a_larger_space(threads: int) -> None:
    """F6: 1,157,219 states."""
    bounds = dict(zip(pipelined.BOUNDS, (3, 3, 2, 1, 1), strict=True))
    search = run_compiled(system_of(pipelined.model, **bounds), threads=threads).search
    assert (search.count, search.transitions, search.depth) == pipelined.KNOWN[3, 3, 2, 1, 1]


def test_notes_that_fill_up_are_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """More states with something to note than there is room for at a time: none is missed."""
    this = system_of(pipelined.model, {"fenced": "off"}, steps=2, edits=2, retries=2)
    whole = run_compiled(this)
    monkeypatch.setattr(worker, "_NOTES", 64)
    monkeypatch.setattr(slots, "CHUNK", 16)
    for threads in (1, 3):
        search = run_compiled(this, threads=threads).search
        assert {n: len(b.states) for n, b in search.broken.items()} == {
            n: len(b.states) for n, b in whole.search.broken.items()
        }
        assert search.count == whole.search.count
