"""The verdict table: golden output, widths of terminals, marks and their legend."""

import pytest

from fencecheck.checking.results import Result
from fencecheck.report.results.table import finding_mark, legend, render_table, verdict_table
from fencecheck.report.words.columns import Entry, columns_of, table_lines
from tests.report import handmade
from tests.report.pictures import check_golden

NAMES = [
    "fresh_apply",
    "journal_append_only",
    "no_future_base",
    "journal_covers",
    "no_lost_update",
    "at_most_once",
    "truthful_reply",
    "truthful_ack",
    "no_spurious_rejection",
    "no_stuck",
    "can_finish",
    "finishes",
]


def wide() -> Result:
    """Return a result with all properties of family fence."""
    variants = [
        handmade.variant(name, *(handmade.holds(p) for p in NAMES))
        for name in ("no fence", "step fence + journal", "as printed")
    ]
    return handmade.result(*variants)


@pytest.mark.parametrize("name", ["mixed", "cut", "expected", "scripted", "failure"])
def test_table_is_the_golden_one(name):
    check_golden(f"table_{name}.txt", render_table(getattr(handmade, name)()))


@pytest.mark.parametrize("width", [80, 100, 120])
def test_the_table_fits_a_terminal_and_loses_no_column(width):
    lines = verdict_table(wide(), width)
    assert max(columns_of(line) for line in lines) <= width
    words = " ".join(lines).split()
    assert all(part in words for name in NAMES for part in name.split("_"))
    assert sum(line.count("✓") for line in lines) == 3 * len(NAMES)


def test_one_block_is_enough_for_120_columns():
    assert sum("─" in line for line in verdict_table(wide(), 120)) == 1
    assert sum("─" in line for line in verdict_table(wide(), 80)) == 2


def test_marks_tell_the_verdicts_apart():
    findings = [handmade.holds(), handmade.vacuous(), handmade.violated(), handmade.undetermined()]
    assert [finding_mark(f) for f in findings] == ["✓", "(✓)", "✗ 3", "undet."]


def test_the_legend_of_a_cut_search_knows_no_pass():
    assert legend(handmade.cut()) == ["undet.  undetermined: the search was cut before an answer"]
    assert not {"✓", "holds"} & set(render_table(handmade.cut()).split())


def test_unexpected_cells_are_marked_and_explained():
    text = render_table(handmade.expected())
    assert "✗ 3 !" in text
    assert "✓ !" in text
    assert "!       not as expected" in text


def test_a_property_that_one_variant_does_not_have_is_a_dash():
    outcome = handmade.result(
        handmade.variant("a", handmade.holds("x")), handmade.variant("b", handmade.holds("y"))
    )
    assert [line.split() for line in verdict_table(outcome)[2:]] == [
        ["a", "✓", "-"],
        ["b", "-", "✓"],
    ]
    assert "-       not asked of this design" in legend(outcome)


def test_bounds_that_differ_are_said_of_their_variant():
    outcome = handmade.result(
        handmade.variant("a", handmade.holds()), handmade.variant("b", handmade.holds())
    )
    outcome.variants[1].design = type(handmade.DESIGN)({}, {"steps": 3, "edits": 1, "swaps": 0})
    assert "bounds: steps 2, edits 1; b: steps 3" in render_table(outcome)


def test_cells_of_several_lines_and_wide_characters_stay_in_their_columns():
    rows = [
        ("漢字", [Entry(("one", "two")), Entry(("7",), right=True)]),
        ("b", [Entry(("x",)), Entry(("10",), right=True)]),
    ]
    assert table_lines("", ["first", "n"], rows, 40) == [
        "      first  n",
        "───────────────",
        "漢字  one     7",
        "      two",
        "b     x      10",
    ]
