"""Scripted orders are followed on the model, and their answers read off its run."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.checking.results import Cell
from fencecheck.errors import SpecError, StateError
from fencecheck.runs.replay import replay
from fencecheck.spec.files import Spec, builtin_spec, load_specs

EDIT = """
[[scenario]]
name = "edit"
bounds = { edits = 1 }
order = ["client.dispatch(1)", "human.edit(file=1)"]
ask = "executor(1)"
"""


def read(path: Path, text: str) -> Spec:
    path.write_text(text, encoding="utf-8")
    (spec,) = load_specs([path])
    return spec


def cells(spec: Spec) -> list[Cell]:
    return [run_scenario(spec, v, s) for v in spec.variants for s in spec.scenarios]


# -- a cell is evidence -------------------------------------------------------------------------
def test_a_cell_carries_a_trace_that_replays(tmp_path: Path) -> None:
    """The trace ends in the event that answers, follows the order, and replays on the model."""
    spec = read(tmp_path / "x.toml", f'model = "fence"\ntitle = "Mine"\n{EDIT}')
    (cell,) = cells(spec)
    assert [e.name for e in cell.trace.events] == [
        "client.dispatch",
        "human.edit",
        "executor.reject",
    ]
    assert (cell.outcome, cell.claim, cell.agrees) == ("rejected: stale_rev", None, None)
    assert cell.trace.bounds["edits"] == 1
    assert cell.trace.verdict == "witness"
    assert cell.trace.title == "Mine: edit"
    assert replay(spec.family, cell.trace).misfit is None


def test_a_claim_is_compared(tmp_path: Path) -> None:
    """Claims stand beside outcomes, also in a spec without variants."""
    text = f'model = "fence"\nclaims = {{ edit = "applied" }}\n{EDIT}'
    (cell,) = cells(read(tmp_path / "x.toml", text))
    assert (cell.claim, cell.agrees) == ("applied", False)


def test_a_compensated_step_is_not_applied_twice() -> None:
    """What was undone is not in any more: applying it again is the first time."""
    (spec,) = load_specs([builtin_spec("published/verdicts")])
    cell = run_scenario(spec, spec.variants[0], spec.scenario("applied, and the tests fail"))
    written = [e for e in cell.trace.events if e.name == "executor.apply"]
    assert (len(written), cell.outcome) == (2, "applied")


# -- orders that cannot be followed -------------------------------------------------------------
def stops(folder: Path, order: str, ask: str = "executor(1)") -> str:
    """Return what is said of an order that the model cannot follow, without the file's name."""
    text = 'model = "fence"\nbounds = { duplicates = 1, edits = 1 }\n[[variant]]\nname = "v"\n'
    text += f'[[scenario]]\nname = "o"\norder = {order}\nask = "{ask}"\n'
    with pytest.raises(SpecError) as caught:
        cells(read(folder / "x.toml", text))
    (line,) = caught.value.problems
    return line.removeprefix(f"{(folder / 'x.toml').as_posix()}: ")


def test_an_impossible_event_names_its_place_and_what_was_possible(tmp_path: Path) -> None:
    """The place in the order, the event, and every event that could have come instead."""
    assert stops(tmp_path, '["client.dispatch(1)", "client.dispatch(2)"]') == (
        'scenario "o": variant "v": order, event 2: client.dispatch(2) is not possible here; '
        "possible: human.edit(1), executor.apply(1), network.duplicate(1)"
    )


def test_an_actor_without_an_answer_is_said(tmp_path: Path) -> None:
    """Asking an actor that can do nothing is an error of the order, never an empty cell."""
    assert stops(tmp_path, "[]") == (
        'scenario "o": variant "v": ask: executor(1) is not possible here; '
        "possible: human.edit(1), client.dispatch(1)"
    )


def test_an_actor_whose_events_have_no_outcome_is_said(tmp_path: Path) -> None:
    """An actor is followed up to an outcome; an event that has none must be named itself."""
    assert stops(tmp_path, '["client.dispatch(1)", "network(1)"]') == (
        'scenario "o": variant "v": order, event 2: network(1) comes to no outcome; '
        "possible: human.edit(1), executor.apply(1)"
    )


TWO_WAYS = '''
from fencecheck.model import Int, Model

model = Model("ways", "Two ways on")
model.variable("at", Int(0, 1))
walker = model.actor("walker")


@walker.action()
def left(s):
    s.at = 0


@walker.action()
def right(s):
    s.at += 1
    return "right"


@model.invariant()
def there(s):
    """It is somewhere."""
    return s.at >= 0
'''


def ways(folder: Path, order: str, ask: str) -> list[Cell]:
    (folder / "ways.py").write_text(TWO_WAYS, encoding="utf-8")
    text = f'model = "ways.py"\n[[scenario]]\nname = "o"\norder = {order}\nask = "{ask}"\n'
    return cells(read(folder / "x.toml", text))


def test_two_possible_events_of_an_actor_are_both_named(tmp_path: Path) -> None:
    """Where more than one event of the actor can come, none is chosen silently."""
    with pytest.raises(SpecError, match=r"could be any of walker\.left, walker\.right; name the"):
        ways(tmp_path, "[]", "walker")


def test_a_model_that_goes_wrong_in_an_order_says_where(tmp_path: Path) -> None:
    """A value outside its domain is the model's error, with the trace that leads there."""
    with pytest.raises(StateError, match=r"walker\.right: at is 2") as caught:
        ways(tmp_path, '["walker.right", "walker.right"]', "walker")
    assert [e.name for e in caught.value.trace.events] == ["walker.right"]
    assert "  1. walker: right" in str(caught.value)
