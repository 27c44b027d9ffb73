"""The systems that are measured, and what a measured run says.

Known counts come from the models' own tests; a run that gives others stops the comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SYSTEMS = Path(__file__).parent / "systems"


@dataclass(frozen=True)
class Case:
    """One system at one size.

    ``kind`` is a module of ``tests.models_for_tests``, of which SPIN and Rumur have the same in
    ``systems``; or one of BOUNDS: family fence itself, which is exported for them.
    """

    name: str
    kind: str
    sizes: tuple[int | str, ...]
    states: int
    transitions: int


@dataclass(frozen=True)
class Run:
    """One run of one checker: seconds of the search, of everything, and peak resident bytes.

    ``bits`` is what a state is packed into and ``depth`` the number of levels but one, where
    they are known.
    """

    states: int
    transitions: int
    search: float
    whole: float
    resident: int
    bits: int = 0
    depth: int = 0


STEPS, BUDGETS = "steps", "budgets"
BOUNDS = {
    STEPS: ("steps", "lost_replies", "edits", "duplicates", "preemptions", "swaps"),
    BUDGETS: ("steps", "in_flight", "lost_replies", "edits", "duplicates", "preemptions"),
}
STEPS_DESIGN = {"journal": "atomic"}  # the step fence, stamped at dispatch, with a journal
CASES = (
    Case("F4", "pipelined", (2, 2, 2, 1, 1), 24_279, 82_885),
    Case("F6", "pipelined", (3, 3, 2, 1, 1), 1_157_219, 5_175_607),
    Case("F(4,2,2,1,1)", "pipelined", (4, 2, 2, 1, 1), 8_711_632, 45_382_787),
    Case("T7", "two_phase", (7,), 296_448, 2_744_705),
    Case("T8", "two_phase", (8,), 1_745_408, 18_507_777),
    Case("peterson4", "peterson", (4,), 1_119_560, 3_864_896),
    Case("lamport", "lamport", (4,), 1_066_800, 3_630_664),
    Case("mcs", "mcs", (4,), 571_459, 2_077_384),
    Case("bakery", "bakery", (4, 7), 7_866_401, 27_018_304),
    Case("deep", "journal", (3_000, 20), 690_151, 1_882_020),
    Case("family fence", STEPS, (3, 2, 2, 2, 2, 1), 4_476_312, 19_739_331),
)
ANY_NUMBER = "any number"  # one system with budgets that have an end, and without one
LADDER = (
    Case("1 of each", BUDGETS, (3, 2, 1, 1, 1, 1), 3_938, 8_682),
    Case("2 of each", BUDGETS, (3, 2, 2, 2, 2, 2), 136_921, 461_806),
    Case("3 of each", BUDGETS, (3, 2, 3, 3, 3, 3), 1_342_812, 5_558_273),
    Case("any number", BUDGETS, (3, 2, "any", "any", "any", "any"), 47_102, 271_912),
)
CAPPED = {
    "intent": "on", "intent_hash": "on", "on_drift": "pin", "effect_key": "step",
    "commit": "separate", "reaper": "on", "poison": "ack", "attempts": "2",
}  # fmt: skip
# systems of many words, which only owners are measured on: family, mechanisms, bounds
LEASED: dict[str, tuple[str, dict[str, str], dict[str, int | str]]] = {
    "family ledger": (
        "ledger",
        {},
        {"steps": 2, "revocations": 2, "edits": 2, "duplicates": 1, "expiries": 1},
    ),
    "ledger, capped": ("ledger", CAPPED, {"steps": 3, "revocations": 2, "edits": 2}),
    "family agent": ("agent", {}, {"steps": 3, "revocations": 2, "edits": 2, "expiries": 1}),
}
TINY = {
    "pipelined": (1, 0, 0, 0, 0),
    "two_phase": (1,),
    "peterson": (2,),
    "lamport": (2,),
    "mcs": (2,),
    "bakery": (2, 1),
    "journal": (1, 1),
    STEPS: (1, 0, 0, 0, 0, 0),
    BUDGETS: (1, 1, 0, 0, 0, 0),
}  # what a checker needs before it has any states
QUICK = ("F4", "T7", "mcs")
SPLIT = ("F6", "family fence")  # of which it is said where the seconds go
