"""Models as modules of TLA+: the text, and TLC's states and verdicts of them.

TLC shares nothing with fencecheck but the text: it says how many states there are, which
properties hold, and how long a shortest run to each violation is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from fencecheck.analysis.concrete_states import concrete_states
from fencecheck.analysis.crosscheck.exported import ExportedDesign, export_variant
from fencecheck.checking.question import Options
from fencecheck.errors import FencecheckError
from fencecheck.export.tla.files import MODULE, configuration
from fencecheck.export.tla.module import write_model
from fencecheck.export.tla.printing import module_text
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.runs.event import MODEL_ERRORS
from fencecheck.spec.files import load_specs
from tests.export.exporting import check_golden_text, exported
from tests.export.tlc import needs_tlc, run_tlc, write_files
from tests.models_for_tests import load, pipelined, queue, two_phase
from tests.models_for_tests.random_graphs import graph_model
from tests.models_for_tests.random_programs import program

SPECS = Path(__file__).parent.parent.parent / "specs"
TOUR = ("no fence", "plan fence", "step fence", "step fence + journal", "as printed")
KNOWN = dict(zip(TOUR, (747, 7_218, 6_378, 1_902, 2_354), strict=True))


def variant_of(spec: str, name: str) -> ExportedDesign:
    """Return a variant of a spec that ships, ready to be written."""
    (loaded,) = load_specs([SPECS / spec])
    variant = next(v for v in loaded.variants if v.name == name)
    return export_variant(loaded, variant, Options())


def agree(design: ExportedDesign, folder: Path) -> dict[str, str]:
    """Hold TLC's answers against ours: states, what holds, what is violated by how many events."""
    files = design.files("tla")
    write_files(folder, files)
    answers = design.answers
    said = run_tlc(folder)
    assert said.is_right, said.output
    expected = re.search(r"must come out: ([\d,]+) distinct states", files["README.md"])
    assert expected is not None
    assert said.states == int(expected[1].replace(",", ""))
    if "Fair.cfg" in files:
        fair = run_tlc(folder, config="Fair.cfg")
        assert fair.is_right, fair.output
    for name in files:
        promise = name.removesuffix(".cfg")
        if not name.endswith(".cfg") or promise in (MODULE, "Fair"):
            continue
        broken = run_tlc(folder, config=name)
        (length,) = [n for p, n in answers.lengths.items() if _camel(p) == promise]
        assert broken.broken is not None, broken.output
        if "Temporal" not in broken.output:
            assert broken.broken == promise
            assert broken.length == (length or 0) + 1
    return files


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


# -- the text -----------------------------------------------------------------------------------
def test_two_phase_commit_as_text() -> None:
    """The whole module, as people read it."""
    check_golden_text("two_phase.tla", exported(two_phase.model).files("tla")["Model.tla"])


def test_the_step_fence_with_a_journal_as_text() -> None:
    """The module of a design of family fence, whose functions are several lines long."""
    text = variant_of("tour.toml", "step fence + journal").files("tla")["Model.tla"]
    check_golden_text("step_fence_journal.tla", text)


def test_what_stands_beside_a_module() -> None:
    """What TLC is asked together, under fairness, and alone; and how it is run."""
    files = variant_of("tour.toml", "no fence").files("tla")
    check_golden_text(
        "no_fence.tla.files",
        "\n".join(f"-- {n}\n{t}" for n, t in files.items() if n != "Model.tla"),
    )


def test_a_module_says_what_it_leaves_out() -> None:
    """Events that cannot happen, variables that nothing changes, properties that are not said."""
    text = " ".join(variant_of("tour.toml", "no fence").files("tla")["Model.tla"].split())
    assert "Left out, since they can never happen here: human.edit_unseen" in text
    assert "Not said: can_finish: TLA+ cannot say" in text
    assert "journal" not in re.sub(r"\(\*.*?\*\)", "", text).split("VARIABLES")[1].split("vars")[0]


@pytest.mark.parametrize("name", TOUR)
def test_lines_end_at_100_columns(name: str) -> None:
    """Of each design of the tour."""
    (loaded,) = load_specs([SPECS / "tour.toml"])
    variant = next(v for v in loaded.variants if v.name == name)
    design = export_variant(loaded, variant, Options())
    assert max(map(len, design.files("tla")["Model.tla"].splitlines())) <= 100


# -- what TLC says of it ------------------------------------------------------------------------
@needs_tlc
@pytest.mark.parametrize(
    ("model", "bounds"),
    [(two_phase.model, {"managers": 3}), (queue.model, {}), (pipelined.model, {})],
    ids=["two_phase", "queue", "pipelined"],
)
def test_tlc_agrees_on_small_models(model: Any, bounds: dict[str, int], tmp_path: Path) -> None:
    """States and verdicts."""
    agree(exported(model, **bounds), tmp_path)


@needs_tlc
def test_tlc_agrees_on_the_step_fence_with_a_journal(tmp_path: Path) -> None:
    """The known count, and every property but the one that TLA+ cannot say."""
    design = variant_of("tour.toml", "step fence + journal")
    files = agree(design, tmp_path)
    assert f"{KNOWN['step fence + journal']:,} distinct states" in files["README.md"]


@needs_tlc
@pytest.mark.slow
@pytest.mark.parametrize("name", TOUR[:3] + TOUR[4:])
def test_tlc_agrees_on_the_tour(name: str, tmp_path: Path) -> None:
    """The other designs, with what breaks in each and by how many events."""
    files = agree(variant_of("tour.toml", name), tmp_path)
    assert f"{KNOWN[name]:,} distinct states" in files["README.md"]


@needs_tlc
@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("ledger/rejecting_drift.toml", "reject"),
        ("ledger/two_effects.toml", "no effect key"),
        ("agent/sound_design.toml", "edits, swaps and drifts"),
        ("agent/lease_lost_between_check_and_write.toml", "timestamp lease"),
        ("catalogue/message_queue.toml", ""),
        ("catalogue/leader_election.toml", ""),
    ],
)
def test_tlc_agrees_on_designs_of_each_family(spec: str, name: str, tmp_path: Path) -> None:
    """States and verdicts; without a name the first variant."""
    (loaded,) = load_specs([SPECS / spec])
    agree(variant_of(spec, name or loaded.variants[0].name), tmp_path)


@needs_tlc
@pytest.mark.slow
@pytest.mark.parametrize("managers", [5])
def test_tlc_counts_two_phase_commit(managers: int, tmp_path: Path) -> None:
    """As several checkers do."""
    files = agree(exported(two_phase.model, managers=managers), tmp_path)
    assert f"{two_phase.KNOWN[managers][0]:,} distinct states" in files["README.md"]


@needs_tlc
def test_a_fault_in_the_text_is_seen(tmp_path: Path) -> None:
    """TLC judges the text: one event that forgets to send a message leads elsewhere."""
    files = exported(two_phase.model).files("tla")
    write_files(
        tmp_path, {**files, "Model.tla": files["Model.tla"].replace(", !.abort_sent = TRUE", "")}
    )
    said = run_tlc(tmp_path)
    expected = re.search(r"must come out: ([\d,]+)", files["README.md"])
    assert expected is not None
    assert said.states != int(expected[1].replace(",", ""))


# -- models made up by chance -------------------------------------------------------------------
def agree_by_chance(text: str, bounds: dict[str, int], folder: Path) -> bool:
    """Hold TLC's count of a model against ours; tell whether there was one to hold against.

    There is none of a model that is refused, goes wrong or has no end, or whose calls change the
    state where they may not happen.
    """
    try:
        family = Family(load(folder, text).model)
        budgets = {b.name: 1 for b in family.declared.bounds if b.budget}
        system = System(family, family.design({}, bounds or budgets))
        states = concrete_states(system, 2_000)
        model = write_model(system)
    except (FencecheckError, *MODEL_ERRORS):
        return False
    if states is None:
        return False
    module = module_text(model, MODULE, ["By chance."])
    config = configuration([], needs_none="CONSTANT None" in module)
    write_files(folder, {"Model.tla": module, "Model.cfg": config})
    said = run_tlc(folder)
    assert said.is_right, said.output
    assert said.states == states
    return True


@needs_tlc
@pytest.mark.slow
def test_tlc_agrees_on_graphs_by_chance(tmp_path: Path) -> None:
    """Events over alternatives, records, bags and subsets, with several initial states."""
    for seed in range(12):
        (tmp_path / str(seed)).mkdir()
    found = [agree_by_chance(*graph_model(seed), tmp_path / str(seed)) for seed in range(12)]
    assert sum(found) > 8


@needs_tlc
@pytest.mark.slow
def test_tlc_agrees_on_programs_by_chance(tmp_path: Path) -> None:
    """Functions that mean nothing and use everything that the subset has."""
    for seed in range(60):
        (tmp_path / str(seed)).mkdir()
    found = [agree_by_chance(program(seed), {}, tmp_path / str(seed)) for seed in range(60)]
    assert sum(found) > 6
