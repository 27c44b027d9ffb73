"""Brute force: every design and every interference on its own, by the plain checks of designs."""

from __future__ import annotations

import itertools

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import DesignError
from fencecheck.model.family import Design, Family


def designs(family: Family, around: Design, keep: tuple[str, ...] = ()) -> list[Design]:
    """Return every design that the rules accept, with the bounds and the environment of one."""
    varied = [m for m in family.declared.mechanisms if not m.environment and m.name not in keep]
    found = []
    for values in itertools.product(*(m.values for m in varied)):
        chosen = dict(zip((m.name for m in varied), values, strict=True))
        try:
            found.append(family.design({**around.mechanisms, **chosen}, around.bounds))
        except DesignError:
            continue
    return found


def broken(family: Family, design: Design, names: list[str]) -> dict[str, int]:
    """Return the events of each property that breaks, told by the reference engine."""
    result = check_design(family, design, Question(tuple(names)), Options(engine="reference"))
    return {f.name: f.events or 0 for f in result.findings if f.verdict == "violated"}


def added(family: Family, design: Design) -> frozenset[tuple[str, str]]:
    """Return the set of mechanisms that a design is."""
    mechanisms = family.mechanisms
    return frozenset(
        (n, v)
        for n, v in design.mechanisms.items()
        if not mechanisms[n].environment and v != mechanisms[n].weakest
    )


def budgets(design: Design, family: Family) -> list[dict[str, int]]:
    """Return every choice of budgets within a design's own."""
    names = [b.name for b in family.declared.bounds if b.budget and design.bounds[b.name]]
    ranges = (range(design.bounds[name] + 1) for name in names)
    return [dict(zip(names, numbers, strict=True)) for numbers in itertools.product(*ranges)]
