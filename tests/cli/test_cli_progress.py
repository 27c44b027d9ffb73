"""The progress line: what is broken and the memory come first, in the columns that there are."""

import pytest

from fencecheck.cli.progress import tick_words
from fencecheck.explore.resources import Tick

TICK = Tick(
    123_456_789, 12_345_678, "shrinking", 123, 61.5, 7_900 << 20, 8_192 << 20,
    ("no_lost_update", "at_most_once", "no_spurious_rejection"),
)  # fmt: skip


@pytest.mark.parametrize("width", [39, 59, 79, 99, 119, 200])
def test_a_line_fits_its_columns_with_the_memory_and_what_is_broken_in_it(width):
    line = tick_words(TICK, width)
    assert len(line) <= width
    assert "123,456,789 states" in line
    assert "broken" in line or width < 59
    assert "7,900 of 8,192 MiB" in line


def test_eighty_columns_name_what_is_broken():
    assert tick_words(TICK, 79) == (
        "123,456,789 states · 7,900 of 8,192 MiB · broken: no_lost_update and 2 more"
    )
    few = Tick(5_000, 700, "growing", 9, 0.5, 90 << 20, broken=("no_stuck",))
    assert tick_words(few, 79) == (
        "5,000 states · depth 9 · 0.01 M states/s · 90 MiB · broken: no_stuck"
    )


def test_where_nothing_is_broken_nothing_is_said_of_it():
    assert "broken" not in tick_words(Tick(5_000, 700, "growing", 9, 0.5, 90 << 20), 200)


def test_compiling_is_said():
    assert tick_words(Tick(compiling=True), 79) == "compiling the model ..."
