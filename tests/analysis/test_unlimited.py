"""Any number: what holds with one fault of each kind, judged without an end to them."""

from __future__ import annotations

from fencecheck.analysis.explain.any_number.unlimited import AnyNumberAsker, AtAnyNumber
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options
from fencecheck.explore.graph import Limits
from fencecheck.model.family import Design, Family
from fencecheck.report.explanation.growth_words import unlimited_words
from tests.analysis import guarded

FAMILY = Family(guarded.model)


def guarded_design(**bounds: int | str) -> Design:
    return FAMILY.design({"guard": "on", "checks": "two", "log": "disk"}, bounds)


def found(
    design: Design, *known: str, states: int | None = None, until: Deadline | None = None
) -> AtAnyNumber | None:
    options = Options(Limits(states=states), engine="reference")
    judge = Judge(FAMILY, list(FAMILY.properties), design.bounds, options)
    return AnyNumberAsker(judge, design.bounds).ask(design, until or Deadline(), known)


def test_what_more_faults_break_is_brought_down_to_the_least_number() -> None:
    """The guard takes one hit; with two there is harm, and everything else holds for any number."""
    said = found(guarded_design(hits=1, drops=1))
    assert said is not None
    (broken,) = said.broken
    (least,) = broken.adversaries
    assert (broken.name, least.budgets, least.events) == ("unharmed", {"hits": 2}, 3)
    assert set(said.holding) == set(FAMILY.properties) - {"unharmed"}
    assert unlimited_words(said) == [
        "For any number of hits and drops: unharmed breaks with two hits (3 events: "
        "sender.send, attacker.hit, attacker.hit).",
        "For any number of hits and drops: what else held with these numbers holds.",
    ]


def test_what_breaks_already_is_not_told_again() -> None:
    """Nothing is asked of what breaks with the numbers."""
    said = found(guarded_design(hits=1, drops=1), "unharmed")
    assert said is not None
    assert said.broken == ()
    assert "unharmed" not in said.holding
    assert unlimited_words(said) == [
        "For any number of hits and drops: what held with numbers holds."
    ]


def test_what_was_cut_is_undetermined() -> None:
    """A search that was cut says nothing of what did not break."""
    said = found(guarded_design(drops=1), states=3)
    assert said is not None
    assert (said.holding, said.cut) == ((), "states")
    assert unlimited_words(said) == [
        "For any number of drops: undetermined, cut by the limit on states (--max-states)."
    ]


def test_there_is_nothing_to_ask_without_numbers_or_time() -> None:
    """Budgets that are none or any already say it themselves."""
    assert found(guarded_design()) is None
    assert found(guarded_design(hits="any")) is None
    assert found(guarded_design(hits=1), until=Deadline.after(0)) is None
