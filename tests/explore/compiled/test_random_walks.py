"""The compiled walks make the choices that a seed stands for, event by event."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.loops.slots import CUT, ENDED, FAILED
from fencecheck.explore.compiled.random_runs.batches import Batch, Walkers
from fencecheck.explore.compiled.random_runs.plan import GROUP
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.random_run import random_walk
from tests.explore.compiled.test_random_equality import BY_CHANCE
from tests.models_for_tests import HEADER, load, system_of
from tests.models_for_tests.random_models import model_texts

FENCE = load_family("fence")
FAULTS = {"edits": 1, "lost_replies": 1, "duplicates": 1, "preemptions": 1, "swaps": 1}
ENDINGS = {"over": ENDED, "cut": CUT, "failed": FAILED}


def by_hand(system: System, first_seed: int, count: int, length: int) -> list[tuple[object, ...]]:
    """What each seed gives, one state at a time."""
    told: list[tuple[object, ...]] = []
    watched = Walkers(system, system.properties()).watched
    for seed in range(first_seed, first_seed + count):
        walk = random_walk(system, watched, seed, length)
        first = [walk.first.get(p.name, -1) for p in watched]
        told.append((first, ENDINGS[walk.ending]))
    return told


def compiled(batch: Batch) -> list[tuple[object, ...]]:
    return [
        (first.tolist(), int(ending))
        for first, ending in zip(batch.first, batch.endings, strict=True)
    ]


@pytest.mark.parametrize(
    "mechanisms",
    [
        {"fence": "none", "precondition": "off"},
        {"check": "split", "journal": "separate"},
        {"journal": "atomic", "fence": "plan"},
    ],
)
def test_the_same_seed_is_the_same_run(mechanisms: dict[str, str]) -> None:
    """What breaks first and how a run ends agree with the oracle, seed by seed."""
    system = System(FENCE, FENCE.design(mechanisms, FAULTS))
    batch = Walkers(system, system.properties()).walk(40, 60, 25)
    assert compiled(batch) == by_hand(system, 40, 60, 25)
    walks = [random_walk(system, [], seed, 25) for seed in range(40, 100)]
    assert batch.events == sum(len(walk.events) for walk in walks)


def test_a_run_does_not_depend_on_what_else_is_drawn() -> None:
    """One range, two halves, more threads, more lanes' worth of seeds: the same runs."""
    system = System(FENCE, FENCE.design({"fence": "none", "precondition": "off"}, FAULTS))
    properties = system.properties()
    count = 2 * slots.LANES + 7
    whole = compiled(Walkers(system, properties).walk(0, count, 30))
    halves = Walkers(system, properties)
    parts = compiled(halves.walk(0, 100, 30)) + compiled(halves.walk(100, count - 100, 30))
    assert whole == parts == compiled(Walkers(system, properties, threads=3).walk(0, count, 30))
    assert len({str(told) for told in whole}) > 20


def test_more_properties_than_a_label_holds(tmp_path: Path) -> None:
    """Properties are watched in groups; which group one is in changes nothing."""
    text = HEADER + 'model = Model("many", "Many")\nmodel.variable("n", Int(0, 40))\n'
    text += '@model.actor("a").action(up=Int(1, 2), when=lambda s, up: s.n + up <= 40)\n'
    text += "def go(s, up):\n    s.n += up\n"
    for i in range(GROUP + 4):
        text += f"@model.transition()\ndef below_{i}(before, after):\n"
        text += f"    'Below {i}.'\n    return after.n < {i + 2} or after.n - before.n < 2\n"
    system = system_of(load(tmp_path, text).model)
    walkers = Walkers(system, system.properties())
    assert len(walkers.kernels) == 2
    assert compiled(walkers.walk(0, 50, 30)) == by_hand(system, 0, 50, 30)


WRONG = (
    HEADER
    + '''
model = Model("wrong", "A counter that leaves its domain")
model.variable("n", Int(0, 5))
counter = model.actor("counter")


@counter.action(by=Int(1, 2))
def count(s, by):
    s.n += by


@model.invariant()
def low(s):
    """It stays low."""
    return s.n < 3
'''
)


def test_a_model_that_goes_wrong_ends_the_run(tmp_path: Path) -> None:
    """Where any event goes wrong the run has failed, whichever would have been taken."""
    system = system_of(load(tmp_path, WRONG).model)
    batch = Walkers(system, system.properties()).walk(0, 40, 10)
    assert compiled(batch) == by_hand(system, 0, 40, 10)
    assert set(batch.endings.tolist()) == {FAILED}


def test_a_trigger_that_goes_wrong_ends_the_run(tmp_path: Path) -> None:
    """It fails where a search would: on both ways of walking."""
    text = WRONG.replace(
        "@model.invariant()", "@model.invariant(trigger=lambda s: 1 // (2 - s.n) > 5)"
    )
    system = system_of(load(tmp_path, text).model)
    batch = Walkers(system, system.properties()).walk(0, 40, 10)
    assert compiled(batch) == by_hand(system, 0, 40, 10)
    reached = set(batch.first[:, 0].tolist())
    assert reached == {-1, 2}  # at 2 the trigger fails; where 3 is reached past it, it breaks


def compare(folder: Path, text: str) -> None:
    """Errors, deadlocks and violations fall on the same seeds after as many events."""
    family = Family(load(folder, text).model)
    system = System(family, family.design(bounds={"faults": 1}))
    batch = Walkers(system, system.properties()).walk(7, 30, 12)
    assert compiled(batch) == by_hand(system, 7, 30, 12)


@settings(BY_CHANCE, max_examples=15)
@given(text=model_texts())
def test_walks_agree_on_models_by_chance(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """A few models."""
    compare(tmp_path_factory.mktemp("chance"), text)


@pytest.mark.slow
@settings(BY_CHANCE, max_examples=150)
@given(text=model_texts())
def test_walks_agree_on_many_models_by_chance(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """Many models."""
    compare(tmp_path_factory.mktemp("chance"), text)
