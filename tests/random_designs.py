"""Random designs of the shipped families: both engines, every trace, one budget more.

``python -m tests.random_designs FAMILY COUNT [SEED]`` goes through designs drawn by chance, small
enough to be searched in a moment, and prints each at which something is not as it must be:
an exception (a model that leaves its own domains among them), two engines that do not say the
same, a trace that does not replay, a budget more that turns violated into holds or lengthens a
shortest order. A search that a limit cuts is compared as far as it went.

Some designs in a row have the same bounds and domains, and the same budget is raised in them: what
a model is lowered and compiled to depends on nothing else, so that it is made once for all of them.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.errors import DesignError
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Limits
from fencecheck.model.domains import shape_of
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Trace
from fencecheck.runs.trace_json import read_trace, trace_object
from tests.answers import Answers, searched, told

FAMILIES = ("fence", "ledger", "agent")
MOST = Limits(states=600)  # after these a search is cut
OTHER = Options(MOST, engine="compiled")
BUDGETS = (0, 0, 0, 1, 1, 2)  # what a budget is drawn from
SIZES = (1, 1, 2)
PLAIN = 0.4  # how many switches keep their default
ALIKE = 40  # how many designs in a row have the same bounds and domains


@dataclass(frozen=True)
class Fault:
    """A design at which something is wrong, and what."""

    family: str
    design: Design
    why: str

    def __str__(self) -> str:
        chosen = {**self.design.mechanisms, **self.design.bounds}
        words = ", ".join(f"{name}={value}" for name, value in chosen.items())
        return f"{self.family}: {words}\n  {self.why}"


def draw(family: Family, chance: random.Random, like: Design | None = None) -> Design:
    """Return a design that the family's rules accept; most have a few kinds of interference.

    It has the bounds and the domains of ``like``, where that is given.
    """
    while True:
        mechanisms = {
            m.name: m.default if chance.random() < PLAIN else chance.choice(m.values)
            for m in family.declared.mechanisms
        }
        bounds = {
            b.name: chance.choice(BUDGETS if b.budget else SIZES) for b in family.declared.bounds
        }
        with contextlib.suppress(DesignError):
            design = family.design(mechanisms, like.bounds if like else bounds)
            if like is None or _shapes(family, design) == _shapes(family, like):
                return design


def _shapes(family: Family, design: Design) -> list[object]:
    """Return what the domains of a design's variables are, whatever they are called."""
    return [shape_of(v.domain.resolve(design.sizes)) for v in family.declared.variables]


def check(family: Family, design: Design, engine: EngineName) -> VariantResult:
    """Check every property of a design, with one engine."""
    options = Options(MOST, engine=engine)
    return check_design(family, design, Question(tuple(family.properties)), options)


def faults_of(family: Family, design: Design, budget: str) -> list[str]:
    """Return everything that is wrong at a design, or with one more of a budget, in words."""
    try:
        result = check(family, design, "reference")
        plain, other = told(result), searched(family, design, OTHER)
        more = _one_more(family, design, budget)
        raised = None if more is None else searched(family, more, OTHER)
        misfits = _misfits(family, result)
    except Exception:
        return [traceback.format_exc()]
    found = [f"the engines differ: {why}" for why in _partings(plain, other)]
    found += misfits
    if raised is not None:
        number = design.bounds[budget] + 1
        found += [f"{budget} {number}: {why}" for why in _relapses(plain, raised)]
    return found


def _misfits(family: Family, result: VariantResult) -> list[str]:
    """Return the counterexamples that do not replay after they were saved and read again."""
    found = []
    for finding in result.findings:
        if finding.trace is not None:
            misfit = replay(family, saved(finding.trace)).misfit
            found += [f"{finding.name} does not replay: {misfit}"] if misfit else []
    return found


def saved(trace: Trace) -> Trace:
    """Return a trace as it is after it was written to a file and read again."""
    return read_trace(json.loads(json.dumps(trace_object(trace))), "a saved trace")


def _one_more(family: Family, design: Design, budget: str) -> Design | None:
    """Return the design with one budget raised, or None where a rule refuses that."""
    try:
        return family.design(
            design.mechanisms, {**design.bounds, budget: design.bounds[budget] + 1}
        )
    except DesignError:
        return None


def _partings(one: Answers, other: Answers) -> list[str]:
    """Return where two engines do not say the same of one design."""
    found = [] if one.numbers == other.numbers else [f"{one.numbers} against {other.numbers}"]
    pairs = ((name, said, other.of[name]) for name, said in one.of.items())
    return found + [f"{name} {a} against {b}" for name, a, b in pairs if a != b]


def _relapses(less: Answers, more: Answers) -> list[str]:
    """Return the properties that break with less interference, and not, or later, with more."""
    found = []
    for name, said in less.of.items():
        raised = more.of[name]
        if said.events is None:
            continue
        if raised.verdict == "holds":
            found.append(f"{name} holds, though less breaks it in {said.events}")
        if said.temporal:
            continue
        if raised.events is not None and raised.events > said.events:
            found.append(f"{name} in {raised.events}, with less in {said.events}")
        if raised.verdict == "undetermined" and more.depth > said.events:
            found.append(f"{name} not found by depth {more.depth}")
    return found


def explore(name: str, count: int, seed: int = 0) -> Iterator[tuple[int, list[Fault]]]:
    """Yield, for each of ``count`` designs drawn from a seed, its number and what is wrong."""
    family = load_family(name)
    budgets = [b.name for b in family.declared.bounds if b.budget]
    for first in range(0, count, ALIKE):
        family.lowered.clear()  # few of them share their sizes, and each lowering is kept
        chance = random.Random(f"{name} {seed} {first}")
        like, budget = draw(family, chance), chance.choice(budgets)
        for number in range(first, min(first + ALIKE, count)):
            design = draw(family, chance, like)
            yield number, [Fault(name, design, why) for why in faults_of(family, design, budget)]


def main() -> None:
    """Go through the designs that the command line asks for; exit 1 where something is wrong."""
    name, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    wrong = 0
    for number, faults in explore(name, count, seed):
        wrong += len(faults)
        for fault in faults:
            print(number, fault, flush=True)
        if number % 100 == 99:
            print(f"{number + 1} designs, {wrong} faults", flush=True)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
