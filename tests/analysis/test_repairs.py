"""What counts as a repair: work that still gets done, and properties still put to the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.analysis.explain.ending import END, asked_beside, with_end
from fencecheck.analysis.explain.explain import ExplainPlan, explain_spec
from fencecheck.analysis.explain.explanation import Explanation, VariantExplanation
from fencecheck.model.files.loading import load_family
from fencecheck.report.explanation.json import render_explanations_json
from fencecheck.report.explanation.markdown import render_explanations_markdown
from fencecheck.report.explanation.text import render_explanation, render_part
from fencecheck.spec.files import load_specs
from tests.models_for_tests import HEADER

ALL = ("adversaries", "designs", "guards", "orders")
SIDE_BY_SIDE = """
model = "fence"
title = "Planned side by side"
[mechanisms]
fence = "none"
precondition = "off"
overlap = true
[bounds]
edits = 1
lost_replies = 1
"""
ONE_EFFECT = """
model = "ledger"
title = "One effect"
[mechanisms]
effect_key = "none"
[bounds]
revocations = 1
[properties]
require = ["one_effect"]
"""
STALE = """
model = "ledger"
title = "A stale worker"
[mechanisms]
effect_key = "none"
[bounds]
expiries = 1
[properties]
require = ["sink_order"]
"""
ONCE = """
model = "fence"
title = "Once"
[mechanisms]
fence = "none"
precondition = "off"
[bounds]
steps = 1
lost_replies = 1
[properties]
require = ["at_most_once"]
"""


def explained(folder: Path, text: str, *parts: str, keep: tuple[str, ...] = ()) -> Explanation:
    """Explain a spec, with as much time as it takes."""
    path = folder / "x.toml"
    path.write_text(text, encoding="utf-8")
    (spec,) = load_specs([path])
    return explain_spec(spec, plan=ExplainPlan(parts or ("designs",), None, keep))


def only(explanation: Explanation) -> VariantExplanation:
    """Return the one variant."""
    (variant,) = explanation.variants
    assert variant.repairs is not None
    return variant


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Explanation:
    """Steps planned side by side: a plan that admission refuses breaks nothing."""
    keep = ("compensation", "retention", "journal_key", "check", "stamp")
    return explained(tmp_path_factory.mktemp("beside"), SIDE_BY_SIDE, *ALL, keep=keep)


def test_doing_nothing_is_no_repair(beside: Explanation) -> None:
    """A plan refused as a whole stands apart, with what nothing puts to the test then."""
    repairs = only(beside).repairs
    assert repairs is not None
    assert {"admission": "overlap"} not in repairs.changes
    assert {"fence": "plan", "journal": "atomic"} in repairs.changes
    (refused,) = repairs.hollow
    assert refused.changes == {"admission": "overlap"}
    assert (refused.at_once, refused.vacuous) == (True, ("fresh_apply", "at_most_once"))


def test_doing_nothing_is_no_minimal_set(beside: Explanation) -> None:
    """It is counted apart as well, and decides nothing about what is sound."""
    (designs,) = beside.designs
    admission = ("admission", "overlap")
    assert designs.minimal
    assert all(admission not in found.added for found in designs.minimal)
    assert [found.added for found in designs.hollow] == [frozenset({admission})]
    counts = [designs.land.count(verdict) for verdict in (True, False, None)]
    assert sum(counts) + designs.land.count_hollow() == designs.land.lattice.count
    assert not next(e for e in designs.effects if e.switch == "admission").changes_nothing


def test_every_surface_tells_vacuity_and_what_holds_by_construction(beside: Explanation) -> None:
    """Text, Markdown and JSON say so in words of their own."""
    for surface in (render_explanation(beside), render_explanations_markdown([beside])):
        text = " ".join(surface.replace("\\", "").split())
        assert "nothing puts them to the test: journal_append_only and journal_covers" in text
        assert "True by construction, and no repair" in text
        assert "Sets that leave nothing to do" in text
    told = render_explanations_json([beside])
    assert '"by_construction"' in told
    assert '"nothing_to_do"' in told


def test_the_parts_printed_as_they_are_ready_are_the_whole(beside: Explanation) -> None:
    """Nothing is told in another way, or in another order, for being told early."""
    parts = [render_part(beside, number) for number in range(len(beside.parts))]
    assert "".join(parts) == render_explanation(beside)
    names = [part.name for part in beside.parts]
    assert names == [
        "head", "standing", "breakings", "repairs", "orders", "guards", "designs", "scripted", "end"
    ]  # fmt: skip


def test_parking_a_step_is_no_repair(tmp_path: Path) -> None:
    """One attempt shows one effect, and none wherever the server goes before it."""
    keep = ("look", "token_check", "lease", "on_drift", "intent", "intent_hash", "replay", "ledger")
    found = explained(tmp_path, ONE_EFFECT, keep=keep)
    repairs = only(found).repairs
    assert repairs is not None
    assert {"effect_key": "step"} in repairs.changes
    assert not any("attempts" in change for change in repairs.changes)


def test_a_design_that_gives_up_is_told_apart_from_a_sound_one(tmp_path: Path) -> None:
    """What is required holds, and yet the work may never get done: more attempts repair that."""
    text = ONE_EFFECT.replace('effect_key = "none"', 'effect_key = "none"\nattempts = 1')
    keep = ("look", "token_check", "lease", "on_drift", "intent", "intent_hash", "replay", "ledger")
    found = explained(tmp_path, text, keep=keep)
    variant = only(found)
    assert (variant.is_sound, variant.unending) == (True, True)
    assert variant.repairs is not None
    assert {"attempts": "2", "effect_key": "step"} in variant.repairs.changes
    assert "What is required holds, but end_in_reach breaks." in render_explanation(found)


def test_sending_nothing_again_is_no_repair(tmp_path: Path) -> None:
    """Without retries no step is applied twice, and a lost reply leaves it open for ever."""
    keep = ("compensation", "retention", "admission", "check", "stamp", "replan", "precondition")
    found = explained(tmp_path, ONCE, keep=keep)
    repairs = only(found).repairs
    assert repairs is not None
    assert {"journal": "atomic"} in repairs.changes
    assert not any("retry" in change for change in repairs.changes)


def test_a_repair_of_two_switches_is_named_beside_one_of_one(tmp_path: Path) -> None:
    """Tokens and who checks them, although a key at the sink alone is enough."""
    keep = ("look", "attempts", "on_drift", "intent", "intent_hash", "replay", "ledger", "reaper")
    found = explained(tmp_path, STALE, keep=keep)
    repairs = only(found).repairs
    assert repairs is not None
    assert {"lease": "token", "token_check": "sink"} in repairs.changes
    assert len(repairs.changes[0]) == 1


def test_an_end_that_is_required_anyway_is_not_asked_twice() -> None:
    """In family fence can_finish says the same; in family ledger it lets a step be parked."""
    for name, expected in (("fence", []), ("ledger", [END])):
        family = with_end(load_family(name))
        assert asked_beside(family, family.design(), ["can_finish"]) == expected
        assert asked_beside(family, family.design(), ["no_stuck"]) == [END]
    assert END not in load_family("fence").properties


IDLE_AT_FIRST = """
model = Model("counter", "Work that comes later")
model.budget("orders", "orders that customers place")
model.mechanism("careful", ("off", "on"), "off", "no order is dropped")
clerk = model.actor("clerk")
customer = model.actor("customer", "interference")
model.variable("open_orders", Int(0, 2))
model.variable("dropped", Bool())
model.goal = lambda s: s.open_orders == 0


@customer.interference("orders", when=lambda s: s.open_orders < 2)
def order(s):
    "A customer orders."
    s.open_orders += 1


@clerk.action(when=lambda s: s.open_orders > 0)
def serve(s):
    "The clerk serves, or drops what comes second."
    if s.open_orders > 1 and s.careful == "off":
        s.dropped = True
    s.open_orders -= 1


@model.invariant()
def none_dropped(s):
    "No order is dropped."
    return not s.dropped
"""


def test_work_that_comes_later_is_work(tmp_path: Path) -> None:
    """Where a goal is reached at first, a design whose system acts is a sound one all the same."""
    (tmp_path / "counter.py").write_text(HEADER + IDLE_AT_FIRST, encoding="utf-8")
    text = 'model = "counter.py"\ntitle = "Orders"\n[bounds]\norders = 2\n'
    repairs = only(explained(tmp_path, text)).repairs
    assert repairs is not None
    assert (repairs.changes, repairs.hollow) == ([{"careful": "on"}], [])


def test_the_end_is_told_as_the_model_says_it() -> None:
    """What done means stands in the docstring of the function that decides it."""
    told = {name: with_end(load_family(name)).properties[END].doc for name in ("ledger", "fence")}
    assert told["ledger"].endswith("Done is: Every step is closed, and parked only where no "
                                   "attempt could get it done.")  # fmt: skip
    assert told["fence"].endswith("by the system's own events alone.")
