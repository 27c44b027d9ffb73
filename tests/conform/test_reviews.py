"""The implementations of the two reviews, and twenty executors with one defect each."""

from __future__ import annotations

import pytest

from fencecheck.conform import Adapter
from tests.conform.driving import DESIGNS, OURS, divergences, driven, spec_of
from tests.conform.systems.defects import DEFECTS
from tests.conform.systems.executors import StepFence, StepFenceJournal
from tests.conform.systems.ledger import ByEvent, Held
from tests.conform.systems.printed import PlanFence, Printed, PrintedPlan

CONFORMING = [
    pytest.param("no_fence", None, Printed, 1_380, id="printed, no fence"),
    pytest.param("as_printed", "as printed", Printed, 1_575, marks=pytest.mark.slow),
    pytest.param(
        "as_printed", "as printed, with its journal", Printed, 3_194, marks=pytest.mark.slow
    ),
    pytest.param("step_fence", None, StepFence, 9_182, marks=pytest.mark.slow),
    pytest.param("step_fence_journal", None, StepFenceJournal, 1_926, id="step fence + journal"),
]


@pytest.mark.parametrize(("design", "variant", "kind", "pairs"), CONFORMING)
def test_an_executor_conforms_to_its_own_design_in_every_order(
    design: str, variant: str | None, kind: type[Adapter], pairs: int
) -> None:
    """The first review's also to no fence at all: nothing that can be seen tells it from that."""
    found = driven(spec_of(DESIGNS / f"{design}.toml", variant), kind)
    assert found["conforms"].verdict == "holds"
    conduct = found.exploration.conduct
    assert conduct is not None
    assert (conduct.by, conduct.pairs, conduct.never) == ("lockstep", pairs, ())


def test_the_printed_executor_diverges_from_the_step_fence_in_three_events() -> None:
    """The model rejects, it applies."""
    found = divergences(driven(spec_of(DESIGNS / "step_fence.toml"), Printed, most=1))
    events, name, says = found[0]
    assert (events, name) == (3, "executor.reject")
    assert says.startswith("the outcome: pre_hash in the model, applied in the implementation")


def test_the_printed_executor_stamps_with_the_newest_plan() -> None:
    """A request of an older plan is refused for another reason, eight events on."""
    spec = spec_of(DESIGNS / "plan_fence.toml")
    assert divergences(driven(spec, PrintedPlan, most=1)) == [
        (
            8,
            "executor.reject",
            "the outcome: stale_rev in the model, pre_hash in the implementation.",
        )
    ]


@pytest.mark.slow
def test_a_request_of_an_older_plan_is_applied_later_on() -> None:
    """Three kinds of divergence, of which two apply what the model rejects."""
    spec = spec_of(DESIGNS / "plan_fence.toml")
    found = divergences(driven(spec, PrintedPlan))
    assert [(events, name) for events, name, _ in found] == [
        (events, "executor.reject") for events in (8, 11, 19)
    ]
    assert all("stale_rev in the model, applied" in says for _, _, says in found[1:])
    assert driven(spec, PlanFence, by="walks", walks=200)["conforms"].verdict == "holds"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if length in range(10) else pytest.mark.slow)
        for name, (_, length) in DEFECTS.items()
    ],
)
def test_an_executor_with_one_defect_diverges_in_the_fewest_events(name: str) -> None:
    """Two conform within the bounds of the tour, and nothing more is claimed of them."""
    kind, length = DEFECTS[name]
    found = driven(spec_of(DESIGNS / "step_fence_journal.toml"), kind, most=1)
    assert [events for events, _, _ in divergences(found)] == ([] if length is None else [length])
    assert found["conforms"].verdict == ("holds" if length is None else "violated")


@pytest.mark.slow
@pytest.mark.parametrize(("cover", "missed"), [("events", 7), ("pairs", 1), ("seen", 0)])
def test_how_many_defects_runs_find_depends_on_what_they_cover(cover: str, missed: int) -> None:
    """What an implementation can tell apart is enough for all of them."""
    spec = spec_of(DESIGNS / "step_fence_journal.toml")
    wrong = [kind for kind, length in DEFECTS.values() if length is not None]
    verdicts = [driven(spec, kind, by="runs", cover=cover)["conforms"].verdict for kind in wrong]
    assert verdicts.count("holds") == missed


def test_the_second_reviews_ledger_conforms_event_by_event() -> None:
    """Its calls one by one, over SQLite in memory."""
    found = driven(spec_of(OURS / "ledger.toml", "looks as it acts"), ByEvent)
    assert found["conforms"].verdict == "holds"
    conduct = found.exploration.conduct
    assert conduct is not None
    assert (conduct.by, conduct.pairs, conduct.never) == ("lockstep", 1_128, ())


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (
            "looks as it acts",
            (
                6,
                "worker.replay",
                "the outcome: replayed in the model, deduped in the implementation.",
            ),
        ),
        pytest.param(
            "looks with its intent",
            (
                8,
                "worker.intend",
                "the outcome: none in the model, rejected: intent_hash in the implementation; "
                "scheduler.status[1]: open in the model, rejected in the implementation.",
            ),
            marks=pytest.mark.slow,
        ),
        pytest.param("looks with its intent, no edits", None, marks=pytest.mark.slow),
    ],
)
def test_the_second_reviews_call_is_held_after_its_look(
    variant: str, expected: tuple[int, str, str] | None
) -> None:
    """Two workers past the look; and the hash that is asked before what is committed."""
    found = driven(spec_of(OURS / "ledger.toml", variant), Held)
    assert found.exploration.conduct is not None
    assert found.exploration.conduct.by == "runs"
    assert divergences(found)[:1] == ([] if expected is None else [expected])
