"""No design of a shipped family leaves the model's own domains, and random ones come out right.

The designs below are the smallest that once did; random ones are in tests/random_designs.py.
"""

import random
from dataclasses import replace
from typing import Any

import pytest

from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from tests import random_designs
from tests.answers import Answers, searched
from tests.random_designs import FAMILIES, check, draw, explore, faults_of

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
def test_random_designs_come_out_right(name: str) -> None:
    """The engines agree, traces replay, and a budget more breaks what broke, no later."""
    assert [fault for _, faults in explore(name, 60) for fault in faults] == []
