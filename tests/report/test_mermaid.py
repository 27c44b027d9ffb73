"""Mermaid: golden files, and no character that ends a statement inside a text."""

from __future__ import annotations

import re

import pytest

from fencecheck.report.picture.mermaid import escape_text, trace_to_mermaid
from tests.report.pictures import NAMES, check_golden, load_trace, nasty_trace


@pytest.mark.parametrize("name", NAMES)
def test_mermaid_is_golden(name: str) -> None:
    """The text of each trace written by hand is as committed (how to rewrite: pictures.py)."""
    check_golden(f"{name}.mmd", trace_to_mermaid(load_trace(name)))


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a;b", "a#59;b"),
        ("#1", "#35;1"),
        ("s1: x", "s1#58; x"),
        ("two\nlines", "two lines"),
        ("the end", "the #101;nd"),
        ("End", "#69;nd"),
        ("sends", "sends"),
        ("<b>&", "#60;b#62;#38;"),
        ("", " "),
    ],
)
def test_escape_text(text: str, escaped: str) -> None:
    """What Mermaid trips over becomes a numbered entity, and only that."""
    assert escape_text(text) == escaped


def test_blocks_are_closed_and_no_text_closes_one() -> None:
    """In a trace full of special characters each rect and loop has its end, and no more ends."""
    for trace in (nasty_trace(), load_trace("25_events")):
        lines = [line.strip() for line in trace_to_mermaid(trace).splitlines()]
        opened = [line for line in lines if line.startswith(("rect ", "loop "))]
        assert opened
        assert lines.count("end") == len(opened)
        assert not [line for line in lines if line != "end" and re.search(r"\bend\b", line, re.I)]


def test_one_line_is_one_statement() -> None:
    """Every line starts with a keyword or a participant, whatever the texts hold."""
    for line in trace_to_mermaid(nasty_trace()).splitlines()[1:]:
        assert re.match(r"\s+(title|%%|actor|participant|Note over|rect|loop|end$|L\d+-)", line), (
            line
        )


def test_the_last_note_is_the_violation() -> None:
    """The diagram ends with the property and the two values that disagree."""
    last = trace_to_mermaid(load_trace("3_events")).splitlines()[-1]
    assert "no_lost_update broken at event 3" in last
    assert "human edit 1" in last
    assert "original" in last
