"""The picture of a trace as a pure layout: a grid with a lane per actor and store, time downwards.

In: a trace. Out: a Picture, in points, the same on every machine.
Lanes stand as far apart as what is beside them needs, rows as high as their content; long traces
get narrower gaps, so that 25 events fit a page. It draws nothing and knows no file format.
"""

from __future__ import annotations

from dataclasses import replace

from fencecheck.model.declare import Lane
from fencecheck.report.picture.grid import (
    hop_rooms,
    place_lanes,
    place_rows,
    reaches,
    row_gap,
    spread,
)
from fencecheck.report.picture.hops import Hop, hop_direction, message_hops
from fencecheck.report.picture.panel import MARGIN, build_legend, build_panel, build_title
from fencecheck.report.picture.routes import Router, link_row, route_message
from fencecheck.report.picture.rows import RowParts, build_rows
from fencecheck.report.picture.shapes import Arrow, Band, Box, Column, Picture, Row, make_piece
from fencecheck.report.words.trace_words import OUT_OF_REACH, broken_event, drawn_lanes, loop_text
from fencecheck.runs.trace import Trace

LEAST_WIDTH = 470.0
LOOP_ROOM = 20.0
LID = 7.0
DIVIDER = 24.0  # the room of the line between a run and the way on from its end


def _headers(lanes: list[Lane]) -> list[Box]:
    boxes = []
    for index, lane in enumerate(lanes):
        piece = make_piece(lane.name, 11, True, "paper" if lane.kind == "system" else "ink")
        slanted = lane.kind == "interference"
        width, height, lines = piece.width + (30 if slanted else 20), 24.0, [(piece,)]
        if lane.kind == "store":  # the name stands clear of the lid
            height, lines = 24.0 + LID, [(make_piece(" ", LID),), (piece,)]
        boxes.append(
            Box(f"lane_{index}", f"lane-{lane.kind}", width, height, tuple(lines), slanted=slanted)
        )
    return boxes


def _lifelines(lanes: list[Column], bottom: float) -> list[Arrow]:
    return [
        Arrow(
            f"life_{i}",
            f"lifeline-{lane.kind}",
            lane.header.name,
            lane.header.name,
            ((lane.x, lane.header.bottom), (lane.x, bottom)),
        )
        for i, lane in enumerate(lanes)
    ]


def _loop_parts(
    trace: Trace, rows: list[Row], bottom: float, width: float
) -> tuple[list[Box], list[Arrow], list[Band]]:
    """Return the line that closes a lasso, up the left margin, and its words below the rows."""
    words = loop_text(trace)
    if words is None or not rows:
        return [], [], []
    piece = make_piece(words, 10, True, "loop")
    x = MARGIN
    note = Box("loop", "text", piece.width + 4, 14, ((piece,),), align="left")
    note = note.at(x + 12 + note.w / 2, bottom + 8)
    start = trace.loop_start
    if trace.onward:
        many = len(trace.onward) if trace.onward_loop is None else trace.onward_loop
        start = len(trace.events) + many
    inside = [row for row in rows if start is not None and row.event > start]
    if not inside:
        return [note], [], []
    top = inside[0].top
    frame = Band("loop", "loop", x + 14, top, width - MARGIN, inside[-1].bottom)
    middle = (top + inside[0].bottom) / 2
    points = ((note.left - 2, note.y), (x, note.y), (x, middle), (frame.left, middle))
    return [note], [Arrow("loop", "loop", "loop", "loop", points)], [frame]


def _divider(trace: Trace, rows: list[Row], width: float) -> tuple[list[Box], list[Arrow]]:
    """Return the line between a run and the way on from its end, with the words on it."""
    first = next((row for row in rows if row.event > len(trace.events)), None)
    if first is None:
        return [], []
    piece = make_piece(OUT_OF_REACH, 10, True, "broken")
    y = round(first.top - DIVIDER / 2 + 4, 2)
    note = Box("onward", "label", piece.width + 6, 14, ((piece,),), align="left")
    note = note.at(MARGIN + LOOP_ROOM + note.w / 2, y)
    points = ((note.right + 4, y), (width - MARGIN, y))
    return [note], [Arrow("divider", "divider", "onward", "onward", points)]


def _bands(
    lanes: list[Column],
    reach: list[float],
    rows: list[Row],
    broken: int | None,
    bottom: float,
    width: float,
) -> list[Band]:
    bands = [
        Band(
            f"store_{i}", "store", lane.x - reach[i], lane.header.top - 6, lane.x + reach[i], bottom
        )
        for i, lane in enumerate(lanes)
        if lane.kind == "store"
    ]
    for row in rows:
        if row.event and row.event == broken:
            bands.append(Band("broken", "broken", MARGIN, row.top, width - MARGIN, row.bottom))
    return bands


def _arrows(
    trace: Trace, boxes: list[Box], hops: list[tuple[Hop, int]], rows: list[Row], headers: list[Box]
) -> list[Arrow]:
    router = Router(
        [*headers, *boxes], [row.bottom for row in rows], [header.x for header in headers]
    )
    broken, many = broken_event(trace), len(trace.events)
    arrows = []
    for number in range(1, len(trace.all_events) + 1):
        mine = [box for box in boxes if box.row == number]
        cells = [box for box in mine if box.kind in ("cell", "remark")]
        links = link_row(router.boxes[f"event_{number}"], cells, number == broken)
        arrows += [replace(arrow, onward=number > many) for arrow in links]
    # Short flights first: they have the fewest courses to choose from.
    for hop, way in sorted(hops, key=lambda item: (item[0].target or 0) - item[0].source):
        arrow = route_message(hop, way, router, hop.target is not None and hop.target == broken)
        arrows.append(replace(arrow, onward=hop.source > many))
    return arrows


def _placed_boxes(rows: list[RowParts], placed: list[Row], xs: list[float]) -> list[Box]:
    return [
        part.box.at(xs[part.lane] + part.dx, row.y + part.dy)
        for row, content in zip(placed, rows, strict=True)
        for part in content.parts
    ]


def layout_trace(trace: Trace) -> Picture:
    """Lay out a trace as a swim-lane picture; the same trace always gives the same layout."""
    lanes, rows = drawn_lanes(trace), build_rows(trace)
    headers = _headers(lanes)
    stores = {i for i, lane in enumerate(lanes) if lane.kind == "store"}
    start = MARGIN + (LOOP_ROOM if loop_text(trace) is not None else 6)
    index = {lane.name: i for i, lane in enumerate(lanes)}
    hops = [(hop, hop_direction(hop, trace, index)) for hop in message_hops(trace)]
    xs, end = place_lanes(headers, rows, stores, start, hop_rooms(rows, hops))
    xs, width = spread(xs, end + 6, LEAST_WIDTH)
    title = build_title(trace, width)
    y = title.bottom + (34 if headers else -14)
    headers = [header.at(x, y) for header, x in zip(headers, xs, strict=True)]
    apart = (len(trace.events) + 1, DIVIDER) if trace.onward else (0, 0.0)
    placed, bottom = place_rows(rows, y + 14, row_gap(rows, width), apart)
    boxes = _placed_boxes(rows, placed, xs)
    columns = [
        Column(lane.name, lane.kind, round(x, 2), header)
        for lane, x, header in zip(lanes, xs, headers, strict=True)
    ]
    notes, lines = _divider(trace, placed, width)
    flights = _arrows(trace, boxes, hops, placed, [*headers, *notes])
    arrows = _lifelines(columns, bottom) + flights + lines
    loop_boxes, loop_arrows, loop_bands = _loop_parts(trace, placed, bottom, width)
    bands = _bands(
        columns, reaches(headers, rows, stores)[1], placed, broken_event(trace), bottom, width
    )
    bands += loop_bands
    panel, band, below = build_panel(trace, width, bottom + (24 if loop_boxes else 12))
    legend, samples, foot = build_legend([*boxes, *headers], flights, width, below + 12)
    return Picture(
        round(width, 2),
        round(foot + MARGIN - 8, 2),
        title,
        tuple(columns),
        tuple(placed),
        tuple(boxes + notes + loop_boxes),
        tuple(arrows + loop_arrows),
        tuple(bands + ([band] if band else [])),
        tuple(panel),
        tuple(legend),
        tuple(samples),
    )
