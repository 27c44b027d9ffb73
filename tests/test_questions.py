"""Questions are answered by both engines, with witnesses that replay, or stay undetermined."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Predicates, Question
from fencecheck.checking.results import Result, VariantResult
from fencecheck.explore.graph import Limits
from fencecheck.model.files.identity import model_hash
from fencecheck.model.files.loading import load_family
from fencecheck.report.results.csv import render_csv
from fencecheck.report.results.json import render_json
from fencecheck.report.results.junit import render_junit
from fencecheck.report.results.text import render_text
from fencecheck.report.review.document import render_markdown
from fencecheck.runs.replay import replay
from fencecheck.runs.trace_json import read_trace, trace_object

FENCE = load_family("fence")
DESIGN = FENCE.design({"fence": "none", "precondition": "off"}, {"edits": 1, "lost_replies": 1})
REACH = (
    'view[2] == "done" and content[1].tag == "human_edit"',
    'effect_in[1] and view[1] == "todo"',
)
BROKEN, HOLDS = "not effect_in[2]", "len(requests) <= 3"


def checked(*reach: str, invariants: tuple[str, ...] = (), **options: Any) -> VariantResult:
    asked = Predicates(reach, invariants)
    return check_design(
        FENCE, DESIGN, Question(("fresh_apply",)), Options(predicates=asked, **options)
    )


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_both_engines_answer(engine: str) -> None:
    """A witness of the fewest events, not reachable, a broken invariant, one that holds."""
    result = checked(*REACH, invariants=(BROKEN, HOLDS), engine=engine)
    reached, never = result.answers
    assert (reached.text, reached.reached, reached.events) == (REACH[0], True, 9)
    assert (never.reached, never.events, never.trace) == (False, None, None)
    assert [(f.name, f.kind, f.verdict) for f in result.findings] == [
        (BROKEN, "invariant", "violated"),
        (HOLDS, "invariant", "holds"),
    ]


def test_a_witness_and_a_violation_replay_on_their_own() -> None:
    """A saved trace carries its predicate, and is held against it; one that fails is told."""
    result = checked(REACH[0], invariants=(BROKEN,))
    traces = [result.answers[0].trace, result.findings[0].trace]
    for trace in traces:
        assert trace is not None
        told = read_trace(json.loads(json.dumps(trace_object(trace))), "trace")
        assert told == trace
        assert replay(FENCE, told).misfit is None
        predicate = "len(requests) == 3" if trace is traces[0] else HOLDS
        shows = replace(told.shows, predicate=predicate)
        misfit = replay(FENCE, replace(told, shows=shows)).misfit
        assert misfit is not None
        assert "at its end" in misfit
    assert traces[0] is not None
    assert (traces[0].verdict, traces[0].violation) == ("witness", None)
    assert traces[0].shows.kind == "reach"


def test_a_property_is_checked_beside_questions_where_it_is_asked_for() -> None:
    """Alone, a question replaces the properties; otherwise they stand beside it."""
    asked = Predicates((REACH[0],), (), alone=False)
    result = check_design(FENCE, DESIGN, Question(("fresh_apply",)), Options(predicates=asked))
    assert [f.name for f in result.findings] == ["fresh_apply"]
    assert len(result.answers) == 1
    assert checked(REACH[0]).findings == []


def outcome(variant: VariantResult) -> Result:
    return Result("x.toml", "fence", model_hash(FENCE), "X", "", [variant])


def test_a_cut_search_is_undetermined_on_every_surface() -> None:
    """No surface says that a state is unreachable, or passes, when the search was cut."""
    result = outcome(checked(REACH[1], invariants=(HOLDS,), limits=Limits(states=20)))
    assert result.exit_code == 3
    texts = {
        "text": render_text(result),
        "json": render_json([result]),
        "markdown": render_markdown([result]),
        "csv": render_csv([result]),
        "junit": render_junit([result]),
    }
    for text in texts.values():
        assert "undetermined" in text
        assert "not reachable" not in text
        assert "complete)" not in text
    root = ET.fromstring(texts["junit"].encode())
    assert [case.find("error") is not None for case in root.iter("testcase")] == [True, True]


def test_answers_stand_on_every_surface() -> None:
    """What was asked, the answer and, where there is one, the event order."""
    result = outcome(checked(*REACH))
    assert result.exit_code == 0
    text = render_text(result)
    assert f"not reachable {REACH[1]}" in text
    assert "within these bounds (complete)" in text
    assert f"{REACH[0]}: reached in 9 events" in text
    told = json.loads(render_json([result]))["variants"][0]["questions"]
    assert [(q["answer"], q["events"]) for q in told] == [("reached", 9), ("not reachable", None)]
    assert len(told[0]["trace"]["events"]) == 9
    assert "**reached in 9 events**" in render_markdown([result])
    assert "reach," in render_csv([result])
    root = ET.fromstring(render_junit([result]).encode())
    assert [case.find("error") for case in root.iter("testcase")] == [None, None]
