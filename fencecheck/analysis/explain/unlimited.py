"""Any number: what becomes of a design when the budgets that it has have no end.

Takes a design whose budgets are numbers, and a Judge; judges the design once more with each budget
above 0 as any. What breaks there and held before is brought down to the least numbers that break
it. A search that was cut is no answer, and neither is a model that sizes something by a budget.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fencecheck.analysis.explain.adversaries import Breaking, minimal_adversaries
from fencecheck.checking.judge import Deadline, Judge
from fencecheck.model.declaring.any_number import ANY, HowMany
from fencecheck.model.family import Design
from fencecheck.runs.trace import Origin


@dataclass(frozen=True)
class AtAnyNumber:
    """What came out for a design with budgets of any.

    ``broken`` are the properties that break there and held with numbers, each with its least
    adversaries; ``holding`` those of which it is known that they hold. ``cut`` is the limit that
    ended the search before its end, ``wrong`` how the model goes wrong.
    """

    bounds: dict[str, HowMany]
    holding: tuple[str, ...]
    broken: tuple[Breaking, ...]
    states: int
    cut: str | None
    wrong: str | None


def at_any_number(
    judge: Judge, design: Design, deadline: Deadline, known: Collection[str]
) -> AtAnyNumber | None:
    """Judge a design with budgets of any; None where it has none that are numbers.

    ``known`` are the properties that break with the numbers, of which nothing more is asked.
    """
    family = judge.family
    numbers = [b.name for b in family.declared.bounds if b.budget and design.bounds[b.name]]
    bounds: dict[str, HowMany] = {**design.bounds, **dict.fromkeys(numbers, ANY)}
    names = [name for name in judge.names if name not in known]
    if bounds == design.bounds or not names or deadline.left() <= 0:
        return None
    design = Design(design.mechanisms, bounds)
    other = Judge(family, names, bounds, judge.options, deadline.share(0.6))
    judged = other.judge(design)
    broken: list[Breaking] = []
    if judged.broken:
        least = Judge(family, list(judged.broken), bounds, judge.options, deadline)
        broken = minimal_adversaries(least, design, Origin())
    holding = (name for name in names if name not in judged.broken) if judged.whole else ()
    cut = None if judged.whole or judged.wrong else judged.cut or "time"
    return AtAnyNumber(bounds, tuple(holding), tuple(broken), judged.states, cut, judged.wrong)
