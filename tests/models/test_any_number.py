"""Shipped specs asked with budgets of any: what two of each break, any breaks; never the reverse.

A model asks its budgets for a number where it sizes something by them; then it says so, with the
line. All others are held here against budgets of two.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.errors import FencecheckError, ModelError, StateError
from fencecheck.explore.graph import Limits
from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Spec, Variant

SPECS = Path(__file__).parent.parent.parent / "specs"
FOLDERS = ("incidents", "catalogue")
ASKED = [
    "incidents/n05_fallback_route.toml",
    "incidents/n09_same_clock_tick.toml",
    "incidents/n13_own_serial.toml",
    "incidents/n17_fence_of_another_area.toml",
    "incidents/n19_conditional_create.toml",
    "incidents/n21_shared_checkout.toml",
    "incidents/n23_half_a_patch.toml",
    "incidents/n41_dropped_as_duplicate.toml",
    "incidents/n45_epoch_too_wide.toml",
    "incidents/n49_waiter_lapsed.toml",
    "incidents/n51_expired_when_stored.toml",
    "catalogue/leader_election.toml",
    "catalogue/message_queue.toml",
    "catalogue/outbox.toml",
    "catalogue/patch_with_context.toml",
    "catalogue/producer_epochs.toml",
    "catalogue/search_and_replace.toml",
    "catalogue/state_serial.toml",
]
# designs with a counter that has room for as many as the budgets of the spec allow
WRONG = {
    "catalogue/leader_election.toml": [
        "as documented", "clocks of one rate", "clocks of one rate, version not named",
        "version compared at the target",
    ],
    "catalogue/message_queue.toml": [
        "standard queue, as documented", "FIFO queue, sent again after the window",
        "id recorded with the effect",
    ],
    "catalogue/outbox.toml": ["outbox, as documented", "outbox, readers keep the ids"],
    "catalogue/producer_epochs.toml": ["plain, one instance"],
}  # fmt: skip
NO_NUMBER = "there is no number: the budget is any"


def asked(spec: Spec, variant: Variant, number: int | str) -> VariantResult | FencecheckError:
    """Return what comes out with so many of every interference that the design is tried with."""
    given = variant.design.bounds
    budgets = {b.name: number for b in spec.family.declared.bounds if b.budget and given[b.name]}
    design = spec.family.design(variant.design.mechanisms, {**given, **budgets})
    question = Question(tuple(spec.family.properties))
    try:
        return check_design(spec.family, design, question, Options(Limits(states=100_000)))
    except (ModelError, StateError) as error:
        return error


def compared(path: str) -> dict[str, str]:
    """Return what became of each variant: equal, more breaks, or why any cannot be asked."""
    (spec,) = load_specs([SPECS / path])
    found = {}
    for variant in spec.variants:
        unlimited = asked(spec, variant, "any")
        if isinstance(unlimited, FencecheckError):
            found[variant.name] = "no number" if NO_NUMBER in str(unlimited) else "goes wrong"
            continue
        assert unlimited.exploration.complete
        two = asked(spec, variant, 2)
        found[variant.name] = "equal"
        for one, other in zip(getattr(two, "findings", []), unlimited.findings, strict=True):
            if one.verdict == "violated":
                assert (other.verdict, other.events) == (one.verdict, one.events), one.name
            elif other.verdict == "violated":
                found[variant.name] = "breaks more"
    return found


@pytest.mark.parametrize("path", ASKED)
def test_any_breaks_what_two_break_and_in_as_many_events(path: str) -> None:
    """No model that can be asked breaks with any what holds with two, and none the reverse."""
    outcomes = compared(path)
    wrong = [name for name, outcome in outcomes.items() if outcome != "equal"]
    assert wrong == WRONG.get(path, [])


@pytest.mark.slow
def test_no_other_spec_can_be_asked() -> None:
    """The others size something by their budgets, and say so."""
    paths = [path for folder in FOLDERS for path in sorted((SPECS / folder).glob("*.toml"))]
    for path in paths:
        name = path.relative_to(SPECS).as_posix()
        if name not in ASKED:
            assert set(compared(name).values()) == {"no number"}, name
