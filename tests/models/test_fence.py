"""Family fence: no switch value is dead, and no budget is."""

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.told.teller import Teller

FENCE = load_family("fence")
REFERENCE = Options(engine="reference")

# for each switch: the rest of the design, and the bounds, under which its values all differ
WHERE = {
    "fence": ({}, {"edits": 1}),
    "stamp": ({"precondition": "restamped"}, {"edits": 1}),
    "precondition": ({}, {"edits": 1}),
    "retry": ({}, {"lost_replies": 1, "edits": 1}),
    "replan": ({}, {"edits": 1}),
    "journal": ({}, {"preemptions": 1}),
    "journal_key": ({"journal": "atomic", "retry": "restamp"}, {"lost_replies": 1}),
    "retention": ({"journal": "atomic"}, {"truncations": 1}),
    "check": ({}, {"edits": 1}),
    "admission": ({"overlap": "on"}, {}),
    "compensation": ({"journal": "atomic"}, {"test_failures": 1, "edits": 1}),
    "ids": ({"journal": "atomic"}, {"swaps": 1}),
    "edits_bump_rev": ({}, {"edits": 1}),
    "overlap": ({}, {}),
    "identity": ({}, {"edits": 1, "touches": 1}),
    "silence": ({}, {"lost_replies": 1}),
}
BUDGETS = [b.name for b in FENCE.declared.bounds if b.budget]


def outcome(mechanisms: dict[str, str], bounds: dict[str, int]) -> tuple[int, int, object]:
    """The counts and verdicts of one design."""
    question = Question(tuple(FENCE.properties))
    result = check_design(FENCE, FENCE.design(mechanisms, bounds), question, REFERENCE)
    found = result.exploration
    verdicts = tuple((f.name, f.verdict, f.events) for f in result.findings)
    return found.states, found.transitions, verdicts


def test_every_switch_is_tried() -> None:
    """A switch that is added needs a place here."""
    assert set(WHERE) == set(FENCE.mechanisms)


@pytest.mark.parametrize("switch", WHERE)
def test_each_value_alone_changes_a_verdict_or_a_count(switch: str) -> None:
    """With all else equal, no two values of a switch come out the same."""
    mechanisms, bounds = WHERE[switch]
    values = FENCE.mechanisms[switch].values
    outcomes = [outcome({**mechanisms, switch: value}, bounds) for value in values]
    assert len(set(outcomes)) == len(values)


@pytest.mark.parametrize("budget", BUDGETS)
def test_each_budget_lets_something_happen(budget: str) -> None:
    """One more interference of a kind gives more states."""
    mechanisms = {"journal": "atomic", "retention": "truncate", "compensation": "full"}
    none, one = (outcome(mechanisms, {budget: n}) for n in (0, 1))
    assert one[0] > none[0]


DEFECTS = {
    "fresh_apply": ({"fence": "none"}, {"edits": 1, "files": 2}),
    "journal_append_only": ({"retention": "checkpoint"}, {"truncations": 1}),
    "no_future_base": ({"fence": "none"}, {"swaps": 1}),
    "journal_covers": ({"retention": "truncate"}, {"truncations": 1}),
    "no_lost_update": ({"precondition": "restamped"}, {"edits": 1}),
    "at_most_once": ({"journal": "none"}, {"lost_replies": 1}),
    "truthful_reply": ({"journal": "none"}, {"lost_replies": 1}),
    "truthful_ack": ({"compensation": "checkpoint"}, {"test_failures": 1}),
    "no_spurious_rejection": ({"fence": "plan"}, {}),
    "no_stuck": ({"retry": "off"}, {"lost_replies": 1}),
    "can_finish": ({"replan": "off"}, {"edits": 1}),
    "finishes": ({"retry": "off"}, {"lost_replies": 1}),
}


@pytest.mark.parametrize("name", FENCE.properties)
def test_each_property_breaks_under_a_defect_and_holds_without_it(name: str) -> None:
    """The step fence with an atomic journal holds it; with one defect it is violated."""
    defect, bounds = DEFECTS[name]
    question = Question((name,))
    sound = {"journal": "atomic"}

    def verdict(mechanisms: dict[str, str]) -> str:
        design = FENCE.design(mechanisms, bounds)
        return check_design(FENCE, design, question, REFERENCE)[name].verdict

    assert verdict({**sound, **defect}) == "violated"
    assert verdict(sound) == "holds"


@pytest.mark.parametrize(
    ("mechanisms", "words"),
    [
        ({"fence": "none", "precondition": "off"}, "nothing"),
        ({"fence": "plan"}, "base 0 pre s1"),
        ({"fence": "plan", "stamp": "exec"}, "base 0 pre s1"),
        ({"stamp": "plan"}, "base 1 pre s1"),
        ({"stamp": "plan", "precondition": "off"}, "base 1"),
        ({"stamp": "exec"}, "pre s1"),
        ({"stamp": "exec", "precondition": "restamped"}, "nothing"),
    ],
)
def test_a_stamp_says_what_is_stamped_and_compared(mechanisms: dict[str, str], words: str) -> None:
    """What the first plan stamps on its second step, in the words of a trace."""
    system = System(FENCE, FENCE.design(mechanisms, {}))
    assert Teller(system).initial(system.initial)["planner.stamp_of[2]"] == words


@pytest.mark.parametrize("switch", ["precondition", "stamp", "fence"])
def test_what_a_step_was_planned_against_is_never_lost(switch: str) -> None:
    """However it is kept: the lost update is the same one, told in the same words."""
    told = set()
    for value in FENCE.mechanisms[switch].values:
        loose = {"fence": "step", "precondition": "restamped", "stamp": "exec"}
        design = FENCE.design({**loose, switch: value}, {"edits": 1})
        found = check_design(FENCE, design, Question(("no_lost_update",)), REFERENCE)
        trace = found["no_lost_update"].trace
        if trace is not None:
            assert trace.violation is not None
            told.add(trace.violation.says)
    assert told == {"s1 replaced human edit 1, but was planned against original"}
