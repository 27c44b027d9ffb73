"""The progress line: what is broken and the memory come first, in the columns that there are."""

from dataclasses import replace

import pytest

from fencecheck.cli.progress import tick_words
from fencecheck.explore.resources import OwnerTick, Tick

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


def of_owners(number: int) -> Tick:
    """A tick of a search whose owners differ."""
    each = [
        OwnerTick(12_500_000 + at * 100_000, (600 + at) << 20, 1e6 + at * 12_000)
        for at in range(number)
    ]
    states, memory = sum(one.states for one in each), sum(one.memory for one in each)
    return replace(TICK, states=states, memory=memory, broken=(), owners=tuple(each))


@pytest.mark.parametrize("number", [2, 3, 4, 8, 16])
def test_eighty_columns_show_the_sum_and_how_far_owners_are_apart(number):
    tick = of_owners(number)
    most = tick.owners[-1]
    assert tick_words(tick, 79) == (
        f"{tick.states / 1e6:{'.0f' if number > 7 else '.1f'}} M states · "
        f"{tick.memory >> 20:,} MiB · {number} owners: 12.5-{most.states / 1e6:.1f} M, "
        f"600-{most.memory >> 20} MiB, 1.00-{most.speed / 1e6:.2f} M/s"
    )


def test_wide_lines_show_each_owner():
    assert tick_words(of_owners(3), 200) == (
        "37,800,000 states · depth 123 · 0.61 M states/s · frontier 12,345,678 shrinking · "
        "1,803 of 8,192 MiB · owners: 12.5 12.6 12.7 M states, 600 601 602 MiB, 1.00 1.01 1.02 M/s"
    )
    assert tick_words(of_owners(16), 400).endswith(
        " 1.00 1.01 1.02 1.04 1.05 1.06 1.07 1.08 1.10 1.11 1.12 1.13 1.14 1.16 1.17 1.18 M/s"
    )


def test_owners_with_gibibytes_and_alike():
    alike = OwnerTick(400_000_000, 6_700 << 20, 250_000.0)
    assert " · 2 owners: 400 M states, 6.54 GiB, 0.25 M/s" in tick_words(
        replace(TICK, broken=(), owners=(alike, alike)), 79
    )


@pytest.mark.parametrize("number", [2, 16])
def test_what_is_broken_comes_before_what_owners_have(number):
    tick = replace(of_owners(number), broken=TICK.broken)
    for width in range(39, 300):
        line = tick_words(tick, width)
        assert len(line) <= width
        assert "broken" in line or width < 60
        assert line.endswith("M/s") or width < 140
