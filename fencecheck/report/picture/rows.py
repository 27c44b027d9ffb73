"""The content of the rows of a swim-lane picture, before anything has a place.

In: a trace and the lanes that are drawn. Out: per event (and for the initial values) the parts
to draw: the event's box, the cells of what changed, the labels of the messages it sends. A part
knows its lane and its offset from the row's crossing with that lane; lanes.py gives both a place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fencecheck.model.declare import Lane
from fencecheck.report.picture.cells import align_columns, change_lines, justify, make_cell
from fencecheck.report.picture.hops import Hop, hop_direction, message_hops
from fencecheck.report.picture.measure import wrap, wrap_evenly
from fencecheck.report.picture.shapes import SLANT, Box, Line, Piece, lines_size, make_piece
from fencecheck.report.words.trace_words import (
    broken_event,
    drawn_lanes,
    event_changes,
    initial_values,
)
from fencecheck.runs.trace import Trace

STUB = 30.0


@dataclass(frozen=True)
class TextLimits:
    """How wide texts may be before they are broken: the more lanes, the narrower."""

    cell: float
    actor_cell: float
    label: float
    box: float


ROOMY = TextLimits(cell=172.0, actor_cell=150.0, label=104.0, box=150.0)
DENSE = TextLimits(cell=120.0, actor_cell=100.0, label=66.0, box=74.0)


@dataclass(frozen=True)
class RowPart:
    """A box at a lane, dx and dy away from where the row's centre line crosses the lane."""

    box: Box
    lane: int
    dx: float = 0.0
    dy: float = 0.0


@dataclass(frozen=True)
class RowParts:
    """All parts of one row; `event` is 0 for the row of initial values."""

    event: int
    parts: tuple[RowPart, ...]
    quiet: bool = False


def _event_box(trace: Trace, number: int, limit: float) -> Box:
    event, broken = trace.all_events[number - 1], broken_event(trace) == number
    quiet, slanted = bool(event.quiet) and not broken, bool(event.interference)
    size = 9.5 if quiet else 11.0
    texts = wrap_evenly(event.label or event.name, size, limit + 8 * quiet, bold=broken)
    tone = "paper" if broken else "ink"
    count = make_piece(str(number), size - 2, tone="paper" if broken else "muted")
    counts = [count if index == 0 else Piece("") for index in range(len(texts))]
    lines: list[Line] = [
        (replace(lead, width=count.width + 4), make_piece(text, size, broken, tone))
        for lead, text in zip(counts, texts, strict=True)
    ]
    lines = justify(lines)
    width, height = lines_size(tuple(lines))
    padding = (11 if quiet else 15) + (1.6 * SLANT if slanted else 0)
    return Box(
        f"event_{number}",
        _box_kind(trace, number),
        round(width + padding, 2),
        round(height + (5 if quiet else 9), 2),
        tuple(lines),
        slanted=slanted,
        row=number,
    )


def _box_kind(trace: Trace, number: int) -> str:
    if broken_event(trace) == number:
        return "broken"
    if number > len(trace.events):
        return "onward"
    return "interference" if trace.events[number - 1].interference else "event"


def _label_parts(
    box: Box, lane: int, hops: list[tuple[Hop, int]], linked: set[int], limit: float
) -> list[RowPart]:
    """Return the labels of sent messages, left and right of the box, above where arrows leave."""
    parts = []
    for direction in (-1, 1):
        lines = tuple(
            (make_piece(text, 9, tone="back" if hop.back else "request"),)
            for hop, way in hops
            if way == direction and hop.label
            for text in wrap(f"copy: {hop.label}" if hop.copy else hop.label, 9, limit)
        )
        if not lines:
            continue
        width, height = lines_size(lines)
        label = Box(
            f"{box.name}_says_{'right' if direction > 0 else 'left'}",
            "label",
            width + 2,
            height,
            lines,
            align="left",
            row=box.row,
        )
        bottom = -2.0 if direction in linked else 2.0
        dx = direction * (box.w / 2 + 5 + label.w / 2)
        parts.append(RowPart(label, lane, dx, bottom - height / 2))
    return parts


def _open_ends(box: Box, lane: int, hops: list[tuple[Hop, int]]) -> list[RowPart]:
    """Return a dot for each sent message that is still in flight at the end of the trace."""
    flying = [(hop, way) for hop, way in hops if hop.target is None]
    return [
        RowPart(
            Box(f"end_{hop.message}", "end", 6, 6, row=box.row),
            lane,
            way * (box.w / 2 + STUB),
            0.3 * box.h + 7 + 9 * place,
        )
        for place, (hop, way) in enumerate(flying)
    ]


def _cells(number: int, trace: Trace, lanes: list[Lane], limits: TextLimits) -> list[RowPart]:
    """Return the cells of what an event changed and compared, at the lanes concerned."""
    event = trace.all_events[number - 1]
    index = {lane.name: i for i, lane in enumerate(lanes)}
    lines: dict[int, list[Line]] = {}
    for name, changes in event_changes(trace, event).items():
        lane = index[name]
        limit = limits.cell if lanes[lane].kind == "store" else limits.actor_cell
        texts = [line for change in changes for line in change_lines(change, limit)]
        lines[lane] = align_columns(texts, limit)
    kind = dict.fromkeys(lines, "cell")
    if event.remark:
        stores = [i for i, lane in enumerate(lanes) if lane.kind == "store"]
        home = next((i for i in stores if i in lines), stores[0] if stores else index[event.actor])
        remark: list[Line] = [
            (make_piece(text, 9.5, True, "remark"),)
            for text in wrap_evenly(event.remark, 9.5, limits.cell, bold=True)
        ]
        kind.setdefault(home, "remark")
        lines[home] = remark + lines.get(home, [])
    return [
        RowPart(make_cell(f"cell_{number}_{lane}", kind[lane], lines[lane], number), lane)
        for lane in sorted(lines)
    ]


def _event_row(
    trace: Trace, number: int, hops: list[Hop], lanes: list[Lane], limits: TextLimits
) -> RowParts:
    event = trace.all_events[number - 1]
    index = {lane.name: i for i, lane in enumerate(lanes)}
    home = index[event.actor]
    box = _event_box(trace, number, limits.box)
    parts = [RowPart(box, home)]
    for cell in _cells(number, trace, lanes, limits):
        own = cell.lane == home
        parts.append(replace(cell, dy=(box.h + cell.box.h) / 2 + 1) if own else cell)
    linked = {1 if part.lane > home else -1 for part in parts if part.lane != home}
    ways = [(hop, hop_direction(hop, trace, index)) for hop in hops if hop.source == number]
    parts += _label_parts(box, home, ways, linked, limits.label)
    parts += _open_ends(box, home, ways)
    return RowParts(number, tuple(parts), bool(event.quiet))


def _initial_row(trace: Trace, lanes: list[Lane], limit: float) -> RowParts:
    parts = []
    values = initial_values(trace)
    for index, lane in enumerate(lanes):
        lines: list[Line] = []
        for name, value in values.get(lane.name, []):
            texts = wrap(f"{name}: {value}", 9.5, limit)
            lines += [(make_piece(text),) for text in texts]
        if lines:
            heading: Piece = make_piece("initially", 8.5, tone="muted")
            parts.append(
                RowPart(make_cell(f"initial_{index}", "initial", [(heading,), *lines], None), index)
            )
    return RowParts(0, tuple(parts))


def build_rows(trace: Trace) -> list[RowParts]:
    """Return the rows of a trace from the top: initial values where there are any, then events."""
    lanes, hops = drawn_lanes(trace), message_hops(trace)
    limits = ROOMY if len(lanes) <= 5 else DENSE
    first = _initial_row(trace, lanes, limits.cell)
    numbers = range(1, len(trace.all_events) + 1)
    rows = [_event_row(trace, number, hops, lanes, limits) for number in numbers]
    return ([first] if first.parts else []) + rows
