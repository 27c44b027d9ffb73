"""Minimal adversaries against brute force over every choice of budgets, and known facts."""

from __future__ import annotations

import pytest

from fencecheck.analysis.explain.adversaries import Breaking, Budgets, minimal_adversaries
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options
from fencecheck.explore.graph import Limits
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Origin
from tests.analysis import brute, guarded

ONE_EACH = {"edits": 1, "lost_replies": 1, "duplicates": 1, "preemptions": 1}
DESIGNS = {
    "no fence": {"fence": "none", "precondition": "off"},
    "plan fence": {"fence": "plan"},
    "step fence": {},
    "step fence + journal": {"journal": "atomic"},
    "as printed": {"stamp": "exec", "precondition": "restamped"},
}


def found(family: Family, design: Design) -> dict[str, Breaking]:
    judge = Judge(family, list(family.properties), design.bounds)
    return {b.name: b for b in minimal_adversaries(judge, design, Origin())}


def minimal(breaking: Breaking) -> list[tuple[Budgets, int]]:
    return [(a.budgets, a.events) for a in breaking.adversaries]


def by_brute_force(family: Family, design: Design) -> dict[str, list[tuple[Budgets, int]]]:
    """Break the design under every choice of budgets and keep what has nothing less beside it."""
    every = {}
    for budgets in brute.budgets(design, family):
        less = family.design(design.mechanisms, {**design.bounds, **budgets})
        every[tuple(budgets.items())] = brute.broken(family, less, list(family.properties))
    result: dict[str, list[tuple[Budgets, int]]] = {name: [] for name in family.properties}
    for name in family.properties:
        hits = [dict(b) for b, broken in every.items() if name in broken]
        for one in hits:
            if not any(o != one and all(o[n] <= one[n] for n in one) for o in hits):
                spent: Budgets = {n: m for n, m in one.items() if m}
                result[name].append((spent, every[tuple(one.items())][name]))
    return result


@pytest.mark.parametrize(
    ("mechanisms", "bounds"),
    [
        ({}, {"hits": 2, "drops": 1}),
        ({"guard": "on", "checks": "two"}, {"hits": 2, "drops": 1}),
        ({"guard": "on", "checks": "one"}, {"hits": 2, "drops": 2}),
    ],
)
def test_a_small_protocol_by_brute_force(
    mechanisms: dict[str, str], bounds: dict[str, int]
) -> None:
    """The same antichain, with the same numbers of events, for every property."""
    family = Family(guarded.model)
    design = family.design(mechanisms, bounds)
    expected = by_brute_force(family, design)
    for name, breaking in found(family, design).items():
        assert sorted(map(repr, minimal(breaking))) == sorted(map(repr, expected[name])), name


@pytest.mark.parametrize("name", ["plan fence", "as printed"])
def test_a_named_design_by_brute_force(name: str) -> None:
    """One step and three kinds of interference, for every property of family fence."""
    family = load_family("fence")
    bounds = {"steps": 1, "edits": 1, "lost_replies": 1, "duplicates": 1}
    design = family.design(DESIGNS[name], bounds)
    expected = by_brute_force(family, design)
    for property_, breaking in found(family, design).items():
        assert sorted(map(repr, minimal(breaking))) == sorted(map(repr, expected[property_]))


def test_two_hits_are_needed_where_one_is_absorbed() -> None:
    """The number of a kind counts: one hit is not enough, two are."""
    family = Family(guarded.model)
    design = family.design({"guard": "on", "checks": "two"}, {"hits": 2, "drops": 1})
    assert minimal(found(family, design)["unharmed"]) == [({"hits": 2}, 3)]


ONE_LOST, ONE_COPY, ONE_EDIT, ONE_PREEMPTION = (
    {"lost_replies": 1},
    {"duplicates": 1},
    {"edits": 1},
    {"preemptions": 1},
)


@pytest.mark.parametrize(
    ("name", "property_", "expected"),
    [
        ("no fence", "no_lost_update", [(ONE_EDIT, 3), (ONE_COPY, 9)]),
        ("no fence", "at_most_once", [(ONE_COPY, 5), (ONE_PREEMPTION, 5), (ONE_LOST, 6)]),
        ("as printed", "fresh_apply", []),
        ("as printed", "no_lost_update", [(ONE_EDIT, 3), (ONE_COPY, 9)]),
        ("plan fence", "no_spurious_rejection", [({}, 6)]),
        ("step fence", "truthful_reply", [(ONE_COPY, 5), (ONE_PREEMPTION, 5), (ONE_LOST, 6)]),
        ("step fence", "at_most_once", [(ONE_COPY, 10), (ONE_PREEMPTION, 10), (ONE_LOST, 11)]),
        ("step fence + journal", "at_most_once", []),
    ],
)
def test_facts_of_the_named_designs(
    name: str, property_: str, expected: list[tuple[dict[str, int], int]]
) -> None:
    """Two steps on one file: what is enough, in how many events."""
    family = load_family("fence")
    design = family.design(DESIGNS[name], {"steps": 2, **ONE_EACH})
    told = minimal(found(family, design)[property_])
    assert sorted(map(repr, told)) == sorted(map(repr, expected))


def test_each_adversary_carries_an_order_that_spends_it_and_replays() -> None:
    """The trace has the budgets of the adversary, as many interferences, and replays."""
    family = load_family("fence")
    design = family.design(DESIGNS["no fence"], {"steps": 2, **ONE_EACH})
    for breaking in found(family, design).values():
        for adversary in breaking.adversaries:
            trace = adversary.trace
            assert trace.shows.name == breaking.name
            assert len(trace.events) == adversary.events
            spent = sum(event.interference for event in trace.events)
            assert spent == sum(adversary.budgets.values())
            assert {n: trace.bounds[n] for n in ONE_EACH} == {
                n: adversary.budgets.get(n, 0) for n in ONE_EACH
            }
            assert replay(family, trace).misfit is None


def test_what_a_limit_cut_stays_open() -> None:
    """Budgets without an answer are named, and nothing is said to break."""
    family = Family(guarded.model)
    design = family.design({"guard": "on", "checks": "one"}, {"hits": 2, "drops": 1})
    judge = Judge(family, list(family.properties), design.bounds, Options(Limits(states=3)))
    told = {b.name: b for b in minimal_adversaries(judge, design, Origin())}
    assert told["unharmed"].adversaries == []
    assert {"hits": 1} in told["unharmed"].open
    assert told["unharmed"].stops == {"states"}


def test_without_time_everything_is_open() -> None:
    """Nothing is said to hold that was not looked at."""
    family = Family(guarded.model)
    design = family.design({}, {"hits": 1})
    judge = Judge(family, list(family.properties), design.bounds, deadline=Deadline.after(0.0))
    told = minimal_adversaries(judge, design, Origin())
    assert all(b.open == [{}, {"hits": 1}] and b.stops == {"time"} for b in told)


@pytest.mark.parametrize("any_of", [("hits",), ("drops",), ("hits", "drops")])
@pytest.mark.parametrize(
    "mechanisms", [{}, {"guard": "on", "checks": "two"}, {"guard": "on", "checks": "one"}]
)
def test_with_budgets_of_any_the_least_numbers_are_found(
    mechanisms: dict[str, str], any_of: tuple[str, ...]
) -> None:
    """They are those that brute force finds among the first numbers, with as many events."""
    family = Family(guarded.model)
    enough = {"hits": 3, "drops": 2}
    expected = by_brute_force(family, family.design(mechanisms, enough))
    unlimited = family.design(mechanisms, enough | dict.fromkeys(any_of, "any"))
    for name, breaking in found(family, unlimited).items():
        assert sorted(map(repr, minimal(breaking))) == sorted(map(repr, expected[name])), name
        assert all(adversary.certain for adversary in breaking.adversaries)
        for adversary in breaking.adversaries:
            assert replay(family, adversary.trace).misfit is None
            assert dict(adversary.trace.bounds) == {"hits": 0, "drops": 0} | adversary.budgets


def test_what_a_limit_cut_under_any_is_told_as_open() -> None:
    """Nothing is called the least interference, nor holding, where the search was cut."""
    family = Family(guarded.model)
    design = family.design({"guard": "on", "checks": "two"}, {"hits": "any", "drops": "any"})
    options = Options(Limits(states=2), engine="reference")
    judge = Judge(family, list(family.properties), design.bounds, options)
    breakings = minimal_adversaries(judge, design, Origin())
    assert all(breaking.open and not breaking.adversaries for breaking in breakings)
    late = Judge(family, list(family.properties), design.bounds, deadline=Deadline(0.0))
    assert all(b.stops == {"time"} for b in minimal_adversaries(late, design, Origin()))
