"""Random designs of the shipped families: budgets that are numbers against budgets of any.

``python -m tests.random_numbers FAMILY COUNT [SEED]`` goes through designs drawn by chance. Half of
them have two of each interference that they are tried with, and then any number of each; the
others a number each drawn by chance, and then any number of some. What fewer break, any number
breaks, in no more events. What any number breaks alone, or in fewer events, takes more of some
budget than the other search had: its counterexample is saved, read and run again, with any number,
and with the numbers that it takes. Each design at which something is not so is printed.

Both searches stop at a number of states; what one of them did not come to is compared as deep as
both went. Some designs in a row have the same bounds and domains, and share two kernels.
"""

from __future__ import annotations

import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.errors import DesignError
from fencecheck.explore.graph import Limits
from fencecheck.model.declaring.any_number import ANY, HowMany
from fencecheck.model.family import Design, Family
from fencecheck.model.files.loading import load_family
from fencecheck.model.system import System
from fencecheck.runs.event import Event, enabled, end_of, execute
from fencecheck.runs.refutation import misfit_of
from fencecheck.runs.replay import Replay, replay
from fencecheck.runs.trace import Trace
from tests.answers import Answer, Answers, searched
from tests.random_designs import ALIKE, Fault, draw, saved

MOST = Limits(states=6_000)  # after these a search is cut
OPTIONS = Options(MOST, engine="compiled")
TWO = 2


@dataclass(frozen=True)
class Numbers:
    """The bounds of some designs in a row, with numbers and with any number of some budgets."""

    fewer: dict[str, HowMany]
    more: dict[str, HowMany]


@dataclass
class Tally:
    """How the designs compare: what any number breaks alone, how many searches were cut."""

    designs: int = 0
    alone: int = 0
    sooner: int = 0
    cut: int = 0


def draw_numbers(family: Family, chance: random.Random) -> tuple[Design, Numbers]:
    """Return a design and its bounds, twice: with numbers, and with any number of some budgets."""
    like, all_of_two = draw(family, chance), chance.random() < 0.5
    tried = [b.name for b in family.declared.bounds if b.budget and like.bounds[b.name]]
    if not tried:
        return draw_numbers(family, chance)
    numbers = {name: TWO if all_of_two else chance.randint(0, TWO) for name in tried}
    raised = tried if all_of_two else [n for n in tried if chance.random() < 0.5] or tried[:1]
    fewer: dict[str, HowMany] = {**like.bounds, **numbers}
    return like, Numbers(fewer, {**fewer, **dict.fromkeys(raised, ANY)})


def faults_of(family: Family, like: Design, numbers: Numbers, tally: Tally) -> list[str]:
    """Return everything that is wrong at a design with these numbers, in words."""
    few = family.design(like.mechanisms, numbers.fewer)
    many = family.design(like.mechanisms, numbers.more)
    try:
        fewer, more = searched(family, few, OPTIONS), searched(family, many, OPTIONS)
        tally.designs += 1
        tally.cut += not (fewer.numbers[-1] and more.numbers[-1])
        found = _relapses(fewer, more)
        news = _news(fewer, more)
        if news:
            result = check_design(family, many, Question(tuple(family.properties)), OPTIONS)
            for name in news:
                tally.alone += fewer.of[name].events is None
                tally.sooner += fewer.of[name].events is not None
                trace = result[name].trace
                assert trace is not None
                why = unfounded(family, few, trace)
                found += [f"{name} with any number in {more.of[name].events}: {why}"] if why else []
    except Exception:
        return [traceback.format_exc()]
    return found


def _relapses(fewer: Answers, more: Answers) -> list[str]:
    """Return what fewer break and any number does not, or in more events, or does not try."""
    found = []
    for name, one in fewer.of.items():
        other = more.of[name]
        if one.verdict == "violated":
            found += _lost(name, one, other, more.depth)
        elif one.verdict == "holds" and not one.vacuous and other.vacuous:
            found.append(f"{name} is put to the test by fewer only")
    return found


def _lost(name: str, one: Answer, other: Answer, depth: int) -> list[str]:
    assert one.events is not None
    if other.verdict == "holds":
        return [f"{name} holds for any number, and fewer break it in {one.events}"]
    if one.temporal:
        return []
    if other.events is not None and other.events > one.events:
        return [f"{name} in {other.events} with any number, in {one.events} with fewer"]
    if other.events is None and depth > one.events:
        return [f"{name} not found by depth {depth} with any number, in {one.events} with fewer"]
    return []


def _news(fewer: Answers, more: Answers) -> list[str]:
    """Return what only any number breaks, or sooner, as far as the search with fewer went."""
    found = []
    for name, other in more.of.items():
        one = fewer.of[name]
        if other.events is None or (one.temporal and one.verdict != "holds"):
            continue
        sooner = one.events is not None and other.events < one.events
        deep = one.verdict == "holds" or (one.events is None and fewer.depth > other.events)
        found += [name] if sooner or deep else []
    return found


def unfounded(family: Family, few: Design, trace: Trace) -> str | None:
    """Return what is wrong with a counterexample that the search with fewer did not find.

    It replays after it was saved, takes more of some budget than ``few`` has, and replays in a
    design that has just as much of each as it takes.
    """
    again = replay(family, saved(trace))
    if again.misfit:
        return f"does not replay: {again.misfit}"
    budget_of = {action.name: action.budget for action in family.declared.actions}
    took = Counter(budget_of[event.name] for event in trace.all_events)
    tried = (b.name for b in family.declared.bounds if b.budget)
    exact = {name: max(took[name], few.bounds[name] and 1) for name in tried}
    if all(number <= few.bounds[name] for name, number in exact.items()):
        return f"takes no more than {dict(few.bounds)}"
    misfit = _misfit(family, family.design(few.mechanisms, {**few.bounds, **exact}), again, trace)
    return f"cannot happen with {exact}: {misfit}" if misfit else None


def _misfit(family: Family, exact: Design, again: Replay, trace: Trace) -> str | None:
    """Return why what was replayed does not refute its property where the numbers are these."""
    system = System(family, exact, asked=[trace.shows.name])
    events: list[Event] = []
    for event in again.events:
        here = end_of(system, events)
        if (event.action, event.args) not in enabled(system, here):
            return f"{system.actions[event.action].name}{event.args} is not possible"
        events.append(execute(system, here, event.action, event.args))
    return misfit_of(system, events, trace.loop_start, system.property(trace.shows.name))


def explore(
    name: str, count: int, seed: int = 0, tally: Tally | None = None
) -> Iterator[tuple[int, list[Fault]]]:
    """Yield, for each of ``count`` designs drawn from a seed, its number and what is wrong."""
    family, tally = load_family(name), tally or Tally()
    for first in range(0, count, ALIKE):
        family.lowered.clear()  # few of them share their sizes, and each lowering is kept
        chance = random.Random(f"any {name} {seed} {first}")
        like, numbers = draw_numbers(family, chance)
        for number in range(first, min(first + ALIKE, count)):
            design = _acceptable(family, chance, like, numbers)
            found = faults_of(family, design, numbers, tally)
            yield number, [Fault(name, replace(design, bounds=numbers.more), why) for why in found]


def _acceptable(family: Family, chance: random.Random, like: Design, numbers: Numbers) -> Design:
    """Return a design that the family's rules accept with both kinds of bounds."""
    while True:
        design = draw(family, chance, like)
        try:
            family.design(design.mechanisms, numbers.fewer)
            family.design(design.mechanisms, numbers.more)
        except DesignError:
            continue
        return design


def main() -> None:
    """Go through the designs that the command line asks for; exit 1 where something is wrong."""
    name, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    wrong, tally = 0, Tally()
    for number, faults in explore(name, count, seed, tally):
        wrong += len(faults)
        for fault in faults:
            print(number, fault, flush=True)
        if number % 100 == 99 or number == count - 1:
            print(f"{number + 1} designs, {wrong} faults; {tally}", flush=True)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
