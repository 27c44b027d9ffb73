"""Versions: how far above the clock, or in which place below it, is all that can be compared."""

from __future__ import annotations

from collections.abc import Iterable


def renumbered(clock: int, values: Iterable[int]) -> dict[int, int]:
    """Return what the values of a Version become when its clock is set to 0.

    What is above the clock keeps its distance. The newest value below becomes -1, the next one -2:
    their order and which are equal stay, and their distances are lost.
    """
    becomes = {value: value - clock for value in values}
    below = sorted((value for value in becomes if value < clock), reverse=True)
    becomes.update({value: -place for place, value in enumerate(below, 1)})
    return becomes
