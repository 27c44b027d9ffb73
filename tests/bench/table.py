"""What was measured of a case, and how it is printed: medians, ratios and how far they spread."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.bench.cases import Case, Run

ONE, TWO, COLD = "fencecheck, 1 thread", "fencecheck, 2 threads", "fencecheck, no cache"
SPIN = "SPIN DFS"  # what all others are compared with
DETAILS = ("", "states/s", "of SPIN DFS", "search s", "whole s", "of SPIN DFS", "bytes a state")
HEADS = (
    ("", "", "", "", "", "seconds", "", "", "", "", "times SPIN DFS", "", "bytes a state", ""),
    (
        "", "states", "transitions", "bits", "depth", "1 thread", "2 threads", "SPIN DFS",
        "SPIN BFS", "Rumur", "1 thread", "2 threads", "ours", "SPIN DFS",
    ),
)  # fmt: skip


def median(values: Iterable[float]) -> float:
    """Return the median."""
    return float(statistics.median(list(values)))


@dataclass
class Measured:
    """The runs of one case by checker, turn by turn.

    ``started`` is the peak of resident bytes of each checker on a system of almost no states.
    """

    case: Case
    runs: dict[str, list[Run]] = field(default_factory=dict)
    started: dict[str, int] = field(default_factory=dict)

    def search(self, name: str) -> float:
        """Return the median of a checker's seconds of the search."""
        return median(run.search for run in self.runs[name])

    def whole(self, name: str) -> float:
        """Return the median of a checker's seconds of everything."""
        return median(run.whole for run in self.runs[name])

    def ratios(self, name: str) -> list[float]:
        """Return how many times as fast as SPIN's depth-first search each turn's search was."""
        both = zip(self.runs[SPIN], self.runs[name], strict=True) if SPIN in self.runs else ()
        return [base.search / run.search for base, run in both]

    def bytes_a_state(self, name: str) -> float:
        """Return the resident bytes a state beyond what a checker needs for almost no states."""
        resident = median(run.resident for run in self.runs[name])
        return max(0.0, resident - self.started[name]) / self.case.states


def print_all(found: Sequence[Measured]) -> None:
    """Print the one table: a row for each case."""
    turns = max((len(runs) for each in found for runs in each.runs.values()), default=0)
    print(
        f"\nMedians of {turns} runs in turns. How many times as fast as SPIN's depth-first search: "
        "median of the turns (least - most).\n"
    )
    print_table([*HEADS, *map(_row, found)])


def _row(found: Measured) -> tuple[str, ...]:
    first, case = found.runs[ONE][0], found.case
    counts = (f"{case.states:,}", f"{case.transitions:,}", str(first.bits), f"{first.depth:,}")
    seconds = (
        f"{found.search(name):.3f}" if name in found.runs else ""
        for name in (ONE, TWO, SPIN, "SPIN BFS", "Rumur")
    )
    ratios = (_spread(found.ratios(name)) for name in (ONE, TWO))
    sizes = (
        f"{found.bytes_a_state(name):.0f}" if name in found.runs else "" for name in (ONE, SPIN)
    )
    return (case.name, *counts, *seconds, *ratios, *sizes)


def _spread(ratios: Sequence[float]) -> str:
    if not ratios:
        return ""
    return f"{median(ratios):.1f} ({min(ratios):.1f} - {max(ratios):.1f})"


def print_case(found: Measured) -> None:
    """Print one case as a table of its own: a row for each checker."""
    case, bits = found.case, found.runs[ONE][0].bits
    print(f"\n{case.name}: {case.states:,} states of {bits} bits, {case.transitions:,} transitions")
    rows: list[tuple[str, ...]] = [DETAILS]
    for name in found.runs:
        search, whole = found.search(name), found.whole(name)
        faster = sooner = ""
        if SPIN in found.runs:
            faster = f"{median(found.ratios(name)):.2f} x"
            sooner = f"{found.whole(SPIN) / whole:.2f} x"
        speed, size = f"{case.states / search:,.0f}", f"{found.bytes_a_state(name):.0f}"
        rows.append((name, speed, faster, f"{search:.3f}", f"{whole:.2f}", sooner, size))
    print_table(rows)


def print_table(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows, the first column to the left and the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        _, *rest = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print(("  " + row[0].ljust(widths[0]) + "  " + "  ".join(rest)).rstrip())


def print_markdown(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows as a table of Markdown, the first of them as its head."""
    head, *rest = rows
    for row in (head, ("---", *("---:" for _ in head[1:])), *rest):
        print(f"| {' | '.join(row)} |")


def print_seconds(found: Mapping[str, float]) -> None:
    """Print seconds by name."""
    for name, seconds in found.items():
        print(f"  {name:32}{seconds:8.3f}")
