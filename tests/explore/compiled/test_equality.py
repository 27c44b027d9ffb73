"""Both engines give the same state graph: on every model, design, number of threads, and cut."""

from __future__ import annotations

import pytest

from tests.explore.compiled.designs import STRUCTURES, SWITCHES, Design, label, system
from tests.explore.compiled.engines import (
    edges,
    edges_in_any_order,
    run_compiled,
    run_reference,
    sources,
    told,
    told_in_any_order,
)

ENOUGH = 2_000  # states; only the model of everything has more


@pytest.mark.parametrize("design", STRUCTURES, ids=label)
def test_one_thread_gives_the_same_graph(design: Design) -> None:
    """States in the same order, levels, what breaks where, and the runs that are chosen."""
    this = system(design)
    expected, found = (run(this, states=ENOUGH) for run in (run_reference, run_compiled))
    assert told(this, found) == told(this, expected)
    assert sources(found) == sources(expected)
    if expected.search.complete:
        assert edges(this, found) == edges(this, expected)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("design", STRUCTURES, ids=label)
def test_threads_change_nothing_but_the_order(design: Design, threads: int) -> None:
    """Levels are the same sets, and the chosen runs are the same runs."""
    this = system(design)
    expected = run_reference(this, states=ENOUGH)
    found = run_compiled(this, threads=threads, states=ENOUGH)
    assert told_in_any_order(this, found) == told_in_any_order(this, expected)
    if expected.search.complete:
        assert edges_in_any_order(this, found) == edges_in_any_order(this, expected)


@pytest.mark.parametrize("design", SWITCHES, ids=label)
def test_every_value_of_a_switch(design: Design) -> None:
    """A switch is an argument of the kernel: each of its values does what it does in Python."""
    this = system(design)
    expected, found = run_reference(this), run_compiled(this)
    assert told(this, found) == told(this, expected)
    assert edges(this, found) == edges(this, expected)


@pytest.mark.parametrize("states", [1, 2, 3, 50, 514, 515, 516])
def test_a_search_cut_by_states_is_cut_at_the_same_level(states: int) -> None:
    """A limit acts at the end of the level that reaches it; the whole space has 515 states."""
    this = system(("pipelined", {"fenced": "off"}, {"steps": 2, "edits": 1, "retries": 1}))
    whole = run_reference(this).search.count
    limit = states if states < 500 else whole + states - 515
    expected, found = run_reference(this, states=limit), run_compiled(this, states=limit)
    assert told(this, found) == told(this, expected)
    assert expected.search.stopped_by == ("states" if limit <= expected.search.count else None)
    for threads in (2, 4):
        other = run_compiled(this, threads=threads, states=limit)
        assert told_in_any_order(this, other) == told_in_any_order(this, expected)


def test_only_the_properties_asked_for_are_watched() -> None:
    """Counts do not depend on which properties are watched; what is reported does."""
    this = system(("pipelined", {"fenced": "off"}, {"steps": 2, "edits": 1}))
    for names in ([], ["fence_ok"], ["applied_grows"]):
        expected, found = run_reference(this, names), run_compiled(this, names)
        assert told(this, found) == told(this, expected)
        assert set(found.search.broken) == set(names) & {"fence_ok"}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_may_stop_at_a_violation(threads: int) -> None:
    """It ends after the level in which a property of interest breaks, with the same run."""
    this = system(("pipelined", {"fenced": "off"}, {"steps": 2, "edits": 1}))
    stop = frozenset({"fence_ok"})
    expected = run_reference(this, broken=stop)
    found = run_compiled(this, threads=threads, broken=stop)
    assert expected.search.stopped_by == "broken"
    assert told_in_any_order(this, found) == told_in_any_order(this, expected)


def test_a_run_is_the_same_every_time() -> None:
    """With several threads, what is shown does not change from run to run."""
    this = system(("pipelined", {"fenced": "off"}, {"steps": 2, "edits": 2, "retries": 1}))
    first = told_in_any_order(this, run_compiled(this, threads=4))
    assert first["runs"]
    for _ in range(5):
        assert told_in_any_order(this, run_compiled(this, threads=4)) == first
