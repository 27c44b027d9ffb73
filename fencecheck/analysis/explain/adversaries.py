"""Minimal adversaries: the least interference that is enough to break each property.

Takes one design and a Judge; goes through the budgets up to the design's own, from none upwards.
A property that broke under some budgets is not asked about under larger ones: whatever happens
there, they are not minimal. So nothing is assumed about how behaviours grow with budgets, for
safety, possibility or liveness. (Where a model reads a budget only to spend it, every run under
smaller budgets is also one under larger ones, fair or not, and what is broken stays broken.)

Where something is known to hold within all the design's budgets, the walk would come to these in
the end. Then they are searched first, and where the model only spends them (spending.py) only those
budgets are asked about at which a property first breaks: to tell the event order.

Where a budget is any there is no end to go up to. Then what any number breaks is brought down to
numbers: from what its shortest counterexample spends, one less of a kind for as long as it still
breaks; and what is left beside the adversaries found, with less of a kind than each of them, is
asked about in turn. A model can only spend a budget of any, so this finds every minimal adversary.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from fencecheck.analysis.explain.spending import least_outlays
from fencecheck.checking.judge import Judge, Judgement
from fencecheck.model.declaring.any_number import AnyNumber, HowMany
from fencecheck.model.family import Design
from fencecheck.runs.trace import Origin, Trace

Budgets = dict[str, HowMany]
_FEW = 2  # choices of budgets that are searched as fast one by one


@dataclass(frozen=True)
class Adversary:
    """Interference, by kind and number, that breaks a property and no less of it does.

    ``certain`` is false where a smaller one stayed undetermined.
    """

    budgets: Budgets
    events: int
    trace: Trace
    certain: bool


@dataclass
class Breaking:
    """A property with its minimal adversaries. ``open`` are budgets without an answer.

    ``stops`` are the limits that kept them from one, ``wrong`` how the model went wrong there.
    """

    name: str
    meaning: str
    adversaries: list[Adversary] = field(default_factory=list)
    open: list[Budgets] = field(default_factory=list)
    stops: set[str] = field(default_factory=set)
    wrong: str | None = None


def minimal_adversaries(
    judge: Judge, design: Design, origin: Origin, *, some_hold: bool = False
) -> list[Breaking]:
    """Return every property the judge knows, in its order, with its minimal adversaries.

    ``some_hold``: one of them is known to hold within all the budgets of the design.
    """
    family = judge.family
    found = {name: Breaking(name, family.properties[name].doc) for name in judge.names}
    limits = {b.name: design.bounds[b.name] for b in family.declared.bounds if b.budget}
    if any(isinstance(limit, AnyNumber) for limit in limits.values()):
        unlimited = _Unlimited(judge, design, origin)
        for breaking in found.values():
            unlimited.bring_down(breaking, limits)
        return list(found.values())
    choices = list(_upwards(limits))
    one_search = some_hold and len(choices) > _FEW
    known = least_outlays(judge, design, choices) if one_search else None
    for budgets in choices:
        asked = [
            b
            for b in found.values()
            if (known is None or known.asks(b.name, budgets))
            and not any(_within(a.budgets, budgets) for a in b.adversaries)
        ]
        if not asked:
            continue
        if judge.deadline.left() <= 0:
            for breaking in asked:
                _leave_open(breaking, budgets, "time")
            continue
        less = Design(design.mechanisms, {**design.bounds, **budgets})
        last = None if known is None else known.last([b.name for b in asked], budgets)
        _ask(judge, less, asked, (budgets, origin, last))
    return list(found.values())


def _ask(
    judge: Judge,
    design: Design,
    asked: list[Breaking],
    how: tuple[Budgets, Origin, str | None],
) -> None:
    budgets, origin, last = how
    judged, traces = judge.tell(design, [breaking.name for breaking in asked], origin, last)
    spent = {name: number for name, number in budgets.items() if number}
    for breaking in asked:
        trace = traces.get(breaking.name)
        if trace is not None:
            certain = not any(_within(smaller, spent) for smaller in breaking.open)
            events = judged.broken[breaking.name]
            breaking.adversaries.append(Adversary(spent, events, trace, certain))
        elif not judged.whole:
            _leave_open(breaking, budgets, judged.cut or "time")
            breaking.wrong = breaking.wrong or judged.wrong


class _Found(NamedTuple):
    """A counterexample, and what it spends of each budget."""

    spent: Budgets
    events: int
    trace: Trace


class _Unlimited:
    """Looks for the minimal adversaries of one design, of whose budgets some are any."""

    def __init__(self, judge: Judge, design: Design, origin: Origin) -> None:
        self.judge, self.design, self.origin = judge, design, origin
        self._known: dict[tuple[HowMany, ...], tuple[Judgement, dict[str, Trace]]] = {}

    def bring_down(self, breaking: Breaking, limits: Budgets) -> None:
        """Find the adversaries of one property within ``limits``, the smallest first."""
        left = [limits]
        while left:
            limit = left.pop(0)
            found = self._broken(breaking, limit)
            if found is None:
                continue
            least = self._least(breaking, found)
            left = [part for one in (limit, *left) for part in _beside(one, least)]
        breaking.adversaries.sort(key=lambda one: (sum(_numbers(one)), one.events))

    def _least(self, breaking: Breaking, found: _Found) -> Budgets:
        """Note an adversary within what was found that breaks a property, and no less of it does.

        Returns its budgets.
        """
        for name in found.spent:
            while found.spent[name]:
                number = _one_less(found.spent[name])
                fewer = self._broken(breaking, {**found.spent, name: number})
                if fewer is None:
                    break
                found = fewer
        found = self._broken(breaking, found.spent) or found  # told with these budgets
        budgets = {name: number for name, number in found.spent.items() if number}
        certain = not any(_within(smaller, budgets) for smaller in breaking.open)
        breaking.adversaries.append(Adversary(budgets, found.events, found.trace, certain))
        return found.spent

    def _broken(self, breaking: Breaking, budgets: Budgets) -> _Found | None:
        """Return a shortest counterexample within budgets, None without one."""
        if self.judge.deadline.left() <= 0:
            _leave_open(breaking, budgets, "time")
            return None
        judged, traces = self._ask(budgets)
        trace = traces.get(breaking.name)
        if trace is None:
            if not judged.whole:
                _leave_open(breaking, budgets, judged.cut or "time")
                breaking.wrong = breaking.wrong or judged.wrong
            return None
        of = {action.name: action.budget for action in self.judge.family.declared.actions}
        used = Counter(of[event.name] for event in trace.events)
        spent: Budgets = {name: used[name] for name in budgets}
        return _Found(spent, judged.broken[breaking.name], trace)

    def _ask(self, budgets: Budgets) -> tuple[Judgement, dict[str, Trace]]:
        key = tuple(budgets.values())
        if key not in self._known:
            less = Design(self.design.mechanisms, {**self.design.bounds, **budgets})
            self._known[key] = self.judge.tell(less, self.judge.names, self.origin)
        return self._known[key]


def _beside(limit: Budgets, least: Budgets) -> list[Budgets]:
    """Return what is within ``limit`` and has less of a kind than ``least``, as limits."""
    if not _within(least, limit):
        return [limit]
    return [{**limit, name: _one_less(number)} for name, number in least.items() if number]


def _one_less(number: HowMany) -> int:
    assert not isinstance(number, AnyNumber)
    return number - 1


def _numbers(adversary: Adversary) -> list[int]:
    return [number for number in adversary.budgets.values() if not isinstance(number, AnyNumber)]


def _leave_open(breaking: Breaking, budgets: Budgets, stop: str) -> None:
    breaking.open.append({name: number for name, number in budgets.items() if number})
    breaking.stops.add(stop)


def _upwards(limits: Budgets) -> Iterator[Budgets]:
    """Yield every choice of budgets within ``limits``, those of less interference first."""
    numbers_of = {n: limit for n, limit in limits.items() if limit and isinstance(limit, int)}
    names = list(numbers_of)
    choices = itertools.product(*(range(limit + 1) for limit in numbers_of.values()))
    for numbers in sorted(choices, key=lambda numbers: (sum(numbers), [-n for n in numbers])):
        yield dict(zip(names, numbers, strict=True))


def _within(smaller: Budgets, larger: Budgets) -> bool:
    """Tell whether there is no more of any interference in ``smaller``; what is not named is 0."""
    return all(number <= larger.get(name, 0) for name, number in smaller.items())
