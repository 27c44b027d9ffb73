"""The line that says, on a terminal, what is being done and how far a search has come."""

from __future__ import annotations

import itertools
import shutil
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fencecheck.cli.terminal import put_raw
from fencecheck.report.words.visible import one_line

if TYPE_CHECKING:
    from fencecheck.explore.resources import OwnerTick, Tick

PAUSE = 0.1  # seconds between two looks at one search
SEPARATOR = " · "


class Progress:
    """Says on a terminal's stderr what is being done, and takes it back afterwards."""

    def __init__(self, quiet: bool) -> None:
        self.shown = not quiet and sys.stderr.isatty()
        self.width = 0
        self.said_at = 0.0

    def room(self) -> int:
        """Return the columns that a line may take: one fewer than there are, so that none wraps."""
        return max(20, shutil.get_terminal_size().columns - 1)

    def say(self, text: str) -> None:
        """Replace what was said by ``text``."""
        if self.shown:
            text = one_line(text)[: self.room()]
            put_raw(f"\r{text.ljust(self.width)}")
            self.width = len(text)

    def tick(self, tick: Tick) -> None:
        """Say how far a search has come, not more often than anybody reads."""
        now = time.monotonic()
        if self.shown and (tick.compiling or now - self.said_at >= PAUSE):
            self.said_at = now
            self.say(tick_words(tick, self.room()))

    def clear(self) -> None:
        """Take back what was said, before anything else is printed."""
        if self.shown and self.width:
            put_raw(f"\r{' ' * self.width}\r")
            self.width = 0


def tick_words(tick: Tick, width: int) -> str:
    """Return how far a search has come in one line of at most ``width`` columns.

    States, what is broken and the memory come first; what else fits stands between them. Where
    owners have the states, what each has comes last, before anything else: if the columns are too
    few, the least and the most that one has.
    """
    if tick.compiling:
        return "compiling the model ..."[:width]
    speed = tick.states / max(tick.seconds, 1e-9)
    used = f"{tick.memory >> 20:,}"
    memories = [f"{used} of {tick.budget >> 20:,} MiB"] if tick.budget else []
    if tick.owners or not memories:
        memories.append(f"{used} MiB")
    between = [
        f"depth {tick.depth}",
        f"{speed / 1e6:.2f} M states/s",
        f"frontier {tick.frontier:,} {tick.trend}",
    ]
    line = ""
    states = [f"{tick.states:,} states"]
    if tick.owners:
        states.append(f"{_digits([tick.states / 1e6])[0]} M states")
    shorter = _broken_words(tick.broken), _owner_words(tick.owners), memories, states
    for broken, owners, memory, first in itertools.product(*shorter):
        for number in range(len(between), -1, -1):
            parts = [first, *between[:number], memory, broken, owners]
            line = SEPARATOR.join(part for part in parts if part)
            if len(line) <= width:
                return line
    return line[:width]


def _broken_words(broken: tuple[str, ...]) -> list[str]:
    """Return what is broken so far in words, at length and ever shorter."""
    if not broken:
        return [""]
    words = [f"broken: {', '.join(broken)}"]
    for number in range(len(broken) - 1, 0, -1):
        words.append(f"broken: {', '.join(broken[:number])} and {len(broken) - number} more")
    return [*words, f"{len(broken)} broken"]


def _owner_words(owners: Sequence[OwnerTick]) -> list[str]:
    """Return what owners have in words: each of them, and ever shorter what is least and most."""
    if not owners:
        return [""]
    mebibytes = [owner.memory / (1 << 20) for owner in owners]
    memory_unit, size = ("MiB", 1) if max(mebibytes) < 1000 else ("GiB", 1 << 10)
    amounts = (
        (_digits([owner.states / 1e6 for owner in owners]), "M states"),
        (_digits([memory / size for memory in mebibytes]), memory_unit),
        (_digits([owner.speed / 1e6 for owner in owners]), "M/s"),
    )
    each = ", ".join(f"{' '.join(shown)} {unit}" for shown, unit in amounts)
    states, memory, speed = (f"{_range(shown)} {unit}" for shown, unit in amounts)
    many = f"{len(owners)} owners: {states}"
    short = many.removesuffix(" states")
    return [
        f"owners: {each}",
        f"{many}, {memory}, {speed}",
        f"{short}, {memory}, {speed}",
        f"{short}, {speed}",
        many,
        "",
    ]


def _digits(values: Sequence[float]) -> list[str]:
    """Return values so that the largest has three digits or more."""
    largest = max(values)
    decimals = 2 if largest < 9.995 else 1 if largest < 99.95 else 0
    return [f"{value:,.{decimals}f}" for value in values]


def _range(shown: Sequence[str]) -> str:
    """Return the least and the most of some numbers as they are shown."""
    least, most = (of(shown, key=lambda text: float(text.replace(",", ""))) for of in (min, max))
    return least if least == most else f"{least}-{most}"
