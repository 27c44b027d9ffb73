"""The published drill, the controls, the recoveries and the failure domains: all from traces."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.analysis.drill.drill import run_control, run_failure
from fencecheck.analysis.drill.drills import Drills, run_domains, run_drills
from fencecheck.checking.question import Options
from fencecheck.explore.graph import Limits
from fencecheck.model.drills import InjectedFailure
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family
from fencecheck.models.ledger.drill import BASE, CONTROLS, DESIGNS, FAILURES, OWNERS
from fencecheck.models.ledger.family import model
from fencecheck.report.results.drill import (
    render_drill_html,
    render_drill_json,
    render_drill_markdown,
    render_drill_text,
)
from fencecheck.runs.replay import replay
from fencecheck.spec.files import builtin_spec, load_specs
from tests.models_for_tests import HEADER, load

LEDGER = load_family("ledger")
ONE = "effects 1; row committed original"
TWO = "effects 2 or more; row committed original"
PUBLISHED = [f"replayed; {ONE}", f"applied; {ONE}", f"replayed; {ONE}", f"replayed; {ONE}"]
DRILL = {
    "commit atomic (as published)": [*PUBLISHED, f"replayed; {ONE}", f"replayed; {ONE}"],
    "commit separate, no effect key": [
        *PUBLISHED,
        f"applied twice; {TWO}",
        f"applied twice; {TWO}",
    ],
    "commit separate, effect key": [*PUBLISHED, f"deduped; {ONE}", f"deduped; {ONE}"],
}


def never(s: Any, step: Any, worker: Any) -> bool:
    return False


@pytest.fixture(scope="module")
def without_replay() -> Family:
    """A copy of family ledger in which no worker ever replays."""
    family = Family(model)
    family.declared.actions = [
        replace(action, guard=never) if action.name == "worker.replay" else action
        for action in family.declared.actions
    ]
    return family


def table(family: Family) -> dict[str, list[str]]:
    (spec,) = load_specs([builtin_spec("ledger/published_drill")])
    spec = replace(spec, family=family)
    return {
        variant.name: [run_scenario(spec, variant, s).outcome for s in spec.scenarios]
        for variant in spec.variants
    }


# -- the published drill ------------------------------------------------------------------------
def test_the_published_drill_comes_out_as_published() -> None:
    """Replayed, applied, replayed, replayed, with one effect; and what a separate commit gives."""
    assert table(LEDGER) == DRILL


def test_without_replay_in_the_model_the_drill_cannot_print_its_table(
    without_replay: Family,
) -> None:
    """Every cell comes from the model: with a guard changed the answers change."""
    from fencecheck.errors import SpecError

    with pytest.raises(SpecError, match=r"ask: worker\(1, 2\) is not possible here"):
        table(without_replay)


# -- controls -----------------------------------------------------------------------------------
EXPECTED = {
    "intent hash": ("same_payload", 8, "reject", 7, "worker.reject_drift"),
    "effect key": ("one_effect", 8, "replay", 8, "worker.deduped"),
    "lease fencing": ("sink_order", 7, "reject", 7, "worker.fenced"),
    "reaper": ("no_stuck", 2, "requeue", 3, "scheduler.requeue"),
    "replay": ("one_effect", 9, "replay", 8, "worker.replay"),
    "ledger placement": ("one_effect", 8, "replay", 7, "worker.replay"),
}


def test_every_control_has_its_symptom_and_its_answer() -> None:
    """One row a control: the order that shows its absence, and the one that it answers."""
    found = {}
    for control in CONTROLS:
        row = run_control(LEDGER, BASE, control)
        assert row.absence is not None
        assert row.answered is not None
        for trace in (row.absence, row.answered):
            assert replay(LEDGER, trace).misfit is None
        last = row.answered.events[-1].name
        sizes = (len(row.absence.events), len(row.answered.events))
        found[control.name] = (control.symptom, sizes[0], control.verdict, sizes[1], last)
        assert row.kept.verdict == "holds"
        assert set(row.tried.bounds.values()) == {"any"}
    assert found == EXPECTED


def with_numbers(bounds: Any) -> dict[str, int]:
    return dict.fromkeys(bounds, 1)


def test_any_number_of_a_failure_shows_each_control_in_as_many_events_as_one() -> None:
    """Nothing is lost by dropping the budgets, and the verdict says more."""
    for control in CONTROLS:
        one = run_control(LEDGER, BASE, replace(control, bounds=with_numbers(control.bounds)))
        assert one.absence is not None
        assert one.answered is not None
        sizes = (len(one.absence.events), len(one.answered.events))
        assert sizes == (EXPECTED[control.name][1], EXPECTED[control.name][3])
        assert (one.kept.verdict, set(one.tried.bounds.values())) == ("holds", {1})


# A counter of three losses: one loss is made good, and a third one is not.
WEARING = """
model = Model("wearing", "A line that wears out")
model.bound("parcels", 2, "parcels in transit")
model.budget("losses", "losses")
model.mechanism("repair", ("off", "on"), "off", "whether the line is repaired")
model.variable("up", Bool())
model.variable("worn", Count(3))
model.variable("transit", Bag(Bool(), "parcels"))
system = model.actor("system")
world = model.actor("world", "interference")


@system.action(when=lambda s: not s.up and s.repair == "on" and s.worn < 3)
def mend(s):
    s.up = True


@world.interference("losses", when=lambda s: s.up)
def lose(s):
    s.up = False
    s.worn += 1


@world.interference("losses")
def litter(s):
    s.transit.add(True)


@model.invariant()
def lasts(s):
    "The line stands two losses."
    return s.worn < 3


model.goal = lambda s: s.up
loss = InjectedFailure("loss", "world.lose", {"losses": LOSSES}, expect="recovers")
repair = Control(
    "repair", {}, "lasts", "system.mend", "mend", {"losses": LOSSES}, {"repair": "on"}, "holds"
)
model.drill = DrillPlan({}, (repair,), {"repaired": {"repair": "on"}}, (loss,), {}, "tour", {})
"""


def wearing(tmp_path: Any, losses: str) -> Drills:
    """Return the controls and recoveries of a line that makes good two losses, and no third."""
    family = Family(load(tmp_path, HEADER + WEARING.replace("LOSSES", losses)).model)
    plan = family.model.drill
    assert plan is not None
    controls = tuple(run_control(family, plan.base, control) for control in plan.controls)
    recoveries = tuple(
        run_failure(family, design, failure, plan.owners)
        for design in plan.designs.items()
        for failure in plan.failures
    )
    return Drills(family.reference, "", controls, recoveries, ())


def test_what_two_failures_leave_sound_any_number_may_break(tmp_path: Any) -> None:
    """Then it is said with its order, in every format, and that the plan expected otherwise."""
    two, unlimited = (wearing(tmp_path, losses) for losses in ("2", '"any"'))
    assert (two.unexpected, unlimited.unexpected) == (False, True)
    assert [row.verdict for row in (*two.recoveries, *unlimited.recoveries)] == ["recovers", "none"]
    assert two.controls[0].kept.verdict == "holds"
    assert unlimited.controls[0].kept.events == 6
    text = render_drill_text(unlimited, width=200)
    for words in (
        "any number of losses (at most 2 parcels)",
        "lasts breaks in 6 events: ",
        "NOT AS EXPECTED: holds",
        "NOT AS EXPECTED: recovers",
        "not as expected: something came out otherwise than the plan says",
    ):
        assert words in " ".join(text.split())
        assert words in render_drill_markdown(unlimited).replace("**", "")
        assert words in render_drill_html(unlimited)
    assert "losses 2" in render_drill_text(two, width=200)
    told = json.loads(render_drill_json(unlimited))
    assert not told["as_expected"]
    (row,) = told["controls"]
    assert (row["bounds"], row["at_most"]) == ({"losses": "any"}, {"parcels": 2})
    assert (row["with"], row["expected"], len(row["broken"]["events"])) == ("violated", "holds", 6)


def test_without_replay_a_control_answers_nothing(without_replay: Family) -> None:
    """The row of replay is empty where the model has no such event any more."""
    control = next(c for c in CONTROLS if c.name == "replay")
    row = run_control(without_replay, BASE, control)
    assert (row.answered, row.searched) == (None, True)


# -- recoveries ---------------------------------------------------------------------------------
KEY, REPLAY = "sink: effect key", "ledger: replay"
AGAIN = "scheduler: re-queue with the same step_id"
RECOVERIES: dict[str, tuple[int | None, str]] = {
    "server gone before the intent": (6, AGAIN),
    "server gone before the effect": (6, AGAIN),
    "server gone between effect and commit": (6, KEY),
    "server gone after the commit": (4, REPLAY),
    "ledger lost with the server": (None, ""),
    "payload edited between attempts": (6, "ledger: the payload recorded first"),
    "lease expired": (4, "worker: it goes on as before"),
    "quota exhausted": (6, "quota: wait for the refill"),
    "the sink's key window passed": (None, ""),
    "commit failed": (6, KEY),
    "acknowledgement lost": (4, REPLAY),
}


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.name)
def test_a_failure_has_its_recovery_and_its_owner(failure: InjectedFailure) -> None:
    """The worst of the shortest recoveries, replayed, or that there is none."""
    row = run_failure(LEDGER, ("pin on drift", BASE), failure, OWNERS)
    assert (row.events, row.owner) == RECOVERIES[failure.name]
    assert row.verdict == ("recovers" if row.events else "none")
    assert row.trace is not None
    assert replay(LEDGER, row.trace).misfit is None
    told = row.trace.events
    assert told[row.injected - 1].name == failure.event
    assert len(told) == row.injected + (row.events or 0)
    assert not any(event.interference for event in told[row.injected :])


def test_rejecting_drift_does_not_recover_from_an_edit() -> None:
    """The effect of the first attempt shows, and the second one is closed as rejected."""
    failure = next(f for f in FAILURES if f.name == "payload edited between attempts")
    design = ("reject on drift", DESIGNS["reject on drift"])
    assert run_failure(LEDGER, design, failure, OWNERS).verdict == "none"


def test_a_failure_that_cannot_happen_is_said() -> None:
    """Without a lease and without a reaper nothing takes a lease as expired."""
    failure = InjectedFailure("expired", "clock.expire_lease", {}, {"reaper": "off"})
    design = ("no lease", {**BASE, "lease": "none"})
    assert run_failure(LEDGER, design, failure, OWNERS).verdict == "cannot happen"


def test_a_cut_search_gives_no_row() -> None:
    """What a cut search has not seen stays undetermined, in every table that says so."""
    failure = FAILURES[0]
    cut = run_failure(LEDGER, ("pin", BASE), failure, OWNERS, Options(Limits(states=4)))
    assert (cut.verdict, cut.trace) == ("undetermined", None)
    drills = run_drills(LEDGER, Options(Limits(states=4)))
    assert drills.undetermined
    for text in (render_drill_text(drills), render_drill_markdown(drills)):
        assert "undetermined: a search was cut" in text
        assert "holds" not in text
        assert "no recovery" not in text


# -- failure domains ----------------------------------------------------------------------------
def test_each_domain_is_answered_as_called_for_by_some_design() -> None:
    """Detected by, owner, and the answers that the review calls for, each by a named design."""
    rows = run_domains(LEDGER)
    wanted = {
        "step identity": "rejected: intent_hash; effects 0",
        "effect, killed after the commit": "replayed; effects 1",
        "effect, killed before the commit": "deduped; effects 1",
        "clock": "fenced; effects 1",
        "substrate": "applied; effects 1",
    }
    assert {row.name for row in rows} == set(wanted)
    for row in rows:
        assert row.detected
        assert row.owner
        assert wanted[row.name] in {cell.outcome for cell in row.cells}
        for cell in row.cells:
            assert replay(LEDGER, cell.trace).misfit is None


def test_no_design_answers_the_clock_by_a_token_and_keeps_one_effect() -> None:
    """Where the sink has the key it is asked first; where it has none, the token is too late."""
    rows = {row.name: {c.variant: c.outcome for c in row.cells} for row in run_domains(LEDGER)}
    fenced = {name for name, outcome in rows["clock"].items() if outcome.startswith("fenced")}
    killed = rows["effect, killed before the commit"]
    assert fenced
    assert all(killed[name].startswith("applied twice") for name in fenced)
