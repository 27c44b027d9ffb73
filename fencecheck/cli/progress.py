"""The line that says, on a terminal, what is being done and how far a search has come."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

from fencecheck.cli.terminal import put_raw
from fencecheck.report.words.visible import one_line

if TYPE_CHECKING:
    from fencecheck.explore.resources import Tick

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

    States, what is broken and the memory come first; what else fits stands between them.
    """
    if tick.compiling:
        return "compiling the model ..."[:width]
    speed = tick.states / max(tick.seconds, 1e-9)
    used = f"{tick.memory >> 20:,}"
    memory = f"{used} of {tick.budget >> 20:,} MiB" if tick.budget else f"{used} MiB"
    between = [
        f"depth {tick.depth}",
        f"{speed / 1e6:.2f} M states/s",
        f"frontier {tick.frontier:,} {tick.trend}",
    ]
    line = ""
    for broken in _broken_words(tick.broken):
        for number in range(len(between), -1, -1):
            parts = [f"{tick.states:,} states", *between[:number], memory, broken]
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
