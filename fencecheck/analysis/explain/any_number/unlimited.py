"""Any number: what becomes of a design when the budgets that it has have no end.

Takes designs whose budgets are numbers, and a Judge; judges each once more with every budget above
0 as any. What breaks there and held before is brought down to the least numbers that break it.
A search that was cut is no answer, and neither is a model that sizes something by a budget.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from fencecheck.analysis.explain.adversaries import Breaking, minimal_adversaries
from fencecheck.checking.judge import Deadline, Judge, Judgement
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


class AnyNumberAsker:
    """Asks designs with the same numbers at any; what one search compiled serves the next.

    ``bounds`` are those it asks at. ``asks`` is false where no budget is a number above 0.
    """

    def __init__(self, judge: Judge, numbers: Mapping[str, HowMany]) -> None:
        self.judge = judge
        budgets = [b.name for b in judge.family.declared.bounds if b.budget and numbers[b.name]]
        self.bounds: dict[str, HowMany] = {**numbers, **dict.fromkeys(budgets, ANY)}
        self.asks = self.bounds != dict(numbers)
        self._judges: dict[tuple[str, ...], Judge] = {}

    def judged(
        self, mechanisms: Mapping[str, str], names: Collection[str], deadline: Deadline
    ) -> Judgement:
        """Judge some properties of a design at any number."""
        design = Design(dict(mechanisms), self.bounds)
        return self._of(names, deadline).judge(design)

    def brought_down(
        self, judged: Judgement, names: Collection[str], deadline: Deadline
    ) -> AtAnyNumber:
        """Return what came out for ``names``, what breaks brought down to the least numbers."""
        least: list[Breaking] = []
        if judged.broken:
            judge = self._of(judged.broken, deadline)
            least = minimal_adversaries(judge, judged.design, Origin())
        holding = (name for name in names if name not in judged.broken) if judged.whole else ()
        cut = None if judged.whole or judged.wrong else judged.cut or "time"
        return AtAnyNumber(
            self.bounds, tuple(holding), tuple(least), judged.states, cut, judged.wrong
        )

    def ask(
        self, design: Design, deadline: Deadline, known: Collection[str] = ()
    ) -> AtAnyNumber | None:
        """Return what becomes of a design; None where there is nothing to ask, or no time.

        ``known`` are the properties that break with the numbers, of which nothing more is asked.
        """
        names = [name for name in self.judge.names if name not in known]
        if not self.asks or not names or deadline.left() <= 0:
            return None
        judged = self.judged(design.mechanisms, names, deadline.share(0.6))
        return self.brought_down(judged, names, deadline)

    def _of(self, names: Collection[str], deadline: Deadline) -> Judge:
        key, options = tuple(names), self.judge.options
        if key not in self._judges:
            self._judges[key] = Judge(self.judge.family, key, self.bounds, options)
        self._judges[key].deadline = deadline
        return self._judges[key]
