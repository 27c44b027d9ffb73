"""No design of a shipped family leaves the model's own domains, and random ones come out right.

The designs below are the smallest that once did; random ones are in tests/random_designs.py.
"""

import random
from dataclasses import replace
from typing import Any

import pytest

from fencecheck.checking.question import Options
from fencecheck.model.declaring.any_number import ANY
from fencecheck.model.family import Design
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests import random_designs, random_numbers
from tests.answers import Answers, searched
from tests.random_designs import ALIKE, FAMILIES, check, draw, explore, faults_of
from tests.random_numbers import Numbers

ONCE_OUTSIDE = [
    ("fence", {"compensation": "full", "stamp": "exec"}, {"test_failures": 1}),
    (
        "fence",
        {"compensation": "full", "stamp": "exec", "precondition": "off"},
        {"steps": 3, "test_failures": 1},
    ),
    ("fence", {"ids": "fresh", "retry": "restamp"}, {"steps": 1, "edits": 1, "drifts": 1}),
    ("fence", {"ids": "fresh", "fence": "plan"}, {"edits": 1, "drifts": 1}),
    (
        "agent",
        {"precondition": "off", "attempts": "2", "replay": "off", "poison": "ack"},
        {"steps": 1, "workers": 1},
    ),
]


@pytest.mark.parametrize(("name", "mechanisms", "bounds"), ONCE_OUTSIDE)
def test_a_design_stays_inside_the_domains(
    name: str, mechanisms: dict[str, str], bounds: dict[str, int]
) -> None:
    """Every state that it reaches fits: a value outside its domain would be a StateError."""
    family = load_family(name)
    result = check(family, family.design(mechanisms, bounds), "reference")
    assert result.exploration.states > 10


@pytest.mark.parametrize("name", FAMILIES)
def test_designs_drawn_alike_share_one_lowering(name: str) -> None:
    """So they share a kernel too; their switches differ."""
    family, chance = load_family(name), random.Random(name)
    first = family.design({}, {"steps": 1})
    others = [draw(family, chance, first) for _ in range(5)]
    assert len({str(design.mechanisms) for design in others}) > 1
    lowered = System(family, first).lowered
    assert all(System(family, design).lowered is lowered for design in others)


def test_a_wrong_answer_of_a_search_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that loses a counterexample, or finds a longer one, is told of."""
    family = load_family("fence")
    design = family.design({"fence": "none", "precondition": "off"}, {"steps": 1, "edits": 1})
    assert faults_of(family, design, "duplicates") == []

    def one_longer(*asked: Any) -> Answers:
        found = searched(*asked)
        lost = found.of["no_lost_update"]
        assert lost.order is not None
        worse = replace(lost, order=[*lost.order, lost.order[-1]])
        return replace(found, of={**found.of, "no_lost_update": worse})

    monkeypatch.setattr(random_designs, "searched", one_longer)
    engines, budget = faults_of(family, design, "duplicates")
    assert engines.startswith("the engines differ: no_lost_update violated")
    assert budget == "duplicates 1: no_lost_update in 4, with less in 3"


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_any_number_breaks_what_numbers_break(name: str) -> None:
    """Never fewer, never later; what it breaks alone or sooner takes more than the numbers were."""
    tally = random_numbers.Tally()
    found = list(random_numbers.explore(name, 2 * ALIKE, seed=1, tally=tally))
    assert [fault for _, faults in found for fault in faults] == []
    assert tally.designs == len(found)


LOST = {"fence": "none", "precondition": "off"}


def compared(monkeypatch: pytest.MonkeyPatch, wrong: str) -> list[str]:
    """Compare a design with two edits and with any number, where one of the searches is wrong."""
    family = load_family("fence")
    few = family.design(LOST, {"steps": 1, "edits": 2})
    numbers = Numbers(few.bounds, {**few.bounds, "edits": ANY})

    def answers(given: Any, design: Design, options: Any) -> Answers:
        right = searched(given, design, replace(options, engine="reference"))
        if wrong not in ("any" if design.bounds["edits"] == "any" else "numbers", "both"):
            return right
        lost = replace(right.of["no_lost_update"], verdict="holds", order=None)
        return replace(right, of={**right.of, "no_lost_update": lost})

    monkeypatch.setattr(random_numbers, "searched", answers)
    monkeypatch.setattr(random_numbers, "OPTIONS", Options(engine="reference"))
    return random_numbers.faults_of(family, few, numbers, random_numbers.Tally())


def test_a_verdict_lost_with_any_number_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fewer break, and any number not; and what any number breaks with no more than these."""
    assert compared(monkeypatch, "both") == []
    (lost,) = compared(monkeypatch, "any")
    assert lost == "no_lost_update holds for any number, and fewer break it in 3"
    (unfounded,) = compared(monkeypatch, "numbers")
    assert unfounded.startswith("no_lost_update with any number in 3: takes no more than")


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_random_designs_come_out_right(name: str) -> None:
    """The engines agree, traces replay, and a budget more breaks what broke, no later."""
    assert [fault for _, faults in explore(name, 60) for fault in faults] == []
