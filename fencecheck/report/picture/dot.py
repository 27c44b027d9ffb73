"""A swim-lane layout as DOT source, for `neato -n2`: every node and edge carries its own place.

In: a Picture (lanes.py), or a trace. Out: DOT text that depends on the trace alone. The source
needs no layout engine, only text and shapes; bands are clusters with a given bb. All text is
escaped.
"""

from __future__ import annotations

from html import escape
from math import hypot

import graphviz

from fencecheck.report.picture.lanes import layout_trace
from fencecheck.report.picture.shapes import SLANT, Arrow, Band, Box, Line, Picture, Piece, Point
from fencecheck.report.picture.styles import (
    BAND_STYLES,
    EDGE_STYLES,
    FONT,
    NODE_STYLES,
    ORANGE,
    PAPER,
    RED,
    TONES,
)
from fencecheck.runs.trace import Trace

ROUNDING = 9.0
HEAD = 7.5


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _text(text: str) -> str:
    """Escape a text for an HTML-like label; a backslash alone would start an escape of DOT."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return escape(printable, quote=True).replace("\\", "&#92;&#92;").replace("'", "&#39;")


def _font(piece: Piece, tail: str = "") -> str:
    text = _text(piece.text.strip()) or " "
    text = f"<B>{text}</B>" if piece.bold else text + tail
    return f'<FONT POINT-SIZE="{_number(piece.size)}" COLOR="{TONES[piece.tone]}">{text}</FONT>'


def _row(line: Line, align: str) -> str:
    """Return one line as a table row; several pieces get cells as wide as we measured them."""
    table = '<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0">'
    # Graphviz sets bold and plain cells on different baselines; a bold space evens them out.
    tail = "<B> </B>" if align == "LEFT" or len(line) > 1 else ""
    if len(line) == 1:
        return f'<TR><TD ALIGN="{align}">{_font(line[0], tail)}</TD></TR>'
    cells = "".join(
        f'<TD ALIGN="LEFT" WIDTH="{round(piece.width)}">{_font(piece, tail)}</TD>' for piece in line
    )
    return f'<TR><TD ALIGN="{align}">{table}<TR>{cells}</TR></TABLE></TD></TR>'


def _label(box: Box) -> str:
    if not box.lines:
        return ""
    align = "LEFT" if box.align == "left" else "CENTER"
    # Plain text starts at the box's left edge whatever its true width is.
    width = f' WIDTH="{int(box.w)}"' if box.kind == "text" and align == "LEFT" else ""
    rows = "".join(_row(line, align) for line in box.lines)
    table = '<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"'
    return f"<{table}{width}>{rows}</TABLE>>"


def _skew(box: Box) -> str:
    """Return the skew that makes a parallelogram of this width lean by SLANT points."""
    share = SLANT / box.w
    skew = 2 * share / (1 - share)
    for _ in range(4):
        skew = 2 * share * hypot(skew, 1) / (1 - share)
    return f"{skew:.4f}"


def _add_box(graph: graphviz.Digraph, box: Box, height: float) -> None:
    style = dict(NODE_STYLES[box.kind])
    if box.slanted:
        style.update(shape="polygon", sides="4", skew=_skew(box))
        style["style"] = style["style"].replace("rounded,", "")
    graph.node(
        box.name,
        label=_label(box),
        pos=f"{_number(box.x)},{_number(height - box.y)}",
        width=f"{box.w / 72:.4f}",
        height=f"{box.h / 72:.4f}",
        **style,
    )


def _toward(a: Point, b: Point, distance: float) -> Point:
    length = hypot(b[0] - a[0], b[1] - a[1])
    share = min(distance / length, 0.5) if length else 0.0
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _curve(points: tuple[Point, ...]) -> list[Point]:
    """Return the control points of a cubic spline along a polyline with rounded corners."""
    knots: list[Point] = [points[0]]

    def straight(end: Point) -> None:
        start = knots[-1]
        for share in (1 / 3, 2 / 3, 1):
            knots.append(
                (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            )

    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        straight(_toward(corner, before, ROUNDING))
        out = _toward(corner, after, ROUNDING)
        start = knots[-1]
        knots.append(
            _toward(start, corner, hypot(corner[0] - start[0], corner[1] - start[1]) * 0.6)
        )
        knots.append(_toward(out, corner, hypot(corner[0] - out[0], corner[1] - out[1]) * 0.6))
        knots.append(out)
    straight(points[-1])
    return knots


def _spline(points: tuple[Point, ...], height: float, headed: bool) -> str:
    tip = points[-1]
    if headed:
        points = (*points[:-1], _toward(tip, points[-2], HEAD))
    places = " ".join(f"{_number(x)},{_number(height - y)}" for x, y in _curve(points))
    return f"e,{_number(tip[0])},{_number(height - tip[1])} {places}" if headed else places


def _add_arrow(graph: graphviz.Digraph, arrow: Arrow, height: float) -> None:
    style = dict(EDGE_STYLES[arrow.kind])
    if arrow.onward:
        style.setdefault("style", "dashed")
    if arrow.interference:
        style.update(color=ORANGE, penwidth="1.5", style="dashed")
    if arrow.broken:
        style.update(color=RED, penwidth="2")
    if arrow.lost or arrow.open_end:
        style["arrowhead"] = "none"
    headed = style.get("arrowhead") != "none"
    graph.edge(arrow.source, arrow.target, pos=_spline(arrow.points, height, headed), **style)
    if arrow.lost:
        x, y = _toward(arrow.points[-1], arrow.points[-2], 10)
        for lean in (-1, 1):
            stroke = ((x - 4.5, y - 4.5 * lean), (x + 4.5, y + 4.5 * lean))
            graph.edge(
                arrow.source,
                arrow.target,
                pos=_spline(stroke, height, False),
                color=ORANGE,
                penwidth="2.4",
                arrowhead="none",
            )


def _add_band(graph: graphviz.Digraph, band: Band, height: float) -> None:
    with graph.subgraph(name=f"cluster_{band.name}") as cluster:
        sides = (band.left, height - band.bottom, band.right, height - band.top)
        cluster.attr(
            bb=",".join(_number(side) for side in sides), label="", **BAND_STYLES[band.kind]
        )


def layout_to_dot(layout: Picture) -> str:
    """Return the DOT source of a layout; the same layout always gives the same text."""
    graph = graphviz.Digraph("trace", comment="draw with: neato -n2 -Tsvg", engine="neato")
    graph.attr(layout="neato", bgcolor=PAPER, outputorder="edgesfirst", pad="0", margin="0")
    graph.attr("node", fontname=FONT, fontsize="11", fixedsize="true", margin="0", label="")
    graph.attr("edge", fontname=FONT, arrowsize="0.75")
    for band in layout.bands:
        _add_band(graph, band, layout.height)
    # The two corners make the drawing as large as the page.
    for name, x, y in (("corner_1", 0.0, 0.0), ("corner_2", layout.width, layout.height)):
        graph.node(
            name, pos=f"{_number(x)},{_number(y)}", style="invis", width="0.01", height="0.01"
        )
    for box in layout.all_boxes:
        _add_box(graph, box, layout.height)
    for arrow in (*layout.arrows, *layout.samples):
        _add_arrow(graph, arrow, layout.height)
    return str(graph.source)


def trace_to_dot(trace: Trace) -> str:
    """Return the DOT source of a trace's swim-lane picture."""
    return layout_to_dot(layout_trace(trace))
