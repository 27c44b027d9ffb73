"""JSON, CSV, Markdown and JUnit: golden outputs, and that none of them drops or passes anything."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

from fencecheck.report.results.csv import COLUMNS, render_csv
from fencecheck.report.results.json import render_json
from fencecheck.report.results.junit import render_junit
from fencecheck.report.results.markdown import trace_to_markdown
from fencecheck.report.review.document import render_markdown
from fencecheck.report.words.outcomes import Outcome
from fencecheck.runs.trace_json import trace_object
from fencecheck.spec.values import Expectation
from tests.report import handmade
from tests.report.pictures import NASTY, check_golden, load_trace, nasty_trace

OUTCOMES = ["mixed", "cut", "expected", "scripted", "failure"]


def every() -> list[Outcome]:
    """Return one outcome of each kind."""
    return [getattr(handmade, name)() for name in OUTCOMES]


def cases(outcome: Outcome) -> dict[str | None, ET.Element]:
    """Return the JUnit cases of an outcome by name."""
    root = ET.fromstring(render_junit([outcome]).encode())
    return {case.get("name"): case for case in root.iter("testcase")}


@pytest.mark.parametrize("name", OUTCOMES)
def test_junit_is_the_golden_one(name):
    check_golden(f"junit_{name}.xml", render_junit([getattr(handmade, name)()]))


@pytest.mark.parametrize("name", OUTCOMES)
def test_markdown_is_the_golden_one(name):
    check_golden(f"markdown_{name}.md", render_markdown([getattr(handmade, name)()]))


def test_csv_is_the_golden_one():
    check_golden("results.csv", render_csv(every()))


def test_json_has_the_shape_of_its_schema():
    told = json.loads(render_json([handmade.expected()]))
    assert told["schema"] == "fencecheck/results/1"
    assert (told["spec"], told["model"]) == ("specs/x.toml", "fence")
    first = told["variants"][0]
    assert first["mechanisms"] == {"fence": "none", "journal": "none"}
    assert first["exploration"] == {
        "states": 28, "transitions": 33, "depth": 9, "cut": 0, "complete": True, "stopped_by": None,
        "engine": "reference", "threads": 1, "seconds": 0.25, "warnings": [],
        "initial_states": 1,
    }  # fmt: skip
    found = first["properties"][0]
    assert found.pop("trace") == trace_object(load_trace("3_events"))
    assert found == {
        "name": "no_lost_update", "kind": "transition", "required": True, "verdict": "violated",
        "events": 3, "vacuous": False, "situation": "",
        "expected": "violated", "expected_events": 3, "as_expected": True, "others": [],
    }  # fmt: skip


def test_json_is_one_object_for_one_outcome_and_an_array_where_asked():
    assert isinstance(json.loads(render_json([handmade.cut()])), dict)
    assert isinstance(json.loads(render_json([handmade.cut()], array=True)), list)
    assert len(json.loads(render_json(every()))) == len(OUTCOMES)


def test_json_of_a_failure_has_the_error_and_its_trace():
    told = json.loads(render_json([handmade.failure()]))
    assert told["error"]["message"].startswith("model queue goes wrong")
    assert len(told["error"]["trace"]["events"]) == 3


def test_csv_has_a_row_for_each_verdict_and_order():
    rows = list(csv.DictReader(io.StringIO(render_csv(every()))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 4 + 2 + 4 + (1 + 3) + 1


@pytest.mark.parametrize("form", [render_markdown, render_junit, render_csv, render_json])
def test_every_format_names_every_property(form):
    text = form([handmade.mixed()])
    for name in ("fresh_apply", "journal_covers", "no_lost_update", "no_spurious_rejection"):
        assert name in text


@pytest.mark.parametrize("form", [render_markdown, render_junit, render_csv, render_json])
def test_a_cut_search_is_undetermined_and_has_no_pass_word(form):
    text = form([handmade.cut()]).lower()
    assert "undetermined" in text
    for word in ("holds", "pass", "success", "complete:", "satisfied"):
        assert word not in text


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("wanted", [None, Expectation("holds"), Expectation("undetermined")])
def test_junit_undetermined_is_an_error_whatever_was_expected(required, wanted):
    finding = handmade.undetermined(required=required, expected=wanted)
    outcome = handmade.result(
        handmade.variant("a", finding, search=handmade.CUT), expectations=wanted is not None
    )
    (child,) = cases(outcome)["no_stuck"]
    assert child.tag == "error"
    assert child.get("message") == "undetermined"


def test_junit_violated_is_a_failure_with_the_event_order():
    (child,) = cases(handmade.mixed())["no_lost_update"]
    assert child.tag == "failure"
    assert child.get("message") == "violated in 3 events"
    assert child.text is not None
    assert "2. human: edit file 1  (interference)" in child.text
    assert "s1 was planned against:  original" in child.text


def test_junit_unexpected_verdicts_are_failures_and_expected_ones_pass():
    outcome = handmade.expected()
    root = ET.fromstring(render_junit([outcome]).encode())
    first, second = root.iter("testsuite")
    assert [first.get("failures"), second.get("failures")] == ["0", "2"]
    messages = [f.get("message") for f in second.iter("failure")]
    assert messages == [
        "violated in 3 events; expected: violated in 5 events",
        "holds; expected: violated",
    ]


def test_junit_what_is_only_reported_is_skipped_where_violated():
    outcome = handmade.result(handmade.variant("a", handmade.violated(required=False)))
    (child,) = cases(outcome)["no_lost_update"]
    assert child.tag == "skipped"


def test_junit_of_nothing_checked_is_an_error():
    assert [c[0].tag for c in cases(handmade.result(handmade.variant("a"))).values()] == ["error"]


def test_junit_counts_agree_with_the_cases():
    root = ET.fromstring(render_junit(every()).encode())
    for element in (root, *root.iter("testsuite")):
        found = list(element.iter("testcase"))
        assert element.get("tests") == str(len(found))
        for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert element.get(name) == str(sum(c.find(tag) is not None for c in found))


def test_junit_takes_characters_that_xml_has_not():
    outcome = handmade.mixed()
    outcome.variants[0].name = f"\x00\x1b{NASTY}\ufffe"
    assert "no_lost_update" in cases(outcome)


def test_markdown_escapes_what_models_say():
    text = trace_to_markdown(nasty_trace())
    prose = text.split("```")[0]
    assert "<b>" not in prose
    assert "\\|\\{x\\}" in prose


def test_markdown_of_a_trace_has_the_order_and_the_diagram():
    text = trace_to_markdown(load_trace("3_events"))
    assert "2. **human: edit file 1** (interference)" in text
    assert "```mermaid\nsequenceDiagram" in text
    assert text.startswith("<!-- fencecheck/markdown/1 -->")
