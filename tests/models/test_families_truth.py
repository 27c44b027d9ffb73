"""Designs of the shipped families drawn by chance, beside the third judge."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from fencecheck.errors import DesignError
from fencecheck.model.loading import load_family
from tests.judge import disagreements


def designs(name: str, many: int) -> Iterator[tuple[dict[str, str], dict[str, int]]]:
    """Yield designs of a family, with at most two kinds of interference once each."""
    chance, family = random.Random(name), load_family(name)
    budgets = [bound.name for bound in family.declared.bounds if bound.budget]
    while many:
        chosen = {m.name: chance.choice(m.values) for m in family.declared.mechanisms}
        bounds = dict.fromkeys(chance.sample(budgets, chance.randint(0, 2)), 1)
        try:
            family.design(chosen, bounds)
        except DesignError:
            continue
        many -= 1
        yield chosen, bounds


def judged(name: str, many: int, engine: Any) -> None:
    """Compare designs of a family with the truth."""
    family = load_family(name)
    for mechanisms, bounds in designs(name, many):
        assert disagreements(family, mechanisms, bounds, engine) == [], (mechanisms, bounds)


@pytest.mark.parametrize("name", ["fence", "ledger", "agent"])
def test_a_design_is_judged_rightly(name: str) -> None:
    """Counts, verdicts, least events and vacuity of one design are those of the third judge."""
    judged(name, 2, "reference")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("name", ["fence", "ledger", "agent"])
def test_designs_are_judged_rightly(name: str, engine: str) -> None:
    """The same of many, with both engines."""
    judged(name, 20, engine)


def test_a_refused_plan_is_judged_rightly() -> None:
    """A plan whose siblings overlap is refused at the start: nothing is dispatched."""
    family, refused = load_family("fence"), {"overlap": "on", "admission": "overlap"}
    assert disagreements(family, refused, {"edits": 1}, "reference") == []
