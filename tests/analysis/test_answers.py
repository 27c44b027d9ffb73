"""The verdict each event order calls for is read off the run of a sound design."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fencecheck.analysis.explain.explain import ExplainPlan, explain_spec
from fencecheck.analysis.explain.nearest_run import follow_nearest
from fencecheck.analysis.explain.responses import REFUSED, Response, answer
from fencecheck.checking.check import check_design
from fencecheck.checking.judge import Judge
from fencecheck.checking.question import Question
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.property import Transition
from fencecheck.model.system import System
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Origin, Trace
from fencecheck.spec.files import builtin_spec, load_specs
from tests.analysis import guarded
from tests.analysis.test_adversaries import DESIGNS
from tests.models_for_tests import HEADER, load

SOUND = {"journal": "atomic"}


def order(family: Family, mechanisms: dict[str, str], bounds: dict[str, int], name: str) -> Trace:
    """Return a shortest event order that breaks a property of a design."""
    result = check_design(family, family.design(mechanisms, bounds), Question((name,)))
    trace = result[name].trace
    assert trace is not None
    return trace


def asked(
    broken: dict[str, str], sound: dict[str, str], bounds: dict[str, int], name: str
) -> Response:
    family = load_family("fence")
    trace = order(family, broken, {"steps": 2, **bounds}, name)
    system = System(family, family.design(sound, trace.bounds))
    found = answer(system, trace, Origin())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("design", "bounds", "property_", "verdict", "event"),
    [
        ("no fence", {"edits": 1}, "no_lost_update", "reject: stale_rev", 3),
        ("no fence", {"lost_replies": 1}, "at_most_once", "replay", 6),
        ("no fence", {"duplicates": 1}, "at_most_once", "replay", 5),
        ("as printed", {"edits": 1}, "no_lost_update", "reject: stale_rev", 3),
        ("plan fence", {}, "no_spurious_rejection", "accept", 6),
        ("step fence", {"lost_replies": 1}, "at_most_once", "replay", 6),
        ("step fence", {"preemptions": 1}, "truthful_reply", "replay", 5),
    ],
)
def test_verdicts_on_the_orders_that_break_the_named_designs(
    design: str, bounds: dict[str, int], property_: str, verdict: str, event: int
) -> None:
    """What step fence + journal does where the two part."""
    found = asked(DESIGNS[design], SOUND, bounds, property_)
    assert (found.verdict, found.event) == (verdict, event)
    assert len(found.trace.events) == event


def test_a_check_and_a_write_that_were_apart_are_rejected_as_one() -> None:
    """The edit comes before the one event that is both: it is refused there."""
    found = asked({**SOUND, "check": "split"}, SOUND, {"edits": 1}, "no_lost_update")
    assert found.verdict == "reject: stale_rev"
    assert [e.name for e in found.trace.events] == [
        "client.dispatch",
        "human.edit",
        "executor.reject",
    ]


def test_tests_that_discard_an_edit_are_refused_by_a_fenced_compensation() -> None:
    """What the sound design does at the interference itself counts too."""
    broken = {**SOUND, "compensation": "checkpoint"}
    sound = {**SOUND, "compensation": "fenced"}
    found = asked(broken, sound, {"edits": 1, "test_failures": 1}, "no_lost_update")
    assert (found.verdict, found.does) == ("refuse", "tests: fail")


def test_an_order_that_ends_stuck_is_answered_by_what_comes_next() -> None:
    """Where nothing parts, the sound design's next word is the verdict."""
    found = asked({**SOUND, "retry": "off"}, SOUND, {"lost_replies": 1}, "no_stuck")
    assert (found.verdict, found.instead_of) == ("replay", "")


def test_a_plan_that_overlaps_is_refused_at_admission() -> None:
    """A design that refuses the plan answers before any event."""
    side_by_side = {**SOUND, "overlap": "on", "precondition": "off"}
    sound = {**side_by_side, "admission": "overlap"}
    found = asked(side_by_side, sound, {}, "no_lost_update")
    assert (found.verdict, found.event) == (REFUSED, 0)


def test_the_run_that_answers_replays_and_has_the_same_interference() -> None:
    """An answer is evidence: its trace is a run of the sound design under the same faults."""
    found = asked(DESIGNS["step fence"], SOUND, {"lost_replies": 1}, "at_most_once")
    assert replay(load_family("fence"), found.trace).misfit is None
    faults = [e.name for e in found.trace.events if e.interference]
    assert faults == ["network.lose_reply"]
    assert found.instead_of == "executor: reject s1: stale_rev"


def test_an_order_is_followed_on_its_own_design_event_by_event() -> None:
    """On the design it comes from, the closest run is the order itself."""
    family = load_family("fence")
    bounds = {"steps": 2, "duplicates": 1}
    trace = order(family, DESIGNS["step fence"], bounds, "at_most_once")
    design = family.design(trace.mechanisms, trace.bounds)
    found = follow_nearest(System(family, design), trace)
    assert found is not None
    assert found.places == list(range(len(trace.events)))
    assert found.parts == len(trace.events)


def test_outcomes_of_a_model_of_ones_own_are_words_too() -> None:
    """A dropped message is answered by the log: replay."""
    family = Family(guarded.model)
    trace = order(family, {}, {"drops": 1}, "no_stuck")
    judge = Judge(family, list(family.properties), trace.bounds)
    system = judge.system(family.design({"log": "disk"}, trace.bounds))
    found = answer(system, trace, Origin())
    assert found is not None
    assert (found.verdict, found.does) == ("replay", "sender: resend: replayed")


def test_the_five_published_orders_get_their_verdicts() -> None:
    """Reject, replay, compensate, accept, refuse: each from the run of its scripted order."""
    (spec,) = load_specs([builtin_spec("published/verdicts")])
    found = explain_spec(spec, plan=ExplainPlan(parts=("orders",), seconds=None))
    told = {(v.scenario, v.variant): v.verdict for v in found.verdicts}
    one, beside = "planned one after another", "planned side by side"
    assert told["base below the current revision", one] == "reject: stale_rev"
    assert told["planned again after the rejection", one] == "reject: stale_rev, then accept"
    assert told["key in the journal", one] == "replay"
    assert told["applied, and the tests fail", one] == "compensate, then accept"
    assert told["a new model plans from the current revision", one] == "accept"
    assert told["two steps of one plan overlap", beside] == REFUSED


TRAP = """
model = Model("trap", "Words of family fence that mean other things here")
model.budget("hits", "times the tests hit")
model.mechanism("guard", ("off", "on"), "off", "absorbs hits")
tests = model.actor("tests", "interference")
worker = model.actor("worker")
model.variable("refused", Bool(), True)
model.variable("hurt", Bool())
model.variable("finished", Bool())


@tests.interference("hits", when=lambda s: not s.finished)
def fail(s):
    "It hurts unless it is absorbed."
    s.refused = not s.refused
    s.hurt = s.guard == "off"


@worker.action(when=lambda s: not s.finished)
def work(s):
    "The work is done."
    s.finished = True
    return "rejected"


@model.invariant()
def unhurt(s):
    "Nothing hurts."
    return not s.hurt
"""


def test_words_of_a_shipped_family_mean_nothing_in_another_model(tmp_path: Path) -> None:
    """An actor called tests does not compensate, and a variable called refused refuses nothing."""
    family = Family(load(tmp_path, HEADER + TRAP).model)
    trace = order(family, {}, {"hits": 1}, "unhurt")
    found = answer(System(family, family.design({"guard": "on"}, {"hits": 1})), trace, Origin())
    assert found is not None
    assert (found.verdict, found.does) == ("rejected", "worker: work: rejected")


def renamed(name: str) -> Family:
    """Return a family whose actors and events have other names."""
    family = Family(load_family(name).model)
    declared = family.declared

    def other(text: str) -> str:
        return ".".join(f"other_{part}" for part in text.split("."))

    declared.actions = [
        replace(a, actor=other(a.actor), verb=other(a.verb)) for a in declared.actions
    ]
    for number, prop in enumerate(declared.properties):
        if isinstance(prop, Transition):
            on = None if prop.trigger_on is None else tuple(map(other, prop.trigger_on))
            about = tuple(map(other, prop.about))
            declared.properties[number] = replace(prop, about=about, trigger_on=on)
    family.properties = {p.name: p for p in declared.properties}
    declared.lanes = [replace(lane, name=other(lane.name)) for lane in declared.lanes]
    declared.variables = [replace(v, owner=other(v.owner)) for v in declared.variables]
    return family


@pytest.mark.parametrize(
    ("broken", "sound", "bounds", "name"),
    [
        (DESIGNS["no fence"], SOUND, {"edits": 1}, "no_lost_update"),
        (DESIGNS["step fence"], SOUND, {"lost_replies": 1}, "at_most_once"),
        (
            {**SOUND, "compensation": "checkpoint"},
            {**SOUND, "compensation": "fenced"},
            {"edits": 1, "test_failures": 1},
            "no_lost_update",
        ),
        (
            {**SOUND, "overlap": "on", "precondition": "off"},
            {**SOUND, "overlap": "on", "precondition": "off", "admission": "overlap"},
            {},
            "no_lost_update",
        ),
    ],
)
def test_other_names_of_actors_and_events_give_the_same_verdicts(
    broken: dict[str, str], sound: dict[str, str], bounds: dict[str, int], name: str
) -> None:
    """What an event stands for is declared with it."""
    answers = []
    for family in (load_family("fence"), renamed("fence")):
        trace = order(family, broken, {"steps": 2, **bounds}, name)
        system = System(family, family.design(sound, trace.bounds))
        found = answer(system, trace, Origin())
        assert found is not None
        answers.append((found.verdict, found.event, len(trace.events)))
    assert answers[0] == answers[1]
