"""Levels of few states, many to a call of the compiled loop: what is said stays the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.storage import store
from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.explore.compiled.engines import (
    edges,
    run_compiled,
    run_reference,
    told,
    told_in_any_order,
)
from tests.models_for_tests import HEADER, load, pipelined, system_of

COUNTER = (
    HEADER
    + '''
model = Model("counter", "A counter")
model.bound("last", 20_000, "how far it counts")
model.variable("n", Int(0, lambda k: k.last))
model.variable("late", Bool())
A = model.actor("A")


@A.action(when=lambda s: s.n < s.last)
def count(s):
    """Count."""
    s.n += 1


@A.action(when=lambda s: s.n == 700)
def start_again(s):
    """Be late."""
    s.late = True


@model.invariant()
def not_late_at_900(s):
    """It is not late at 900."""
    return not (s.late and s.n == 900)


@model.invariant()
def not_at_1500(s):
    """It never comes to 1,500."""
    return s.n != 1500
'''
)


Systems = Callable[..., System]


@pytest.fixture
def counter(tmp_path: Path) -> Systems:
    """Return counters that end where asked; ``changes`` are made in the text of the model."""

    def made(last: int, *changes: tuple[str, str]) -> System:
        text = COUNTER
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        family = Family(load(tmp_path, text).model)
        return System(family, family.design({}, {"last": last}))

    return made


def agree(system: System, **limits: Any) -> Any:
    """Compare all that both engines say; return the search of the compiled one."""
    expected, found = run_reference(system, **limits), run_compiled(system, **limits)
    assert told(system, found) == told(system, expected)
    if found.search.failure is None:
        assert found.search.happened == expected.search.happened
        assert found.search.cut == expected.search.cut
        assert found.event_counts().tolist() == expected.event_counts().tolist()
    return found.search


def test_many_levels_take_few_calls(counter: Systems, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = list[int]()
    one = loop.search_level

    def counted(*args: Any) -> int:
        calls.append(1)
        return one(*args)

    monkeypatch.setattr(loop, "search_level", counted)
    search = agree(counter(20_000))
    assert (search.depth, search.complete) == (20_001, True)
    assert sorted(search.broken) == ["not_at_1500", "not_late_at_900"]
    assert len(calls) < 200


@pytest.mark.parametrize("states", [1, 2, 37, 701, 702, 1_700, 4_097, 8_001])
def test_a_cut_comes_at_the_end_of_the_level_that_reaches_the_number(
    counter: Systems, states: int
) -> None:
    search = agree(counter(5_000), states=states)
    assert search.stopped_by == "states"
    assert search.count in (states, states + 1)


def test_a_search_ends_where_one_of_these_properties_breaks(counter: Systems) -> None:
    search = agree(counter(5_000), broken=frozenset({"not_at_1500"}))
    assert (search.stopped_by, search.broken["not_at_1500"].events) == ("broken", 1_500)


@pytest.mark.parametrize(
    "change",
    [
        ("    s.n += 1", "    s.n += 1 if s.n != 1100 else s.last"),
        ("s.n != 1500", "10 // (s.n - 1100) != 3"),
        ("when=lambda s: s.n < s.last", "when=lambda s: s.n < s.last and 9 // (s.n - 1100) != 3"),
    ],
)
def test_what_goes_wrong_deep_down_is_told(counter: Systems, change: tuple[str, str]) -> None:
    search = agree(counter(5_000, change))
    assert search.stopped_by == "error"
    assert search.depth >= 1_100


def test_the_table_grows_between_small_levels(
    counter: Systems, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_FIRST_LINES", 1)
    assert agree(counter(20_000)).count > 3 * slots.CHUNK * 2


def test_states_of_several_words_are_numbered_alike(counter: Systems) -> None:
    wide = 'model.variable("more", Array(I, Int(0, 1 << 20)))\nmodel.variable("late", Bool())'
    index = 'model.bound("size", 5, "how many")\nI = Index("size", "i")\nmodel.variable("n"'
    change = ('model.variable("late", Bool())', wide), ('model.variable("n"', index)
    agree(counter(3_000, *change))


@pytest.mark.parametrize("bounds", [{"steps": 5}, {"steps": 3, "edits": 1}])
def test_a_long_pipeline_is_searched_alike(bounds: dict[str, int]) -> None:
    system = system_of(pipelined.model, **bounds)
    agree(system)
    assert edges(system, run_compiled(system)) == edges(system, run_reference(system))


@pytest.mark.parametrize("threads", [2, 3])
def test_the_first_of_several_threads_takes_small_levels_alone(
    counter: Systems, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also behind levels that all of them expanded: what is said stays the same."""
    calls, real = [], loop.search_small_levels

    def counted(*given: Any) -> int:
        done = real(*given)
        calls.append(done)
        return done

    monkeypatch.setattr(loop, "search_small_levels", counted)
    for system in (counter(last=3_000), system_of(pipelined.model, steps=3, edits=2, retries=1)):
        calls.clear()
        found = told_in_any_order(system, run_compiled(system, threads=threads))
        assert sum(calls) > 0
        assert found == told_in_any_order(system, run_compiled(system))
