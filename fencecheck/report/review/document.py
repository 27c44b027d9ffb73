"""Results for a review thread: Markdown that begins with the verdicts and fits a comment.

In: outcomes. Out: text in GitHub's dialect. Matrices come first, as ``compare`` prints them, then
their legend, what is wrong, a folded event order with its diagram for each broken cell, bounds and
numbers. It is never longer than a comment may be, and says what was left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencecheck.analysis.compare.together import differences, side_by_side
from fencecheck.checking.results import Result
from fencecheck.report.results.markdown import MARK, code, escape, fenced
from fencecheck.report.review.cells import cell_pieces
from fencecheck.report.review.details import (
    answers_piece,
    claims_piece,
    coverage_pieces,
    fault_piece,
    fault_pieces,
    numbers_piece,
    scenarios_piece,
    scope_piece,
)
from fencecheck.report.review.matrix import legend_piece, matrix_piece, unexpected_piece
from fencecheck.report.review.size import LIMIT, Passage, clipped, fitted
from fencecheck.report.words.outcomes import Failure, Outcome, conclusion, where

ELSEWHERE = "`fencecheck check` with `--out DIR` or `--format json` gives all of it."
# what is more important has the lower rank
(CONCLUSIONS, FAULTS, MATRIX, LEGEND, WORDS, SCOPE, CELLS, ORDERS, FURTHER, NUMBERS) = range(10)
MANY = 100  # specs of which each has a line


def render_markdown(outcomes: Sequence[Outcome], *, orders: bool = True, limit: int = LIMIT) -> str:
    """Return every outcome, of at most ``limit`` characters; without ``orders`` no event order."""
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    tables = side_by_side(results)
    pieces = [matrix_piece(table, MATRIX) for table in tables]
    pieces.append(legend_piece(tables, LEGEND))
    pieces.append(_conclusions(outcomes, CONCLUSIONS))
    if len(tables) > 1:
        apart = [escape(clipped(text, 2_000)) for text in differences(results)]
        pieces.append(Passage(SCOPE, ("<br>\n".join(apart),), ("line on bounds",)))
    for outcome in outcomes:
        pieces += _wrong(outcome)
    for table in tables:
        pieces += _told(table, orders)
    return fitted([piece for piece in pieces if piece.texts], f"{MARK}\n", ELSEWHERE, limit)


def refusal_markdown(problems: Sequence[str], limit: int = LIMIT) -> str:
    """Return what kept specs from being checked at all, each mistake whole or cut."""
    pieces = [Passage(CONCLUSIONS, ("**error: nothing was checked**",), ("conclusion",))]
    for problem in problems:
        lines = fenced(clipped(problem, 4_000), "text")
        pieces.append(Passage(FAULTS, ("\n".join(lines),), ("mistake",)))
    return fitted(pieces, f"{MARK}\n", "The log of the run gives all of it.", limit)


def _wrong(outcome: Outcome) -> Iterator[Passage]:
    if isinstance(outcome, Failure):
        yield fault_piece(outcome, FAULTS)
        return
    yield from fault_pieces(outcome, FAULTS)
    yield unexpected_piece(outcome, WORDS)


def _told(table: Result, orders: bool) -> Iterator[Passage]:
    """Yield what is told of one table below the verdicts."""
    yield scope_piece(table, SCOPE)
    yield answers_piece(table, WORDS)
    yield from cell_pieces(table, CELLS) if orders else ()
    if table.cells:
        yield scenarios_piece(table.cells, FURTHER)
    if table.claims:
        yield claims_piece(table, FURTHER)
    yield from coverage_pieces(table, NUMBERS)
    yield numbers_piece(table, NUMBERS)


def _conclusions(outcomes: Sequence[Outcome], rank: int) -> Passage:
    """Return what each outcome amounts to; of several, a line each, the worst first if cut."""
    if len(outcomes) == 1:
        told = _amounts(outcomes[0])
        return Passage(rank, (f"**{escape(told)}**",), ("conclusion",))
    ordered = sorted(outcomes, key=lambda outcome: outcome.exit_code == 0)
    few = [_line(outcome) for outcome in ordered[:MANY]]
    few += [f"- and {len(outcomes) - MANY} specs more"] if len(outcomes) > MANY else []
    whole = "\n".join(_line(outcome) for outcome in outcomes)
    return Passage(rank, (whole, "\n".join(few)), ("list of specs", "list"))


def _line(outcome: Outcome) -> str:
    words = escape(clipped(_amounts(outcome), 400))
    return f"- {code(clipped(where(outcome), 160))}: " + (
        words if outcome.exit_code == 0 else f"**{words}**"
    )


def _amounts(outcome: Outcome) -> str:
    if isinstance(outcome, Failure):
        return "error: the model is wrong"
    return conclusion(outcome) or "undetermined: nothing was checked"
