"""Family agent: the facts of its specs by the engines, its rules, its words, its events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design, check_spec
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.errors import DesignError
from fencecheck.explore.graph import Limits
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.spec.files import load_specs

FAMILY = load_family("agent")
SPECS = Path(__file__).parent.parent.parent / "specs" / "agent"
SOUND = {"journal": "atomic", "on_drift": "pin"}
UNDONE = {**SOUND, "compensation": "full"}
NAMES = tuple(FAMILY.properties)


def check(mechanisms: dict[str, str], engine: Any = "reference", **bounds: Any) -> VariantResult:
    design = FAMILY.design(mechanisms, {"steps": 1, **bounds})
    return check_design(FAMILY, design, Question(NAMES), Options(engine=engine))


def breaks(found: VariantResult) -> dict[str, int | None]:
    return {f.name: f.events for f in found.findings if f.verdict == "violated"}


def events(found: VariantResult, name: str) -> list[str]:
    trace = found[name].trace
    assert trace is not None
    return [event.name for event in trace.events]


# -- any number ---------------------------------------------------------------------------------
BUDGETS = [bound.name for bound in FAMILY.declared.bounds if bound.budget]


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_sound_design_stands_any_number(budget: str) -> None:
    """Of each interference alone; a holder whose lease expired is not the owner any more."""
    capped = {"attempts": "3"} if budget == "duplicates" else {}
    found = check({**SOUND, **capped, "compensation": "full"}, **{budget: "any"})
    assert found.exploration.complete
    assert set(breaks(found)) <= {"single_owner"}


def test_edits_and_plans_may_come_any_number_of_times() -> None:
    """With another model in between, and the server gone now and then."""
    often = dict.fromkeys(("edits", "swaps", "drifts", "revocations"), "any")
    assert breaks(check(SOUND, **often)) == {}


@pytest.mark.slow
def test_everything_at_once_any_number_of_times() -> None:
    """All but duplicates, which need a cap: the space is finite, and two properties break."""
    often = dict.fromkeys((b for b in BUDGETS if b != "duplicates"), "any")
    found = check(SOUND, "compiled", **often)
    assert found.exploration.complete
    assert breaks(found) == {"single_owner": 5, "no_spurious_rejection": 8}


# -- the interactions ---------------------------------------------------------------------------
def test_pinning_and_planning_again_go_round_for_ever() -> None:
    """Each new plan is pinned to the old payload, which the workspace rejects again."""
    found = check({**SOUND, "refusal": "keep"}, edits=1)
    assert breaks(found) == {"can_finish": 1, "finishes": 9, "bounded_retries": 9}
    trace = found["finishes"].trace
    assert trace is not None
    assert events(found, "finishes")[trace.loop_start :] == [
        "scheduler.assign",
        "worker.intend",
        "worker.reject",
        "planner.replan",
    ]
    assert breaks(check({**SOUND, "refusal": "withdraw"}, edits=1)) == {}


def test_a_compensated_step_is_replayed_from_a_row_that_stayed() -> None:
    """The journal forgot the step and the ledger did not: done, with nothing in the workspace."""
    found = check({**UNDONE, "undo": "workspace"}, test_failures=1)
    assert breaks(found) == {"truthful_ack": 9}
    assert events(found, "truthful_ack")[5:] == [
        "tests.fail",
        "scheduler.assign",
        "worker.replay",
        "worker.ack",
    ]
    assert breaks(check(UNDONE, test_failures=1)) == {}


def test_a_lease_lost_between_check_and_write_writes_twice() -> None:
    """An atomic journal keyed by the step is not asked again by the write; one event closes it."""
    found = check({**SOUND, "check": "split"}, expiries=1)
    assert breaks(found)["one_effect"] == 9
    assert found["no_lost_update"].verdict == "holds"
    assert set(breaks(check(SOUND, expiries=1))) == {"single_owner"}


def test_a_requeued_step_does_not_find_its_own_key_and_base() -> None:
    """The first attempt's write moved the base that the second one is stamped with."""
    found = check({**SOUND, "journal_key": "step+base"}, revocations=1)
    assert (breaks(found)["truthful_reply"], breaks(found)["one_effect"]) == (8, 12)
    assert breaks(check(SOUND, revocations=1)) == {}


@pytest.mark.parametrize(
    ("mechanisms", "bounds"),
    [
        ({**SOUND, "refusal": "keep"}, {"edits": 1}),
        ({**UNDONE, "attempts": "3"}, {"test_failures": 1, "duplicates": 1}),
        ({**SOUND, "fence": "plan", "stamp": "plan"}, {"steps": 2, "drifts": 1}),
        ({**SOUND, "stamp": "exec", "check": "split"}, {"expiries": 1, "lost_acks": 1}),
    ],
    ids=str,
)
def test_both_engines_agree(mechanisms: dict[str, str], bounds: dict[str, int]) -> None:
    """The same states, transitions, verdicts and event counts."""
    one, two = (check(mechanisms, engine, **bounds) for engine in ("reference", "compiled"))
    assert breaks(one) == breaks(two)
    for search in (one.exploration, two.exploration):
        assert search.complete
    sizes = [(e.states, e.transitions, e.depth) for e in (one.exploration, two.exploration)]
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize("name", sorted(p.name for p in SPECS.glob("*.toml")))
def test_every_counterexample_of_the_specs_names_its_step(name: str) -> None:
    """Each safety violation is told in words, with two values that differ side by side."""
    (spec,) = load_specs([SPECS / name])
    for variant in check_spec(spec, Options(engine="reference")).variants:
        for finding in variant.findings:
            if finding.trace is None:
                continue
            violation = finding.trace.violation
            assert violation is not None
            assert "s1" in violation.says or "s2" in violation.says
            (_, shown), (_, other) = violation.compare
            assert shown != other or finding.name == "no_spurious_rejection"


# -- the family itself --------------------------------------------------------------------------
NO_HASH = {"intent_hash": "off"}
RULES = [
    ({"intent": "off"}, {}, "intent_hash = on needs intent = on"),
    ({**NO_HASH, "on_drift": "pin"}, {}, "on_drift = pin needs intent_hash = on"),
    ({"look": "split", "replay": "off"}, {}, "look = split needs intent = on and replay = on"),
    (
        {**NO_HASH, "intent": "off", "look": "split"},
        {},
        "look = split needs intent = on and replay = on",
    ),
    ({"token_check": "sink"}, {}, "token_check = sink needs lease = token"),
    ({"token_check": "ledger", "lease": "none"}, {}, "token_check = ledger needs lease = token"),
    ({"journal": "separate"}, {}, "journal = separate has no place here"),
    ({"journal": "memory"}, {}, "journal = memory has no place here"),
    ({"precondition": "restamped"}, {}, "precondition = restamped has no place here"),
    ({"check": "split", "commit": "atomic"}, {}, "check = split needs commit = separate"),
    ({"poison": "ack"}, {}, "poison = ack needs a cap on attempts"),
    ({}, {"duplicates": 1}, "duplicates > 0 needs a cap on attempts"),
]


@pytest.mark.parametrize(("mechanisms", "bounds", "message"), RULES)
def test_a_senseless_design_is_refused_by_name(
    mechanisms: dict[str, str], bounds: dict[str, int], message: str
) -> None:
    """One rule speaks, and says what to write."""
    with pytest.raises(DesignError, match=f"^{message}"):
        FAMILY.design(mechanisms, bounds)


def test_every_event_happens_and_every_property_is_put_to_the_test() -> None:
    """Over a handful of designs nothing the family declares is dead."""
    happened: set[str] = set()
    triggered: set[str] = set()
    tokens = {"lease": "token", "token_check": "sink", "journal": "none"}
    asked = {"lease": "token", "token_check": "ledger"}
    runs: list[tuple[dict[str, str], dict[str, int]]] = [
        (UNDONE, {"edits": 1, "test_failures": 1, "exhaustions": 1}),
        ({**SOUND, "check": "split"}, {"swaps": 1, "drifts": 1, "revocations": 1}),
        ({**SOUND, **tokens, "fence": "none", "precondition": "off"}, {"expiries": 1}),
        ({**SOUND, **asked}, {"expiries": 1, "lost_acks": 1}),
        ({**SOUND, "attempts": "1"}, {"failed_commits": 1}),
        ({**SOUND, "claim": "expires"}, {"claim_expiries": 1, "revocations": 1}),
        ({**SOUND, "attempts": "2", "poison": "ack"}, {"duplicates": 1}),
        ({**SOUND, "on_drift": "reject", "refusal": "keep"}, {"edits": 1}),
    ]
    for mechanisms, bounds in runs:
        system = System(FAMILY, FAMILY.design(mechanisms, {"steps": 1, **bounds}))
        graph = explore(system, Watch(system), Limits())
        happened |= {system.actions[action].name for edges in graph.edges for action, _, _ in edges}
        triggered |= graph.search.triggered
    assert happened == {action.name for action in FAMILY.declared.actions}
    seen_in_a_search = [p for p in FAMILY.declared.properties if p.of_states or p.of_events]
    assert triggered >= {p.name for p in seen_in_a_search}


@pytest.mark.slow
def test_the_sound_design_holds_under_many_budgets_at_once() -> None:
    """One step, two workers: only the owner and a needless rejection are not kept."""
    bounds = ("edits", "swaps", "revocations", "expiries", "lost_acks", "failed_commits")
    found = check(SOUND, "compiled", **dict.fromkeys(bounds, 1))
    assert found.exploration.complete
    assert set(breaks(found)) == {"single_owner", "no_spurious_rejection"}
