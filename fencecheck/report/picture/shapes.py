"""The parts of a swim-lane picture: pieces of text, boxes, arrows, bands, and the whole Picture.

All lengths are points (1/72 inch), x grows to the right and y downwards from the top left corner of
the page. A box is placed by its centre. The parts say what they are (`kind`), never how they look:
colours, fonts and shapes belong to the writer of a format.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fencecheck.report.picture.measure import text_width

LINE_HEIGHT = 1.22
SLANT = 7.0
Point = tuple[float, float]


@dataclass(frozen=True)
class Piece:
    """A run of text in one style, `width` points wide at least."""

    text: str
    size: float = 9.5
    bold: bool = False
    tone: str = "ink"
    width: float = 0.0


Line = tuple[Piece, ...]


def make_piece(text: str, size: float = 9.5, bold: bool = False, tone: str = "ink") -> Piece:
    """Return a piece as wide as its text is estimated to be."""
    return Piece(text, size, bold, tone, text_width(text, size, bold))


def lines_size(lines: tuple[Line, ...]) -> tuple[float, float]:
    """Return the width and height that lines of text take."""
    width = max((sum(piece.width for piece in line) for line in lines), default=0.0)
    height = sum(max((piece.size for piece in line), default=0) * LINE_HEIGHT for line in lines)
    return width, height


@dataclass(frozen=True)
class Box:
    """A rectangle with lines of text; `row` is the event it belongs to, None outside the rows."""

    name: str
    kind: str
    w: float
    h: float
    lines: tuple[Line, ...] = ()
    x: float = 0.0
    y: float = 0.0
    align: str = "center"
    slanted: bool = False
    row: int | None = None

    @property
    def left(self) -> float:
        return self.x - self.w / 2

    @property
    def right(self) -> float:
        return self.x + self.w / 2

    @property
    def top(self) -> float:
        return self.y - self.h / 2

    @property
    def bottom(self) -> float:
        return self.y + self.h / 2

    def at(self, x: float, y: float) -> Box:
        """Return the same box with its centre moved to x, y."""
        return replace(self, x=round(x, 2), y=round(y, 2))

    def side(self, direction: int, dy: float = 0.0) -> Point:
        """Return the point of the outline right (1) or left (-1) of the centre, dy below it."""
        inset = SLANT * (0.5 + direction * dy / self.h) if self.slanted else 0.0
        return self.x + direction * (self.w / 2 - inset), self.y + dy


@dataclass(frozen=True)
class Arrow:
    """A polyline from box `source` to box `target`; the head is at its last point.

    Kinds: request, back (messages), change, compare (an event and a store), lifeline, loop,
    divider (before a way on).
    `lost` ends in a cross, `open_end` means that nothing took the message by the end of the trace;
    `onward` is of the way on from the end of a run.
    """

    name: str
    kind: str
    source: str
    target: str
    points: tuple[Point, ...]
    interference: bool = False
    broken: bool = False
    lost: bool = False
    open_end: bool = False
    onward: bool = False


@dataclass(frozen=True)
class Band:
    """A coloured area behind everything; kinds: store, broken, loop, panel."""

    name: str
    kind: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Column:
    """One vertical line: where it stands and how it is headed."""

    name: str
    kind: str
    x: float
    header: Box


@dataclass(frozen=True)
class Row:
    """One event's share of the page: y of its centre line, and the space it takes."""

    event: int
    y: float
    top: float
    bottom: float
    quiet: bool = False


@dataclass(frozen=True)
class Picture:
    """A whole picture, drawn bands first, then arrows, then boxes.

    ``samples`` are the arrows of the legend.
    """

    width: float
    height: float
    title: Box
    lanes: tuple[Column, ...]
    rows: tuple[Row, ...]
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    bands: tuple[Band, ...]
    panel: tuple[Box, ...] = field(default=())
    legend: tuple[Box, ...] = field(default=())
    samples: tuple[Arrow, ...] = field(default=())

    @property
    def all_boxes(self) -> tuple[Box, ...]:
        """Every box of the picture, title, headers, panel and legend included."""
        headers = tuple(lane.header for lane in self.lanes)
        return (self.title, *headers, *self.boxes, *self.panel, *self.legend)
