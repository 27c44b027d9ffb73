"""Random designs of the shipped families: both engines, every trace, one budget more.

``python -m tests.random_designs FAMILY COUNT [SEED]`` goes through designs drawn by chance, small
enough to be searched in a moment, and prints each at which something is not as it must be:
an exception (a model that leaves its own domains among them), two engines that do not say the
same, a trace that does not replay, a budget more that turns violated into holds or lengthens a
shortest order. A search that a limit cuts is compared as far as it went.
"""

from __future__ import annotations

import random
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import Finding, VariantResult
from fencecheck.errors import DesignError
from fencecheck.explore.engine import EngineName
from fencecheck.explore.graph import Limits
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.property import Temporal
from fencecheck.runs.replay import replay

FAMILIES = ("fence", "ledger", "agent")
MOST = 1_500  # states after which a search is cut
BUDGETS = (0, 0, 0, 1, 1, 2)  # what a budget is drawn from
SIZES = (1, 1, 2)
PLAIN = 0.4  # how many switches keep their default


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


def draw(family: Family, chance: random.Random) -> Design:
    """Return a design that the family's rules accept; most have a few kinds of interference."""
    while True:
        mechanisms = {
            m.name: m.default if chance.random() < PLAIN else chance.choice(m.values)
            for m in family.declared.mechanisms
        }
        bounds = {
            b.name: chance.choice(BUDGETS if b.budget else SIZES) for b in family.declared.bounds
        }
        try:
            return family.design(mechanisms, bounds)
        except DesignError:
            continue


def check(family: Family, design: Design, engine: EngineName) -> VariantResult:
    """Check every property of a design, with one engine."""
    options = Options(Limits(states=MOST), engine=engine)
    return check_design(family, design, Question(tuple(family.properties)), options)


def faults_of(family: Family, design: Design, chance: random.Random) -> list[str]:
    """Return everything that is wrong at a design, in words."""
    family.lowered.clear()  # few designs share their sizes, and each lowering is kept
    try:
        plain, other = (check(family, design, engine) for engine in ("reference", "compiled"))
        more = _one_more(family, design, chance)
        raised = None if more is None else check(family, more, "reference")
    except Exception:
        return [traceback.format_exc()]
    found = []
    if _said(plain) != _said(other):
        found.append(f"the engines differ: {_parting(plain, other)}")
    for finding in plain.findings:
        if finding.trace is not None:
            misfit = replay(family, finding.trace).misfit
            found += [f"{finding.name} does not replay: {misfit}"] if misfit else []
    if raised is not None and more is not None:
        bounds = more.bounds.items()
        name = next(n for n, number in bounds if number != design.bounds[n])
        found += [f"{name} {more.bounds[name]}: {why}" for why in _relapses(plain, raised)]
    return found


def _one_more(family: Family, design: Design, chance: random.Random) -> Design | None:
    """Return the design with one budget raised, or None where a rule refuses that."""
    name = chance.choice([b.name for b in family.declared.bounds if b.budget])
    try:
        return family.design(design.mechanisms, {**design.bounds, name: design.bounds[name] + 1})
    except DesignError:
        return None


def _said(result: VariantResult) -> list[object]:
    search = result.exploration
    numbers = search.states, search.transitions, search.depth, search.complete
    return [numbers, *result.findings]


def _parting(one: VariantResult, other: VariantResult) -> str:
    pairs = zip(_said(one), _said(other), strict=True)
    return "; ".join(f"{_short(a)} against {_short(b)}" for a, b in pairs if a != b)


def _short(said: object) -> str:
    if isinstance(said, Finding):
        return f"{said.name} {said.verdict} {said.events} vacuous {said.vacuous}"
    return str(said)


def _relapses(less: VariantResult, more: VariantResult) -> list[str]:
    """Return the properties that break with less interference, and not, or later, with more."""
    found = []
    for finding in less.findings:
        raised = more[finding.name]
        if finding.verdict != "violated" or finding.events is None:
            continue
        if raised.verdict == "holds":
            found.append(f"{finding.name} holds, though less breaks it in {finding.events}")
        safety = finding.kind not in {kind.kind for kind in Temporal.__subclasses__()}
        if safety and raised.events is not None and raised.events > finding.events:
            found.append(f"{finding.name} in {raised.events}, with less in {finding.events}")
        if safety and raised.verdict == "undetermined" and more.exploration.depth > finding.events:
            found.append(f"{finding.name} not found by depth {more.exploration.depth}")
    return found


def explore(name: str, count: int, seed: int = 0) -> Iterator[tuple[int, list[Fault]]]:
    """Yield, for each of ``count`` designs drawn from a seed, its number and what is wrong."""
    family = load_family(name)
    for number in range(count):
        chance = random.Random(f"{name} {seed} {number}")
        design = draw(family, chance)
        yield number, [Fault(name, design, why) for why in faults_of(family, design, chance)]


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
