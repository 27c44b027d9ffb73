"""The systems that are measured, and what a measured run says.

Known counts come from the models' own tests; a run that gives others stops the comparison.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One system at one size. ``kind`` is what the peers' generators call it."""

    name: str
    kind: str
    sizes: tuple[int, ...]
    states: int
    transitions: int


@dataclass(frozen=True)
class Run:
    """One run of one checker: seconds of the search, of everything, and peak resident bytes."""

    states: int
    search: float
    whole: float
    resident: int


CASES = (
    Case("F4", "fence", (2, 2, 2, 1, 1), 24_279, 82_885),
    Case("T7", "2pc", (7,), 296_448, 2_744_705),
    Case("F6", "fence", (3, 3, 2, 1, 1), 1_157_219, 5_175_607),
    Case("F(4,2,2,1,1)", "fence", (4, 2, 2, 1, 1), 8_711_632, 45_382_787),
)
TINY = {"fence": (1, 0, 0, 0, 0), "2pc": (1,)}  # what a checker needs before it has any states
QUICK = ("F4", "T7")
