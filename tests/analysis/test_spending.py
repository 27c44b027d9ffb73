"""Minimal adversaries from one search against the walk over all choices of budgets."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from fencecheck.analysis.explain import spending
from fencecheck.analysis.explain.adversaries import Breaking, minimal_adversaries
from fencecheck.analysis.explain.spending import least_outlays
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Limits
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from fencecheck.runs.trace import Origin
from tests.analysis import brute, guarded
from tests.analysis.test_adversaries import DESIGNS, ONE_EACH
from tests.models_for_tests import HEADER, load

ENGINES = ("reference", "compiled")
ONE_TIE = {
    "intent": "on",
    "intent_hash": "on",
    "on_drift": "pin",
    "replay": "on",
    "effect_key": "none",
    "commit": "separate",
    "lease": "timestamp",
    "reaper": "on",
    "ledger": "outside",
}
SPENT = """
model = Model("spent", "Faults by chance")
model.variable("x", Int(0, 9){start})
model.budget("slips", "slips")
model.budget("falls", "falls")
model.budget("jumps", "jumps")
a = model.actor("a")


@a.interference("slips", when=lambda s: s.x < 9)
def slip(s):
    "Slip."
    s.x = {slip}[s.x]
    {other}


@a.interference("falls", when=lambda s: {falls})
def fall(s):
    "Fall."
    s.x = {fall}[s.x]


@a.interference("jumps")
def jump(s):
    "Jump."
    s.x = {jump}[s.x]


@a.action(when=lambda s: {rest}[s.x] != s.x)
def rest(s):
    "Go on."
    s.x = {rest}[s.x]


@model.transition()
def near(before, after):
    "Steps are small."
    return before.x - after.x < {step}


@model.transition("a.rest")
def own(before, after):
    "Own steps are small."
    return before.x - after.x < {step}


@model.invariant()
def low(s):
    "It stays low."
    return s.x != {high}


@model.invariant()
def never(s):
    "It is a number."
    return s.x < 10


@model.deadlock()
def goes_on(s):
    "It does not end too early."
    return s.x in {ends}


@model.liveness()
def arrives(s):
    "It comes to an end."
    return s.x in {ends}


@model.possibility()
def can_arrive(s):
    "It can come to an end."
    return s.x in {ends}
"""


def model_by_chance(folder: Path, seed: int, **given: str) -> Family:
    """Return a walk on ten numbers with three faults, each a table drawn by chance."""
    chance = random.Random(seed)
    parts: dict[str, Any] = {"start": "", "other": "pass", "falls": "s.x > 0"}
    for name in ("slip", "fall", "jump", "rest"):
        parts[name] = tuple(chance.choice((i, chance.randrange(10))) for i in range(10))
    parts |= {"high": chance.randrange(1, 10), "step": chance.randrange(2, 7)}
    parts["ends"] = tuple(sorted(chance.sample(range(10), 7)))
    return Family(load(folder, HEADER + SPENT.format(**{**parts, **given})).model)


def judge_of(family: Family, design: Design, engine: EngineName = "auto", **limits: Any) -> Judge:
    options = Options(Limits(**limits), engine)
    return Judge(family, list(family.properties), design.bounds, options)


def both_ways(
    family: Family, design: Design, engine: EngineName = "auto", **limits: Any
) -> tuple[list[Breaking], list[Breaking], tuple[int, int]]:
    """Return what the walk finds, what one search finds, and how many searches each took."""
    walk, one = (judge_of(family, design, engine, **limits) for _ in range(2))
    expected = minimal_adversaries(walk, design, Origin())
    found = minimal_adversaries(one, design, Origin(), some_hold=True)
    return expected, found, (walk.explored, one.explored)


def is_told_by_one_search(family: Family, design: Design) -> bool:
    choices = sorted(brute.budgets(design, family), key=lambda one: sum(one.values()))
    return least_outlays(judge_of(family, design), design, choices) is not None


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", DESIGNS)
def test_a_named_design_has_the_same_adversaries(name: str, engine: EngineName) -> None:
    """With the same event orders, for every property of family fence, in fewer searches."""
    family = load_family("fence")
    design = family.design(DESIGNS[name], {"steps": 1, **ONE_EACH})
    expected, found, (walked, searched) = both_ways(family, design, engine)
    assert found == expected
    assert any(b.adversaries for b in found) == (name != "step fence + journal")
    assert searched < walked


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_a_named_design_of_two_steps_has_the_same_adversaries(name: str) -> None:
    """The same for two steps, of one kind of interference twice."""
    family = load_family("fence")
    design = family.design(DESIGNS[name], {"steps": 2, **ONE_EACH, "lost_replies": 2})
    expected, found, (walked, searched) = both_ways(family, design)
    assert found == expected
    assert searched < walked


def test_an_event_and_a_state_that_break_after_as_many_events_are_both_told() -> None:
    """The event is judged a level before the state."""
    family = load_family("ledger")
    design = family.design(ONE_TIE, {"edits": 1, "revocations": 1, "expiries": 1})
    expected, found, (walked, searched) = both_ways(family, design)
    assert found == expected
    assert searched < walked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("ledger", {"steps": 1, "revocations": 1, "lost_acks": 2, "expiries": 1, "workers": 2}),
        ("agent", {"steps": 1, "workers": 1, "edits": 1, "revocations": 2, "expiries": 1}),
    ],
)
def test_another_family_has_the_same_adversaries(name: str, bounds: dict[str, int]) -> None:
    """Of a family with recurrence and possibility beside."""
    family = load_family(name)
    expected, found, (walked, searched) = both_ways(family, family.design({}, bounds))
    assert found == expected
    assert searched <= walked


def by_chance(folder: Path, engine: EngineName, seeds: range) -> tuple[int, int]:
    """Compare models by chance; return how many adversaries there were, and of two kinds."""
    several, of_two = 0, 0
    for seed in seeds:
        family = model_by_chance(folder, seed)
        design = family.design({}, {"slips": 2, "falls": 2, "jumps": 1})
        assert is_told_by_one_search(family, design)
        expected, found, _ = both_ways(family, design, engine)
        assert found == expected, seed
        spent = [a.budgets for breaking in found for a in breaking.adversaries]
        several, of_two = several + len(spent), of_two + sum(len(one) > 1 for one in spent)
    return several, of_two


@pytest.mark.parametrize("engine", ENGINES)
def test_models_by_chance_have_the_same_adversaries(tmp_path: Path, engine: EngineName) -> None:
    """States, ends, transitions of events with and without interference, and temporal ones."""
    several, of_two = by_chance(tmp_path, engine, range(6))
    assert several > 15
    assert of_two > 2


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_more_models_by_chance_have_the_same_adversaries(
    tmp_path: Path, engine: EngineName
) -> None:
    """The same, for longer."""
    by_chance(tmp_path, engine, range(6, 40))


@pytest.mark.parametrize("most", [0, 3])
def test_events_of_interference_that_are_too_many_are_left_to_the_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """What is found is the same."""
    monkeypatch.setattr(spending, "MOST", most)
    by_chance(tmp_path, "reference", range(3))


@pytest.mark.parametrize(
    "given",
    [
        {"other": "s.falls = 1"},
        {"falls": "s.slips > 0"},
        {"falls": "s.slips_used > 0"},
        {"start": ", lambda k: k.slips"},
    ],
    ids=["given back", "read elsewhere", "asked what was used", "an initial value"],
)
def test_a_budget_that_is_not_only_spent_is_walked(tmp_path: Path, given: dict[str, str]) -> None:
    """One search would tell nothing of smaller budgets."""
    for seed in range(4):
        family = model_by_chance(tmp_path, seed, **given)
        design = family.design({}, {"slips": 2, "falls": 1, "jumps": 1})
        assert not is_told_by_one_search(family, design)
        expected, found, (walked, searched) = both_ways(family, design)
        assert found == expected
        assert searched == walked


@pytest.mark.parametrize("states", [3, 5, 8, 12, 20])
def test_what_a_limit_cuts_is_as_open_as_before(states: int) -> None:
    """A search that was cut says nothing of smaller ones."""
    family = Family(guarded.model)
    design = family.design({"guard": "on", "checks": "one"}, {"hits": 2, "drops": 2})
    expected, found, _ = both_ways(family, design, states=states)
    assert found == expected
    assert any(breaking.open for breaking in found) == (states < 10)


def test_without_time_everything_stays_open() -> None:
    """Nothing is said to hold that was not looked at."""
    family = Family(guarded.model)
    design = family.design({}, {"hits": 2})
    judge = judge_of(family, design)
    judge.deadline = Deadline.after(0.0)
    told = minimal_adversaries(judge, design, Origin(), some_hold=True)
    assert all(b.open == [{}, {"hits": 1}, {"hits": 2}] and b.stops == {"time"} for b in told)


def test_few_searches_are_enough() -> None:
    """One for all choices of five kinds of interference, and one for each that breaks."""
    family = load_family("fence")
    design = family.design({}, {"steps": 1, **ONE_EACH, "edits": 2, "swaps": 1})
    expected, found, (walked, searched) = both_ways(family, design)
    assert found == expected
    outlays = {tuple(a.budgets.items()) for breaking in found for a in breaking.adversaries}
    assert searched == 1 + len(outlays)
    assert walked == 3 * 2**4
