"""What scripted orders say beside plain events: events where possible, values beside answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.checking.results import Cell
from fencecheck.errors import SpecError
from fencecheck.model.files.loading import load_family
from fencecheck.runs import notation as orders
from fencecheck.spec.files import load_specs

ATTEMPT = '"scheduler.assign(1, 1)", "worker.intend(1, 1)", "worker.effect(1, 1)"'
AGAIN = '"substrate.revoke(1)", "scheduler.requeue(1)", "scheduler.assign(1, 2)"'


def cell(folder: Path, order: str, head: str = "", tail: str = "") -> Cell:
    text = f'model = "ledger"\nbounds = {{ revocations = 1 }}\n{head}\n'
    text += f'[[scenario]]\nname = "o"\norder = [{order}]\nask = "worker(1, 2)"\n{tail}'
    (folder / "x.toml").write_text(text, encoding="utf-8")
    (spec,) = load_specs([folder / "x.toml"])
    return run_scenario(spec, spec.variants[0], spec.scenarios[0])


def test_a_second_effect_is_said(tmp_path: Path) -> None:
    """An effect that breaks what the model says of one effect was applied twice."""
    head = 'mechanisms = { effect_key = "none" }'
    assert cell(tmp_path, f"{ATTEMPT}, {AGAIN}", head).outcome == "applied twice"
    assert cell(tmp_path, f"{ATTEMPT}, {AGAIN}").outcome == "deduped"


@pytest.mark.parametrize(("commit", "outcome"), [("atomic", 5), ("separate", 6)])
def test_an_event_with_a_question_mark_fits_both_designs(
    tmp_path: Path, commit: str, outcome: int
) -> None:
    """The commit happens where it is an event of its own; the answer is the same."""
    head = f'mechanisms = {{ commit = "{commit}" }}'
    found = cell(tmp_path, f'{ATTEMPT}, "worker.commit(1, 1)?", {AGAIN}', head)
    events = [event.name for event in found.trace.events]
    assert found.outcome == "replayed"
    assert events.count("worker.commit") == (commit == "separate")
    assert len(events) == outcome + 2


def test_what_is_asked_must_answer() -> None:
    """An actor that may stay silent is no question."""
    with pytest.raises(orders.OrderError, match="what is asked must answer"):
        orders.check_call(load_family("ledger"), "worker(1, 2)?", ask=True)


def test_values_are_shown_once_the_actor_has_gone_on(tmp_path: Path) -> None:
    """The row is committed only after the answer, and that is what stands beside it."""
    tail = 'show = { "sink.effects[1]" = "effects", "ledger.rows[1]" = "row" }\n'
    found = cell(tmp_path, f"{ATTEMPT}, {AGAIN}", tail=tail)
    assert found.outcome == "deduped; effects 1; row committed original"
    assert found.trace.events[-1].name == "worker.ack"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sink.effect", r'show: "sink.effect" is not one of .*\(did you mean "sink.effects"\?\)'),
        ("ledger.promised[1]", r'show: "ledger.promised\[1\]" is not one of'),
        ("sink.effects[2]", r"show: sink.effects\[2\] is no variable of this run"),
    ],
)
def test_a_variable_that_is_not_there_is_an_error(tmp_path: Path, name: str, message: str) -> None:
    """A mistyped variable, a ghost, an index that this run does not have."""
    with pytest.raises(SpecError, match=message):
        cell(tmp_path, ATTEMPT + f", {AGAIN}", tail=f'show = {{ "{name}" = "it" }}\n')


ALIKE = '''
from fencecheck.model import Int, Model

model = Model("alike", "Two values that look alike")
model.variable("at", Int(0, 2))
w = model.actor("w")


@w.action(hid=Int(1, 2, show=lambda value, counts: "some"))
def send(s, hid):
    """Send."""
    s.at = hid
    return "sent"


@model.invariant()
def there(s):
    """It is somewhere."""
    return s.at >= 0
'''


def alike(folder: Path, order: str) -> Cell:
    (folder / "alike.py").write_text(ALIKE, encoding="utf-8")
    text = f'model = "alike.py"\n[[scenario]]\nname = "o"\norder = ["{order}"]\n'
    (folder / "x.toml").write_text(text + 'ask = "w"\n', encoding="utf-8")
    (spec,) = load_specs([folder / "x.toml"])
    return run_scenario(spec, spec.variants[0], spec.scenarios[0])


@pytest.mark.parametrize("order", ["w.send(some, hid=2)", "w.send(hid=2)"])
def test_what_an_ambiguity_proposes_is_accepted(tmp_path: Path, order: str) -> None:
    """The value behind what people see tells events apart that look alike."""
    with pytest.raises(SpecError, match=r"w\.send\(some, hid=1\), w\.send\(some, hid=2\)"):
        alike(tmp_path, "w.send(some)")
    with pytest.raises(SpecError, match="ask: w could be any of"):
        alike(tmp_path, order)
