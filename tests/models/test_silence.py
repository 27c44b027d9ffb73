"""What a client of family fence does where it hears nothing, and what each answer breaks."""

import pytest

import fencecheck as fc

TROUBLE = {"steps": 2, "edits": 1, "lost_replies": 1, "preemptions": 1}
PROPERTIES = ["no_lost_update", "at_most_once", "truthful_reply", "truthful_ack", "finishes"]

# for each design, the fewest events that break each property
BREAKS = {
    ("retry", "none"): {"at_most_once": 10, "truthful_reply": 5},
    ("ask", "none"): {"at_most_once": 11, "truthful_reply": 6},
    ("clean_up", "none"): {"no_lost_update": 5},
    ("clean_up", "atomic"): {"no_lost_update": 5, "truthful_ack": 9},
}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("design", BREAKS, ids="-".join)
def test_what_each_answer_to_silence_breaks(design: tuple[str, str], engine: str) -> None:
    """To look first defers the second write; to clean up discards what others wrote since."""
    silence, journal = design
    result = fc.check(
        "fence",
        mechanisms={"silence": silence, "journal": journal, "journal_key": "step"},
        bounds=TROUBLE,
        properties=PROPERTIES,
        engine=engine,
    )
    broken = {name: result[name].events for name in PROPERTIES if not result[name].holds}
    assert broken == BREAKS[design]


def test_a_client_that_looks_first_needs_no_answer() -> None:
    """Without edits, and with nothing but lost replies, looking is enough."""
    result = fc.check(
        "fence",
        mechanisms={"silence": "ask", "journal": "none"},
        bounds={"steps": 2, "lost_replies": 2},
        properties=PROPERTIES,
    )
    assert all(result[name].holds for name in PROPERTIES)


def test_what_is_cleaned_up_is_told_as_discarded() -> None:
    """The evidence names the edit, and whose cleaning up took it."""
    result = fc.check(
        "fence",
        mechanisms={"silence": "clean_up", "journal": "none"},
        bounds=TROUBLE,
        properties=["no_lost_update"],
    )
    assert result["no_lost_update"].trace.says == "undoing s1 discarded human edit 1"


def test_cleaning_up_needs_a_stamp_that_holds_what_is_put_back() -> None:
    """The rule says what to write."""
    with pytest.raises(fc.FencecheckError, match="puts back what the stamp holds"):
        fc.check("fence", mechanisms={"silence": "clean_up", "identity": "counter"})
