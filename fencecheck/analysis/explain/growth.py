"""Growth: up to which bounds a design keeps its properties, and where new kinds of trouble start.

Takes a design and a Judge; raises one bound at a time, round robin, until time is up. A first
pass starts from the design's own bounds, or from the least where something breaks there, and
takes back every raise that breaks a property that held: it says up to where the others hold. A
second starts from the least bounds and keeps every raise: it says at which bounds the last new
property broke. A search that was cut ends a pass and is no answer. A budget that is any is raised
from one to any number, and from there no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fencecheck.checking.judge import Deadline, Judge, Judgement
from fencecheck.model.declaring.any_number import ANY, AnyNumber, HowMany
from fencecheck.model.family import Design

Bounds = dict[str, HowMany]


@dataclass(frozen=True)
class Raise:
    """One raised bound: what broke for the first time, in how many events."""

    bounds: Bounds
    raised: str | None
    broken: dict[str, int]
    states: int


@dataclass
class Pass:
    """A row of raises. ``bounds`` are the largest at which the answer is known.

    ``stopped_by`` says why it did not go further; ``cut`` are the bounds that were not answered,
    and ``wrong`` says how the model goes wrong there, where it does.
    """

    bounds: Bounds
    raises: list[Raise] = field(default_factory=list)
    searched: int = 0
    states: int = 0
    stopped_by: str = ""
    cut: Bounds | None = None
    wrong: str | None = None

    @property
    def news(self) -> list[Raise]:
        """Return the raises at which a property broke for the first time."""
        return [step for step in self.raises if step.broken]


@dataclass(frozen=True)
class Growth:
    """``holding`` never keeps a raise that breaks something; ``all`` keeps every raise.

    ``all`` is None where nothing broke: it would be the same.
    """

    grown: list[str]
    kept: list[str]
    holding: Pass
    all: Pass | None


def grow(judge: Judge, design: Design, deadline: Deadline, *, broken: bool) -> Growth:
    """Raise the sizes of a design and the budgets it allows, until ``deadline``.

    ``broken`` tells whether something breaks at the design's own bounds.
    """
    declared = judge.family.declared.bounds
    grown = [b.name for b in declared if not b.budget or design.bounds[b.name]]
    kept = [b.name for b in declared if b.name not in grown]
    least: Bounds = {b.name: 0 if b.budget else max(1, b.least) for b in declared}
    runner = _Grower(judge, design, grown)
    start = least if broken else dict(design.bounds)
    holding = runner.run(start, deadline.share(0.5), keep_all=False)
    if not holding.news:
        return Growth(grown, kept, holding, None)
    return Growth(grown, kept, holding, runner.run(least, deadline, keep_all=True))


class _Grower:
    """Runs passes over the bounds of one design."""

    def __init__(self, judge: Judge, design: Design, grown: list[str]) -> None:
        self.judge, self.design, self.grown = judge, design, grown

    def run(self, start: Bounds, deadline: Deadline, *, keep_all: bool) -> Pass:
        """Raise bound after bound until time is up or nothing is left to raise.

        The next search is larger than the last: one that would not fit into the time is left.
        """
        found = Pass(dict(start))
        broken: set[str] = set()
        held: set[str] = set()
        took = 0.0
        for bounds, raised in self._steps(found, held):
            if deadline.left() <= took:
                found.stopped_by = "time"
                break
            before = deadline.left()
            judged = self._judge(bounds, deadline)
            took = before - deadline.left() if deadline.at != float("inf") else 0.0
            found.searched += 1
            found.states += judged.states
            new = {n: e for n, e in judged.broken.items() if n not in broken}
            broken |= set(new)
            if new or judged.whole:
                found.raises.append(Raise(bounds, raised, new, judged.states))
            if not judged.whole:
                found.stopped_by, found.cut = judged.cut or "time", bounds
                found.wrong = judged.wrong
                break
            if new and raised is not None and not keep_all:
                held.add(raised)
                continue
            found.bounds = bounds
        return found

    def _steps(self, found: Pass, held: set[str]) -> Iterator[tuple[Bounds, str | None]]:
        """Yield the least bounds, then those with one more of each bound in turn."""
        yield dict(found.bounds), None
        while names := [n for n in self.grown if n not in held and self._can_grow(found, n)]:
            for name in names:
                yield {**found.bounds, name: self._more(name, found.bounds[name])}, name
        found.stopped_by = "nothing left to raise"

    def _can_grow(self, found: Pass, name: str) -> bool:
        return not isinstance(found.bounds[name], AnyNumber)

    def _more(self, name: str, number: HowMany) -> HowMany:
        """Return the next larger bound."""
        if number and isinstance(self.design.bounds[name], AnyNumber):
            return ANY
        return number if isinstance(number, AnyNumber) else number + 1

    def _judge(self, bounds: Bounds, deadline: Deadline) -> Judgement:
        """Judge the design; up to its own budgets one kernel serves all budgets."""
        declared, own = self.judge.family.bounds, self.design.bounds
        capacity = {n: max(m, own[n]) if declared[n].budget else m for n, m in bounds.items()}
        judge = Judge(self.judge.family, self.judge.names, capacity, self.judge.options, deadline)
        return judge.judge(Design(self.design.mechanisms, bounds))
