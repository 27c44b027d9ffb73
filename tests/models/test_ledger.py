"""Family ledger: the known facts to the event, each switch value, each configuration rule."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import DesignError
from fencecheck.explore.engine import EngineName
from fencecheck.explore.shortest import shortest_run
from fencecheck.report.words.trace_words import broken_event, headline
from fencecheck.runs.telling import tell
from fencecheck.runs.trace import Origin
from tests.models.ledger_runs import FAMILY, Explore, breaks, size

NO_KEY = {"effect_key": "none"}
ENOUGH = {"on_drift": "pin", "replay": "off", "lease": "none"}
NO_HASH = {"intent_hash": "off"}
NO_INTENT = {"intent": "off", "intent_hash": "off"}
TOKENS_AT_SINK = {**NO_KEY, "lease": "token", "token_check": "sink"}
TOKENS_AT_LEDGER = {**NO_KEY, "lease": "token", "token_check": "ledger"}
ON_THE_SERVER = {**NO_KEY, "ledger": "substrate", "commit": "atomic"}

FACTS = [
    (NO_KEY, {"revocations": 1}, {"one_effect": 8}),
    ({}, {"revocations": 1}, {"one_effect": None}),
    (NO_KEY, {"expiries": 1}, {"single_owner": 5, "one_effect": 7, "sink_order": 7}),
    (TOKENS_AT_SINK, {"expiries": 1}, {"one_effect": 7, "sink_order": None}),
    (TOKENS_AT_LEDGER, {"expiries": 1}, {"one_effect": 7, "sink_order": 7}),
    ({}, {"expiries": 1}, {"one_effect": None}),
    (ON_THE_SERVER, {"revocations": 1}, {"one_effect": 8}),
    ({"reaper": "off"}, {"revocations": 1}, {"no_stuck": 2}),
    (NO_HASH, {"edits": 1}, {"same_payload": None}),
    (NO_HASH, {"edits": 1, "revocations": 1}, {"same_payload": 8}),
    (NO_HASH, {"edits": 1, "expiries": 1}, {"same_payload": 7}),
    ({}, {"edits": 1, "revocations": 1}, {"truthful_reject": 8}),
]


@pytest.mark.parametrize(("mechanisms", "bounds", "expected"), FACTS)
def test_a_fact_is_one_for_any_number(
    explored: Explore, mechanisms: dict[str, str], bounds: dict[str, int], expected: dict[str, Any]
) -> None:
    """Any number of the same interference breaks what one breaks, in as many events."""
    found = breaks(explored(mechanisms, **dict.fromkeys(bounds, "any")))
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize("budget", [b.name for b in FAMILY.declared.bounds if b.budget])
def test_a_sound_design_stands_any_number(explored: Explore, budget: str) -> None:
    """A step goes on for ever in finitely many states, whatever happens again and again."""
    found = breaks(explored({"on_drift": "pin"}, **{budget: "any"}))
    assert set(found) <= {"single_owner"}


@pytest.mark.parametrize("key", ["step", "step+payload"])
def test_what_is_enough_is_enough_for_any_number(explored: Explore, key: str) -> None:
    """Edits, revocations and lost acknowledgements as often as one likes."""
    often = dict.fromkeys(("edits", "revocations", "lost_acks"), "any")
    run = explored({**ENOUGH, "effect_key": key}, **often)
    assert breaks(run) == {}
    assert run[1].search.count < 500


def test_copies_come_of_the_newest_assignments(explored: Explore) -> None:
    """With a window of one the network forgets the first assignment as it hands out the second."""
    often = dict.fromkeys(("duplicates", "revocations"), "any")
    sizes = [explored({}, **often, window=window)[1].search.count for window in (1, 2, 3)]
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize(("mechanisms", "bounds", "expected"), FACTS)
def test_a_fact_comes_out_to_the_event(
    explored: Explore, mechanisms: dict[str, str], bounds: dict[str, int], expected: dict[str, Any]
) -> None:
    """The least interference breaks what is known to break, in that many events."""
    found = breaks(explored(mechanisms, **bounds))
    assert {name: found.get(name) for name in expected} == expected


def test_two_effects_show_in_the_known_order(explored: Explore) -> None:
    """The server goes between the effect and its commit, and the step is done once more."""
    system, graph = explored(NO_KEY, revocations=1)
    prop = FAMILY.properties["one_effect"]
    run = shortest_run(system, graph, graph.search.broken["one_effect"], prop)
    names = [system.actions[event.action].name for event in run]
    attempt = ["scheduler.assign", "worker.intend", "worker.effect"]
    assert names == [*attempt, "substrate.revoke", "scheduler.requeue", *attempt]


TRIPLES = [
    ("revocations", "expiries", "edits"),
    ("lost_acks", "duplicates", "failed_commits"),
    ("expiries", "duplicates", "exhaustions"),
]


@pytest.mark.parametrize("key", ["step", "step+payload"])
@pytest.mark.parametrize("disturbances", TRIPLES, ids=" ".join)
def test_what_is_enough_holds_all_but_the_owner(
    explored: Explore, key: str, disturbances: tuple[str, ...]
) -> None:
    """Intent, hash, key, reaper, ledger outside, pinning (each pair: specs/ledger/sound_design)."""
    found = breaks(explored({**ENOUGH, "effect_key": key}, **dict.fromkeys(disturbances, 1)))
    assert set(found) <= {"single_owner"}


@pytest.mark.parametrize(
    "missing",
    [
        NO_INTENT,
        NO_HASH,
        NO_KEY,
        {"reaper": "off"},
        {"ledger": "substrate"},
        {"on_drift": "reject"},
    ],
    ids=str,
)
def test_each_part_of_what_is_enough_is_needed(explored: Explore, missing: dict[str, str]) -> None:
    """Leaving one out breaks something besides the owner."""
    design = {**ENOUGH, "on_drift": "reject"} if "intent_hash" in missing else ENOUGH
    found = breaks(explored({**design, **missing}, edits=1, revocations=1))
    assert set(found) - {"single_owner"}


def test_no_design_that_rejects_drift_is_sound(explored: Explore) -> None:
    """With a separate commit, whatever the other switches: one edit and one revocation."""
    names = ["intent", "intent_hash", "replay", "look", "effect_key", "reaper", "ledger"]
    choices = [FAMILY.mechanisms[name].values for name in names]
    tried = 0
    for values in itertools.product(*choices):
        try:
            run = explored(dict(zip(names, values, strict=True)), edits=1, revocations=1)
        except DesignError:
            continue
        tried += 1
        assert set(breaks(run)) - {"single_owner"}, values
    assert tried == 96


# Each entry: a switch, a value, what stands beside it, the value it is compared with, bounds.
ALONE: list[tuple[str, str, dict[str, str], str, dict[str, int]]] = [
    ("intent", "on", {**NO_INTENT}, "off", {}),
    ("intent_hash", "on", {}, "off", {"edits": 1, "revocations": 1}),
    ("on_drift", "pin", {}, "reject", {"edits": 1, "revocations": 1}),
    ("replay", "on", {}, "off", {"lost_acks": 1}),
    ("look", "split", {**NO_KEY, "commit": "atomic"}, "atomic", {"expiries": 1}),
    ("effect_key", "step", {}, "none", {"revocations": 1}),
    ("effect_key", "step+payload", NO_HASH, "step", {"edits": 1, "revocations": 1}),
    ("commit", "atomic", NO_KEY, "separate", {"revocations": 1}),
    ("lease", "timestamp", {"reaper": "off"}, "none", {"expiries": 1}),
    ("lease", "token", {"reaper": "off"}, "none", {"expiries": 1}),
    ("token_check", "ledger", TOKENS_AT_SINK, "none", {"expiries": 1}),
    ("token_check", "sink", TOKENS_AT_SINK, "none", {"expiries": 1}),
    ("takeover", "announced", TOKENS_AT_SINK, "silent", {"expiries": 1}),
    ("claim", "kept", NO_KEY, "off", {"expiries": 1}),
    ("claim", "expires", NO_KEY, "kept", {"revocations": 1}),
    ("reaper", "on", {}, "off", {"revocations": 1}),
    ("ledger", "substrate", {}, "outside", {"revocations": 1}),
    ("attempts", "1", {}, "none", {"revocations": 1}),
    ("attempts", "2", {}, "1", {"revocations": 2}),
    ("attempts", "3", {}, "2", {"revocations": 3}),
    ("poison", "ack", {"attempts": "2"}, "off", {}),
    ("poison", "effect", {"attempts": "2"}, "ack", {}),
]


@pytest.mark.parametrize(("switch", "value", "beside", "other", "bounds"), ALONE)
def test_a_switch_alone_makes_a_difference(
    explored: Explore,
    switch: str,
    value: str,
    beside: dict[str, str],
    other: str,
    bounds: dict[str, int],
) -> None:
    """Two designs that differ in one value differ in what breaks, or in what can happen."""
    one = explored({**beside, switch: value}, **bounds)
    two = explored({**beside, switch: other}, **bounds)
    assert (breaks(one), size(one)) != (breaks(two), size(two))


def test_every_switch_value_is_shown_alone() -> None:
    """The list above leaves out no value: of each switch all but one, and that one beside it."""
    shown = {(switch, v) for switch, value, _, other, _ in ALONE for v in (value, other)}
    every = {(m.name, v) for m in FAMILY.declared.mechanisms for v in m.values}
    assert every == shown


RULES = [
    ({"intent": "off"}, {}, "intent_hash = on needs intent = on"),
    ({**NO_HASH, "on_drift": "pin"}, {}, "on_drift = pin needs intent_hash = on"),
    ({"look": "split", "replay": "off"}, {}, "look = split needs intent = on and replay = on"),
    ({**NO_INTENT, "look": "split"}, {}, "look = split needs intent = on and replay = on"),
    ({"token_check": "sink"}, {}, "token_check = sink needs lease = token"),
    ({"token_check": "ledger"}, {}, "token_check = ledger needs lease = token"),
    (TOKENS_AT_LEDGER | {"takeover": "announced"}, {}, "takeover = announced needs token_check = "),
    ({**NO_INTENT, "claim": "kept"}, {}, "claim needs intent = on"),
    ({"claim": "kept"}, {"duplicates": 1}, "claim = kept with duplicates > 0 needs a cap"),
    ({"poison": "ack"}, {"duplicates": 1}, "poison = ack with duplicates > 0 needs a cap"),
]


@pytest.mark.parametrize(("mechanisms", "bounds", "message"), RULES)
def test_a_senseless_design_is_refused_by_name(
    mechanisms: dict[str, str], bounds: dict[str, int], message: str
) -> None:
    """One rule speaks, and says which switch needs which."""
    with pytest.raises(DesignError, match=f"^{message}"):
        FAMILY.design(mechanisms, bounds)


def test_poison_with_duplicates_and_a_cap_is_accepted(explored: Explore) -> None:
    """The cap bounds what the network could deliver again."""
    run = explored({"poison": "ack", "attempts": "2", "on_drift": "pin"}, duplicates=1)
    assert breaks(run) == {}


@pytest.mark.parametrize("poison", ["ack", "effect"])
def test_a_step_requeued_for_ever_has_finitely_many_states(explored: Explore, poison: str) -> None:
    """Tokens are only compared, so the attempts after the first few look alike."""
    _, graph = explored({"poison": poison}, expiries=1, revocations=1)
    assert graph.search.count < 500


def test_a_forgotten_key_is_what_exactly_once_rests_on(explored: Explore) -> None:
    """With the window passed, the attempt after a revocation shows a second effect."""
    found = breaks(explored(ENOUGH, forgotten_keys=1, revocations=1))
    assert found == {"one_effect": 9}


def test_every_event_happens_and_every_property_is_put_to_the_test(explored: Explore) -> None:
    """Over a handful of designs nothing the family declares is dead."""
    happened: set[str] = set()
    triggered: set[str] = set()
    runs = [
        explored({}, edits=1, revocations=1, exhaustions=1),
        explored({"lease": "token", "token_check": "ledger"}, expiries=1, lost_acks=1),
        explored(TOKENS_AT_SINK, expiries=1, duplicates=1),
        explored({"attempts": "1"}, failed_commits=1, forgotten_keys=1),
        explored({"poison": "ack"}),
        explored({"claim": "expires"}, claim_expiries=1, revocations=1),
    ]
    for system, graph in runs:
        happened |= {system.actions[action].name for edges in graph.edges for action, _, _ in edges}
        triggered |= graph.search.triggered
    assert happened == {action.name for action in FAMILY.declared.actions}
    seen_in_a_search = [p for p in FAMILY.declared.properties if p.of_states or p.of_events]
    assert triggered >= {p.name for p in seen_in_a_search}


def test_every_violation_is_told_in_words(explored: Explore) -> None:
    """Each safety property names a step and sets two values that differ side by side."""
    designs: list[tuple[dict[str, str], dict[str, int]]] = [
        (ON_THE_SERVER, {"revocations": 1}),
        (NO_KEY, {"expiries": 1}),
        (NO_HASH, {"expiries": 1, "edits": 1}),
        ({}, {"revocations": 1, "edits": 1}),
        ({"reaper": "off"}, {"revocations": 1}),
    ]
    told = set()
    for mechanisms, bounds in designs:
        system, graph = explored(mechanisms, **bounds)
        for name, broken in graph.search.broken.items():
            prop = FAMILY.properties[name]
            violation = tell(
                system, shortest_run(system, graph, broken, prop), prop, Origin()
            ).violation
            assert violation is not None
            (_, one), (_, other) = violation.compare
            assert "s1" in violation.says
            assert one != other
            told.add(name)
    never_broken = {"truthful_ack"}
    safety = {p.name for p in FAMILY.declared.properties if not p.temporal}
    assert told == safety - never_broken


# -- what needs the whole graph -----------------------------------------------------------------
LASTING = ("can_finish", "finishes", "bounded_retries")
ENDS: list[tuple[dict[str, str], dict[str, int], tuple[int | None, int | None, int | None]]] = [
    ({}, {"revocations": 1, "exhaustions": 1}, (None, None, None)),
    ({"reaper": "off"}, {"revocations": 1}, (2, 2, None)),
    ({"poison": "ack"}, {}, (0, 8, 8)),
    ({"poison": "effect"}, {}, (0, 6, 6)),
    ({"poison": "ack", "attempts": "2"}, {}, (None, None, None)),
]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(("mechanisms", "bounds", "expected"), ENDS)
def test_whether_every_step_gets_closed(
    mechanisms: dict[str, str],
    bounds: dict[str, int],
    expected: tuple[int | None, ...],
    engine: EngineName,
) -> None:
    """An uncapped step that crashes its worker is requeued for ever; both engines say so alike."""
    design = FAMILY.design(mechanisms, bounds)
    found = check_design(FAMILY, design, Question(LASTING), Options(engine=engine))
    assert found.exploration.engine == engine
    assert tuple(found[name].events for name in LASTING) == expected


def test_what_lasts_is_told_as_a_loop_on_the_lane_of_the_worker() -> None:
    """The trace says where it goes round, names the step, and each worker acts on its own lane."""
    design = FAMILY.design({"poison": "ack"}, {})
    found = check_design(FAMILY, design, Question(LASTING), Options(engine="reference"))
    trace = found["bounded_retries"].trace
    assert trace is not None
    assert trace.loop_start == 4
    assert trace.violation is not None
    assert "s1 is still open, and nothing closes it" in trace.violation.says
    assert [e.name for e in trace.events[4:]] == [
        "worker.crash",
        "scheduler.requeue",
        "scheduler.assign",
        "worker.replay",
    ]
    assert {e.actor for e in trace.events} == {"scheduler", "worker 1"}
    assert {"worker 1", "worker 2"} <= {lane.name for lane in trace.lanes}
    assert trace.initial["worker 2.holds"] == "idle"
    assert headline(trace).endswith("bounded_retries fails: 8 events, then a loop for ever")
    assert broken_event(trace) is None


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, "any"])
def test_every_interference_at_once_is_explored_completely(number: int | str) -> None:
    """One step, two workers, each budget 1 or any: what is enough holds, but for forgotten keys."""
    budgets = [b.name for b in FAMILY.declared.bounds if b.budget]
    assert len(budgets) == 9
    names = tuple(FAMILY.properties)
    for mechanisms in (ENOUGH, {"on_drift": "pin"}):
        for forgotten in (0, 1):
            bounds = {**dict.fromkeys(budgets, number), "forgotten_keys": forgotten, "window": 2}
            design = FAMILY.design(mechanisms, bounds)
            found = check_design(FAMILY, design, Question(names), Options(engine="compiled"))
            assert found.exploration.complete
            broken = {f.name for f in found.findings if f.verdict == "violated"}
            assert broken >= {"single_owner"}
            assert broken <= {"single_owner", *(("one_effect", "sink_order") * forgotten)}
