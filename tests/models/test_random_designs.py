"""No design of a shipped family leaves the model's own domains, and random ones come out right.

The designs below are the smallest that once did; random ones are in tests/random_designs.py.
"""

import pytest

from fencecheck.model.files.loading import load_family
from tests.random_designs import FAMILIES, check, explore

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


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_random_designs_come_out_right(name: str) -> None:
    """The engines agree, traces replay, and a budget more breaks what broke, no later."""
    assert [fault for _, faults in explore(name, 60) for fault in faults] == []
