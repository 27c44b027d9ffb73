"""What is to be explained, in how much time, and who is told of each part as it is ready."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fencecheck.analysis.explain.explanation import Explanation, ExplanationPart

PARTS = ("adversaries", "designs", "guards", "orders", "bounds")
ALL_PARTS = (*PARTS, "any")  # the last takes long, and comes only where it is asked for
SECONDS = 60.0
GROWING = 10.0  # seconds for larger bounds, unless more is asked for


def _nothing(_: object) -> None:
    return None


@dataclass(frozen=True)
class ExplainPlan:
    """What to explain (of ALL_PARTS), in how many seconds, with which switches left as they are.

    ``growing`` bounds the time for larger bounds; None: all that is left. ``ready`` is called
    with each part, ``say`` with what is under way.
    """

    parts: tuple[str, ...] = PARTS
    seconds: float | None = SECONDS
    keep: tuple[str, ...] = ()
    growing: float | None = None
    say: Callable[[str], None] = field(default=_nothing)
    ready: Callable[[Explanation, ExplanationPart], None] = field(
        default=lambda explanation, part: None
    )
