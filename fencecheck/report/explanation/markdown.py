"""Explanations as Markdown: the same sections as in the text, with a diagram of each event order.

In: explanations. Out: text for a pull request or a wiki.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.analysis.explain.explanation import Explanation
from fencecheck.report.explanation.block import Block, EventOrder, Heading, Listing, Rows, Sentence
from fencecheck.report.explanation.blocks import blocks_of
from fencecheck.report.results.markdown import MARK, escape, order_markdown, table_markdown


def render_explanations_markdown(
    explanations: Sequence[Explanation], *, orders: bool = True
) -> str:
    """Return every explanation as a section; without ``orders`` no event order is told."""
    lines = [MARK]
    for explanation in explanations:
        for block in blocks_of(explanation, orders=orders):
            lines += ["", *_lines(block)]
    return "\n".join(lines) + "\n"


def _lines(block: Block) -> list[str]:
    if isinstance(block, Heading):
        return [f"{'#' * block.level} {escape(block.text)}"]
    if isinstance(block, Sentence):
        text = escape(block.text)
        return [f"**{text}**" if block.tone else text]
    if isinstance(block, Listing):
        return [f"- {escape(item)}" for item in block.items]
    if isinstance(block, Rows):
        rows = [[escape(text) for text in row] for row in block.rows]
        return table_markdown([escape(head) for head in block.heads], rows)
    assert isinstance(block, EventOrder)
    return [
        f"#### {escape(block.title)}",
        "",
        *order_markdown(block.trace),
        "",
        *(f"- {escape(text)}" for text in block.also),
        "",
        f"**{escape(block.verdict)}**",
    ]
