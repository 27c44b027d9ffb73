"""Minimal adversaries: the least interference that is enough to break each property.

Takes one design and a Judge; goes through the budgets up to the design's own, from none upwards.
A property that broke under some budgets is not asked about under larger ones: whatever happens
there, they are not minimal. So nothing is assumed about how behaviours grow with budgets, for
safety, possibility or liveness. (Where a model reads a budget only to spend it, every run under
smaller budgets is also one under larger ones, fair or not, and what is broken stays broken.)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from fencecheck.checking.judge import Judge
from fencecheck.model.family import Design
from fencecheck.runs.trace import Origin, Trace

Budgets = dict[str, int]


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


def minimal_adversaries(judge: Judge, design: Design, origin: Origin) -> list[Breaking]:
    """Return every property the judge knows, in its order, with its minimal adversaries."""
    family = judge.family
    found = {name: Breaking(name, family.properties[name].doc) for name in judge.names}
    budgeted = [b.name for b in family.declared.bounds if b.budget]
    for budgets in _upwards({name: design.bounds[name] for name in budgeted}):
        asked = [
            b for b in found.values() if not any(_within(a.budgets, budgets) for a in b.adversaries)
        ]
        if not asked:
            continue
        if judge.deadline.left() <= 0:
            for breaking in asked:
                _leave_open(breaking, budgets, "time")
            continue
        less = Design(design.mechanisms, {**design.bounds, **budgets})
        _ask(judge, less, asked, budgets, origin)
    return list(found.values())


def _ask(
    judge: Judge, design: Design, asked: list[Breaking], budgets: Budgets, origin: Origin
) -> None:
    judged, traces = judge.tell(design, [breaking.name for breaking in asked], origin)
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


def _leave_open(breaking: Breaking, budgets: Budgets, stop: str) -> None:
    breaking.open.append({name: number for name, number in budgets.items() if number})
    breaking.stops.add(stop)


def _upwards(limits: Budgets) -> Iterator[Budgets]:
    """Yield every choice of budgets within ``limits``, those of less interference first."""
    names = [name for name, limit in limits.items() if limit]
    choices = itertools.product(*(range(limits[name] + 1) for name in names))
    for numbers in sorted(choices, key=lambda numbers: (sum(numbers), [-n for n in numbers])):
        yield dict(zip(names, numbers, strict=True))


def _within(smaller: Budgets, larger: Budgets) -> bool:
    """Tell whether there is no more of any interference in ``smaller``; what is not named is 0."""
    return all(number <= larger.get(name, 0) for name, number in smaller.items())
