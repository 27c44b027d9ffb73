"""Every incident has a spec: the design as it was breaks, what closes it holds and gets done."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from tests.answers import told
from tests.documents.any_number import at_any_number
from tests.documents.incidents import Incident, incidents_in, table_of_incidents
from tests.judge import disagreements

FOLDER = Path(__file__).parent.parent / "specs" / "incidents"
NUMBERS = [f"N{number:02}" for number in range(1, 58, 2)]  # all that were collected
INCIDENTS = incidents_in(FOLDER)
MODELS = sorted(FOLDER.glob("*.py"))
OWN = [i for i in INCIDENTS if Path(i.spec.path or "").with_suffix(".py") in MODELS]
LINES = 40


def ids(incident: Incident) -> str:
    """Return an incident's number and file, as a name of a case."""
    return Path(incident.spec.path or "").stem


def test_no_incident_is_without_a_spec() -> None:
    """Each number that was collected has a spec, and each spec has one of them."""
    assert sorted({incident.number for incident in INCIDENTS}) == NUMBERS


@pytest.mark.parametrize("incident", INCIDENTS, ids=ids)
def test_the_design_as_it_was_breaks_and_another_holds(incident: Incident) -> None:
    """What went wrong is violated as it was; in one design at least everything holds."""
    assert incident.was.name == "as it was"
    assert any(said.verdict == "violated" for said in incident.was.expect.values())
    assert incident.closes
    assert ids(incident).startswith(incident.number.lower() + "_")


@pytest.mark.parametrize("incident", INCIDENTS, ids=ids)
def test_an_end_is_required_and_said_of_every_design(incident: Incident) -> None:
    """A design that does nothing is no repair: that work gets done is required in each."""
    assert incident.ends, "require finishes, can_finish or the like"
    for variant in (incident.was, *incident.closes, *incident.half_measures):
        assert set(variant.expect) == set(incident.spec.required), variant.name


@pytest.mark.parametrize("incident", INCIDENTS, ids=ids)
def test_what_went_wrong_is_more_than_that_work_does_not_end(incident: Incident) -> None:
    """Some property beside the end is required, except where the end is what was missed."""
    others = set(incident.spec.required) - set(incident.ends)
    assert others or any(incident.was.expect[end].verdict == "violated" for end in incident.ends)


@pytest.mark.parametrize("incident", INCIDENTS, ids=ids)
def test_both_engines_say_the_same_of_an_incident(incident: Incident) -> None:
    """Counts, verdicts and counterexamples do not depend on the engine."""
    family, question = incident.spec.family, Question(incident.spec.required)
    for variant in incident.spec.variants:
        one, other = (
            told(check_design(family, variant.design, question, Options(engine=engine)))
            for engine in ("reference", "compiled")
        )
        assert one == other, variant.name


@pytest.mark.parametrize("incident", OWN, ids=ids)
def test_a_model_of_an_incident_is_what_the_third_judge_finds(incident: Incident) -> None:
    """A plain search over the model's own functions gives the same numbers and verdicts."""
    for variant in incident.spec.variants:
        design = variant.design
        assert disagreements(incident.spec.family, design.mechanisms, design.bounds) == []


@pytest.mark.parametrize("incident", OWN, ids=ids)
def test_what_closes_an_incident_does_so_at_larger_bounds(incident: Incident) -> None:
    """One more of everything (of each size, and of each interference) breaks no repair."""
    family = incident.spec.family
    for variant in incident.closes:
        more = {name: number + 1 for name, number in variant.design.bounds.items()}
        design = family.design(variant.design.mechanisms, more)
        found = check_design(family, design, Question(incident.spec.required))
        assert {finding.verdict for finding in found.findings} == {"holds"}, variant.name


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_of_an_incident_can_be_read_aloud(path: Path) -> None:
    """It has at most 40 lines that are not blank, and each of its functions says what happens."""
    text = path.read_text(encoding="utf-8")
    assert sum(1 for line in text.splitlines() if line.strip()) <= LINES
    made = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    silent = [node.name for node in made if node.decorator_list and not ast.get_docstring(node)]
    assert silent == []
    assert path.with_suffix(".toml").exists()


@pytest.mark.parametrize("incident", OWN, ids=ids)
def test_a_model_of_an_incident_stands_on_parts_of_the_library(incident: Incident) -> None:
    """What the library has is not written down again."""
    modules = [type(part).__module__ for part in incident.spec.family.parts]
    assert any(module.startswith("fencecheck.models.library.") for module in modules)


def test_the_table_has_a_row_for_each_spec_and_names_half_measures() -> None:
    """A row says the least events, what closes the incident, and what alone does not."""
    rows = table_of_incidents(FOLDER).splitlines()[2:]
    assert len(rows) == len(INCIDENTS)
    (patch,) = [row for row in rows if "(incidents/n23_half_a_patch.toml)" in row]
    assert "| `failed_changes_nothing` 4 | checkpoint restored; not all validated first" in patch


def test_a_cell_tells_what_designs_do_at_any_number() -> None:
    """It names what breaks and what was held back, and the designs where they differ."""
    (wide,) = [incident for incident in OWN if incident.number == "N45"]
    broken = "breaks `at_most_once` 5 (at most 3 appended kept and 3 queued)"
    assert at_any_number(wide.spec, [wide.was]) == broken
    assert at_any_number(wide.spec, wide.closes) == "holds"
    cell = at_any_number(wide.spec, [wide.was, wide.closes[1]])
    assert cell == f"as it was: {broken}; drained first: holds"
