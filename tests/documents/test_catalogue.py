"""The table of documented designs tells what their specs expect, and no more."""

import ast
from pathlib import Path

import pytest

from tests.documents.catalogue import designs_of

FOLDER = Path(__file__).parents[2] / "specs" / "catalogue"
LINES = 50

SPEC = """
model = "fence"
title = "A design"

[bounds]
edits = 1

[properties]
require = ["no_lost_update", "finishes"]

[[variant]]
name = "before"
mechanisms = { fence = "plan" }

[[variant]]
name = "as documented"
mechanisms = { fence = "none", precondition = "off" }
[variant.expect]
no_lost_update = { verdict = "violated", events = 3 }

[[variant]]
name = "with a fence"

[[variant]]
name = "worse"
[variant.expect]
finishes = { verdict = "violated", events = 2 }

[[variant]]
name = "left alone"
bounds = { edits = 0 }
"""


def test_a_row_says_what_holds_what_breaks_and_what_closes_it(tmp_path: Path) -> None:
    """Only what stands below a design, and breaks nothing else, closes it."""
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "one.toml").write_text(SPEC, encoding="utf-8")
    assert designs_of(folder).splitlines()[2:] == [
        "| A design: as documented | `finishes` | `no_lost_update` 3 "
        "| with a fence; only if: left alone | holds | [one.toml](some/one.toml) |"
    ]


def lines_said(text: str) -> int:
    """Return how many lines of a model are neither blank nor docstring."""
    told = set[int]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node) is not None:
            told |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(1 for number, line in lines if line.strip() and number not in told)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_model_of_a_documented_design_is_short(path: Path) -> None:
    """It has at most 50 lines besides docstrings, and none is too long for the formatter."""
    text = path.read_text(encoding="utf-8")
    assert lines_said(text) <= LINES
    assert "fmt: skip" not in text
