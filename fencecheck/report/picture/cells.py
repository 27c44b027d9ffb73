"""Cells: the small tables of a swim-lane picture that say what an event changed.

In: changes in words, and a width in points. Out: lines of pieces, and boxes around them. Short
changes stand in columns, long ones on lines of their own; a cell that is too long is cut, and says
so. Where a cell stands is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import replace

from fencecheck.report.picture.measure import wrap
from fencecheck.report.picture.shapes import Box, Line, lines_size, make_piece
from fencecheck.report.words.trace_words import ChangeWords

MAX_CELL_LINES = 8


def change_lines(change: ChangeWords, limit: float) -> list[Line]:
    """Return one line `name before → after`, or several where that is too wide."""
    name = make_piece(f"{change.name}: ", tone="muted")
    after = make_piece(change.after, bold=True)
    if change.before is None:
        pieces: Line = (name, after)
    else:
        pieces = (name, make_piece(f"{change.before} "), make_piece("→ "), after)
    if sum(piece.width for piece in pieces) <= limit:
        return [pieces]
    lines: list[Line] = []
    before = f"{change.name}: {change.before or ''}"
    for text in wrap(before, 9.5, limit):
        lines.append((make_piece(text, tone="muted"),))
    prefix = "→ " if change.before is not None else "  "
    for number, text in enumerate(wrap(change.after, 9.5, limit - 14, bold=True)):
        lead = replace(make_piece(prefix if number == 0 else ""), width=14.0)
        lines.append((lead, make_piece(text, bold=True)))
    return lines


def align_columns(lines: list[Line], limit: float) -> list[Line]:
    """Give the columns of changes that are one line each the same widths, if that still fits."""
    grids = [line for line in lines if len(line) == 4]
    if len(grids) < 2:
        return lines
    widths = [max(line[column].width for line in grids) for column in range(4)]
    if sum(widths) > limit:
        return lines
    return [
        tuple(replace(piece, width=width) for piece, width in zip(line, widths, strict=True))
        if len(line) == 4
        else line
        for line in lines
    ]


def justify(lines: list[Line]) -> list[Line]:
    """Widen the last piece of every line of several pieces, so that all lines are equally wide."""
    full = lines_size(tuple(lines))[0]
    justified = []
    for line in lines:
        spare = full - sum(piece.width for piece in line)
        last = replace(line[-1], width=line[-1].width + spare)
        justified.append((*line[:-1], last) if len(line) > 1 else line)
    return justified


def make_cell(name: str, kind: str, lines: list[Line], row: int | None) -> Box:
    """Return a box around lines of text, cut at MAX_CELL_LINES with a line that says so."""
    if len(lines) > MAX_CELL_LINES:
        left = len(lines) - MAX_CELL_LINES + 1
        lines = [
            *lines[: MAX_CELL_LINES - 1],
            (make_piece(f"and {left} lines more", tone="muted"),),
        ]
    lines = justify(lines)
    width, height = lines_size(tuple(lines))
    align = "center" if kind == "remark" else "left"
    return Box(name, kind, width + 14, height + 8, tuple(lines), align=align, row=row)
