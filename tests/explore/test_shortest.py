"""The counterexample that is shown: among the shortest, canonical whatever the declarations."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import StateError
from fencecheck.explore import cutting
from fencecheck.explore.cutting import telling_within
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Limits
from fencecheck.explore.shortest import shortest_run
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_limit
from fencecheck.report.words.outcomes import finding_words
from tests.explore.searching import best_by_hand, named, random_graph_text, search, shown
from tests.models_for_tests import HEADER, load, pipelined, system_of

TIES = (
    HEADER
    + """
model = Model("ties", "Many runs of one length")
model.bound("n", 2, "n")
N = Index("n")
M = Record("M", n=N)
model.variable("x", Int(0, 2))
model.variable("y", Array(N, Bool()))
model.variable("z", Set(N))
model.variable("bg", Bag(M, 2))
zoe = model.actor("zoe")
amy = model.actor("amy")
kim = model.actor("kim")


@zoe.action(when=lambda s: s.x < 2)
def count(s):
    "Count."
    s.x += 1


@amy.action(n=N, when=lambda s, n: not s.y[n])
def mark(s, n):
    "Mark."
    s.y[n] = True


@kim.action(n=N, when=lambda s, n: n not in s.z)
def put(s, n):
    "Put."
    s.z.add(n)
    if len(s.bg) < 2:
        s.bg.add(M(n=n))


@zoe.action(m=Each("bg", "n"))
def take(s, m):
    "Take."
    s.bg.remove(m)


@model.invariant()
def not_all(s):
    "Never so far."
    return not (s.x == 2 and any(v for v in s.y) and len(s.z) == 1)


@model.transition("zoe.take")
def not_late(before, after):
    "No taking after a mark and a count."
    return not (any(v for v in before.y) and before.x > 0)


@model.transition()
def one_at_a_time(before, after):
    "Some transition is wrong."
    return not (before.x == 1 and len(after.bg) == 1 and after.y[1])
"""
)


def test_the_best_of_all_shortest_runs_is_shown(tmp_path: Path) -> None:
    """Trying all runs by hand finds the same: fewest changes of actor, then the smallest."""
    system = system_of(load(tmp_path, TIES).model)
    graph = search(system)
    for name in ("not_all", "not_late", "one_at_a_time"):
        assert shown(system, graph, name) == best_by_hand(system, name, 6)
    assert shown(system, graph, "not_all") == [
        ("amy.mark", {"n": 1}),
        ("kim.put", {"n": 1}),
        ("zoe.count", {}),
        ("zoe.count", {}),
    ]


def test_chance_finds_no_better_run(tmp_path: Path) -> None:
    """The same on walks through graphs drawn by chance."""
    compared = 0
    for seed in range(60):
        system = system_of(load(tmp_path, random_graph_text(seed)).model)
        graph = search(system)
        for name, broken in graph.search.broken.items():
            if broken.events <= 5:
                assert shown(system, graph, name) == best_by_hand(system, name, broken.events)
                compared += 1
    assert compared > 40


def test_the_pipeline_by_hand() -> None:
    """A model of the real kind, all runs of three events tried."""
    system = system_of(
        pipelined.model, {"fenced": False}, edits=2, retries=1, lost_acks=1, duplicates=1
    )
    assert shown(system, search(system), "fence_ok") == best_by_hand(system, "fence_ok", 3)


def _permuted(folder: Path, text: str, order: tuple[int, ...]) -> System:
    """Return a model with its actions, variables and properties declared in another order."""
    model: Any = load(folder, text).model
    actions = model.declared.actions
    model.declared.actions = [actions[i] for i in order]
    if order[0] % 2:
        model.declared.variables.reverse()
    if order[-1] % 2:
        model.declared.properties.reverse()
    return system_of(model)


def test_the_order_of_declarations_does_not_matter(tmp_path: Path) -> None:
    """Every order of the actions, and others of variables and properties, shows the same runs."""
    names = ("not_all", "not_late", "one_at_a_time")
    seen = set()
    for order in itertools.permutations(range(4)):
        system = _permuted(tmp_path, TIES, order)
        graph = search(system)
        seen.add(tuple(str(shown(system, graph, name)) for name in names))
    assert len(seen) == 1


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_declarations_does_not_matter_by_chance(tmp_path: Path, seed: int) -> None:
    """The same on walks by chance."""
    seen = set()
    for order in itertools.permutations(range(3)):
        system = _permuted(tmp_path, random_graph_text(seed), order)
        graph = search(system)
        names = sorted(graph.search.broken)
        seen.add(str([(name, shown(system, graph, name)) for name in names]))
    assert len(seen) == 1


def test_events_of_a_run_follow_one_another(tmp_path: Path) -> None:
    """Each event starts where the one before it ended, and happens in the model."""
    system = system_of(load(tmp_path, TIES).model)
    graph = search(system)
    prop = system.family.properties["not_all"]
    state = system.initial
    for event in shortest_run(system, graph, graph.search.broken["not_all"], prop):
        assert event.before == state
        assert (event.action, event.args) in system.enabled(system.view(state), state)
        assert system.steps[event.action](state, *event.args) == (event.after, event.outcome)
        state = event.after
    assert not prop.holds(system.view(state))


def test_a_property_broken_at_the_start_needs_no_event(tmp_path: Path) -> None:
    """The run that is shown is empty."""
    text = TIES + '\n\n@model.invariant()\ndef never(s):\n    "Never."\n    return s.x > 0\n'
    system = system_of(load(tmp_path, text).model)
    graph = search(system)
    assert graph.search.broken["never"].events == 0
    assert shown(system, graph, "never") == []
    assert best_by_hand(system, "never", 0) == []


def test_the_first_of_several_errors_is_canonical(tmp_path: Path) -> None:
    """Of several shortest runs to an error the canonical one is shown, in any order."""
    text = TIES + (
        '\n\n@kim.action(n=N, when=lambda s, n: s.x > 0)\ndef fail(s, n):\n    "Fail."\n'
        "    s.x = 9\n\n\n"
        '@amy.action(when=lambda s: s.x > 0)\ndef fail(s):\n    "Fail."\n'
        "    s.x = 3 // (s.x - s.x)\n"
    )
    seen = set()
    for turn in range(6):
        order = tuple((5 * i + turn) % 6 for i in range(6))
        system = _permuted(tmp_path, text, order)
        graph = search(system)
        assert graph.search.failure is not None
        seen.add(str(named(system, shortest_run(system, graph, graph.search.failure, None))))
    assert seen == {str([("zoe.count", {}), ("amy.fail", {})])}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_only_what_is_watched_can_go_wrong(tmp_path: Path, engine: EngineName) -> None:
    """A property not asked for fails earlier in the order of names: it is not what is told."""
    fails = """

@model.transition("{event}")
def {name}(before, after):
    "Fails."
    return before.x == 0 or before.x // (before.x - before.x) > 0
"""
    text = TIES + fails.format(event="kim.put", name="asked")
    text += fails.format(event="amy.mark", name="not_asked")
    family = Family(load(tmp_path, text).model)

    def told(*names: str) -> str:
        with pytest.raises(StateError) as caught:
            check_design(family, family.design({}, {}), Question(names), Options(engine=engine))
        return str(caught.value)

    assert "goes wrong in kim.put" in told("asked")
    assert "goes wrong in amy.mark" in told("not_asked")
    assert "goes wrong in amy.mark" in told("asked", "not_asked")


def not_found(tmp_path: Path) -> tuple[str, str]:
    """Return what is said of a property that breaks, and why, with limits enough to search."""
    family = Family(load(tmp_path, TIES).model)
    options = Options(Limits(seconds=60, memory=1 << 40), engine="reference")
    found = check_design(family, family.design(), Question(("not_all",)), options)
    assert found.exploration.complete
    return found["not_all"].verdict, finding_words(found["not_all"])


def test_memory_that_is_full_before_an_order_is_found_leaves_it_undetermined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of the search holds for what is told of it too, with a little room more."""
    taken = itertools.chain([1 << 30], itertools.repeat((1 << 40) + (1 << 38)))
    monkeypatch.setattr(cutting, "resident", lambda: next(taken))
    verdict, words = not_found(tmp_path)
    assert (verdict, "memory" in words) == ("undetermined", True)


def test_time_that_is_up_before_an_order_is_found_leaves_it_undetermined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counterexample takes as long again as the search at most."""
    monkeypatch.setattr(cutting, "time_limit", lambda seconds: time_limit(seconds - 60))
    verdict, words = not_found(tmp_path)
    assert (verdict, words) == ("undetermined", "undetermined (time was up before it was judged)")


def test_an_order_is_told_although_the_search_took_all_its_time(tmp_path: Path) -> None:
    """What is small is told however small the limit: a moment and some room are always there."""
    system = system_of(load(tmp_path, TIES).model)
    graph = search(system)
    broken, prop = graph.search.broken["not_all"], system.property("not_all")
    with telling_within(0.0, 1):
        assert len(shortest_run(system, graph, broken, prop)) == 4
    with time_limit(0.0), pytest.raises(TimeUp):
        shortest_run(system, graph, broken, prop)
