"""Markdown for review threads: what comes first, what is folded, and that it always fits."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from fencecheck.checking.results import ModelFault, Result
from fencecheck.report.review.document import render_markdown
from fencecheck.report.review.size import LIMIT, Passage, fitted, size
from fencecheck.report.words.outcomes import Failure, Outcome
from tests.report import handmade
from tests.report.pictures import NASTY, load_document, traced


def blocks(text: str) -> list[str]:
    """Return the parts of a document that open on demand."""
    return re.findall(r"<details>\n.*?\n</details>", text, re.S)


def long_order(events: int) -> Outcome:
    """Return a result whose only cell takes an order of many events."""
    document = load_document("3_events")
    document["events"] = [document["events"][1]] * events
    document["violation"]["event"] = events
    return handmade.result(
        handmade.variant("a", handmade.violated(trace=traced(document), events=events))
    )


def many(number: int) -> Result:
    """Return a result of many designs, of which the last is the one that is not as expected."""
    fine = [handmade.variant(f"design {i}", handmade.holds()) for i in range(number)]
    return handmade.result(*fine, handmade.variant("the last", handmade.violated()))


def test_the_matrix_comes_first_then_its_legend_then_the_orders_then_numbers() -> None:
    text = render_markdown([handmade.mixed()])
    assert text.startswith("| `specs/x.toml` | fresh apply |")
    places = [text.index(part) for part in ("| no fence | ✓ |", "✗ n &nbsp;", "<details>")]
    assert places == sorted(places)
    assert text.index("```mermaid") < text.index("Designs and numbers")
    assert "distinct states | transitions | depth" in text


def test_each_broken_cell_is_folded_with_diagram_and_words_and_the_breaking_event_marked() -> None:
    (cell, _) = blocks(render_markdown([handmade.mixed()]))
    assert "<summary>no fence: <code>no_lost_update</code> violated in 3 events</summary>" in cell
    diagram, words = cell.split("```mermaid")[1].split("```")
    assert "rect rgba(213, 94, 0, 0.35)\n        L1->>L2: s1 base 0\n" in diagram
    assert diagram.count("✗ breaks here") == 1
    assert "3. **executor: apply s1** **✗ breaks here**" in words


def test_specs_side_by_side_share_a_matrix_and_each_has_its_conclusion() -> None:
    one = handmade.mixed()
    other = replace(handmade.mixed(), spec="specs/y.toml")
    text = render_markdown([one, other])
    assert "| x: no fence | ✓ | (✓) | **✗ 3** | ✓ |\n| y: no fence |" in text
    assert text.count("| --- | --- | --- | --- | --- |") == 2  # verdicts and numbers, each once
    assert "- `specs/y.toml`: **1 required property violated**" in text


def test_without_orders_nothing_is_drawn() -> None:
    assert "mermaid" not in render_markdown([handmade.mixed()], orders=False)


def huge() -> dict[str, list[Outcome]]:
    """Return results that are too much for a comment, each in another way."""
    named = handmade.mixed()
    named.variants[0].name = named.title = named.note = NASTY * 5_000
    wrong = handmade.result(handmade.variant("a", handmade.undetermined(), search=handmade.CUT))
    wrong.variants[0].error = ModelFault("x is 3\n" * 20_000)
    cells = handmade.scripted().cells
    columns = [handmade.holds(f"property_{i}") for i in range(3_000)]
    return {
        "many specs": [replace(handmade.mixed(), spec=f"s/{i}.toml") for i in range(400)],
        "many models": [
            replace(handmade.mixed(), spec=f"s/{i}.toml", model=f"m{i}", model_hash=str(i))
            for i in range(400)
        ],
        "many designs": [many(3_000)],
        "many properties": [handmade.result(handmade.variant("a", *columns))],
        "a long order": [long_order(3_000)],
        "long names": [named],
        "a long error": [wrong],
        "many failures": [Failure(f"s/{i}.toml", "m", "t", "wrong\n" * 900) for i in range(300)],
        "far characters": [replace(handmade.mixed(), note="\U0001f600" * 90_000)],
        "scripted orders": [handmade.result(named.variants[0], cells=[*cells] * 800)],
    }  # fmt: skip


@pytest.mark.parametrize("name", huge())
def test_it_fits_a_comment_whatever_the_run_and_says_what_was_left_out(name: str) -> None:
    text = render_markdown(huge()[name])
    assert size(text) <= LIMIT == 65_536
    assert text.count("<details>") == text.count("</details>")
    assert text.count("```") % 2 == 0
    if name not in ("long names", "a long error", "far characters"):  # these are cut in place
        assert "Left out, so that this fits a comment: " in text
        assert "--format json" in text


def test_what_is_not_as_it_should_be_is_kept_before_what_is() -> None:
    text = render_markdown([many(3_000)])
    assert "| the last | - | **✗ 3** |" in text
    assert "**1 required property violated**" in text
    assert len(blocks(text)) >= 1


def test_a_long_order_loses_its_diagram_before_its_words() -> None:
    text = render_markdown([long_order(330)])
    assert "330. **human: edit file 1** (interference) **✗ breaks here**" in text
    assert "```mermaid" not in text
    assert "diagram" in text


def test_pieces_lose_the_least_important_first() -> None:
    pieces = [
        Passage(2, ("a" * 400, "a" * 40), ("long a", "short a")),
        Passage(1, ("b" * 400,), ("b",)),
        Passage(3, ("c" * 400,), ("c",)),
    ]
    text = fitted(pieces, "END", "Elsewhere.", limit=1_100)
    assert "b" * 400 in text
    assert "a" * 40 in text
    assert "a" * 41 not in text
    assert "ccc" not in text
    assert "1 c, 1 long a. Elsewhere." in text
    assert text.endswith("END")
