"""No word of a shipped family is known to fencecheck itself.

What an event stands for, what refuses a plan, what is a message and what goes back: models declare
it. A name that is written into the tool would mean the same in a model that means something else.
"""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

import fencecheck
from fencecheck.model.files.loading import load_family

ROOT = Path(fencecheck.__file__).parent
FILES = sorted(p for p in ROOT.rglob("*.py") if not {"models", "specs"} & set(p.parts[-4:-1]))
OTHERS = {
    "report/results/junit.py": {"tests"},  # an attribute that the format prescribes
    "cli/commands/init.py": None,  # what it writes is a model of one's own
}


@functools.cache
def words() -> frozenset[str]:
    """Return the words that stand for something in the shipped families, as wholes."""
    found = {"step", "tests", "refused", "reply", "replies"}
    for name in ("fence", "ledger", "agent"):
        declared = load_family(name).declared
        found |= {action.name for action in declared.actions}
        found |= {prop.name for prop in declared.properties}
        found |= {variable.name for variable in declared.variables if "_" in variable.name}
    return frozenset(found)


def texts(path: Path) -> set[str]:
    """Return the texts that stand in a module."""
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_word_of_a_family_stands_in_the_tool(path: Path) -> None:
    """Neither the name of an event, a property or a variable, nor that of an actor."""
    allowed = OTHERS.get(path.relative_to(ROOT).as_posix(), set())
    if allowed is not None:
        assert not (texts(path) & words()) - allowed
