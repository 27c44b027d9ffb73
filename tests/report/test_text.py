"""Text: golden outputs, one for each kind of result, and what a cut search may not say."""

from dataclasses import replace

import pytest

from fencecheck.report.results.text import render_text
from fencecheck.report.words.orders import order_lines, violation_lines
from fencecheck.report.words.outcomes import conclusion, count
from tests.report import handmade
from tests.report.pictures import check_golden, load_trace


@pytest.mark.parametrize("name", ["mixed", "cut", "expected", "scripted", "failure"])
def test_text_is_the_golden_one(name):
    check_golden(f"text_{name}.txt", render_text(getattr(handmade, name)()))


def test_without_orders_verdicts_stay_and_events_go():
    text = render_text(handmade.mixed(), orders=False)
    assert "violated      no_lost_update         3 events" in text
    assert "client: dispatch s1" not in text


def test_every_line_fits_the_width():
    for outcome in (handmade.mixed(), handmade.expected(), handmade.cut()):
        assert all(len(line) <= 80 for line in render_text(outcome, width=80).splitlines())


def test_what_was_expected_of_a_cut_search_is_not_said():
    finding = handmade.undetermined()
    outcome = handmade.result(
        handmade.variant("a", finding, search=handmade.CUT), expectations=True
    )
    assert "holds" not in render_text(outcome)
    assert "expected" not in render_text(outcome)


def test_paint_changes_nothing_but_the_colour():
    marked = render_text(handmade.mixed(), paint=lambda tone, text: f"\0{text}\1")
    assert marked.replace("\0", "").replace("\1", "") == render_text(handmade.mixed())


def test_events_are_numbered_with_what_they_changed():
    lines = order_lines(load_trace("3_events"), 100, "")
    assert lines[0] == "initially workspace.rev 0, workspace.content[1] original"
    assert "2. human: edit file 1  (interference)" in lines
    assert "   workspace.rev 0 → 1; workspace.content[1] original → human edit 1" in lines


def test_the_two_values_of_a_violation_stand_below_each_other():
    assert violation_lines(load_trace("3_events"), 100, "")[-2:] == [
        "  the file held:           human edit 1",
        "  s1 was planned against:  original",
    ]


def test_a_lasso_says_where_it_goes_round():
    trace = replace(load_trace("3_events"), loop_start=1)
    lines = order_lines(trace, 100, "")
    assert lines.index("from here on, again and again:") < lines.index(
        "2. human: edit file 1  (interference)"
    )
    assert lines[-1] == "then again from event 2, for ever"


@pytest.mark.parametrize(
    ("outcome", "code", "words"),
    [
        (handmade.mixed(), 1, "1 required property violated"),
        (handmade.cut(), 3, "undetermined: 2 of 2 verdicts; a search was cut before an answer"),
        (handmade.expected(), 1, "2 of 4 verdicts not as expected"),
        (
            handmade.result(handmade.variant("a", handmade.holds())),
            0,
            "every required property holds within these bounds",
        ),
        (
            handmade.result(handmade.variant("a", handmade.violated(required=False))),
            0,
            "1 verdict, none of a required property",
        ),
        (handmade.result(), 3, "undetermined: no property was checked"),
    ],
)
def test_the_conclusion_agrees_with_the_exit_code(outcome, code, words):
    assert conclusion(outcome) == words
    assert outcome.exit_code == code


def test_numbers_agree_with_their_nouns():
    assert [count(1, "event"), count(2, "event"), count(2, "property")] == [
        "1 event",
        "2 events",
        "2 properties",
    ]
