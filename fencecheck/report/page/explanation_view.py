"""An explanation as a page tells it: its verdicts, and below them the same blocks as in the text.

In: an Explanation, and the names of places that are taken. Out: an article; parts.html lays its
blocks out, and each event order leads to its run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fencecheck.analysis.explain.explanation import Explanation
from fencecheck.report.explanation.block import Block, EventOrder, Heading, Listing, Rows, Sentence
from fencecheck.report.explanation.blocks import part_blocks
from fencecheck.report.page.anchors import Anchors
from fencecheck.report.page.result_view import view_outcome
from fencecheck.report.page.run_view import RunView, view_run
from fencecheck.report.page.views import ResultView


@dataclass(frozen=True)
class BlockView:
    """One block: its ``kind`` is what parts.html asks for; the other fields are what that kind has.

    ``answer`` is the verdict that an event order calls for.
    """

    kind: str
    text: str = ""
    tone: str = ""
    level: int = 0
    items: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    run: str = ""
    answer: str = ""


@dataclass(frozen=True)
class PageArticle:
    """What a page says of one spec: its result, and its explanation where there is one."""

    result: ResultView
    blocks: tuple[BlockView, ...] = ()
    orders: tuple[RunView, ...] = ()

    @property
    def runs(self) -> list[RunView]:
        """Return every run that is told."""
        return [*self.result.runs, *self.orders]


def view_explanation(
    explanation: Explanation, anchors: Anchors, prefix: tuple[str, ...] = ()
) -> PageArticle:
    """Return an explanation as a page tells it; ``prefix`` begins the names of its runs."""
    result = view_outcome(explanation.result, anchors, prefix)
    orders: list[RunView] = []
    blocks: list[BlockView] = []
    for number, part in enumerate(explanation.parts):
        if part.name != "head":  # the article's own head says that
            for block in part_blocks(explanation, number):
                blocks += _views(block, anchors, prefix, orders)
    if explanation.parts and explanation.parts[-1].name == "end":  # what all of it amounts to
        result.conclusion, result.tone = blocks[-1].text, blocks[-1].tone
    return PageArticle(result, tuple(blocks), tuple(orders))


def _views(
    block: Block, anchors: Anchors, prefix: tuple[str, ...], orders: list[RunView]
) -> Iterator[BlockView]:
    if isinstance(block, Heading):
        yield BlockView("heading", block.text, level=block.level + 1)
    elif isinstance(block, Sentence):
        yield BlockView("sentence", block.text, block.tone)
    elif isinstance(block, Listing):
        yield BlockView("listing", items=block.items)
    elif isinstance(block, Rows):
        yield BlockView("rows", heads=block.heads, rows=block.rows)
    else:
        assert isinstance(block, EventOrder)
        place = (*prefix, block.trace.variant or "", block.title)
        run = view_run(block.trace, anchors.take(*filter(None, place)))
        orders.append(run)
        yield BlockView(
            "order", block.title, items=block.also, run=run.anchor, answer=block.verdict
        )
