"""What a file of family fence is recognized by: what each kind refuses, and what it lets pass."""

import pytest

import fencecheck as fc
from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.model.files.loading import load_family

PLANNED = {"fence": "none", "journal": "atomic", "journal_key": "step"}
KINDS = {
    "content": (None, None),
    "counter": (None, 3),
    "time": (3, 3),
    "part": (3, None),
}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_kind_of_identity_lets_pass_and_refuses_without_need(kind: str, engine: str) -> None:
    """A coarse clock and a part miss edits; a counter and a time move where nothing changed."""
    lost, spurious = KINDS[kind]
    result = fc.check(
        "fence",
        mechanisms={**PLANNED, "identity": kind},
        bounds={"steps": 2, "edits": 1, "touches": 1},
        properties=["no_lost_update", "no_spurious_rejection", "finishes"],
        engine=engine,
    )
    assert result["no_lost_update"].events == lost
    assert result["no_spurious_rejection"].events == spurious
    assert result["finishes"].holds


@pytest.mark.parametrize("kind", KINDS)
def test_an_undisturbed_plan_meets_the_identities_that_it_expects(kind: str) -> None:
    """The steps of a plan know of each other's writes, whatever a file is recognized by."""
    family = load_family("fence")
    design = family.design({**PLANNED, "identity": kind}, {"steps": 3, "files": 2})
    question = Question(("finishes",))
    result = check_design(family, design, question, Options(coverage=True))
    assert result.coverage is not None
    assert {"executor.reject", "planner.replan"} <= set(result.coverage.never_enabled)
    assert result["finishes"].verdict == "holds"


def test_one_edit_is_seen_by_a_part_and_the_other_is_not() -> None:
    """The shortest loss under a time or a part is by the edit that the identity does not show."""
    for kind in ("time", "part"):
        result = fc.check(
            "fence",
            mechanisms={**PLANNED, "identity": kind},
            bounds={"steps": 1, "edits": 1},
            properties=["no_lost_update"],
        )
        names = [event.name for event in result["no_lost_update"].trace.events]
        assert names == ["client.dispatch", "human.edit_unseen", "executor.apply"] or (
            names == ["human.edit_unseen", "client.dispatch", "executor.apply"]
        )


def test_whole_files_are_restored_so_a_part_is_refused_with_compensation() -> None:
    """The rule says what to write."""
    with pytest.raises(fc.FencecheckError, match="identity = part needs compensation = none"):
        fc.check("fence", mechanisms={"identity": "part", "compensation": "full"})
