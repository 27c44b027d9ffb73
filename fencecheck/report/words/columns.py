"""A table of short cells as text that fits a width: heads wrapped, else several blocks.

In: heads, named rows of entries, a width. Out: lines. An entry may have several lines and a tone,
which ``paint`` may turn into colour after everything is padded. It knows nothing of verdicts.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

Paint = Callable[[str, str], str]
GAP = 2
LEAST_NAME = 12


def plain(tone: str, text: str) -> str:
    """Return the text as it is: the paint of everything that is no terminal."""
    return text


@dataclass(frozen=True)
class Entry:
    """One cell: its lines, the tone in which they are painted ("" for none), and its side."""

    lines: tuple[str, ...]
    tone: str = ""
    right: bool = False


Table = Sequence[tuple[str, Sequence[Entry]]]


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def pad(text: str, width: int) -> str:
    """Return the text with spaces up to ``width`` columns."""
    return text + " " * (width - columns_of(text))


def _words(text: str) -> int:
    return max((columns_of(word) for word in text.split()), default=1)


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _row(cells: Sequence[tuple[Sequence[str], int, str]], paint: Paint) -> list[str]:
    """Return the lines of one row; a cell is its lines, its width and its tone."""
    lines = []
    for parts in zip_longest(*(lines for lines, _, _ in cells), fillvalue=""):
        shown = [
            paint(tone, part) + " " * (width - columns_of(part))
            for part, (_, width, tone) in zip(parts, cells, strict=True)
        ]
        lines.append((" " * GAP).join(shown).rstrip())
    return lines


def _blocks(widths: list[int], room: int) -> list[range]:
    """Return the columns of each block: as few blocks as fit ``room``, evenly filled."""
    number = len(widths)
    for blocks in range(1, number + 1):
        size = -(-number // blocks)
        parts = [range(i, min(i + size, number)) for i in range(0, number, size)]
        if all(sum(widths[i] + GAP for i in part) <= room for part in parts):
            return parts
    return [range(i, i + 1) for i in range(number)]


def _aligned(rows: Table, number: int) -> Table:
    """Return the rows with what stands on the right side of its column moved there."""
    room = [
        max((columns_of(line) for _, cells in rows for line in cells[i].lines), default=0)
        for i in range(number)
    ]

    def moved(cell: Entry, width: int) -> Entry:
        lines = tuple(" " * (width - columns_of(line)) + line for line in cell.lines)
        return replace(cell, lines=lines) if cell.right else cell

    return [(name, [moved(c, w) for c, w in zip(cells, room, strict=True)]) for name, cells in rows]


def table_lines(
    corner: str, heads: Sequence[str], rows: Table, width: int, paint: Paint = plain
) -> list[str]:
    """Return a table's lines; where the columns do not fit, blocks below each other.

    ``corner`` is the head over the names. Only a single column wider than ``width`` exceeds it.
    """
    widths = [
        max(_words(head), *(columns_of(line) for _, cells in rows for line in cells[i].lines), 1)
        for i, head in enumerate(heads)
    ]
    rows = _aligned(rows, len(heads))
    names = [corner, *(name for name, _ in rows)]
    longest = max(columns_of(name) for name in names)
    least = min(longest, max(LEAST_NAME, *(_words(name) for name in names)))
    needed = sum(w + GAP for w in widths)
    first = longest if longest + needed <= width else max(least, min(longest, width - needed))
    lines: list[str] = []
    for part in _blocks(widths, width - first):
        lines += [""] if lines else []
        head = [(_wrap(heads[i], widths[i]), widths[i], "head") for i in part]
        lines += _row([(_wrap(corner, first), first, "head"), *head], paint)
        lines.append("─" * (first + sum(widths[i] + GAP for i in part)))
        for name, cells in rows:
            entries = [(cells[i].lines, widths[i], cells[i].tone) for i in part]
            lines += _row([(_wrap(name, first), first, ""), *entries], paint)
    return lines
