"""Family fence with three steps, and any number of faults: the search ends."""

from __future__ import annotations

import pytest

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.model.files.loading import load_family
from tests.bench.cases import BOUNDS, LADDER, STEPS_DESIGN


@pytest.mark.slow
def test_three_steps_and_any_number_of_faults_are_searched_to_the_end() -> None:
    """Every property holds with a journal; without one, what breaks with one fault of each kind."""
    family, case = load_family("fence"), LADDER[-1]
    bounds = dict(zip(BOUNDS[case.kind], case.sizes, strict=True))
    question, options = Question(tuple(family.properties)), Options(engine="compiled", exact=True)
    found = check_design(family, family.design(STEPS_DESIGN, bounds), question, options)
    assert (found.exploration.states, found.exploration.transitions) == (
        case.states,
        case.transitions,
    )
    assert {f.verdict for f in found.findings} == {"holds"}
    found = check_design(family, family.design({}, bounds), question, options)
    assert found.exploration.states == 100_780
    broken = {f.name: f.events for f in found.findings if f.verdict != "holds"}
    assert broken == {"at_most_once": 10, "truthful_reply": 5}
