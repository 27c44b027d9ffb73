"""The lattice of designs, and what is read off it, against brute force over every design."""

from __future__ import annotations

import random

import pytest

from fencecheck.analysis.explain.building import lattice_of
from fencecheck.analysis.explain.designs import effects, minimal_sets, survey
from fencecheck.analysis.explain.influence import Cone, Influence, Signature, Slice
from fencecheck.analysis.explain.lattice import Leaf, Refused
from fencecheck.analysis.explain.repairs import guards, repairs
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.checking.question import Options
from fencecheck.explore import watch
from fencecheck.explore.engine import EngineName
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from tests.analysis import brute, guarded

FENCE_KEPT = ("fence", "stamp", "retry", "replan", "admission", "compensation", "retention")


class Case:
    """A family, a design in it, and the verdict on every design around it by brute force."""

    def __init__(self, family: Family, around: Design, keep: tuple[str, ...] = ()) -> None:
        self.family, self.around, self.keep = family, around, keep
        self.names = list(family.properties)
        self.all = brute.designs(family, around, keep)
        self.broken = [brute.broken(family, design, self.names) for design in self.all]
        self.lattice = lattice_of(family, around, self.names, keep)
        self.judge = Judge(family, self.names, around.bounds)
        self.land = survey(self.lattice, self.judge)

    def set_of(self, design: Design) -> frozenset[tuple[str, str]]:
        return self.lattice.added(design.mechanisms)

    def sound(self) -> list[Design]:
        return [d for d, b in zip(self.all, self.broken, strict=True) if not b]


@pytest.fixture(scope="module")
def toy() -> Case:
    family = Family(guarded.model)
    return Case(family, family.design({}, {"hits": 2, "drops": 1}))


@pytest.fixture(scope="module")
def fence() -> Case:
    family = load_family("fence")
    bounds = {"steps": 1, "edits": 1, "lost_replies": 1}
    return Case(family, family.design({"fence": "none"}, bounds), FENCE_KEPT)


@pytest.fixture(params=["toy", "fence"])
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.getfixturevalue(request.param)
    return found


def test_every_design_that_the_rules_accept_is_in_one_leaf(case: Case) -> None:
    """The leaves count what brute force counts, and each design is found in a leaf."""
    assert case.lattice.count == len(case.all)
    assert all(isinstance(case.lattice.at(d.mechanisms), Leaf) for d in case.all)


def test_what_a_rule_refuses_is_refused_in_its_words(toy: Case) -> None:
    """A combination that makes no sense is no design, and says why."""
    place = toy.lattice.at({**toy.lattice.plain(), "seal": "on"})
    assert isinstance(place, Refused)
    assert place.why == "seal = on needs a log: there is nothing to seal"


def test_every_design_has_the_verdict_of_its_class(case: Case) -> None:
    """One design speaks for its class: sound exactly where each of them is sound by itself."""
    for design, broken in zip(case.all, case.broken, strict=True):
        leaf = case.lattice.at(design.mechanisms)
        assert isinstance(leaf, Leaf)
        assert case.land.sound(leaf) is (not broken), design.mechanisms


def test_designs_of_a_class_break_alike(case: Case) -> None:
    """Designs of one class break the same properties in the same number of events."""
    seen: dict[int, dict[str, int]] = {}
    for design, broken in zip(case.all, case.broken, strict=True):
        leaf = case.lattice.at(design.mechanisms)
        assert isinstance(leaf, Leaf)
        assert seen.setdefault(leaf.number, broken) == broken


def test_there_are_fewer_classes_than_designs(case: Case) -> None:
    """Designs that cannot be told apart are explored once."""
    assert case.lattice.classes <= len(case.all) / 2
    assert case.judge.explored == case.lattice.classes


def test_what_tells_designs_apart_is_gathered_once_for_each_leaf(
    toy: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at the forks above; and no survey by kernel asks what only the plain engine does."""
    gathered, real = [], Influence.signature

    def counted(influence: Influence, part: Slice, cone: Cone) -> Signature:
        gathered.append(part)
        return real(influence, part, cone)

    monkeypatch.setattr(Influence, "signature", counted)
    monkeypatch.setattr(watch, "_asked_of", lambda *_: pytest.fail("asked of each action"))
    lattice = lattice_of(toy.family, toy.around, toy.names)
    assert len(gathered) == len(lattice.leaves)
    judge = Judge(toy.family, toy.names, toy.around.bounds, Options(engine="compiled"))
    assert len(survey(lattice, judge).judgements) == lattice.classes


def test_minimal_sets_are_those_of_brute_force(case: Case) -> None:
    """Sound, with no sound set inside; nothing is taken for monotone."""
    sets = {case.set_of(design) for design in case.sound()}
    expected = {one for one in sets if not any(other < one for other in sets)}
    found = minimal_sets(case.land)
    assert {one.added for one in found} == expected
    assert all(one.certain for one in found)


def test_a_mechanism_that_breaks_a_sound_design_is_found(toy: Case) -> None:
    """The seal jams the guard: more is less."""
    found = {(e.switch, e.value): e for e in effects(toy.land)}
    seal = found["seal", "on"]
    assert seal.breaks
    assert seal.harm is not None
    assert seal.harm.broken == {"unharmed": 2}
    assert toy.set_of(seal.harm.design) == {("guard", "on"), ("checks", "one"), ("log", "disk")}


def test_mechanisms_that_change_nothing_are_told_apart(toy: Case) -> None:
    """A light is read by nothing that matters; a log in memory is read and decides nothing."""
    found = {(e.switch, e.value): e for e in effects(toy.land)}
    assert (found["light", "on"].read, found["light", "on"].changes_nothing) == (False, True)
    assert (found["log", "memory"].read, found["log", "memory"].changes_nothing) == (True, True)
    assert not found["log", "disk"].changes_nothing
    assert toy.lattice.idle == ["light"]


def test_effects_are_those_of_brute_force(case: Case) -> None:
    """A value helps or harms where some pair of designs that differ in it alone says so."""
    sound = {frozenset(d.mechanisms.items()) for d in case.sound()}
    for effect in effects(case.land):
        helps = harms = False
        for design in case.all:
            if design.mechanisms[effect.switch] != case.lattice.plain()[effect.switch]:
                continue
            other = {**design.mechanisms, effect.switch: effect.value}
            if isinstance(case.lattice.at(other), Refused):
                continue
            before = frozenset(design.mechanisms.items()) in sound
            after = frozenset(other.items()) in sound
            helps, harms = helps or (after and not before), harms or (before and not after)
        assert (bool(effect.repairs), bool(effect.breaks)) == (helps, harms), effect


def test_the_repairs_are_those_of_brute_force(case: Case) -> None:
    """Every change of switches that is enough and has no part that is."""
    rng = random.Random(7)
    broken = [d for d, b in zip(case.all, case.broken, strict=True) if b]
    for design in rng.sample(broken, 12):
        changes = [
            {n: v for n, v in other.mechanisms.items() if design.mechanisms[n] != v}
            for other in case.sound()
        ]
        expected = [c for c in changes if not any(o.items() < c.items() for o in changes)]
        found = repairs(case.land, design.mechanisms)
        assert found.certain
        assert found.changes == sorted(found.changes, key=len)
        assert sorted(map(sorted, (c.items() for c in found.changes))) == sorted(
            map(sorted, (c.items() for c in expected))
        )


def test_each_guard_of_a_sound_design_is_switched_off(toy: Case) -> None:
    """What breaks is what breaks in the design without it, in as many events."""
    mechanisms = {"guard": "on", "checks": "one", "log": "disk", "light": "on"}
    design = toy.family.design(mechanisms, toy.around.bounds)
    found = {guard.switch: guard for guard in guards(toy.lattice, toy.judge, design)}
    assert found["guard"].broken == {"unharmed": 2}
    assert found["checks"].broken == {"unharmed": 3}
    assert found["log"].broken == {"no_stuck": 2, "finishes": 2}
    assert found["light"].broken == {}


def test_a_guard_that_cannot_be_left_out_alone_says_why(toy: Case) -> None:
    """Where a rule refuses the design without a mechanism, its words are the answer."""
    design = toy.family.design({"log": "disk", "seal": "on"}, toy.around.bounds)
    (log,) = [g for g in guards(toy.lattice, toy.judge, design) if g.switch == "log"]
    assert log.refused == "seal = on needs a log: there is nothing to seal"


def test_what_was_not_reached_in_time_is_undetermined(toy: Case) -> None:
    """Without time nothing is sound, nothing is broken, and no repair is certain."""
    judge = Judge(toy.family, toy.names, toy.around.bounds, deadline=Deadline.after(0.0))
    land = survey(toy.lattice, judge)
    assert land.count(None) == toy.lattice.count
    assert minimal_sets(land) == []
    found = repairs(land, toy.around.mechanisms)
    assert (found.changes, found.certain) == ([], False)
    open_ = {(e.switch, e.value) for e in effects(land) if e.open}
    assert open_ == {("guard", "on"), ("checks", "one"), ("log", "disk"), ("seal", "on")}


def test_a_minimal_set_above_an_open_one_is_not_certain(toy: Case) -> None:
    """A sound set is said to be minimal only where everything inside it has a verdict."""
    land = survey(toy.lattice, toy.judge)
    (found,) = minimal_sets(land)
    inside = next(leaf for leaf in toy.lattice.leaves if land.least(leaf) < found.added)
    del land.judgements[inside.number]
    assert [one.certain for one in minimal_sets(land)] == [False]


def test_a_search_cut_by_a_limit_is_neither_sound_nor_broken(toy: Case) -> None:
    """A limit on states leaves a sound design undetermined."""
    from fencecheck.checking.question import Options
    from fencecheck.explore.graph import Limits

    judge = Judge(toy.family, toy.names, toy.around.bounds, Options(Limits(states=2)))
    mechanisms = {"guard": "on", "checks": "one", "log": "disk"}
    judged = judge.is_sound(toy.family.design(mechanisms, toy.around.bounds))
    assert (judged.sound, judged.cut) == (None, "states")


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_both_engines_judge_alike(toy: Case, engine: EngineName) -> None:
    """Stopping at the first level that breaks gives the same answer with either engine."""
    auto = Judge(toy.family, toy.names, toy.around.bounds)
    judge = Judge(toy.family, toy.names, toy.around.bounds, Options(engine=engine))
    for design in toy.all[:12]:
        ours, theirs = judge.is_sound(design), auto.is_sound(design)
        assert (ours.sound, ours.broken, ours.states) == (
            theirs.sound,
            theirs.broken,
            theirs.states,
        )


def test_a_lattice_without_time_is_not_built_and_says_so(toy: Case) -> None:
    """Nothing that was not gone through is counted, refused, or said to make no difference."""
    lattice = lattice_of(toy.family, toy.around, toy.names, deadline=Deadline.after(0.0))
    assert (lattice.count, lattice.leaves, lattice.idle) == (0, [], [])
    assert lattice.missing == 2 * 2 * 3 * 2 * 2
    land = survey(lattice, toy.judge)
    found = repairs(land, toy.around.mechanisms)
    assert (found.changes, found.hollow, found.certain) == ([], [], False)
    assert not any(effect.changes_nothing for effect in effects(land))
    jammed = {**lattice.plain(), "seal": "on"}
    assert lattice.refusal(jammed) == "seal = on needs a log: there is nothing to seal"


class Ticks(Deadline):
    """Time for so many looks at the clock."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks = looks

    def left(self) -> float:
        """Return 1 until the looks are used up, then 0."""
        self.looks -= 1
        return 1.0 if self.looks >= 0 else 0.0


@pytest.mark.parametrize("looks", [3, 9, 20])
def test_a_lattice_that_is_built_in_part_has_the_verdicts_of_the_whole(
    toy: Case, looks: int
) -> None:
    """What was reached is as in the whole; what is sound there is minimal only if that is sure."""
    lattice = lattice_of(toy.family, toy.around, toy.names, deadline=Ticks(looks))
    assert lattice.missing
    land = survey(lattice, toy.judge)
    for leaf in lattice.leaves:
        whole = toy.lattice.at(lattice.complete(leaf.known))
        assert isinstance(whole, Leaf)
        assert land.sound(leaf) is toy.land.sound(whole)
    known = {one.added for one in minimal_sets(toy.land)}
    assert all(one.added in known for one in minimal_sets(land) if one.certain)
