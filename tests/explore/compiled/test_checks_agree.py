"""A check says the same whichever engine it used: verdicts, vacuity, lengths, traces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_spec
from fencecheck.checking.question import Options
from fencecheck.checking.results import Result, VariantResult
from fencecheck.explore.engine import SMALL, EngineName
from fencecheck.spec.files import load_specs

SPECS = Path(__file__).parents[3] / "specs"
FILES = sorted(path.relative_to(SPECS).as_posix() for path in SPECS.rglob("*.toml"))
SOME = ["tour.toml", "ledger/poison.toml", "facts/split_check.toml"]


def checked(name: str, engine: EngineName, threads: int = 1) -> Result:
    """Check a spec with an engine."""
    (spec,) = load_specs([SPECS / name])
    return check_spec(spec, Options(engine=engine, threads=threads))


def _numbers(variant: VariantResult) -> tuple[int, int, int]:
    found = variant.exploration
    return found.states, found.transitions, found.depth


def said(result: Result) -> list[Any]:
    """Return what a result says apart from the engine and the time it took."""
    return [[v.name, v.design, _numbers(v), *v.findings] for v in result.variants]


@pytest.mark.parametrize("name", SOME)
def test_the_engines_say_the_same_of_a_spec(name: str) -> None:
    """Findings are equal with their traces, whatever the number of threads."""
    expected = said(checked(name, "reference"))
    assert said(checked(name, "compiled")) == expected
    assert said(checked(name, "compiled", threads=2)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_the_engines_say_the_same_of_every_spec(name: str) -> None:
    """The same for every spec that ships."""
    assert said(checked(name, "compiled")) == said(checked(name, "reference"))


def test_auto_leaves_small_spaces_to_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which engine answers a model that was never compiled depends on the size alone."""
    monkeypatch.setattr("fencecheck.explore.engine.FEW", SMALL)
    monkeypatch.setattr("fencecheck.explore.engine.AGAIN", SMALL)
    monkeypatch.setattr("fencecheck.explore.engine.PATIENCE", 1.0)
    result, plain = checked("tour.toml", "auto"), checked("tour.toml", "reference")
    assert said(result) == said(plain)
    engines = [(v.exploration.states > SMALL, v.exploration.engine) for v in result.variants]
    assert set(engines) <= {(False, "reference"), (True, "compiled")}


def test_auto_goes_over_to_the_compiled_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the space turns out larger, findings stay the same."""
    plain = said(checked("tour.toml", "reference"))
    monkeypatch.setattr("fencecheck.explore.engine.SMALL", 1_000)
    monkeypatch.setattr("fencecheck.explore.engine.FEW", 1_000)
    monkeypatch.setattr("fencecheck.explore.engine.AGAIN", 1_000)
    monkeypatch.setattr("fencecheck.explore.engine.PATIENCE", 1.0)
    result = checked("tour.toml", "auto")
    assert said(result) == plain
    engines = {(v.exploration.states > 1_000, v.exploration.engine) for v in result.variants}
    assert engines == {(False, "reference"), (True, "compiled")}


@pytest.mark.slow
def test_what_auto_says_does_not_depend_on_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even how often each event occurred, which the reference engine always counts."""
    monkeypatch.setattr("fencecheck.explore.engine.FEW", SMALL)
    monkeypatch.setattr("fencecheck.explore.engine.AGAIN", SMALL)
    monkeypatch.setattr("fencecheck.explore.engine.PATIENCE", 1.0)
    plain = checked("tour.toml", "auto")
    checked("tour.toml", "compiled")
    monkeypatch.undo()
    result = checked("tour.toml", "auto")
    assert said(result) == said(plain)
    assert [v.coverage for v in result.variants] == [v.coverage for v in plain.variants]
    pairs = zip(result.variants, plain.variants, strict=True)
    assert ("compiled", "reference") in [
        (a.exploration.engine, b.exploration.engine) for a, b in pairs
    ]
