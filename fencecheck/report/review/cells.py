"""Each broken cell, folded: a diagram of its shortest event order, and the order in words.

In: a result. Out: pieces; one that is too long loses its diagram first. An order that is not the
expected one goes before those that are.
"""

from __future__ import annotations

import html
from collections.abc import Iterator

from fencecheck.checking.results import Result, VariantResult
from fencecheck.report.picture.mermaid import trace_to_mermaid
from fencecheck.report.results.markdown import escape, fenced, order_words
from fencecheck.report.review.size import Passage, clipped
from fencecheck.report.words.outcomes import code_of, count, finding_words
from fencecheck.report.words.reachability import answer_words
from fencecheck.report.words.visible import one_line
from fencecheck.runs.trace import Trace

MOST_DRAWN = 50_000  # characters that Mermaid draws
NAME = 160
MEANING = 1_000


def folded(summary: str, lines: list[str]) -> str:
    """Return lines of Markdown that open below a summary, which is HTML already."""
    body = "\n".join(lines)
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


def inline(text: object) -> str:
    """Return a name as HTML on one line, cut where it is long."""
    return html.escape(clipped(one_line(text), NAME))


def cell_pieces(result: Result, rank: int) -> Iterator[Passage]:
    """Yield a piece for each event order that a result has, in the order of its table.

    Those that are not as they should be have ``rank``, the others the next one.
    """
    for variant in result.variants:
        for finding in variant.findings:
            own = rank if code_of(finding, result) != 0 else rank + 1
            head = f"{inline(variant.name)}: <code>{inline(finding.name)}</code> "
            if finding.trace is not None:
                head += html.escape(finding_words(finding))
                yield _piece(own, head, finding.trace, finding.meaning)
            for other in finding.others:
                words = f"{other.differs}, {count(other.events, 'event')}"
                yield _piece(rank + 2, f"{head}{html.escape(words)}", other.trace, "")
        yield from _answers(variant, rank)
    for claim in result.claims:
        if claim.verdict == "refuted" and claim.trace is not None:
            yield _piece(rank + 2, f"refuted: {inline(claim.name)}", claim.trace, claim.text)


def _answers(variant: VariantResult, rank: int) -> Iterator[Passage]:
    for answer in variant.answers:
        if answer.trace is not None:
            words = f"{inline(answer.text)}</code>: {html.escape(answer_words(answer))}"
            head = f"{inline(variant.name)}: reach <code>{words}"
            yield _piece(rank + 1, head, answer.trace, "")


def trace_passage(rank: int, head: str, trace: Trace) -> Passage:
    """Return an event order, folded below a text."""
    return _piece(rank, inline(head), trace, "")


def _piece(rank: int, head: str, trace: Trace, meaning: str) -> Passage:
    said = [escape(clipped(meaning, MEANING)), ""] if meaning else []
    words = order_words(trace)
    source = trace_to_mermaid(trace)
    bare = folded(head, [*said, *words])
    if len(source) > MOST_DRAWN:
        note = "The diagram is too large to be drawn here."
        return Passage(rank, (folded(head, [*said, note, "", *words]),), ("event order",))
    drawn = folded(head, [*said, *fenced(source, "mermaid"), "", *words])
    return Passage(rank, (drawn, bare), ("diagram", "event order"))
