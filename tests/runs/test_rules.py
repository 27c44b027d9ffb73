"""One place executes events, and only the classes of properties know the names of their kinds."""

from __future__ import annotations

import re
from pathlib import Path

import fencecheck
from fencecheck.model.property import KINDS

PACKAGE = Path(fencecheck.__file__).parent
FILES = {str(path.relative_to(PACKAGE)): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}


def holding(pattern: str) -> set[str]:
    """Return the files of the package in which a pattern is found."""
    return {name for name, text in FILES.items() if re.search(pattern, text)}


def test_states_are_executed_in_one_place() -> None:
    """Beside the search loop of the reference engine, which defines what is right.

    Whether an assertion fails in an event is a question to the event itself.
    """
    places = {"runs/event.py", "explore/reference.py", "model/held/executing.py"}
    assert holding(r"\bsteps\[\w+\]\(") == places


def test_the_last_state_of_a_run_is_asked_for_in_one_place() -> None:
    """Nobody tells an empty run from others by hand."""
    assert holding(r"\[-1\]\.after if \w+ else") == {"runs/event.py"}


def test_kinds_of_properties_are_compared_nowhere() -> None:
    """Their names stand where their classes are; Murphi and Rumur have some of these words too."""
    murphi = {"export/murphi.py", "analysis/crosscheck/rumur.py"}
    assert holding(rf'"({"|".join(KINDS)})"') == {"model/property.py"} | murphi
