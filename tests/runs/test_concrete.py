"""A run is told as it is when nothing is forgotten, and what is forgotten changes nothing of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fencecheck.errors import DesignError, ModelError
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.random_run import random_walk
from fencecheck.runs.told.concrete import concrete_run
from tests.models_for_tests import load, system_of
from tests.runs.checked import check


def random_design(family: Family, numbers: random.Random) -> Design:
    """Return a design that the model does not refuse, with small budgets."""
    while True:
        mechanisms = {m.name: numbers.choice(m.values) for m in family.declared.mechanisms}
        bounds = {b.name: numbers.randint(max(b.least, 0), 2) for b in family.declared.bounds}
        try:
            return family.design(mechanisms, bounds)
        except DesignError:
            continue


@pytest.mark.parametrize("name", ["fence", "ledger", "agent"])
@pytest.mark.parametrize("seed", range(4))
def test_what_the_families_forget_changes_nothing_that_happens(name: str, seed: int) -> None:
    """Random runs of random designs are the same runs with every number kept."""
    family = load_family(name)
    system = System(family, random_design(family, random.Random(f"{name} {seed}")))
    for number in range(6):
        events = random_walk(system, [], number, 25).events
        assert all(system.forgotten(event.after) == event.after for event in events)
        concrete = concrete_run(system, events)
        assert [system.forgotten(event.after) for event in concrete] == [e.after for e in events]


def test_tokens_have_the_numbers_of_the_run() -> None:
    """The second assignment has token 2 also where the first one is of no account any more."""
    result = check(
        "ledger",
        {"lease": "token", "reaper": "on", "commit": "separate", "effect_key": "none"},
        {"revocations": 1, "steps": 1},
    )
    trace = result["one_effect"].trace
    assert trace is not None
    holds = [
        change.after
        for event in trace.events
        for name, change in event.changes.items()
        if name.endswith(".holds") and change.after.startswith("assigned")
    ]
    assert holds == ["assigned s1 token 1", "assigned s1 token 2"]
    seen = [event.changes.get("sink.seen[1]") for event in trace.events]
    assert [(change.before, change.after) for change in seen if change] == [("none", 1), (1, 2)]


@pytest.mark.parametrize("lease", ["none", "timestamp"])
def test_leases_without_tokens_show_none(lease: str) -> None:
    """Where the design has no tokens, no event, value or message names one."""
    result = check("ledger", {"lease": lease, "effect_key": "none"}, {"expiries": 1})
    traces = [finding.trace for finding in result.findings if finding.trace]
    assert traces
    for trace in traces:
        for event in trace.events:
            told = str([event.label, event.remark, event.changes])
            assert "token" not in told
            assert ".newest" not in told
            assert ".seen" not in told
        assert "token" not in str(trace.violation)
        assert "newest[" not in str(trace.violation)


def test_stamps_that_nobody_can_use_are_not_told_as_set_back() -> None:
    """The model forgets the stamp of a step that is done; people read of no change."""
    result = check("fence", {"fence": "none", "journal": "none"}, {"edits": 1, "steps": 2})
    for finding in result.findings:
        for event in finding.trace.events if finding.trace else ():
            if event.name in ("client.receive", "executor.reply"):
                names = [name.split("[")[0] for name in event.changes]
                assert not {"planner.stamp_of", "executor.work", "executor.answer"} & set(names)


ASKED = '''
from fencecheck.model import Int, Model

model = Model("asked", "Forgets what it asks for")
worker = model.actor("worker")
model.variable("last", Int(0, 3), owner=worker)
model.variable("turn", Int(0, 3), owner=worker)


@model.forgets()
def forget_last(s):
    s.last = 0


@worker.action(when=lambda s: s.turn < 3)
def work(s):
    s.turn += 1
    s.last = s.last + 1
    forget_last(s)
    return "again" if s.last > 1 else "once"


@model.invariant()
def short(s):
    """It never works three times."""
    return s.turn < 3
'''


def test_a_model_that_asks_for_what_it_forgets_is_refused(tmp_path: Path) -> None:
    """A run that would go on otherwise with the number kept is an error that names the function."""
    (tmp_path / "asked.py").write_text(ASKED.replace("s.last + 1", "(s.last + 1) % 4"))
    with pytest.raises(ModelError, match=r"declared as forgotten .* look at forget_last"):
        check(str(tmp_path / "asked.py"))


def test_what_forgets_gives_nothing_back(tmp_path: Path) -> None:
    """Told without it, an effect could not go on with what it returns."""
    text = ASKED.replace("    forget_last(s)\n", "    s.last = forget_last(s)\n")
    text = text.replace("    s.last = 0\n", "    return 0\n")
    with pytest.raises(ModelError, match="no value where 0 to 3 is needed"):
        system_of(load(tmp_path, text).model)


def test_what_is_forgotten_ranges_over_no_container(tmp_path: Path) -> None:
    """A parameter of a forgetting function is a number or a name."""
    text = ASKED.replace("@model.forgets()", '@model.forgets(x=Each("turn"))')
    text = text.replace("import Int", "import Each, Int").replace(
        "forget_last(s)", "forget_last(s, x)"
    )
    with pytest.raises(ModelError, match="forget_last: parameter x"):
        Family(load(tmp_path, text).model)
