"""What is known of a kernel before its machine code is kept too: later runs plan nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.explore.compiled.kernel import compile as kernels
from fencecheck.explore.compiled.kernel import drafts
from fencecheck.model.family import Family
from fencecheck.model.files.kept import keep_entry, kept_entry
from fencecheck.model.lower.keeping import kept_lowering
from tests.explore.compiled.designs import STRUCTURES, Design, family_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty cache."""
    monkeypatch.setenv("FENCECHECK_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Return which kernels were planned."""
    found: list[tuple[object, ...]] = []
    original = drafts.whole_draft

    def whole_draft(lowered: Any, wanted: drafts.Wanted) -> drafts.KernelDraft:
        found.append(wanted.key)
        return original(lowered, wanted)

    monkeypatch.setattr(kernels, "whole_draft", whole_draft)
    return found


def checked(design: Design, engine: Any = "compiled") -> VariantResult:
    """Check a design of a family that was never asked anything before."""
    name, mechanisms, bounds = design
    family = Family(family_of(name).model)
    question = Question(tuple(family.properties))
    options = Options(engine=engine, coverage=True)
    found = check_design(family, family.design(mechanisms, bounds), question, options)
    found.exploration = None  # type: ignore[assignment]
    return found


@pytest.mark.parametrize("design", [STRUCTURES[1], STRUCTURES[6], STRUCTURES[10]], ids=str)
def test_a_second_run_neither_lowers_nor_plans(
    design: Design, planned: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Search, edges and counts come from what is kept, and say what the reference engine says."""
    expected = checked(design, "reference")
    assert checked(design) == expected
    made, lowered = len(planned), list[object]()
    assert made >= 2
    monkeypatch.setattr(kept_lowering, "lower", lambda *_: lowered.append(_))
    assert checked(design) == expected
    assert (len(planned), lowered) == (made, [])


def _foreign(text: str, where: str) -> bytes:
    told = json.loads(text)
    match where:
        case "nothing":
            return b"[]"
        case "no text":
            return b"\xff\xfe"
        case "bits":
            told["bits"] = 7
        case "places":
            told["places"] = [[1, 2]]
        case "kernel":
            told["kernel"] = []
        case "another kernel":
            told["kernel"][0] = "0" * 64
    return json.dumps(told).encode()


@pytest.mark.parametrize(
    "where", ["nothing", "no text", "bits", "places", "kernel", "another kernel"]
)
def test_a_draft_that_is_none_is_made_anew(
    folder: Path, where: str, planned: list[tuple[object, ...]]
) -> None:
    """Also one that speaks of machine code that is not there."""
    expected = checked(STRUCTURES[9])
    for path in folder.glob("*.draft"):
        keep_entry(path.name, _foreign((kept_entry(path.name) or b"").decode(), where))
    planned.clear()
    assert checked(STRUCTURES[9]) == expected
    assert planned
    planned.clear()
    assert checked(STRUCTURES[9]) == expected
    assert not planned


def test_machine_code_that_is_gone_is_made_again(
    folder: Path, planned: list[tuple[object, ...]]
) -> None:
    """Drafts alone are of no use."""
    expected = checked(STRUCTURES[9])
    for path in folder.glob("*.o"):
        path.unlink()
    planned.clear()
    assert checked(STRUCTURES[9]) == expected
    assert planned


def test_another_text_of_what_writes_kernels_reads_no_draft(
    planned: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was planned by other code counts for nothing."""
    checked(STRUCTURES[9])
    planned.clear()
    monkeypatch.setattr(drafts, "digest_of_sources", lambda _: "other")
    checked(STRUCTURES[9])
    assert planned
