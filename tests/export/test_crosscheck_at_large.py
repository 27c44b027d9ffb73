"""What other checkers say of many models: of every family that ships, and of models by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fencecheck.analysis.crosscheck.exported import export_variant
from fencecheck.checking.question import Options
from fencecheck.errors import ModelError, UsageError
from fencecheck.explore.graph import Limits
from fencecheck.model.family import Family
from fencecheck.spec.files import load_specs
from fencecheck.spec.values import Overrides
from tests.export.asking import asked, disagreements
from tests.export.exporting import exported
from tests.models_for_tests import load, two_phase
from tests.models_for_tests.random_graphs import graph_model
from tests.models_for_tests.random_marked import marked_model
from tests.models_for_tests.random_programs import program

SPECS = Path(__file__).parents[2] / "specs"
NAMED = ("tour.toml", "ledger/sound_design.toml", "agent/sound_design.toml")
OF_EACH = {"tour.toml": 3, "ledger/sound_design.toml": 0, "agent/sound_design.toml": 0}
# the five designs of the tour, as all of these checkers count them
TOUR = {
    "no fence": (674, 1_360), "plan fence": (4_390, 9_607), "step fence": (4_221, 8_887),
    "step fence + journal": (1_837, 3_819), "as printed": (1_418, 2_570),
}  # fmt: skip
LARGE = 3_000  # states of a model by chance that is left out
FEW = 20  # models by chance in one test


@pytest.mark.slow
@pytest.mark.parametrize("path", NAMED)
def test_named_designs_of_every_family_agree_with_spin(path: str) -> None:
    """Counts, verdicts, lengths and situations of each variant."""
    (spec,) = load_specs([SPECS / path], Overrides())
    for variant in spec.variants:
        design = export_variant(spec, variant, Options())
        assert disagreements(asked("spin", design)) == [], variant.name
        if path == "tour.toml":
            counted = design.answers.states, design.answers.transitions
            assert counted == TOUR[variant.name]


@pytest.mark.slow
@pytest.mark.parametrize("path", NAMED)
def test_one_design_of_every_family_agrees_with_rumur(path: str) -> None:
    """The same of a checker that shares nothing with SPIN."""
    (spec,) = load_specs([SPECS / path], Overrides())
    design = export_variant(spec, spec.variants[OF_EACH[path]], Options())
    assert disagreements(asked("rumur", design)) == []


@pytest.mark.slow
@pytest.mark.parametrize("peer", ["spin", "rumur"])
def test_two_phase_commit_of_seven_managers_agrees(peer: str) -> None:
    """The largest of the published figures."""
    checked = asked(peer, exported(two_phase.model, managers=7))
    assert disagreements(checked) == []
    assert [row.theirs for row in checked.rows[:2]] == [296_448, 2_744_705]


BY_CHANCE: dict[str, tuple[Callable[[int], tuple[str, dict[str, int]]], int]] = {
    "programs": (lambda seed: (program(2 * seed), {}), 80),
    "graphs": (graph_model, 80),
    "names": (lambda seed: (marked_model(seed), {}), 40),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 80, FEW))
@pytest.mark.parametrize("kind", list(BY_CHANCE))
def test_models_by_chance_agree_with_spin(tmp_path: Path, kind: str, first: int) -> None:
    """Whatever the language of models has, whether a model goes wrong included."""
    made, count = BY_CHANCE[kind]
    compared = 0
    for seed in range(first, min(first + FEW, count)):
        text, bounds = made(seed)
        try:
            family = Family(load(tmp_path, text).model)
            budgets = {bound.name: 1 for bound in family.declared.bounds if bound.budget}
            design = exported(family, {}, Options(Limits(states=LARGE)), **(bounds or budgets))
            checked = asked("spin", design)
        except (ModelError, UsageError):
            continue  # outside the language, or a division that is refused
        if design.answers.states is not None or design.answers.fault:
            assert disagreements(checked) == [], seed
            compared += 1
    assert first >= count or compared >= FEW // 3
