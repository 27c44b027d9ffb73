"""A property is vacuous where the situation that could go wrong never comes, and only there.

Right answers to that situation count: a replay, a refused plan, a journal that outlives its
executor.
"""

import pytest

from fencecheck.explore.engine import EngineName
from fencecheck.model.files.loading import load_family
from tests.random_designs import check

PRINTED = {"stamp": "exec", "precondition": "restamped"}
OVERLAP = {"overlap": "on", "fence": "none", "precondition": "off"}


def is_vacuous(
    name: str, prop: str, mechanisms: dict[str, str], bounds: dict[str, int], engine: EngineName
) -> bool:
    family = load_family(name)
    found = check(family, family.design(mechanisms, bounds), engine)[prop]
    assert found.verdict == "holds"
    return bool(found.vacuous)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("name", "prop", "mechanisms", "bounds"),
    [
        ("fence", "truthful_reply", {"journal": "atomic"}, {"lost_replies": 1}),
        ("fence", "no_spurious_rejection", PRINTED, {}),
        ("fence", "journal_covers", {"journal": "atomic"}, {"preemptions": 1}),
        ("fence", "journal_covers", {"journal": "atomic"}, {"truncations": 1}),
        ("fence", "no_lost_update", {**OVERLAP, "admission": "overlap"}, {}),
        ("ledger", "truthful_reject", {"on_drift": "pin"}, {"edits": 1, "revocations": 1}),
        ("agent", "truthful_reply", {"journal": "atomic"}, {"lost_acks": 1, "revocations": 1}),
    ],
)
def test_a_right_answer_to_the_situation_counts(
    name: str, prop: str, mechanisms: dict[str, str], bounds: dict[str, int], engine: EngineName
) -> None:
    """The property was put to the test, although the wrong answer's event never happens."""
    assert not is_vacuous(name, prop, mechanisms, bounds, engine)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("name", "prop", "mechanisms", "bounds"),
    [
        ("fence", "truthful_reply", {}, {"edits": 1}),
        ("fence", "journal_covers", {"journal": "atomic"}, {}),
        ("fence", "at_most_once", {**OVERLAP, "admission": "overlap"}, {}),
        ("ledger", "truthful_reject", {}, {"revocations": 1}),
    ],
)
def test_without_the_situation_a_property_is_vacuous(
    name: str, prop: str, mechanisms: dict[str, str], bounds: dict[str, int], engine: EngineName
) -> None:
    """A rejection of something else is no test of it, nor is a plan that is refused."""
    assert is_vacuous(name, prop, mechanisms, bounds, engine)
