"""The shipped families by other names: no verdict and no count hangs on a name."""

from __future__ import annotations

import importlib
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fencecheck.models
from fencecheck.checking.check import check_design
from fencecheck.checking.question import Question
from fencecheck.model.family import Family
from fencecheck.model.files.loading import load_family

NAMES = {
    "step": "job",
    "worker": "hand",
    "client": "asker",
    "executor": "doer",
    "workspace": "desk",
    "scheduler": "boss",
    "tests": "trials",
    "reply": "word",
    "replay": "repeat",
    "reject": "refuse_it",
    "refused": "turned_away",
    "content": "text",
    "requests": "asked",
}
DESIGNS = {
    "fence": [
        ({}, {"edits": 1, "lost_replies": 1}),
        ({"fence": "step", "journal": "none"}, {"lost_replies": 1, "preemptions": 1}),
    ],
    "ledger": [
        ({}, {"workers": 2, "revocations": 1, "lost_acks": 1}),
        ({"effect_key": "none", "reaper": "off"}, {"workers": 2, "expiries": 1}),
    ],
    "agent": [({}, {"edits": 1}), ({"replan": "on_reject"}, {"revocations": 1})],
}


def renamed(word: str) -> str:
    """Return a text with every name of NAMES, as a whole word, replaced."""
    return re.sub(r"[A-Za-z_]+", lambda found: NAMES.get(found[0], found[0]), word)


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Copy the shipped models with other names in them; return the package they are in."""
    folder = tmp_path_factory.mktemp("names")
    source = Path(next(iter(fencecheck.models.__path__)))
    package = folder / "models_by_other_names"
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in package.rglob("*.py"):
        text = path.read_text("utf-8").replace("fencecheck.models", package.name)
        path.write_text(renamed(text), "utf-8")
        path.rename(path.with_stem(renamed(path.stem)))
    sys.path.insert(0, str(folder))
    yield package.name
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.startswith(package.name)]:
        del sys.modules[name]


def told(family: Family, mechanisms: dict[str, str], bounds: dict[str, int]) -> Any:
    """Return counts and verdicts of a design, without names."""
    design = family.design(mechanisms, bounds)
    result = check_design(family, design, Question(tuple(family.properties)))
    numbers = result.exploration
    lasting = ("liveness", "leads_to", "recurrence")
    return (numbers.states, numbers.transitions, numbers.depth), [
        (f.verdict, f.vacuous, None if f.kind in lasting else f.events) for f in result.findings
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_a_family_by_other_names_has_the_same_verdicts(name: str, others: str) -> None:
    """Parameters, actors, variables and events are renamed; counts and verdicts are the same."""
    module = importlib.import_module(f"{others}.{name}")
    other = Family(module.model)
    assert {a.name for a in other.declared.actions} != {
        a.name for a in load_family(name).declared.actions
    }
    for mechanisms, bounds in DESIGNS[name]:
        there = {key: renamed(value) for key, value in mechanisms.items()}
        assert told(other, there, bounds) == told(load_family(name), mechanisms, bounds)
