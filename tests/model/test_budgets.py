"""What is left of a budget, what was used of it, and the whole of it have names of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import ModelError
from fencecheck.explore.engine import EngineName
from fencecheck.model.family import Family
from fencecheck.model.system import System
from tests.models_for_tests import HEADER, load

MODEL = (
    HEADER
    + '''
model = Model("budgeted", "A budget")
model.budget("slips", "slips")
model.variable("x", Int(0, lambda k: 2 * k.slips))
model.variable("seen", Int(0, 9))
A = model.actor("A")


@A.interference("slips")
def slip(s):
    """It uses one: that one counts already."""
    s.seen = s.slips_used


@A.action(when=lambda s: s.slips_used == 2 and s.slips_left == 1 and s.x == 0)
def look(s):
    """After two of three."""
    s.x = s.slips_used + s.slips_left


@model.invariant()
def sums(s):
    """What is left and what was used is the whole."""
    return s.slips_left + s.slips_used == s.k.slips and s.slips_left == s.slips


@model.invariant()
def told(s):
    """The effect of an interference counts itself."""
    return s.seen == s.slips_used


@model.invariant()
def never(s):
    """It never looks."""
    return s.x == 0
'''.replace("s.k.slips", "{whole}")
)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_left_and_used_are_read_alike_by_both_engines(tmp_path: Path, engine: EngineName) -> None:
    """Also one after the other on one family, where only the budget differs."""
    for whole in (3, 2, 3, 4):
        family = Family(load(tmp_path, MODEL.replace("{whole}", str(whole))).model)
        for budget in (whole, 1):
            design = family.design({}, {"slips": budget})
            question = Question(tuple(family.properties))
            options = Options(engine=engine)
            found = check_design(family, design, question, options)
            verdicts = {f.name: (f.verdict, f.events) for f in found.findings}
            looked = ("violated", 3) if budget == 3 else ("holds", None)
            assert verdicts["told"] == ("holds", None)
            assert verdicts["never"] == looked
            assert verdicts["sums"][0] == ("holds" if budget == whole else "violated")


def test_used_counts_from_the_budget_of_the_run_not_of_its_shape(tmp_path: Path) -> None:
    """A system whose domains have room for more says the same."""
    family = Family(load(tmp_path, MODEL.replace("{whole}", "3")).model)
    design, roomy = (family.design({}, {"slips": n}) for n in (3, 5))
    wide = System(family, design, roomy)
    assert wide.view(wide.initial).slips_used == 0
    assert wide.lowered is not System(family, roomy).lowered


def test_a_variable_cannot_have_the_name_of_what_was_used(tmp_path: Path) -> None:
    """Which of the two is meant could not be told."""
    text = MODEL.replace("{whole}", "3").replace('"seen", Int', '"slips_left", Int')
    with pytest.raises(ModelError, match="it is what is left of budget slips; choose another"):
        Family(load(tmp_path, text.replace("s.seen", "s.slips_left")).model)
