"""Protocols of the literature: the counts that other checkers find, and one defect in each."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from fencecheck.model.system import System
from tests.explore.compiled.engines import run_compiled, run_reference, told, told_in_any_order
from tests.models_for_tests import bakery, journal, lamport, load, mcs, peterson, system_of

PROTOCOLS = {"peterson": peterson, "lamport": lamport, "mcs": mcs, "bakery": bakery}
SIZES = [(name, sizes) for name, module in PROTOCOLS.items() for sizes in module.KNOWN]
SMALL = [(name, sizes) for name, sizes in SIZES if sizes[0] == 2] + [("mcs", (3,))]
DEFECTS = {
    "peterson": ("s.pos[other] < s.level[p]", "s.pos[other] <= s.level[p]"),
    "lamport": ('s.at[p] == "looked" and s.y == p', 's.at[p] == "looked" and s.y is not None'),
    "mcs": ('s.at[p] == "waits" and not s.locked[p]', 's.at[p] == "waits"'),
    "bakery": ("theirs == own and p <= other", "theirs == own"),
}


def protocol(module: ModuleType, sizes: tuple[int, ...]) -> System:
    """Return a protocol at some size, ready to run."""
    return system_of(module.model, **dict(zip(module.BOUNDS, sizes, strict=True)))


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        pytest.param(name, sizes, marks=pytest.mark.slow if sizes == (4, 7) else ())
        for name, sizes in SIZES
    ],
    ids=str,
)
def test_the_compiled_engine_finds_the_known_counts(name: str, sizes: tuple[int, ...]) -> None:
    """They are published, or those of SPIN and Rumur; nobody is ever inside with another."""
    system = protocol(PROTOCOLS[name], sizes)
    for threads in (1, 2, 3):
        search = run_compiled(system, threads=threads).search
        assert (search.count, search.transitions) == PROTOCOLS[name].KNOWN[sizes]
        assert search.complete
        assert not search.broken
        assert search.triggered == {"alone"}


@pytest.mark.parametrize(("name", "sizes"), SMALL, ids=str)
def test_the_engines_find_the_same_of_small_ones(name: str, sizes: tuple[int, ...]) -> None:
    """State by state, and the reference engine the known counts as well."""
    system = protocol(PROTOCOLS[name], sizes)
    expected, found = run_reference(system), run_compiled(system)
    assert (expected.search.count, expected.search.transitions) == PROTOCOLS[name].KNOWN[sizes]
    assert told(system, found) == told(system, expected)


def defective(folder: Path, name: str, sizes: tuple[int, ...]) -> System:
    """Return a protocol with one thing wrong."""
    text = Path(str(PROTOCOLS[name].__file__)).read_text("utf-8")
    right, wrong = DEFECTS[name]
    assert text.count(right) == 1
    return protocol(load(folder, text.replace(right, wrong)), sizes)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_one_defect_lets_two_inside(name: str, tmp_path: Path) -> None:
    """What each protocol waits for is needed, and both engines show the same shortest way."""
    system = defective(tmp_path, name, (2, 3)[: len(PROTOCOLS[name].BOUNDS)])
    expected, found = run_reference(system), run_compiled(system)
    assert set(expected.search.broken) == {"alone"}
    assert told(system, found) == told(system, expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_wrong_has_the_published_count_too(threads: int, tmp_path: Path) -> None:
    """BEEM has the same defect of Peterson's algorithm, as its peterson.2."""
    search = run_compiled(defective(tmp_path, "peterson", (3,)), threads=threads).search
    assert (search.count, search.complete) == (124_704, True)
    assert set(search.broken) == {"alone"}


@pytest.mark.parametrize("sizes", [(20, 4), (400, 1), (60, 60)], ids=str)
def test_the_engines_find_the_same_in_deep_graphs(sizes: tuple[int, int]) -> None:
    """A journal has as many states and levels as its sizes say, with any number of threads."""
    system = protocol(journal, sizes)
    expected = run_reference(system)
    assert (expected.search.count, expected.search.depth) == journal.counts(*sizes)
    assert told(system, run_compiled(system)) == told(system, expected)
    for threads in (2, 3):
        found = run_compiled(system, threads=threads)
        assert told_in_any_order(system, found) == told_in_any_order(system, expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_graph_of_thousands_of_levels_has_the_known_counts(threads: int) -> None:
    """Levels are small, and there are nine thousand of them."""
    search = run_compiled(protocol(journal, (3_000, 20)), threads=threads).search
    assert (search.count, search.depth) == journal.counts(3_000, 20)
    assert search.complete
