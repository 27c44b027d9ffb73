"""The systems that are measured, and what a measured run says.

Known counts come from the models' own tests; a run that gives others stops the comparison.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One system at one size. ``kind`` is what the peers' generators call it.

    Family fence itself, of the kinds in BOUNDS, is in no peer's language.
    """

    name: str
    kind: str
    sizes: tuple[int | str, ...]
    states: int
    transitions: int

    @property
    def has_peers(self) -> bool:
        """Tell whether SPIN and Rumur have the same system."""
        return self.kind not in BOUNDS


@dataclass(frozen=True)
class Run:
    """One run of one checker: seconds of the search, of everything, and peak resident bytes.

    ``bits`` is what a state is packed into, where that is known.
    """

    states: int
    search: float
    whole: float
    resident: int
    bits: int = 0


STEPS, BUDGETS = "steps", "budgets"
BOUNDS = {
    STEPS: ("steps", "lost_replies", "edits", "duplicates", "preemptions", "swaps"),
    BUDGETS: ("steps", "in_flight", "lost_replies", "edits", "duplicates", "preemptions"),
}
STEPS_DESIGN = {"journal": "atomic"}  # the step fence, stamped at dispatch, with a journal
CASES = (
    Case("F4", "fence", (2, 2, 2, 1, 1), 24_279, 82_885),
    Case("T7", "2pc", (7,), 296_448, 2_744_705),
    Case("T8", "2pc", (8,), 1_745_408, 18_507_777),
    Case("F6", "fence", (3, 3, 2, 1, 1), 1_157_219, 5_175_607),
    Case("F(4,2,2,1,1)", "fence", (4, 2, 2, 1, 1), 8_711_632, 45_382_787),
    Case("family fence", STEPS, (3, 2, 2, 2, 2, 1), 4_476_312, 19_739_331),
)
ANY_NUMBER = "any number"  # one system with budgets that have an end, and without one
LADDER = (
    Case("1 of each", BUDGETS, (3, 2, 1, 1, 1, 1), 3_938, 8_682),
    Case("2 of each", BUDGETS, (3, 2, 2, 2, 2, 2), 136_921, 461_806),
    Case("3 of each", BUDGETS, (3, 2, 3, 3, 3, 3), 1_342_812, 5_558_273),
    Case("any number", BUDGETS, (3, 2, "any", "any", "any", "any"), 47_102, 271_912),
)
TINY = {
    "fence": (1, 0, 0, 0, 0),
    "2pc": (1,),
    STEPS: (1, 0, 0, 0, 0, 0),
}  # what a checker needs before it has any states
QUICK = ("F4", "T7")
