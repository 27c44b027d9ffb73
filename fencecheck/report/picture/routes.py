"""The courses of arrows through a swim-lane picture that already has its boxes in place.

In: hops and placed boxes. Out: arrows, as polylines that start and end on the outline of a box. A
message runs straight and slanted where nothing is in the way; otherwise it keeps to a gap between
boxes on its way down. Among the courses tried, the shortest without a collision is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from math import hypot

from fencecheck.report.picture.hops import Hop
from fencecheck.report.picture.shapes import SLANT, Arrow, Box, Point

CLEARANCE = 3.0
STEP = 8.0
BEND = 30.0
COLLISION = 2000.0
BREADTH = 9


def _hits(a: Point, b: Point, box: Box, margin: float) -> bool:
    """Tell whether the segment a-b touches the box grown by a margin (Liang and Barsky's clip)."""
    low, high = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for delta, start, first, last in (
        (dx, a[0], box.left - margin, box.right + margin),
        (dy, a[1], box.top - margin, box.bottom + margin),
    ):
        if delta == 0:
            if not first < start < last:
                return False
            continue
        enter, leave = sorted(((first - start) / delta, (last - start) / delta))
        low, high = max(low, enter), min(high, leave)
    return low < high


def _crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    def turn(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def _segments(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(itertools.pairwise(points))


class Router:
    """Finds courses one after the other, each aware of the boxes and of the courses before it."""

    def __init__(
        self, boxes: Iterable[Box], breaks: Sequence[float], lanes: Sequence[float]
    ) -> None:
        """Take all boxes in the way, the y of the gaps between rows, and the x of the lanes."""
        self.boxes = {box.name: box for box in boxes}
        self.breaks, self.lanes = list(breaks), list(lanes)
        self.drawn: list[tuple[Point, Point]] = []

    def _leg(self, a: Point, b: Point, near: list[tuple[Box, float]]) -> float:
        """Return the length of a straight leg, plus fines for what it meets on its way."""
        cost = hypot(b[0] - a[0], b[1] - a[1])
        cost += COLLISION * sum(_hits(a, b, box, margin) for box, margin in near)
        for c, d in self.drawn:
            if c[1] < b[1] and d[1] > a[1]:
                cost += 20 * _crosses(a, b, c, d) + 150 * _overlays(a, b, c, d)
        # A leg along a lifeline would be taken for a part of it.
        if abs(a[0] - b[0]) < 6:
            cost += 60 * any(abs(a[0] - x) < 7 for x in self.lanes)
        return cost

    def _near(self, source: Box, target: Box) -> list[tuple[Box, float]]:
        """Return the boxes a course can meet, each with the distance it must keep from them."""
        near = []
        for box in self.boxes.values():
            if box.bottom > source.top - 20 and box.top < target.bottom + 20:
                if box in (source, target):
                    margin = -1.0 - (SLANT if box.slanted else 0.0)
                else:
                    margin = 0.5 if box.name.startswith(f"{source.name}_says") else CLEARANCE
                near.append((box, margin))
        return near

    def _bent(
        self, start: Point, end: Point, between: list[float], near: list[tuple[Box, float]]
    ) -> Iterable[tuple[float, tuple[Point, ...]]]:
        """Yield courses by way of one or two gaps between rows, with their costs."""
        low, high = min(start[0], end[0]) - 70, max(start[0], end[0]) + 70
        columns = [low + STEP * i for i in range(int((high - low) / STEP) + 1)]
        for upper in between[:2]:
            first = {x: self._leg(start, (x, upper), near) for x in columns}
            for lower in between[-2:]:
                if upper > lower:
                    continue
                last = {x: self._leg((x, lower), end, near) for x in columns}
                if upper == lower:
                    for x in columns:
                        yield first[x] + last[x] + BEND, (start, (x, upper), end)
                    continue
                outs = sorted(columns, key=lambda x: first[x] + hypot(x - end[0], upper - end[1]))
                ins = sorted(columns, key=lambda x: last[x] + hypot(x - start[0], lower - start[1]))
                pairs = [(x, x) for x in columns]
                pairs += [(x, z) for x in outs[:BREADTH] for z in ins[:BREADTH] if x != z]
                for x, z in pairs:
                    middle = self._leg((x, upper), (z, lower), near)
                    course = (start, (x, upper), (z, lower), end)
                    yield first[x] + middle + last[z] + 2 * BEND, course

    def course(self, source: Box, target: Box, way: int) -> tuple[Point, ...]:
        """Return the cheapest polyline from source to target, which leaves source on side `way`.

        Straight from side to side where that is free; else through gaps between the rows, and by
        the top or the bottom of a box only where its side is closed. Ties go to the first found.
        """
        near = self._near(source, target)
        side = way if source.x == target.x else -way
        start, end = source.side(way, 0.3 * source.h), target.side(side, -0.3 * target.h)
        below = (source.x + way * source.w / 4, source.bottom)
        above = (target.x + side * target.w / 4, target.top)
        between = [y for y in self.breaks if source.y < y < target.y]
        best: tuple[Point, ...] = (start, end)
        least = self._leg(start, end, near)
        options: list[tuple[float, tuple[Point, ...]]]
        for fine, a, b in (
            (0, start, end),
            (60, start, above),
            (70, below, end),
            (130, below, above),
        ):
            # A straight slanted line is what people expect, so it need not be the very cheapest.
            if least < COLLISION:
                break
            options = [(self._leg(a, b, near), (a, b)), *self._bent(a, b, between, near)]
            for cost, points in options:
                if cost + fine < least - 1e-6:
                    best, least = points, cost + fine
        self.drawn += _segments(best)
        return tuple((round(x, 2), round(y, 2)) for x, y in best)


def _overlays(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Tell whether two upright segments run on top of each other."""
    if abs(a[0] - b[0]) > 1 or abs(c[0] - d[0]) > 1 or abs(a[0] - c[0]) > 4:
        return False
    return max(a[1], c[1]) < min(b[1], d[1])


def route_message(hop: Hop, way: int, router: Router, broken: bool) -> Arrow:
    """Return the arrow of one hop; a hop without a target ends in the open, beside its source."""
    source = router.boxes[f"event_{hop.source}"]
    kind = "back" if hop.back else "request"
    if hop.target is None:
        stub = router.boxes[f"end_{hop.message}"]
        points = (source.side(way, 0.3 * source.h), stub.side(-way))
        router.drawn += _segments(points)
        return Arrow(hop.name, kind, source.name, stub.name, points, open_end=True)
    target = router.boxes[f"event_{hop.target}"]
    return Arrow(
        hop.name,
        kind,
        source.name,
        target.name,
        router.course(source, target, way),
        broken=broken,
        lost=hop.lost,
    )


def link_row(event: Box, cells: Sequence[Box], broken: bool) -> list[Arrow]:
    """Return the level arrows from an event to the cells beside it, from one to the next."""
    arrows = []
    for way in (-1, 1):
        beside = sorted(
            (c for c in cells if (c.x - event.x) * way > 0), key=lambda c: abs(c.x - event.x)
        )
        for here, there in zip([event, *beside], beside, strict=False):
            kind = "compare" if there.kind == "remark" else "change"
            points = (here.side(way, event.y - here.y), there.side(-way, event.y - there.y))
            name = f"{kind}_{event.row}_to_{there.name}"
            arrows.append(
                Arrow(
                    name,
                    kind,
                    here.name,
                    there.name,
                    points,
                    interference=event.slanted,
                    broken=broken,
                )
            )
    return arrows
