"""An explanation as text: short sections, event orders as numbered lists.

In: an Explanation, a width, what to paint with. Out: one string.
"""

from __future__ import annotations

from fencecheck.analysis.explain.explanation import Explanation
from fencecheck.report.explanation.block import Block, EventOrder, Heading, Listing, Rows, Sentence
from fencecheck.report.explanation.blocks import part_blocks
from fencecheck.report.words.columns import Paint, columns_of, plain
from fencecheck.report.words.orders import order_lines, violation_lines, wrapped
from fencecheck.report.words.visible import one_line

LEAST_LAST = 30  # columns that the last column of a table gets at least


def render_explanation(
    explanation: Explanation, *, width: int = 100, paint: Paint = plain, orders: bool = True
) -> str:
    """Return an explanation as text; without ``orders`` no event order is told."""
    numbers = range(len(explanation.parts))
    parts = (
        render_part(explanation, number, width=width, paint=paint, orders=orders)
        for number in numbers
    )
    return "".join(parts)


def render_part(
    explanation: Explanation,
    number: int,
    *,
    width: int = 100,
    paint: Paint = plain,
    orders: bool = True,
) -> str:
    """Return the text of one part of those that are ready, for it to be printed at once."""
    lines: list[str] = []
    indent = ""
    for block in part_blocks(explanation, number, orders=orders):
        if isinstance(block, Heading):
            indent = "" if block.level == 1 else "  " if block.level == 2 else "    "
            lines += [""] if lines or number else []
            lines.append("  " * max(0, block.level - 2) + paint("head", one_line(block.text)))
        else:
            lines += _lines(block, width, indent, paint)
    return "".join(f"{line}\n" for line in lines)


def _lines(block: Block, width: int, indent: str, paint: Paint) -> list[str]:
    if isinstance(block, Sentence):
        return [paint(block.tone, line) for line in wrapped(block.text, width, indent, "  ")]
    if isinstance(block, Listing):
        return [line for item in block.items for line in wrapped(f"- {item}", width, indent, "  ")]
    if isinstance(block, Rows):
        return _table(block, width, indent, paint)
    assert isinstance(block, EventOrder)
    lines = ["", indent + paint("head", block.title)]
    lines += order_lines(block.trace, width, indent + "  ", paint)
    lines += violation_lines(block.trace, width, indent + "  ", paint)
    for text in block.also:
        lines += wrapped(text, width, indent + "  ", "  ")
    return lines + wrapped(block.verdict, width, indent + "  ", "  ")


def _table(table: Rows, width: int, indent: str, paint: Paint) -> list[str]:
    """Return a table whose widest column takes what is left and is wrapped."""
    columns = list(zip(table.heads, *table.rows, strict=True))
    widths = [max(columns_of(text) for text in column) for column in columns]
    wide = max(range(len(widths)), key=lambda i: widths[i])
    rest = sum(widths) - widths[wide] + 2 * (len(widths) - 1) + len(indent)
    widths[wide] = min(widths[wide], max(LEAST_LAST, width - rest))
    lines = []
    for number, row in enumerate((table.heads, *table.rows)):
        cells = [
            wrapped(text, widths[i], "", "  " if i == wide else "") or [""]
            for i, text in enumerate(row)
        ]
        for part in range(max(map(len, cells))):
            shown = [
                (cell[part] if part < len(cell) else "").ljust(widths[i])
                for i, cell in enumerate(cells)
            ]
            line = (indent + "  ".join(shown)).rstrip()
            lines.append(paint("head", line) if number == 0 else line)
    return lines
