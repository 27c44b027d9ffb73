"""Every spec that ships comes out as it says, with the engine that defines what is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fencecheck.checking.check import check_design, check_spec
from fencecheck.checking.question import Options, Question
from fencecheck.model.files.loading import load_family
from fencecheck.runs.replay import replay
from fencecheck.runs.trace_json import read_trace
from fencecheck.spec.files import load_specs

SPECS = Path(__file__).parent.parent / "specs"
FILES = sorted(path.relative_to(SPECS).as_posix() for path in SPECS.rglob("*.toml"))
SAVED = sorted(path.name for path in (SPECS / "regressions").glob("*.json"))
CATALOGUE = [name for name in FILES if name.startswith("catalogue/")]
TOUR = ["no fence", "plan fence", "step fence", "step fence + journal", "as printed"]
REFERENCE = Options(engine="reference")
SLOW = ("facts/any_number.toml",)  # tests/models/test_any_number.py has its designs one by one


def slow_if(slow: bool, name: str) -> Any:
    return pytest.param(name, marks=pytest.mark.slow) if slow else name


@pytest.mark.parametrize("name", [slow_if(name in SLOW, name) for name in FILES])
def test_a_spec_comes_out_as_expected(name: str) -> None:
    """Each verdict and each number of events is the one that the spec states."""
    (spec,) = load_specs([SPECS / name])
    result = check_spec(spec, REFERENCE)
    assert spec.has_expectations
    wrong = {
        (variant.name, finding.name): (finding.verdict, finding.events)
        for variant in result.variants
        for finding in variant.findings
        if finding.as_expected is False
    }
    assert wrong == {}
    assert result.exit_code == 0


@pytest.mark.parametrize("name", FILES)
def test_a_spec_states_the_number_of_events(name: str) -> None:
    """An expected violation without its number of events would let a longer one pass."""
    (spec,) = load_specs([SPECS / name])
    expected = [e for variant in spec.variants for e in variant.expect.values()]
    assert all(e.events is not None for e in expected if e.verdict == "violated")


def test_the_tour_has_an_expectation_in_every_cell() -> None:
    """The first table that people see leaves nothing open."""
    (spec,) = load_specs([SPECS / "tour.toml"])
    assert [variant.name for variant in spec.variants] == TOUR
    assert spec.required == tuple(spec.family.properties)
    for variant in spec.variants:
        assert list(variant.expect) == list(spec.required)


def test_the_named_designs_are_those_of_the_tour() -> None:
    """The designs one by one are the rows of the tour, with the same expectations."""
    (tour,) = load_specs([SPECS / "tour.toml"])
    found = {
        json.dumps([variant.design.mechanisms, variant.design.bounds], sort_keys=True): variant
        for spec in load_specs([SPECS / "designs"])
        for variant in spec.variants
        if spec.family is tour.family
    }
    for row in tour.variants:
        key = json.dumps([row.design.mechanisms, row.design.bounds], sort_keys=True)
        assert found[key].expect == row.expect


def test_the_tour_at_any_number_is_the_tour_with_budgets_that_have_no_end() -> None:
    """The same designs, each cell with its expectation, and every budget of the tour is any."""
    tour, unlimited = load_specs([SPECS / "tour.toml"], also=True)
    assert unlimited.path is not None
    assert Path(unlimited.path).name == "tour_any_number.toml"
    for row, other in zip(tour.variants, unlimited.variants, strict=True):
        assert (other.name, other.design.mechanisms) == (row.name, row.design.mechanisms)
        assert other.expect == row.expect
        for bound in tour.family.declared.bounds:
            number = row.design.bounds[bound.name]
            wanted = "any" if bound.budget and number else number
            if bound.name != "in_flight":
                assert other.design.bounds[bound.name] == wanted


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_design_of_the_catalogue_says_whose_it_is(name: str) -> None:
    """It names documentation and what was assumed, shows it as documented, and asks for an end."""
    (spec,) = load_specs([SPECS / name])
    assert "Documentation: " in spec.note
    assert "Assumed: " in spec.note
    assert any("documented" in variant.name for variant in spec.variants)
    assert len(spec.variants) > 1
    assert "finishes" in spec.required


def test_the_catalogue_has_a_model_for_each_design_that_no_family_tells() -> None:
    """A model in the catalogue is some spec's, and is read there, with the parts beside it."""
    files = {path.stem: path for path in (SPECS / "catalogue").glob("*.py")}
    own = {spec.family.name for spec in load_specs([SPECS / name for name in CATALOGUE])}
    models = own - {"fence", "ledger", "agent"}
    text = "".join(files[name].read_text(encoding="utf-8") for name in models)
    parts = {name for name in files if f"\nfrom {name} import " in text}
    assert set(files) == models | parts


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_counterexample_goes_on_replaying(name: str) -> None:
    """A regression is a trace that the model still follows to its violation."""
    path = SPECS / "regressions" / name
    trace = read_trace(json.loads(path.read_text(encoding="utf-8")), name)
    again = replay(load_family(trace.model), trace)
    assert again.misfit is None
    assert len(again.events) == len(trace.events)


def test_the_saved_lost_update_is_the_shortest_there_is() -> None:
    """The named regression is what the tool tells today, event for event."""
    path = SPECS / "regressions" / "no_fence_lost_update.json"
    saved = read_trace(json.loads(path.read_text(encoding="utf-8")), str(path))
    family = load_family("fence")
    design = family.design(saved.mechanisms, saved.bounds)
    found = check_design(family, design, Question(("no_lost_update",)), REFERENCE)
    trace = found["no_lost_update"].trace
    assert trace is not None
    assert [(e.name, e.args) for e in trace.events] == [(e.name, e.args) for e in saved.events]
    assert found["no_lost_update"].events == 3
