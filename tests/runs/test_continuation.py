"""A run into a trap shows one way on in it: told, drawn dashed, saved and replayed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Question
from fencecheck.model.family import Family
from fencecheck.report.picture.dot import trace_to_dot
from fencecheck.report.picture.mermaid import trace_to_mermaid
from fencecheck.report.words.orders import order_lines
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Trace
from fencecheck.runs.trace_json import read_trace, trace_object
from tests.models_for_tests import HEADER, load

TRAP = (
    HEADER
    + '''
model = Model("trap", "A turn after which the door is never reached")
model.variable("at", Enum("hall", "door", "yard", "road", "pit"), "hall")
w = model.actor("w")


@w.action(when=lambda s: s.at == "hall")
def enter(s):
    """The right turn."""
    s.at = "door"


@w.action(when=lambda s: s.at == "hall")
def leave(s):
    """The wrong turn."""
    s.at = "yard"


@w.action(when=lambda s: s.at == "yard")
def wander(s):
    """On and on."""
    s.at = "road"


@w.action(when=lambda s: s.at == "road")
def {turn}(s):
    """Back, or down."""
    s.at = "{there}"


@model.possibility(relevant=["at"])
def reaches_the_door(s):
    """The door can always be reached."""
    return s.at == "door"
'''
)


def found(folder: Path, turn: str, there: str) -> tuple[Family, Trace]:
    """Return the model whose last turn leads ``there``, and what breaks in it."""
    text = TRAP.replace("{turn}", turn).replace("{there}", there)
    family = Family(load(folder, text).model)
    result = check_design(family, family.design(), Question(tuple(family.properties)))
    (finding,) = result.findings
    assert (finding.verdict, finding.events) == ("violated", 1)
    assert finding.trace is not None
    return family, finding.trace


def test_the_way_on_ends_where_the_system_can_do_nothing_more(tmp_path: Path) -> None:
    """The shortest way to such a state is told after the run."""
    _, trace = found(tmp_path, "fall", "pit")
    assert [event.name for event in trace.events] == ["w.leave"]
    assert [event.name for event in trace.onward] == ["w.wander", "w.fall"]
    assert trace.onward_loop is None
    lines = order_lines(trace)
    assert "    one way on, which never comes there:" in lines
    assert lines[-1] == "    there the system can do nothing more"
    assert any("3. w: fall" in line for line in lines)


def test_the_way_on_goes_round_where_there_is_no_end(tmp_path: Path) -> None:
    """Without such a state it is a loop."""
    _, trace = found(tmp_path, "turn", "yard")
    assert [event.name for event in trace.onward] == ["w.wander", "w.turn"]
    assert trace.onward_loop == 0
    assert order_lines(trace)[-1] == "    then again from event 2, for ever"


@pytest.mark.parametrize("there", ["pit", "yard"])
def test_the_way_on_is_drawn_dashed(tmp_path: Path, there: str) -> None:
    """Its events are dashed boxes in DOT, and stand under a note in Mermaid."""
    _, trace = found(tmp_path, "go", there)
    dot = trace_to_dot(trace)
    assert sum("dashed" in line and "event_" in line for line in dot.splitlines()) == 2
    assert "one way on" in dot
    assert "one way on" in trace_to_mermaid(trace)
    assert ("loop for ever" in trace_to_mermaid(trace)) == (there == "yard")


@pytest.mark.parametrize("there", ["pit", "yard"])
def test_the_way_on_is_saved_and_replayed(tmp_path: Path, there: str) -> None:
    """A trace from a file has it, and one whose way on is not possible does not replay."""
    family, trace = found(tmp_path, "go", there)
    again = read_trace(trace_object(trace), "x.json")
    assert (again.onward, again.onward_loop) == (trace.onward, trace.onward_loop)
    assert replay(family, again).misfit is None
    if there == "yard":
        open_ = replace(again, onward=again.onward[:1])
        assert replay(family, open_).misfit == "its way on does not come back to where it started"
    swapped = replace(again, onward=again.onward[::-1])
    assert "event 2" in (replay(family, swapped).misfit or "")


@pytest.mark.parametrize(("looked_through", "words"), [(9, "lead to 3 s"), (2, "at least 2 s")])
def test_a_trap_that_was_not_looked_through_is_a_lower_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looked_through: int, words: str
) -> None:
    """Every report tells the words that the trace has."""
    monkeypatch.setattr("fencecheck.runs.run._FAR", looked_through)
    _, trace = found(tmp_path, "fall", "pit")
    assert trace.violation is not None
    assert words in trace.violation.says
    for text in (trace_to_dot(trace), trace_to_mermaid(trace)):
        assert ("at least" in text) == (looked_through == 2)
