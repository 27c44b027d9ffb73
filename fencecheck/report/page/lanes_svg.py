"""The swim-lane picture of a trace as SVG for a page, which styles it and steps through it.

In: a trace, its layout, and the name of its place in the page. Out: two ``svg`` elements below
each other, the heads of the lanes and the rows. Every part says by class what it is and by
``data-event`` to which event it belongs; page.css says how it looks, in light, dark and print.
Drawn is what picture/lanes.py lays out, without title, verdict and legend, which the page tells
in its own type. No renderer is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot

from markupsafe import Markup

from fencecheck.report.picture.measure import SLACK, text_width
from fencecheck.report.picture.shapes import (
    SLANT,
    Arrow,
    Band,
    Box,
    Line,
    Picture,
    Piece,
    Point,
)
from fencecheck.report.words.orders import event_details, event_line
from fencecheck.report.words.outcomes import count
from fencecheck.report.words.trace_words import headline, loop_text
from fencecheck.report.words.visible import one_line
from fencecheck.runs.trace import Trace

ROUNDING = 9.0
HEAD = 8.0
CROSS = 4.5
BASELINE = 0.98  # of the size of a text: from the top of its line to the foot of its letters
SCALE = 4 / 3  # a point of the layout is 4/3 pixels of a page
BARE = ("lifeline-system", "lifeline-interference", "lifeline-store", "compare", "divider")
LID = 3.5  # half the height of a drum's lid


def lanes_svg(trace: Trace, picture: Picture, anchor: str) -> Markup:
    """Return the picture, with a name and a description; empty where nothing has a lane."""
    if not picture.lanes:
        return Markup()
    top = min(lane.header.top for lane in picture.lanes) - 10
    below = max(lane.header.bottom for lane in picture.lanes) + 2
    bottom = max([box.bottom for box in picture.boxes] + [row.bottom for row in picture.rows]) + 8
    names = Markup(
        ' role="img" aria-labelledby="{0}-name {0}-description">\n'
        '<title id="{0}-name">{1}</title>\n<desc id="{0}-description">{2}</desc>\n'
    ).format(anchor, one_line(headline(trace)), description(trace))
    heads = Markup(' aria-hidden="true">\n') + _joined(_heads(picture))
    body = names + _joined([*_behind(picture), *_events(picture, trace, anchor)])
    return (
        _frame("lanes heads", picture.width, top, below, heads)
        + "\n"
        + _frame("lanes", picture.width, below, bottom, body)
    )


def _frame(kind: str, width: float, top: float, bottom: float, content: Markup) -> Markup:
    """Return what lies between two heights of the picture, at its natural size."""
    frame = Markup(
        '<svg class="{}" xmlns="http://www.w3.org/2000/svg" viewBox="0 {} {} {}" '
        'width="{}" height="{}"{}</svg>'
    )
    height = bottom - top
    size = (round(width * SCALE), round(height * SCALE))
    return frame.format(kind, _n(top), _n(width), _n(height), *size, content)


def description(trace: Trace) -> str:
    """Return a picture in words: its events in their order."""
    told = [f"{n}. {one_line(event_line(e))}." for n, e in enumerate(trace.all_events, 1)]
    ends = [f"{words}." for words in (loop_text(trace),) if words]
    number = count(len(trace.all_events), "event")
    return " ".join([f"Swim lanes with {number}, from top to bottom.", *told, *ends])


def _heads(picture: Picture) -> Iterable[Markup]:
    """Yield the heads of the lanes, which stay in sight above what scrolls."""
    for band in picture.bands:
        if band.kind == "store":
            yield _band(band, picture)
    for lane in picture.lanes:
        yield _box(lane.header)


def _behind(picture: Picture) -> Iterable[Markup]:
    """Yield what lies behind the events: bands and lifelines."""
    for band in picture.bands:
        if band.kind != "panel":
            yield _band(band, picture)
    for arrow in picture.arrows:
        if arrow.kind.startswith("lifeline"):
            yield _arrow(arrow)


def _events(picture: Picture, trace: Trace, anchor: str) -> Iterable[Markup]:
    """Yield the arrows, then the boxes of each event in a group with its words as a title."""
    rows = {box.name: box.row for box in picture.boxes}
    for arrow in picture.arrows:
        if not arrow.kind.startswith("lifeline"):
            source, target = rows.get(arrow.source), rows.get(arrow.target)
            lands = len(trace.all_events) + 1 if arrow.open_end else target
            yield _arrow(arrow, source or len(trace.all_events), lands)
    loose = [box for box in picture.boxes if not box.row]
    yield _joined(_box(box) for box in loose)
    for number, event in enumerate(trace.all_events, 1):
        words = one_line("; ".join([event_line(event), *event_details(trace, event)]))
        boxes = _joined(_box(box) for box in picture.boxes if box.row == number)
        group = Markup('<g class="event" id="{}:{}" data-event="{}"><title>{}</title>\n{}</g>\n')
        yield group.format(anchor, number, number, f"{number}. {words}", boxes)


def _n(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup().join(parts)


def _band(band: Band, picture: Picture) -> Markup:
    row = next((r.event for r in picture.rows if r.top == band.top), None)
    event = Markup(' data-event="{}"').format(row) if band.kind == "broken" else ""
    shape = Markup('<rect class="band {}" x="{}" y="{}" width="{}" height="{}" rx="3"{}/>\n')
    sides = (band.left, band.top, band.right - band.left, band.bottom - band.top)
    return shape.format(band.kind, *map(_n, sides), event)


def _box(box: Box) -> Markup:
    return _outline(box) + _lines(box)


def _outline(box: Box) -> Markup:
    """Return the shape of a box: slanted for interference, a drum for what is stored."""
    kind = f"box {box.kind}"
    if box.kind == "text":
        return Markup()
    if box.slanted:
        corners = (
            (box.left + SLANT, box.top),
            (box.right, box.top),
            (box.right - SLANT, box.bottom),
            (box.left, box.bottom),
        )
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in corners)
        return Markup('<polygon class="{}" points="{}"/>\n').format(kind, points)
    if box.kind == "lane-store":
        return Markup('<path class="{}" d="{}"/>\n').format(kind, _drum(box))
    if box.kind == "end":
        circle = Markup('<circle class="{}" cx="{}" cy="{}" r="{}"/>\n')
        return circle.format(kind, _n(box.x), _n(box.y), _n(box.w / 2))
    round_ = {"cell": 1, "remark": 1, "initial": 1, "label": 1}.get(box.kind, 5)
    shape = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="{}"/>\n')
    return shape.format(kind, *map(_n, (box.left, box.top, box.w, box.h)), round_)


def _drum(box: Box) -> str:
    left, right, top, low = map(_n, (box.left, box.right, box.top + LID, box.bottom - LID))
    arc = f"{_n(box.w / 2)} {LID} 0 0"
    body = f"M{left} {top}A{arc} 1 {right} {top}V{low}A{arc} 1 {left} {low}Z"
    return f"{body}M{left} {top}A{arc} 0 {right} {top}"


def _lines(box: Box) -> Markup:
    """Return the texts of a box, each piece where the layout measured it to be."""
    if not box.lines:
        return Markup()
    widths = [sum(piece.width for piece in line) for line in box.lines]
    y = box.y - sum(_height(line) for line in box.lines) / 2
    told: list[Markup] = []
    for line, width in zip(box.lines, widths, strict=True):
        y += _height(line)
        foot = y - _height(line) + max(piece.size for piece in line) * BASELINE
        alone = len(line) == 1 and box.align == "center"
        x = box.x if alone else box.x - (max(widths) if box.align == "left" else width) / 2
        for piece in line:
            if piece.text.strip():
                weight = " strong" if piece.bold else ""
                kind = f"{piece.tone}{weight}{' middle' if alone else ''}"
                told.append(_text(piece, kind, x, foot))
            x += piece.width
    return _joined(told)


def _text(piece: Piece, kind: str, x: float, foot: float) -> Markup:
    """Return one piece of text, as wide as the layout took it to be whatever font shows it."""
    shown = one_line(piece.text)
    width = text_width(shown, piece.size, piece.bold) / SLACK
    text = Markup(
        '<text class="{}" x="{}" y="{}" font-size="{}" textLength="{}" '
        'lengthAdjust="spacingAndGlyphs">{}</text>\n'
    )
    return text.format(kind, _n(x), _n(foot), _n(piece.size), _n(width), shown)


def _height(line: Line) -> float:
    return max(piece.size for piece in line) * 1.22


def _arrow(arrow: Arrow, source: int | None = None, target: int | None = None) -> Markup:
    """Return an arrow with its head; ``data-event`` and ``data-lands`` say when it is under way."""
    kind = f"arrow {arrow.kind}" + " interference" * arrow.interference
    kind += " broken" * arrow.broken + " onward" * arrow.onward
    headed = arrow.kind not in BARE and not (arrow.lost or arrow.open_end)
    when = Markup(' data-event="{}"').format(source) if source is not None else Markup()
    if target is not None and target != source:
        when += Markup(' data-lands="{}"').format(target)
    parts = Markup('<path d="{}"/>').format(_course(arrow.points, headed))
    if headed:
        parts += Markup('<path class="head" d="{}"/>').format(_head(arrow.points))
    if arrow.lost:
        parts += Markup('<path class="cross" d="{}"/>').format(_cross(arrow.points))
    return Markup('<g class="{}"{}>{}</g>\n').format(kind, when, parts)


def _toward(a: Point, b: Point, distance: float) -> Point:
    length = hypot(b[0] - a[0], b[1] - a[1])
    share = min(distance / length, 0.5) if length else 0.0
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _course(points: tuple[Point, ...], headed: bool) -> str:
    """Return the path along a polyline with rounded corners, short of the head's tip."""
    end = _toward(points[-1], points[-2], HEAD - 2) if headed else points[-1]
    path = f"M{_n(points[0][0])} {_n(points[0][1])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        near, away = _toward(corner, before, ROUNDING), _toward(corner, after, ROUNDING)
        path += f"L{_n(near[0])} {_n(near[1])}"
        path += f"Q{_n(corner[0])} {_n(corner[1])} {_n(away[0])} {_n(away[1])}"
    return f"{path}L{_n(end[0])} {_n(end[1])}"


def _head(points: tuple[Point, ...]) -> str:
    (x, y), foot = points[-1], points[-2]
    length = hypot(x - foot[0], y - foot[1]) or 1.0
    dx, dy = (x - foot[0]) / length * HEAD, (y - foot[1]) / length * HEAD
    left, right = (x - dx - dy * 0.38, y - dy + dx * 0.38), (x - dx + dy * 0.38, y - dy - dx * 0.38)
    return f"M{_n(x)} {_n(y)}L{_n(left[0])} {_n(left[1])}L{_n(right[0])} {_n(right[1])}Z"


def _cross(points: tuple[Point, ...]) -> str:
    x, y = _toward(points[-1], points[-2], 10)
    strokes = []
    for lean in (-CROSS, CROSS):
        strokes.append(f"M{_n(x - CROSS)} {_n(y - lean)}L{_n(x + CROSS)} {_n(y + lean)}")
    return "".join(strokes)
