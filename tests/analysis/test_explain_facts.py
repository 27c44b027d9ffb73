"""Known facts of the two families come out of their whole lattices of designs."""

from __future__ import annotations

import random

import pytest

from fencecheck.analysis.explain.building import lattice_of
from fencecheck.analysis.explain.designs import (
    Landscape,
    effects,
    minimal_sets,
    survey,
)
from fencecheck.analysis.explain.lattice import Leaf
from fencecheck.analysis.explain.repairs import guards, repairs
from fencecheck.checking.judge import Judge
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from tests.analysis.test_adversaries import DESIGNS

pytestmark = pytest.mark.slow
STAMPS_ONLY = ("fresh_apply", "journal_append_only", "no_future_base")
ONE_EACH = {"edits": 1, "lost_replies": 1, "duplicates": 1, "preemptions": 1}


class Whole:
    """A family's whole lattice at some bounds, surveyed."""

    def __init__(
        self, family: Family, around: Design, names: list[str], keep: tuple[str, ...] = ()
    ) -> None:
        self.family, self.names = family, names
        self.lattice = lattice_of(family, around, names, keep)
        self.judge = Judge(family, names, around.bounds)
        self.land: Landscape = survey(self.lattice, self.judge)

    def is_sound(self, **mechanisms: str) -> bool | None:
        """Tell whether a design is sound; what is not named has the model's default."""
        design = self.family.design(mechanisms, self.lattice.bounds)
        leaf = self.lattice.at(design.mechanisms)
        assert isinstance(leaf, Leaf)
        return self.land.sound(leaf)

    def sound_values(self, switch: str) -> set[str | None]:
        """Return the values of a switch among the sound designs; None where it may be any."""
        return {leaf.known.get(switch) for leaf in self.land.sound_leaves()}


# -- family fence: two steps on one file, one each of edit, lost reply, duplicate, preemption -----
@pytest.fixture(scope="module")
def fence() -> Whole:
    family = load_family("fence")
    names = [name for name in family.properties if name not in STAMPS_ONLY]
    return Whole(family, family.design({}, {"steps": 2, "files": 1, **ONE_EACH}), names)


def test_every_design_of_the_fence_family_has_a_verdict(fence: Whole) -> None:
    """All combinations of its eleven switches, in far fewer searches."""
    assert fence.lattice.count == 62_208
    assert fence.land.count(None) == 0
    assert fence.judge.explored == fence.lattice.classes < 1_000
    assert set(fence.lattice.idle) == {"admission", "compensation", "retention"}


def test_random_designs_by_themselves_have_the_verdict_of_their_class(fence: Whole) -> None:
    """Designs drawn from the whole lattice, each explored on its own."""
    rng = random.Random(3)
    for _ in range(60):
        chosen = {m.name: rng.choice(m.values) for m in fence.lattice.switches}
        design = fence.lattice.design(chosen)
        leaf = fence.lattice.at(design.mechanisms)
        assert isinstance(leaf, Leaf)
        assert fence.judge.is_sound(design).sound is fence.land.sound(leaf), chosen


def test_hash_and_journal_carry_the_weight(fence: Whole) -> None:
    """Without a fence, the planned hash and an atomic journal keep every behavioural property."""
    assert fence.is_sound(fence="none", precondition="planned", journal="atomic") is True
    added = {
        ("check", "atomic"),
        ("journal", "atomic"),
        ("precondition", "planned"),
        ("replan", "on_reject"),
        ("retry", "same"),
    }
    assert added in [set(one.added) for one in minimal_sets(fence.land)]


def test_late_stamping_is_not_the_fault(fence: Whole) -> None:
    """Stamping as it executes is sound with the planned hash; taking the hash again is not."""
    late = {"stamp": "exec", "journal": "atomic"}
    assert fence.is_sound(**late, precondition="planned") is True
    assert fence.is_sound(**late, precondition="restamped") is False
    printed = fence.family.design({**late, "precondition": "restamped"}, fence.lattice.bounds)
    changes = repairs(fence.land, printed.mechanisms).changes
    assert {"precondition": "planned"} in changes


def test_no_other_journal_is_enough(fence: Whole) -> None:
    """A journal in memory, or written in an event of its own, never suffices."""
    assert fence.sound_values("journal") == {"atomic"}
    found = {(e.switch, e.value): e for e in effects(fence.land)}
    assert found["journal", "memory"].changes_nothing
    assert found["journal", "separate"].changes_nothing


def test_check_and_write_must_be_one_event_and_somebody_must_retry_and_replan(
    fence: Whole,
) -> None:
    """Every sound design has these."""
    assert fence.sound_values("check") == {"atomic"}
    assert fence.sound_values("retry") == {"same", "restamp"}
    assert fence.sound_values("replan") == {"on_reject"}
    assert "plan" not in fence.sound_values("fence")


def test_adding_a_fence_can_break_a_sound_design(fence: Whole) -> None:
    """A plan fence rejects the plan's own second step, whatever it is added to."""
    found = {(e.switch, e.value): e for e in effects(fence.land)}
    plan = found["fence", "plan"]
    assert (plan.repairs, bool(plan.breaks)) == (0, True)
    assert plan.harm is not None
    assert plan.harm.broken == {"no_spurious_rejection": 6}


def test_the_step_fence_lacks_a_journal_only(fence: Whole) -> None:
    """One change repairs it, and two the unfenced design."""
    bounds = fence.lattice.bounds
    step = fence.family.design(DESIGNS["step fence"], bounds)
    assert repairs(fence.land, step.mechanisms).changes == [{"journal": "atomic"}]
    none = fence.family.design(DESIGNS["no fence"], bounds)
    found = repairs(fence.land, none.mechanisms)
    assert {"journal": "atomic", "precondition": "planned"} in found.changes
    assert min(map(len, found.changes)) == 2


def test_what_each_guard_of_step_fence_and_journal_is_needed_for(fence: Whole) -> None:
    """Left out in turn: what breaks, in how many events."""
    design = fence.family.design(DESIGNS["step fence + journal"], fence.lattice.bounds)
    found = {g.switch: g.broken for g in guards(fence.lattice, fence.judge, design)}
    assert found["journal"] == {"truthful_reply": 5, "at_most_once": 10}
    assert found["precondition"] == {"no_lost_update": 3}
    assert found["check"] == {"no_lost_update": 4}
    assert found["retry"] == {"no_stuck": 3, "can_finish": 3, "finishes": 3}
    assert found["fence"] == found["stamp"] == found["journal_key"] == {}


# -- family ledger: one step, two workers -------------------------------------------------------
KINDS = (
    "revocations",
    "expiries",
    "lost_acks",
    "duplicates",
    "edits",
    "failed_commits",
    "exhaustions",
)
ENOUGH = {
    ("intent", "on"),
    ("intent_hash", "on"),
    ("on_drift", "pin"),
    ("effect_key", "step"),
    ("reaper", "on"),
    ("ledger", "outside"),
}


KEPT = ("commit", "attempts", "claim", "takeover")


def ledger(budgets: dict[str, int], commit: str, keep: tuple[str, ...]) -> Whole:
    family = load_family("ledger")
    names = [name for name in family.properties if name != "single_owner"]
    return Whole(family, family.design({"commit": commit}, budgets), names, keep)


@pytest.fixture(scope="module")
def separate() -> Whole:
    return ledger(dict.fromkeys(KINDS, 1), "separate", KEPT)


def test_what_is_enough_with_a_separate_commit(separate: Whole) -> None:
    """All interference together: pinning, an effect key, a reaper and a ledger outside."""
    assert separate.land.count(None) == 0
    sets = [set(one.added) for one in minimal_sets(separate.land)]
    by_payload = (ENOUGH - {("effect_key", "step")}) | {("effect_key", "step+payload")}
    assert ENOUGH in sets
    assert all(one in (ENOUGH, by_payload) for one in sets)


def test_rejecting_drift_is_sound_with_nothing(separate: Whole) -> None:
    """With a separate commit no combination of the other switches is."""
    assert separate.sound_values("on_drift") == {"pin"}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_enough_for_all_is_enough_for_each_alone(separate: Whole, kind: str) -> None:
    """Every design that stands all interference together stands each kind alone."""
    alone = ledger({kind: 1}, "separate", KEPT)
    assert alone.land.count(None) == 0
    for leaf in separate.land.sound_leaves():
        place = alone.lattice.at({**alone.lattice.kept, **separate.lattice.complete(leaf.known)})
        assert isinstance(place, Leaf)
        assert alone.land.sound(place) is True
    assert any(set(one.added) <= ENOUGH for one in minimal_sets(alone.land))
