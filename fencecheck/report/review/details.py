"""What stands below the verdicts: bounds, designs, numbers, properties, claims, scripted orders.

In: a result. Out: pieces. Bounds and faults are seen at once, the rest is folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencecheck.checking.results import Cell, Result, VariantResult
from fencecheck.report.results.markdown import code, escape, fenced, table_markdown
from fencecheck.report.results.table import cost_rows, scope_texts_of_all
from fencecheck.report.review.cells import folded
from fencecheck.report.review.size import Passage, clipped
from fencecheck.report.words.claims import claims_summary, unexpected_words
from fencecheck.report.words.coverage import HEADS, PART, alike_texts, coverage_rows, gap_texts
from fencecheck.report.words.outcomes import (
    VACUOUS,
    Failure,
    findings_of,
    model_in_words,
    search_words,
    settings_words,
    where,
)
from fencecheck.report.words.reachability import answer_words
from fencecheck.report.words.scope import held_back_words

TEXT = 2_000  # characters of a note or of a list of settings
NAME = 160
MESSAGE = 4_000
MOST_TOLD = 20  # designs in which a property is vacuous


def fault_piece(failure: Failure, rank: int) -> Passage:
    """Return the mistake of a model that left a spec without a result."""
    lines = [f"**error** in {code(clipped(where(failure), NAME))}", ""]
    lines += fenced(clipped(failure.message, MESSAGE), "text")
    return Passage(rank, ("\n".join(lines),), ("error",))


def fault_pieces(result: Result, rank: int) -> Iterator[Passage]:
    """Yield what is wrong with the models of a result's variants, and what searches warn of."""
    for variant in result.variants:
        name = _name(variant)
        if variant.error is not None:
            lines = [f"**error** in {name}", ""]
            lines += fenced(clipped(variant.error.message, MESSAGE), "text")
            yield Passage(rank, ("\n".join(lines),), ("error",))
        for text in variant.exploration.warnings:
            words = f"Warning: {name}: {escape(clipped(text, TEXT))}."
            yield Passage(rank, (words,), ("warning",))


def scope_piece(result: Result, rank: int) -> Passage:
    """Return the title of a spec, its bounds and what was not tried, and its note."""
    model = code(clipped(model_in_words(result.model), NAME))
    title = f"{escape(clipped(result.title, NAME))}: model {model}"
    texts = [escape(clipped(text, TEXT)) for text in scope_texts_of_all(result)]
    told = "; ".join([title, *texts])
    note = escape(clipped(result.note, TEXT))
    return Passage(
        rank, (f"{told}.\n\n{note}", f"{told}.", title), ("note", "note", "line of bounds")
    )


def numbers_piece(result: Result, rank: int) -> Passage:
    """Return, folded, the search of each design, what it costs, and what never happened."""
    heads, rows = cost_rows(result)
    shown = [[escape(clipped(name, NAME)), *map(escape, cells)] for name, cells in rows]
    lines = table_markdown(["", *map(escape, heads)], shown)
    designs = [_design(variant) for variant in result.variants]
    gaps = [f"{v.name}: {text}" for v in result.variants for text in gap_texts(v)]
    gaps += [text[:1].upper() + text[1:] for text in alike_texts(result)]
    lines += ["", *designs] if designs else []
    lines += ["", *(f"- {escape(clipped(text, TEXT))}" for text in gaps)] if gaps else []
    whole = folded("Designs and numbers", [*lines, "", *_properties(result)])
    return Passage(
        rank, (whole, folded("Numbers", lines)), ("list of properties", "table of numbers")
    )


def _design(variant: VariantResult) -> str:
    words = clipped(settings_words(variant.design.mechanisms), TEXT)
    held = held_back_words(variant)
    told = "; ".join(filter(None, [words, held, f"search {search_words(variant.exploration)}"]))
    return f"- {_name(variant)}: {escape(told)}"


def _properties(result: Result) -> list[str]:
    """Return the properties, which are only reported, and where one is vacuous."""
    told: dict[str, list[str]] = {}
    for variant, finding in findings_of(result):
        asked = "" if finding.required else " (reported, not required)"
        name = code(clipped(finding.name, NAME))
        lines = told.setdefault(name, [f"- {name}: {finding.kind}{asked}"])
        if finding.vacuous and len(lines) < MOST_TOLD:
            never = f" ({clipped(finding.situation, TEXT)})" if finding.situation else ""
            design = _name(variant)
            lines.append(f"  - {design}: {escape(VACUOUS + never)}")
    return [line for lines in told.values() for line in lines]


def coverage_pieces(result: Result, rank: int) -> Iterator[Passage]:
    """Yield, folded, how often each event happened, where that was asked for."""
    for variant in result.variants if result.show_coverage else ():
        if variant.coverage is None:
            continue
        rows = [[code(event), *map(escape, more)] for event, *more in coverage_rows(variant)]
        lines = table_markdown(("event", *HEADS), rows)
        lines += [] if variant.coverage.complete else ["", PART]
        name = _name(variant)
        yield Passage(rank, (folded(f"Coverage: {name}", lines),), ("table of coverage",))


def answers_piece(result: Result, rank: int) -> Passage:
    """Return the answers to questions as a table."""
    rows = [
        [f"reach {code(clipped(a.text, TEXT))}", f"**{answer_words(a)}**", _name(v)]
        for v in result.variants
        for a in v.answers
    ]
    lines = table_markdown(("question", "answer", "design"), rows)
    return Passage(rank, ("\n".join(lines),) * bool(rows), ("table of answers",) * bool(rows))


def _name(variant: VariantResult) -> str:
    return escape(clipped(variant.name, NAME))


def scenarios_piece(cells: Sequence[Cell], rank: int) -> Passage:
    """Return the scripted orders as a table, folded where all came out as claimed."""
    rows = []
    for cell in cells:
        agrees = {None: "", True: "agrees", False: "**differs**"}[cell.agrees]
        told = (cell.variant, cell.scenario, cell.outcome, cell.claim or "")
        rows.append([*(escape(clipped(text, NAME)) for text in told), agrees])
    heads = ("variant", "event order", "outcome", "claimed", "")
    table = folded("Scripted event orders", table_markdown(heads, rows))
    return Passage(rank, (table,), ("table of scripted orders",))


def claims_piece(result: Result, rank: int) -> Passage:
    """Return the claims as a table, folded, with what decided each."""
    rows = []
    for claim in result.claims:
        why = "<br>".join(escape(clipped(words, TEXT)) for words in claim.why)
        said = f"{escape(clipped(claim.text, TEXT))}<br>({escape(clipped(claim.source, NAME))})"
        rows.append([f"**{claim.verdict}**", said, f"{why} {escape(unexpected_words(claim))}"])
    summary = f"Claims: {escape(claims_summary(result))}"
    table = folded(summary, table_markdown(("", "claim", "by"), rows))
    return Passage(rank, (table, summary), ("table of claims", "table of claims"))
