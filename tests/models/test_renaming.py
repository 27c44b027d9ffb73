"""Names of variables, parameters, fields and values mean nothing to fencecheck.

The shipped models are written once more with other names, loaded, and checked at random designs:
every verdict, every number and every vacuity mark is as before.
"""

from __future__ import annotations

import importlib
import random
import re
import sys
from pathlib import Path

import pytest

import fencecheck.models
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from tests.random_designs import FAMILIES, check, draw

PARAMETERS = {"step", "file", "request", "reply", "assignment"}


def names() -> list[str]:
    """Return every variable of the shipped models, and the parameters of their events."""
    declared = [v for name in FAMILIES for v in load_family(name).declared.variables]
    return sorted({v.name for v in declared if not v.budget} | PARAMETERS)


# but for the word of a verdict, which a drill expects
PATTERN = re.compile(rf"\b(?<!KEPT = \")({'|'.join(names())})\b")


def renamed(text: str) -> str:
    """Return a text with each of these names replaced, wherever it stands as a word."""
    return PATTERN.sub(r"another_\1", text)


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Family]:
    """Load the models that say the same in other names."""
    source = Path(next(iter(fencecheck.models.__path__)))
    folder = tmp_path_factory.mktemp("renamed")
    for path in source.rglob("*.py"):
        place = folder / "renamed_models" / renamed(path.relative_to(source).as_posix())
        place.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8").replace("fencecheck.models", "renamed_models")
        place.write_text(renamed(text), encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        modules = {name: importlib.import_module(f"renamed_models.{name}") for name in FAMILIES}
        return {name: Family(module.model) for name, module in modules.items()}
    finally:
        sys.path.remove(str(folder))


def said(family: Family, design: Design) -> list[object]:
    """Return what a check says, apart from names."""
    result = check(family, design, "reference")
    search = result.exploration
    findings = [(f.kind, f.verdict, f.events, f.vacuous) for f in result.findings]
    return [search.states, search.transitions, search.depth, *findings]


@pytest.mark.parametrize("name", FAMILIES)
def test_other_names_give_the_same_verdicts_and_counts(
    others: dict[str, Family], name: str
) -> None:
    """What decides is declared, never read off a word."""
    family, chance = load_family(name), random.Random(f"names {name}")
    for _ in range(3):
        design = draw(family, chance)
        mechanisms = {m: renamed(value) for m, value in design.mechanisms.items()}
        other = others[name].design(mechanisms, design.bounds)
        assert said(others[name], other) == said(family, design)


def test_the_models_that_are_compared_do_have_other_names(others: dict[str, Family]) -> None:
    """Variables and parameters of all three families are renamed."""
    for family in others.values():
        declared = family.declared
        assert all(v.budget or v.name.startswith("another_") for v in declared.variables)
        parameters = {name for action in declared.actions for name in action.params}
        assert "another_step" in parameters
        assert not parameters & PARAMETERS
