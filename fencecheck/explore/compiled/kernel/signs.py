"""Signs: what a kernel reports, and where: all that those who call it have to know of its plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

Bit = tuple[int, int]  # a word of flags and a bit in it


@dataclass(frozen=True)
class KernelSigns:
    """Where a kernel reports what it saw.

    ``switches`` are the mechanisms whose ranks it takes, in order; ``bits`` gives each property's
    place in the flags, ``cut`` that of states that a constraint keeps from expansion; ``held`` the
    place, among what was seen, that tells that a bound held back an action. ``actions`` are those
    of its cases. ``classes`` are the fairness classes of which it tells where bounds hold them
    back, in the order of the flags behind those of the truths that it was asked for.
    """

    switches: tuple[str, ...]
    bits: dict[str, Bit]
    cut: Bit | None = None
    held: dict[tuple[int, str], Bit] = field(default_factory=dict)
    actions: tuple[int, ...] = ()
    classes: tuple[int, ...] = ()

    @cached_property
    def flag_words(self) -> int:
        """Return how many 32-bit words of flags there are for a state."""
        cut = [self.cut] if self.cut else []
        bits = [*self.bits.values(), *self.held.values(), *cut]
        return 1 + max((word for word, _ in bits), default=0)
