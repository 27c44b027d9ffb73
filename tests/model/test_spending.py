"""Which budgets a model only ever spends: proved on the lowered form, and who reads the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.model.declaring.any_number import ANY
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.lower.declared.spending import Spending, spending
from fencecheck.model.system import System
from tests.models_for_tests import HEADER, load, system_of

MODEL = (
    HEADER
    + """
model = Model("spent", "Budgets, and who may read them")
model.budget("slips", "slips")
model.budget("falls", "falls")
model.variable("x", Int(0, 3))
a = model.actor("a")


@a.interference("slips", when=lambda s: s.x < 3{guard})
def slip(s):
    "Slip."
    s.x += 1
    {effect}


@a.interference("falls", when=lambda s: s.x > 0)
def fall(s):
    "Fall."
    s.x -= 1


@a.action(when=lambda s: s.x == 2)
def rest(s):
    "Rest."
    s.x = 0
    {other}


@model.invariant()
def low(s):
    "It stays low."
    return s.x < 3{asked}
"""
)
IN_SLIP, IN_REST = ("the effect of a.slip",), ("the effect of a.rest",)
WAYS = {
    "nothing": ({}, {}),
    "a guard": ({"guard": " and s.slips > 1"}, {"slips": ("the guard of a.slip",)}),
    "its own question": ({"guard": " and s.slips > 0"}, {}),
    "an effect": ({"effect": "s.x = min(s.slips, 3)"}, {"slips": IN_SLIP}),
    "what was used": ({"effect": "s.x = min(s.falls_used, 3)"}, {"falls": IN_SLIP}),
    "another's effect": ({"other": "s.x = 1 if s.falls > 0 else 0"}, {"falls": IN_REST}),
    "a refill": ({"other": "s.falls = 1"}, {"falls": IN_REST}),
    "its own refill": ({"effect": "s.slips = 1"}, {"slips": IN_SLIP}),
    "a property": ({"asked": " or s.slips == 0"}, {"slips": ("low",)}),
    "an assertion": ({"effect": "assert s.x < 3"}, {"slips": IN_SLIP}),
    "an assertion that reads": (
        {"effect": "assert s.falls > 0 or s.x < 3"},
        {"slips": IN_SLIP, "falls": (*IN_SLIP, "assertions")},
    ),
}


def known(folder: Path, parts: dict[str, str], names: list[str] | None = None) -> Spending:
    given = {"guard": "", "effect": "pass", "other": "pass", "asked": "", **parts}
    system = system_of(load(folder, MODEL.format(**given)).model, slips=2, falls=2)
    return spending(system.lowered, system.actions, names)


@pytest.mark.parametrize("way", WAYS)
def test_a_budget_is_spent_only_where_nothing_else_reads_it(tmp_path: Path, way: str) -> None:
    """Each way of reading or changing a budget is found, and named."""
    parts, readers = WAYS[way]
    found = known(tmp_path, parts)
    assert found.readers == readers
    assert found.only == tuple(name for name in ("slips", "falls") if name not in readers)
    assert found.refilled is ("refill" in way)


def test_a_property_that_is_not_asked_reads_nothing(tmp_path: Path) -> None:
    """What counts is what a run asks."""
    assert known(tmp_path, {"asked": " or s.slips == 0"}, []).only == ("slips", "falls")


def test_budgets_of_none_and_of_any_have_no_number(tmp_path: Path) -> None:
    """Neither is spent, so neither is among them."""
    text = MODEL.format(guard="", effect="pass", other="pass", asked="")
    family = Family(load(tmp_path, text).model)
    system = System(family, family.design({}, {"slips": ANY, "falls": 0}))
    assert spending(system.lowered, system.actions) == Spending((), {}, False)


def test_the_families_spend_nearly_all_their_budgets() -> None:
    """Those that something reads are the known ones."""
    readers = {}
    for name, switches in (("fence", {"journal": "atomic"}), ("ledger", {"attempts": "3"})):
        family = load_family(name)
        budgets = {b.name: 2 for b in family.declared.bounds if b.budget}
        system = System(family, family.design(switches, budgets))
        readers[name] = spending(system.lowered, system.actions).readers
    assert readers == {
        "fence": {
            "truncations": ("journal_covers",),
            "test_failures": ("the effect of executor.apply", "the effect of executor.write"),
        },
        "ledger": {
            "duplicates": ("the effect of network.duplicate", "the effect of scheduler.assign")
        },
    }
