"""Mermaid's own parser takes every diagram, whatever its texts hold.

It runs where FENCECHECK_MERMAID names a folder in which ``npm install`` was run with
``mermaid/package.json``; ``.ci/run`` makes one.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from fencecheck.report.picture.mermaid import trace_to_mermaid
from fencecheck.report.review.document import render_markdown
from tests.report import handmade
from tests.report.pictures import NAMES, load_document, load_trace, nasty_trace, traced

HERE = Path(__file__).parent / "mermaid"
FOLDER = os.environ.get("FENCECHECK_MERMAID", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="FENCECHECK_MERMAID names no folder with Mermaid"),
]


def refusals(sources: Sequence[str]) -> list[str]:
    """Return what Mermaid says of the sources that it does not take."""
    node = shutil.which("node")
    assert node, "node is not on PATH"
    done = subprocess.run(
        [node, str(HERE / "parse.mjs"), str(Path(FOLDER).resolve())],
        input=json.dumps(sources), capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert len(told) == len(sources)
    return [
        f"{answer}\n{source}"
        for answer, source in zip(told, sources, strict=True)
        if answer is not None
    ]


def with_labels(label: str) -> str:
    """Return the diagram of a trace whose labels, messages and lanes are one text."""
    document = load_document("3_events")
    document["lanes"][1]["name"] = document["violation"]["says"] = document["title"] = label
    for event in document["events"]:
        event["label"] = event["remark"] = label
        event["actor"] = label if event["actor"] == "client" else event["actor"]
        for sent in event["sends"]:
            sent["label"] = label
    return trace_to_mermaid(traced(document))


def test_the_parser_refuses_what_is_no_diagram() -> None:
    """The test can fail."""
    assert len(refusals(["sequenceDiagram\n    rect red\n", "no diagram"])) == 2


def test_diagrams_of_all_traces_are_taken() -> None:
    """Of those written by hand, and of one in which every text is special."""
    traces = [*map(load_trace, NAMES), nasty_trace()]
    assert refusals([trace_to_mermaid(trace) for trace in traces]) == []


def test_whatever_texts_hold_the_diagram_is_taken() -> None:
    """Every printable character of ASCII, words that mean something to Mermaid, and mixtures."""
    chance = random.Random(7)
    signs = [chr(code) for code in range(32, 127)]
    words = ["end", "loop", "rect", "alt", "Note over L0: x", "->>", "%%{init: {}}%%", "---", "é漢"]
    mixed = ["".join(chance.choices(signs + words, k=12)) for _ in range(60)]
    labels = [*(f"a{sign}b" for sign in signs), *(f"{sign}" for sign in signs), *words, *mixed]
    assert refusals([with_labels(label) for label in labels]) == []


def test_diagrams_in_review_comments_are_taken() -> None:
    """What stands in the code fences of a rendered comment is a diagram."""
    text = render_markdown([handmade.mixed(), handmade.expected()])
    sources = re.findall(r"^```mermaid\n(.*?)^```$", text, re.S | re.M)
    assert len(sources) == 3
    assert refusals(sources) == []
