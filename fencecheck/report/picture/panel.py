"""What stands around the lanes: the title above, the verdict and the legend below.

In: a trace and the width of the page. Out: placed boxes and the y below them. The verdict puts
the two values that disagree side by side, in the words of the property.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fencecheck.model.wording.templates import value_text
from fencecheck.report.picture.measure import wrap
from fencecheck.report.picture.shapes import Arrow, Band, Box, Line, Picture, lines_size, make_piece
from fencecheck.report.words.trace_words import (
    EVIDENCE,
    bounds_text,
    evidence_texts,
    headline,
    not_tried_text,
    violation_heading,
)
from fencecheck.runs.trace import Trace

MARGIN = 26.0
INSET = 14.0


def build_title(trace: Trace, width: float) -> Box:
    """Return the title block at the top left: headline, meaning of the property, bounds."""
    room = width - 2 * MARGIN
    lines: list[Line] = [
        (make_piece(t, 15, bold=True),) for t in wrap(headline(trace), 15, room, True)
    ]
    lines += [(make_piece(text, 10.5),) for text in wrap(trace.shows.meaning, 10.5, room)]
    for told in filter(None, (bounds_text(trace), not_tried_text(trace))):
        lines += [(make_piece(text, 9, tone="muted"),) for text in wrap(told, 9, room)]
    height = lines_size(tuple(lines))[1] + 2
    box = Box("title", "text", room, height, tuple(lines), align="left")
    return box.at(MARGIN + room / 2, MARGIN + height / 2)


def _cards(
    compare: Sequence[tuple[str, Any]], left: float, top: float, right: float
) -> tuple[list[Box], float]:
    """Return the values of the verdict side by side, in as many lines as they need."""
    pairs = [(value_text(words), value_text(value)) for words, value in compare]
    cards: list[Box] = []
    limit = max((right - left - 34 * (len(pairs) - 1)) / max(len(pairs), 1), 120.0)
    x, y, line_height = left, top, 0.0
    shapes = []
    for words, value in pairs:
        lines: list[Line] = [(make_piece(t, 9, tone="muted"),) for t in wrap(words, 9, limit - 24)]
        lines += [(make_piece(t, 13, bold=True),) for t in wrap(value, 13, limit - 24, bold=True)]
        shapes.append((tuple(lines), lines_size(tuple(lines))))
    height = max((size[1] for _, size in shapes), default=0.0) + 14
    for number, (lines_here, (width, _)) in enumerate(shapes):
        width = max(width + 24, 120.0)
        if number and x + 34 + width > right:
            x, y = left, y + line_height + 8
        elif number:
            differs = pairs[number - 1][1] != pairs[number][1]
            sign = (make_piece("≠" if differs else "and", 15 if differs else 10, True, "broken"),)
            joint = Box(f"verdict_sign_{number}", "text", 30, 20, (sign,))
            cards.append(joint.at(x + 17, y + height / 2))
            x += 34
        card = Box(f"verdict_value_{number + 1}", "card", width, height, lines_here)
        cards.append(card.at(x + width / 2, y + height / 2))
        x, line_height = x + width, height
    return cards, y + line_height


def build_panel(trace: Trace, width: float, top: float) -> tuple[list[Box], Band | None, float]:
    """Return the verdict's boxes, the band behind them, and the y below it; none for a witness."""
    if not trace.violation:
        return [], None, top
    left, right = MARGIN + INSET, width - MARGIN - INSET
    room = right - left
    heading = [
        (make_piece(t, 12.5, True, "broken"),)
        for t in wrap(violation_heading(trace), 12.5, room, True)
    ]
    says = [(make_piece(t, 10.5),) for t in wrap(value_text(trace.violation.says), 10.5, room)]
    lines: tuple[Line, ...] = (*heading, *says)
    height = lines_size(lines)[1] + 2
    text = Box("verdict", "text", room, height, lines, align="left")
    boxes = [text.at(left + room / 2, top + 10 + height / 2)]
    bottom = text.h + top + 10
    if trace.violation.compare:
        cards, bottom = _cards(trace.violation.compare, left, bottom + 8, right)
        boxes += cards
    texts = evidence_texts(trace)
    if texts:
        read = [(make_piece(t, 9, tone="muted"),) for t in wrap(f"{EVIDENCE}:", 9, room)]
        read += [(make_piece(t, 9),) for t in wrap("  ·  ".join(texts), 9, room)]
        height = lines_size(tuple(read))[1] + 2
        box = Box("verdict_read", "text", room, height, tuple(read), align="left")
        boxes.append(box.at(left + room / 2, bottom + 8 + height / 2))
        bottom += 8 + height
    bottom += 12
    return boxes, Band("verdict", "panel", MARGIN, top, width - MARGIN, bottom), bottom


LEGEND = {
    "event": "the system acts",
    "interference": "interference",
    "broken": "breaks the property",
    "onward": "one way on",
    "cell": "what the event changed",
    "remark": "what it compared",
}
MESSAGES = {"request": "a message", "back": "a reply", "lost": "lost", "open": "never received"}
FLIGHT = 28.0  # the length of an arrow in the legend


def build_legend(
    boxes: list[Box], arrows: list[Arrow], width: float, top: float
) -> tuple[list[Box], list[Arrow], float]:
    """Return a small sample of each kind of box and message that the picture holds.

    With them come the arrows of the samples, and the y below it all.
    """
    legend: list[Box] = []
    samples: list[Arrow] = []
    x, y = MARGIN, top
    for kind, text, wide in (*_box_samples(boxes), *_message_samples(arrows)):
        if legend and x + wide > width - MARGIN:
            x, y = MARGIN, y + 22
        if kind in MESSAGES:
            flight, words = _message_sample(kind, text, x, y + 8)
            samples.append(flight)
            legend += words
        else:
            piece = make_piece(text, 8.5, tone="paper" if kind == "broken" else "ink")
            sample = Box(f"legend_{kind}", kind, wide, 16, ((piece,),))
            sample = replace(sample, slanted=kind == "interference")
            legend.append(sample.at(x + wide / 2, y + 8))
        x += wide + 10
    return legend, samples, y + 16 if legend else top


def legend_words(picture: Picture) -> tuple[tuple[str, str], ...]:
    """Return each kind of box and message in a picture's legend, with what it means."""
    there = {box.name for box in picture.legend}
    kinds = {**LEGEND, **MESSAGES}.items()
    return tuple((kind, text) for kind, text in kinds if f"legend_{kind}" in there)


def _box_samples(boxes: list[Box]) -> list[tuple[str, str, float]]:
    """Return kind, words and width of a sample for each kind of box that there is."""
    there = {box.kind for box in boxes}
    if any(box.slanted for box in boxes):
        there.add("interference")
    return [(k, t, make_piece(t, 8.5).width + 18) for k, t in LEGEND.items() if k in there]


def _message_samples(arrows: list[Arrow]) -> list[tuple[str, str, float]]:
    """Return the same of messages and of how they end."""
    there = {arrow.kind for arrow in arrows}
    there |= {"lost" for arrow in arrows if arrow.lost}
    there |= {"open" for arrow in arrows if arrow.open_end}
    return [
        (kind, text, FLIGHT + make_piece(text, 8.5).width + 12)
        for kind, text in MESSAGES.items()
        if kind in there
    ]


def _message_sample(kind: str, text: str, x: float, y: float) -> tuple[Arrow, list[Box]]:
    """Return an arrow that ends as messages of the kind do, and the words behind it."""
    piece = make_piece(text, 8.5)
    words = Box(f"legend_{kind}", "text", piece.width + 4, 14, ((piece,),), align="left")
    boxes = [words.at(x + FLIGHT + 4 + words.w / 2, y + 1.5)]
    end = x + FLIGHT
    if kind == "open":
        end -= 6
        boxes.append(Box("legend_open_end", "end", 6, 6).at(end + 3, y))
    points = ((round(x, 2), round(y, 2)), (round(end, 2), round(y, 2)))
    colour = kind if kind == "back" else "request"
    flight = Arrow(
        f"legend_{kind}", colour, words.name, words.name, points,
        lost=kind == "lost", open_end=kind == "open",
    )  # fmt: skip
    return flight, boxes
