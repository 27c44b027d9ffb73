"""Family ledger against a second implementation that shares no line with it."""

from __future__ import annotations

import random

import pytest

from fencecheck.errors import DesignError
from tests.models import ledger_oracle
from tests.models.ledger_runs import FAMILY, Explore, breaks


def _drawn(seed: int) -> tuple[dict[str, str], dict[str, int]]:
    """Draw a design that makes sense, with one to three budgets."""
    draw = random.Random(seed)
    while True:
        mechanisms = {m.name: draw.choice(m.values) for m in FAMILY.declared.mechanisms}
        bounds = dict.fromkeys(draw.sample(ledger_oracle.BUDGETS, draw.choice([1, 2, 3])), 1)
        bounds["workers"] = draw.choice([2, 2, 3]) if len(bounds) < 3 else 2
        again = mechanisms["poison"] != "off" or mechanisms["claim"] != "off"
        endless = again and mechanisms["attempts"] == "none"
        try:
            FAMILY.design(mechanisms, bounds)
        except DesignError:
            continue
        if not endless:
            return mechanisms, bounds


@pytest.mark.parametrize("seed", range(12))
def test_a_second_reading_agrees(explored: Explore, seed: int) -> None:
    """An implementation that never renumbers a token breaks the same, after as many events."""
    mechanisms, bounds = _drawn(seed)
    expected = ledger_oracle.first_breaks({"steps": 1, **mechanisms, **bounds})
    assert breaks(explored(mechanisms, **bounds)) == expected
