"""The grid of a swim-lane picture: where the lanes stand and how the rows are spaced.

In: the headers, the parts of each row, the flights of messages. Out: an x per lane, a Row per row.
Lanes stand as close as their content allows, rows get what a page near to portrait has left.
Boxes do not overlap by construction; what runs between them is the business of routes.py.
"""

from __future__ import annotations

from fencecheck.report.picture.hops import Hop
from fencecheck.report.picture.panel import MARGIN
from fencecheck.report.picture.rows import RowParts
from fencecheck.report.picture.shapes import Box, Row

LANE_GAP = 18.0
LEAST_PITCH = 70.0
HOP_ROOM = 26.0
PORTRAIT = 1.36
SURROUNDINGS = 330.0


def reaches(
    headers: list[Box], rows: list[RowParts], stores: set[int]
) -> tuple[list[float], list[float]]:
    """Return how far the parts of each lane reach left and right of it; stores are symmetric."""
    left = [header.w / 2 for header in headers]
    right = list(left)
    for part in (part for row in rows for part in row.parts):
        left[part.lane] = max(left[part.lane], part.box.w / 2 - part.dx)
        right[part.lane] = max(right[part.lane], part.box.w / 2 + part.dx)
    for lane in stores:
        left[lane] = right[lane] = max(left[lane], right[lane]) + 8
    return left, right


def hop_rooms(rows: list[RowParts], hops: list[tuple[Hop, int]]) -> list[tuple[int, int, float]]:
    """Return (lane, later lane, distance) that leave an arrow room between its two boxes.

    On its way down it also passes between what stands at its two lanes in the rows in between.
    """
    events = {row.event: row for row in rows if row.event}
    rooms = []
    for hop, _ in hops:
        if hop.target is None:
            continue
        ends = [events[hop.source].parts[0], events[hop.target].parts[0]]
        low, high = sorted(part.lane for part in ends)
        passed = [part for n in range(hop.source + 1, hop.target) for part in events[n].parts]
        right = max(part.box.w / 2 + part.dx for part in (*ends, *passed) if part.lane == low)
        left = max(part.box.w / 2 - part.dx for part in (*ends, *passed) if part.lane == high)
        if low < high:
            rooms.append((low, high, right + left + (HOP_ROOM if not passed else HOP_ROOM / 2)))
    return rooms


def place_lanes(
    headers: list[Box],
    rows: list[RowParts],
    stores: set[int],
    start: float,
    rooms: list[tuple[int, int, float]],
) -> tuple[list[float], float]:
    """Return the x of each lane and the right end: the tightest without a collision."""
    left, right = reaches(headers, rows, stores)
    xs: list[float] = []
    for lane in range(len(headers)):
        x = start + left[lane]
        if lane:
            before = lane - 1
            need = max(right[before] + 8, left[lane] + 8, LEAST_PITCH)
            need = max(need, (headers[before].w + headers[lane].w) / 2 + LANE_GAP)
            if lane in stores:
                need = max(need, right[before] + left[lane] + LANE_GAP - 8)
            x = xs[before] + need
        for row in rows:
            for part in row.parts:
                for other in row.parts:
                    if part.lane == lane and other.lane < lane:
                        gap = other.dx + (other.box.w + part.box.w) / 2 - part.dx + LANE_GAP
                        x = max(x, xs[other.lane] + gap)
        for low, high, room in rooms:
            if high == lane:
                x = max(x, xs[low] + room)
        xs.append(x)
    ends = [x + reach for x, reach in zip(xs, right, strict=True)]
    return xs, max(ends, default=start)


def spread(xs: list[float], end: float, width: float) -> tuple[list[float], float]:
    """Widen the lanes' distances evenly to fill a page; return them and the page's width."""
    spare = width - MARGIN - end
    if spare <= 0 or len(xs) < 2:
        return xs, max(width, end + MARGIN)
    step = spare / len(xs)
    return [x + step * (i + 0.5) for i, x in enumerate(xs)], width


def row_gap(rows: list[RowParts], width: float) -> float:
    """Return the space between rows that brings the page near to portrait, within limits."""
    content = sum(
        max(part.box.h / 2 - part.dy for part in row.parts)
        + max(part.box.h / 2 + part.dy for part in row.parts)
        for row in rows
    )
    spare = PORTRAIT * width - SURROUNDINGS - content
    return min(max(spare / (len(rows) + 1), 8.0), 20.0)


def place_rows(
    rows: list[RowParts], top: float, gap: float, apart: tuple[int, float] = (0, 0.0)
) -> tuple[list[Row], float]:
    """Return the rows from ``top`` down, and the y below them.

    ``apart`` is an event with the room that is left free above it.
    """
    placed = []
    y = top
    for row in rows:
        above = max(part.box.h / 2 - part.dy for part in row.parts)
        below = max(part.box.h / 2 + part.dy for part in row.parts)
        space = gap * 0.55 if row.quiet else gap
        y += space + (apart[1] if row.event and row.event == apart[0] else 0.0)
        center = round(y + above, 2)
        placed.append(
            Row(
                row.event, center, center - above - space / 2, center + below + space / 2, row.quiet
            )
        )
        y = center + below
    return placed, y + gap
