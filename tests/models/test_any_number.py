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
from fencecheck.model.files.loading import load_family
from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Spec, Variant

SPECS = Path(__file__).parent.parent.parent / "specs"
FOLDERS = ("incidents", "catalogue")
ASKED = [
    "incidents/n01_edit_while_waiting.toml",
    "incidents/n03_check_then_rename.toml",
    "incidents/n11_old_plan.toml",
    "incidents/n13_own_serial.toml",
    "incidents/n15_version_ignored.toml",
    "incidents/n19_conditional_create.toml",
    "incidents/n21_shared_checkout.toml",
    "incidents/n25_restore_discards.toml",
    "incidents/n27_own_write_conflicts.toml",
    "incidents/n29_delayed_duplicate.toml",
    "incidents/n31_key_of_the_attempt.toml",
    "incidents/n33_key_with_another_payload.toml",
    "incidents/n35_left_in_progress.toml",
    "incidents/n37_completion_not_recorded.toml",
    "incidents/n39_approved_tool_runs_again.toml",
    "incidents/n41_dropped_as_duplicate.toml",
    "incidents/n43_journal_in_memory.toml",
    "incidents/n43_window_passed.toml",
    "incidents/n47_lapsed_operator.toml",
    "incidents/n49_waiter_lapsed.toml",
    "incidents/n51_expired_when_stored.toml",
    "incidents/n53_slow_worker.toml",
    "incidents/n55_visibility_timeout.toml",
    "catalogue/activities.toml",
    "catalogue/conditional_requests.toml",
    "catalogue/exact_bytes_under_lock.toml",
    "catalogue/idempotency_keys.toml",
    "catalogue/journal_replay.toml",
    "catalogue/leader_election.toml",
    "catalogue/message_queue.toml",
    "catalogue/outbox.toml",
    "catalogue/patch_with_context.toml",
    "catalogue/producer_epochs.toml",
    "catalogue/search_and_replace.toml",
    "catalogue/state_serial.toml",
    "catalogue/version_attribute.toml",
    pytest.param("catalogue/read_before_edit.toml", marks=pytest.mark.slow),
]
SLOW = "catalogue/read_before_edit.toml"
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
    budgets |= {"in_flight": 2} if "in_flight" in given else {}  # messages at a time
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


@pytest.mark.parametrize("path", [*ASKED, pytest.param(SLOW, marks=pytest.mark.slow)])
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
        if name not in (*ASKED, SLOW):
            assert set(compared(name).values()) == {"no number"}, name


# budgets of 1, 2 and any: distinct states up to names, of family fence with two steps on one file
COUNTS = {
    ("no fence", False): (124, 481, 34),
    ("step fence", False): (399, 2_279, 168),
    ("step fence + journal", False): (247, 1_355, 104),
    ("no fence", True): (674, 7_425, 412),
    ("step fence", True): (4_221, 149_891, 35_709),
    ("step fence + journal", True): (1_837, 53_802, 15_773),
}
DESIGNS = {
    "no fence": {"fence": "none", "precondition": "off"},
    "step fence": {},
    "step fence + journal": {"journal": "atomic"},
}
BREAKS = {
    "no fence": {"fresh_apply": 3, "no_lost_update": 3, "at_most_once": 5},
    "step fence": {"at_most_once": 10, "truthful_reply": 5},
    "step fence + journal": {},
}
FAULTS = ("edits", "lost_replies", "preemptions")


def of_fence(name: str, duplicates: bool, number: int | str) -> VariantResult:
    """Check every property of a design, with so many of each fault, at most two in flight."""
    family = load_family("fence")
    bounds = dict.fromkeys((*FAULTS, "duplicates") if duplicates else FAULTS, number)
    design = family.design(DESIGNS[name], {**bounds, "in_flight": 2})
    return check_design(family, design, Question(tuple(family.properties)), Options())


def is_table_cell(name: str, duplicates: bool) -> None:
    found = of_fence(name, duplicates, "any")
    broken = {f.name: f.events for f in found.findings if f.verdict == "violated"}
    assert found.exploration.complete
    assert broken == BREAKS[name]
    assert found.exploration.states == COUNTS[name, duplicates][2]
    assert list(found.held_back) == (["in_flight"] if duplicates else [])


@pytest.mark.parametrize("name", DESIGNS)
def test_any_number_of_faults_breaks_what_one_of_each_breaks(name: str) -> None:
    """In as many events, and in fewer states than budgets of one take."""
    is_table_cell(name, duplicates=False)
    one = of_fence(name, False, 1)
    assert one.exploration.states == COUNTS[name, False][0]
    assert {f.name: f.events for f in one.findings if f.events} == BREAKS[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_duplicates_add_nothing_that_breaks(name: str) -> None:
    is_table_cell(name, duplicates=True)
    for number in (1, 2):
        found = of_fence(name, True, number)
        assert found.exploration.states == COUNTS[name, True][number - 1]
        found = of_fence(name, False, number)
        assert found.exploration.states == COUNTS[name, False][number - 1]


FENCE = [
    {"journal": "separate", "journal_key": "step+base", "retention": "checkpoint"},
    {"journal": "atomic", "retention": "truncate", "compensation": "full"},
    {"journal": "memory", "precondition": "restamped", "stamp": "exec", "check": "split"},
    {"fence": "plan", "identity": "time", "silence": "ask"},
    {"ids": "fresh", "stamp": "plan", "retry": "restamp"},
    {"identity": "counter", "stamp": "plan", "compensation": "fenced"},
    {"identity": "part", "edits_bump_rev": "off", "overlap": "on"},
    {"silence": "clean_up", "fence": "none"},
]


@pytest.mark.parametrize("mechanisms", FENCE, ids=lambda found: "-".join(found.values()))
def test_every_budget_of_family_fence_may_be_any(mechanisms: dict[str, str]) -> None:
    """No event and no property asks how many there are: whatever is reached fits."""
    family = load_family("fence")
    budgets = [bound.name for bound in family.declared.bounds if bound.budget]
    bounds = {"steps": 2, "in_flight": 1, "kept_keys": 2, **dict.fromkeys(budgets, "any")}
    question = Question(tuple(family.properties))
    limits = Options(Limits(states=400), engine="reference")
    found = check_design(family, family.design(mechanisms, bounds), question, limits)
    assert found.exploration.states >= 400 or found.exploration.complete
