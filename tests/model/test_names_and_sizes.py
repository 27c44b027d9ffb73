"""Arrays over an Enum, Enums that share names, and Indices of any size."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Predicates, Question
from fencecheck.errors import UsageError
from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.judge import disagreements
from tests.model.agreement import disagreement
from tests.models_for_tests import HEADER, load

SHOP = (
    HEADER
    + """
model = Model("shop", "A shop")
model.bound("clerks", 1, "clerks")
NAMES = ("ann", "bob")
CLERK = Index(lambda k: k.clerks + 1, "k")
SHELF = Index(len(NAMES), "s")
KIND = Enum("used", "new")
SALE = Enum("none", "new", "used")
clerk = model.actor("clerk")
model.variable("stock", Array(KIND, Int(0, 2)), (1, 2), owner=clerk)
model.variable("on", Array(KIND, Array(SHELF, Set(KIND))), owner=clerk)
model.variable("sold", SALE, owner=clerk)
model.variable("last", KIND, owner=clerk)
model.variable("by", CLERK, owner=clerk)

@clerk.action(c=CLERK, kind=SALE, when=lambda s, c, kind: kind != "none" and s.stock[kind] > 0)
def sell(s, c, kind):
    s.stock[kind] -= 1
    s.sold = kind
    s.last = kind
    s.by = c

@clerk.action(kind=KIND, shelf=SHELF, when=lambda s, kind, shelf: kind == s.sold)
def show(s, kind, shelf):
    s.on[kind][shelf].add(s.last if s.by == 0 else kind)
    s.sold = "none"

@clerk.action(when=lambda s: s.stock["new"] == 0)
def refill(s):
    for kind in ("new", "used"):
        s.stock[kind] = 1

@model.invariant()
def not_all(s):
    \"\"\"Not everything is sold while a new one lies on the second shelf.\"\"\"
    return any(n > 0 for n in s.stock) or s.last not in s.on["new"][1]
"""
)


@pytest.fixture
def family(tmp_path: Path) -> Family:
    return Family(load(tmp_path, SHOP).model)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_both_engines_and_the_judge_agree(family: Family, engine: str) -> None:
    """Elements by names that are constants, parameters, or of another Enum."""
    assert disagreements(family, None, None, engine) == []


def test_every_state_means_the_same(family: Family) -> None:
    """Events and what they lead to, state by state."""
    assert disagreement(System(family, family.design()), 400) is None


def test_a_foreign_name_is_an_error_of_the_run(tmp_path: Path) -> None:
    """A name that a variable's Enum does not have may not stay there."""
    wrong = SHOP.replace('kind != "none" and s.stock[kind] > 0', "True")
    wrong = wrong.replace("    s.stock[kind] -= 1\n", "")
    family = Family(load(tmp_path, wrong).model)
    for engine in ("reference", "compiled"):
        assert disagreements(family, None, None, engine) == []


def test_people_see_the_names(family: Family) -> None:
    """In what changed, and in what is typed."""
    asked = Predicates(('stock["new"] == 0 and any("used" in x for x in on["used"])',))
    question = Question(("not_all",))
    found = check_design(family, family.design(), question, Options(predicates=asked))
    trace = found.answers[0].trace
    assert trace is not None
    assert trace.events[0].changes["clerk.stock[new]"].after == 1
    wrong = Predicates(('stock["nwe"] == 0',))
    with pytest.raises(UsageError, match="is not one of used, new"):
        check_design(family, family.design(), question, Options(predicates=wrong))
