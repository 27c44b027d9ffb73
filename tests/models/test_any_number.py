"""Shipped specs asked with budgets of any: what two of each break, any breaks; never the reverse.

No model of an incident or of the catalogue asks its budgets for a number.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.explore.graph import Limits
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Spec, Variant
from tests.documents.any_number import tried, with_budgets
from tests.model.test_random_renamings import compare_renamed

SPECS = Path(__file__).parent.parent.parent / "specs"
FOLDERS = ("incidents", "catalogue")
ASKED = [path for folder in FOLDERS for path in sorted((SPECS / folder).glob("*.toml"))]


def has_own_model(path: Path | str) -> bool:
    """Tell whether the model of a spec is a file beside it."""
    return re.search(r'^model = ".*\.py"', Path(path).read_text("utf-8"), re.MULTILINE) is not None


def budgets_of(spec: Spec, variant: Variant) -> list[str]:
    """Return the budgets to ask with: all of a model beside its spec, else those of the design."""
    if not has_own_model(spec.path or ""):
        return tried(spec, variant)
    return [bound.name for bound in spec.family.declared.bounds if bound.budget]


def asked(spec: Spec, variant: Variant, number: int | str) -> VariantResult:
    """Return what comes out with so many of every interference."""
    budgets = budgets_of(spec, variant)
    return with_budgets(spec, variant, budgets, number, tuple(spec.family.properties))


def compared(spec: Spec) -> dict[str, list[str]]:
    """Return what each variant breaks with any number that it does not break with two."""
    more: dict[str, list[str]] = {}
    for variant in spec.variants:
        unlimited, two = asked(spec, variant, "any"), asked(spec, variant, 2)
        assert unlimited.exploration.complete
        for one, other in zip(two.findings, unlimited.findings, strict=True):
            if one.verdict == "violated":
                assert (other.verdict, other.events) == (one.verdict, one.events), one.name
            elif other.verdict == "violated":
                more.setdefault(variant.name, []).append(one.name)
    return more


def takes_time(path: Path) -> bool:
    return path.stem == "message_queue" or not has_own_model(path)


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=pytest.mark.slow) if takes_time(p) else p for p in ASKED],
    ids=lambda path: path.stem,
)
def test_any_breaks_what_two_break_and_in_as_many_events(path: Path) -> None:
    """Every budget of every incident and of the catalogue can be any; two are enough to break it.

    Nothing that breaks with two holds with any, and no order gets shorter.
    """
    (spec,) = load_specs([path])
    assert compared(spec) == {}


@pytest.mark.parametrize("path", [p for p in ASKED if has_own_model(p)], ids=lambda path: path.stem)
def test_renamed_states_of_a_model_on_parts_can_do_the_same(path: Path) -> None:
    """What a model and its parts do with versions, fresh values and counts tells no names apart."""
    (spec,) = load_specs([path])
    for number, variant in enumerate(spec.variants):
        budgets = dict.fromkeys(budgets_of(spec, variant), "any")
        design = spec.family.design(variant.design.mechanisms, {**variant.design.bounds, **budgets})
        compare_renamed(System(spec.family, design), number)


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
    return check_design(family, design, Question(tuple(family.properties)), Options(exact=True))


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
