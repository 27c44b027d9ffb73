"""The layout of a trace: nothing overlaps, arrows join boxes, and every requirement is in place."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from fencecheck.report.picture.lanes import layout_trace
from fencecheck.report.picture.routes import _hits
from fencecheck.report.picture.shapes import Box, Picture
from fencecheck.runs.trace import Trace
from tests.report.pictures import NAMES, load_trace, nasty_trace

ALL = [*NAMES, "nasty"]


def _layout(name: str) -> Picture:
    return layout_trace(nasty_trace() if name == "nasty" else load_trace(name))


def _at_once(trace: Trace) -> Trace:
    """Return a trace as if its property were broken in the initial state."""
    assert trace.violation is not None
    return replace(trace, events=(), violation=replace(trace.violation, event=0))


def _overlap(a: Box, b: Box) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


@pytest.mark.parametrize("name", ALL)
def test_no_two_boxes_overlap_and_all_are_on_the_page(name: str) -> None:
    """Boxes hold the texts, so no two texts overlap either."""
    layout = _layout(name)
    clashes = [(a.name, b.name) for a, b in combinations(layout.all_boxes, 2) if _overlap(a, b)]
    assert clashes == []
    for box in layout.all_boxes:
        assert 0 <= box.left < box.right <= layout.width, box.name
        assert 0 <= box.top < box.bottom <= layout.height, box.name


@pytest.mark.parametrize("name", ALL)
def test_texts_fit_their_boxes(name: str) -> None:
    """The estimated text, line by line, is no larger than the box around it."""
    for box in _layout(name).all_boxes:
        for line in box.lines:
            assert sum(piece.width for piece in line) <= box.w + 0.01, box.name


@pytest.mark.parametrize("name", ALL)
def test_arrows_start_and_end_on_boxes_and_run_through_no_other(name: str) -> None:
    """Level arrows and messages touch the outline of both their boxes and no box in between."""
    layout = _layout(name)
    boxes = {box.name: box for box in layout.boxes}
    arrows = [a for a in layout.arrows if a.kind in ("request", "reply", "change", "compare")]
    assert arrows
    for arrow in arrows:
        for end, place in ((arrow.source, arrow.points[0]), (arrow.target, arrow.points[-1])):
            box = boxes[end]
            assert box.left - 0.1 <= place[0] <= box.right + 0.1, arrow.name
            assert box.top - 0.1 <= place[1] <= box.bottom + 0.1, arrow.name
        for box in layout.boxes:
            if box.name not in (arrow.source, arrow.target):
                for a, b in zip(arrow.points, arrow.points[1:], strict=False):
                    assert not _hits(a, b, box, 0.0), (arrow.name, box.name)


@pytest.mark.parametrize("name", NAMES)
def test_time_runs_downwards_and_messages_with_it(name: str) -> None:
    """Rows are in event order, and no message runs up the page."""
    layout = _layout(name)
    assert [row.y for row in layout.rows] == sorted(row.y for row in layout.rows)
    for arrow in layout.arrows:
        if arrow.kind in ("request", "reply"):
            heights = [y for _, y in arrow.points]
            assert heights == sorted(heights), arrow.name


def test_only_lanes_that_act_or_change_are_drawn_in_the_given_order() -> None:
    """The three-event trace has nine lanes, of which four take part."""
    assert [lane.name for lane in _layout("3_events").lanes] == [
        "human", "client", "executor", "workspace",
    ]  # fmt: skip


def test_25_events_fit_a_page() -> None:
    """The long trace has about the aspect of a portrait page, and quiet rows are lower."""
    layout = _layout("25_events")
    assert 1.1 <= layout.height / layout.width <= 1.5
    heights = {box.name: box.h for box in layout.boxes}
    assert heights["event_4"] < heights["event_3"]


def test_a_duplicate_forks_and_a_lost_message_ends_in_a_cross() -> None:
    """Both copies leave the event that duplicated; a loss is marked on the arrow of the message."""
    arrows = {arrow.name: arrow for arrow in _layout("25_events").arrows}
    assert arrows["message_1_from_1"].target == "event_2"
    assert arrows["message_1_from_2"].target == "event_3"
    assert arrows["message_2_from_2"].target == "event_8"
    assert arrows["message_5_from_11"].lost
    assert arrows["message_5_from_11"].target == "event_12"
    assert sum(arrow.lost for arrow in arrows.values()) == 1


def test_a_message_that_nothing_took_ends_in_the_open() -> None:
    """Without the event that takes it, the message ends in a dot beside its sender."""
    trace = load_trace("3_events")
    layout = layout_trace(replace(trace, events=trace.events[:-1], violation=None))
    (flight,) = [arrow for arrow in layout.arrows if arrow.open_end]
    assert (flight.source, flight.target) == ("event_1", "end_1")


def test_interference_has_its_own_shape_and_the_broken_event_its_own_kind() -> None:
    """Slanted boxes are interference and nothing else is; one box breaks the property."""
    boxes = {box.name: box for box in _layout("3_events").boxes}
    assert [n for n, box in boxes.items() if box.slanted] == ["event_2"]
    assert [n for n, box in boxes.items() if box.kind == "broken"] == ["event_3"]


def test_the_two_values_that_disagree_stand_side_by_side() -> None:
    """The verdict shows the words and the values of violation.compare on one level."""
    panel = {box.name: box for box in _layout("3_events").panel}
    first, second = panel["verdict_value_1"], panel["verdict_value_2"]
    assert first.y == second.y
    assert first.right < second.left
    assert [line[0].text for line in first.lines] == ["the file held", "human edit 1"]
    assert panel["verdict_sign_1"].lines[0][0].text == "≠"


def test_a_lasso_has_a_frame_around_its_loop() -> None:
    """The frame holds the events of the loop, and an arrow leads back to its top."""
    layout = _layout("25_events")
    (frame,) = [band for band in layout.bands if band.kind == "loop"]
    inside = [row.event for row in layout.rows if frame.top < row.y < frame.bottom]
    assert inside == [22, 23, 24, 25]
    assert [arrow.name for arrow in layout.arrows if arrow.kind == "loop"] == ["loop"]


def test_a_trace_without_events_is_drawn() -> None:
    """A property broken in the initial state needs no event and still has its verdict."""
    layout = layout_trace(_at_once(load_trace("3_events")))
    assert [lane.name for lane in layout.lanes] == ["workspace"]
    assert "initial state" in layout.title.lines[0][0].text


@pytest.mark.parametrize("name", ALL)
def test_a_counterexample_without_events_is_drawn_as_its_verdict(name: str) -> None:
    """What breaks in the initial state has no lanes, or those of the initial values that matter."""
    trace = nasty_trace() if name == "nasty" else load_trace(name)
    for relevant in (trace.relevant, ()):
        layout = layout_trace(replace(_at_once(trace), relevant=relevant))
        assert layout.panel
        assert [row.event for row in layout.rows] == ([0] if relevant else [])
        assert all(0 <= box.top < box.bottom <= layout.height for box in layout.all_boxes)


def test_the_legend_tells_messages_and_how_they_end() -> None:
    """A sample of each kind that the picture holds, and of no other."""
    legend = {box.name for box in _layout("25_events").legend}
    assert {"legend_request", "legend_back", "legend_lost", "legend_interference"} <= legend
    assert not {"legend_open", "legend_broken", "legend_onward"} & legend
    trace = load_trace("3_events")
    layout = layout_trace(replace(trace, events=trace.events[:-1], violation=None))
    assert {"legend_open", "legend_open_end"} <= {box.name for box in layout.legend}
    assert [arrow.kind for arrow in layout.samples] == ["request", "request"]


def test_interference_is_in_the_legend_where_it_breaks_the_property() -> None:
    """The one slanted box is the broken one: its shape is told all the same."""
    trace = load_trace("3_events")
    assert trace.violation is not None
    broken = replace(trace, events=trace.events[:2], violation=replace(trace.violation, event=2))
    assert "legend_interference" in {box.name for box in layout_trace(broken).legend}


def test_the_name_of_a_store_stands_clear_of_its_lid() -> None:
    """Above the name is a line of its own, and no other header has one."""
    layout = _layout("3_events")
    headers = {lane.name: lane.header for lane in layout.lanes}
    assert [len(headers[name].lines) for name in ("client", "workspace")] == [1, 2]
    assert headers["workspace"].lines[0][0].text.strip() == ""


def test_a_way_on_is_dashed_and_apart_from_the_run() -> None:
    """A line says from where the goal is out of reach; what comes behind it is dashed."""
    trace = load_trace("11_events")
    split = replace(trace, events=trace.events[:5], onward=trace.events[5:], violation=None)
    layout = layout_trace(split)
    (line,) = [arrow for arrow in layout.arrows if arrow.kind == "divider"]
    rows = {row.event: row for row in layout.rows}
    assert rows[5].bottom <= line.points[0][1] <= rows[6].y
    dashed = {arrow.name for arrow in layout.arrows if arrow.onward}
    assert any(name.startswith("change_11_") for name in dashed)
    assert not any(name.startswith(("change_2_", "message_1_")) for name in dashed)
    boxes = [box for box in layout.boxes if box.name == "onward"]
    assert "out of reach" in boxes[0].lines[0][0].text
    assert not [b.name for b in layout.boxes if b is not boxes[0] and _overlap(b, boxes[0])]
