"""Outlays: what is spent of the budgets where a property first breaks, told by one search.

Takes a Judge, a design and the choices of budgets within its own; gives for each property the
minimal outlays at which it breaks, each with its least number of events. One search within the
largest budgets tells that where the model only spends every budget asked about (model/lower:
Spending): nothing but the guards of a budget's own interference reads it. Then

- a run within smaller budgets is one within larger ones, event by event, and what is asked of
  states, of events and of what system events can still do is the same of both: nothing of it reads
  a budget. The loops of both hold system events only, and are fair or unfair alike.
- a run within the larger budgets that has spent no more than the smaller ones is a run within
  those: at each of its interferences something was left of that budget.

So a property breaks within some budgets just where the larger search has a state that breaks it
with an outlay within them, and first at the least depth of such states. Within a minimal outlay
that is the least depth of the states with just this outlay. A property that holds within the
largest budgets holds within all. A temporal property that breaks there is left to searches of its
own, and so is one of events of interference where these would be executed too often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fencecheck.checking.judge import Judge
from fencecheck.errors import ModelError
from fencecheck.explore.dominance import only_spent
from fencecheck.explore.graph import StateGraph
from fencecheck.explore.watch import Watch
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.family import Design
from fencecheck.model.initials import initial_value
from fencecheck.model.property import Property
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_limit
from fencecheck.runs.run import breaking

MOST = 2_000  # states whose events are executed for one property
PART = 0.5  # of the time that is left, for the one search
Outlay = tuple[HowMany, ...]


@dataclass(frozen=True)
class Outlays:
    """The least events of the minimal outlays of each property, by what is spent of ``budgets``.

    A property that is not among them is unknown; ``of_events`` are those that are of events.
    """

    budgets: tuple[str, ...]
    of: Mapping[str, Mapping[Outlay, int]]
    of_events: frozenset[str]

    def asks(self, name: str, chosen: Mapping[str, HowMany]) -> bool:
        """Tell whether a property may have a minimal outlay of just what is chosen."""
        return name not in self.of or self._events(name, chosen) is not None

    def last(self, names: Sequence[str], chosen: Mapping[str, HowMany]) -> str | None:
        """Return which of some properties a search within what is chosen sees breaking last.

        An event is judged with the states before it. None where it is not known of all.
        """
        levels = dict[str, int]()
        for name in names:
            events = self._events(name, chosen)
            if events is None:
                return None
            levels[name] = events - (name in self.of_events)
        return max(levels, key=levels.__getitem__)

    def _events(self, name: str, chosen: Mapping[str, HowMany]) -> int | None:
        outlay = tuple(chosen[budget] for budget in self.budgets)
        return self.of.get(name, {}).get(outlay)


def least_outlays(
    judge: Judge, design: Design, choices: Sequence[Mapping[str, HowMany]]
) -> Outlays | None:
    """Return the minimal outlays of the judge's properties within the budgets of a design.

    ``choices`` are all choices within these, of the same budgets, each above 0. None where one of
    them is not only spent or an initial state depends on it, where a limit cuts the search or the
    model goes wrong.
    """
    budgets = tuple(choices[0])
    if judge.deadline.left() <= 0 or not _only_spends(judge, design, choices):
        return None
    found = judge.whole(design, judge.deadline.share(PART))
    if found is None or found[2].search.dominance:
        return None
    judged, system, graph = found
    gathering = _Gathering(system, graph, budgets)
    of, properties = dict[str, Mapping[Outlay, int]](), system.properties(list(judge.names))
    for prop in properties:
        if prop.name not in judged.broken:
            of[prop.name] = {}
        elif not prop.temporal:
            told = gathering.outlays(prop, judge.deadline.left)
            if told is not None:
                of[prop.name] = told
    return Outlays(budgets, of, frozenset(p.name for p in properties if p.of_events))


def _only_spends(judge: Judge, design: Design, choices: Sequence[Mapping[str, HowMany]]) -> bool:
    """Tell whether budgets are only spent, and initial states differ in nothing but these."""
    try:
        with time_limit(judge.deadline.left()):
            system = judge.system(design, told=False)
            watch = Watch(system, list(judge.names))
            if not set(choices[0]) <= set(only_spent(system, watch)):
                return False
            starts, bounds = _starts(system, design), design.bounds
            less = (Design(design.mechanisms, {**bounds, **chosen}) for chosen in choices)
            return all(_starts(system, each) == starts for each in less)
    except (TimeUp, ModelError):
        return False


def _starts(system: System, design: Design) -> list[object]:
    """Return the initial values that the model works out from the sizes, budgets apart."""
    of, sizes = system.family.name, design.sizes
    return [
        initial_value(of, variable, domain, sizes)
        for variable, domain in zip(system.variables, system.domains, strict=True)
        if callable(variable.initial) and not variable.budget
    ]


class _Gathering:
    """Gathers outlays from the states of one whole graph."""

    def __init__(self, system: System, graph: StateGraph, budgets: tuple[str, ...]) -> None:
        self.system, self.graph, self.budgets = system, graph, budgets
        self.limits = np.array([system.design.bounds[name] for name in budgets], np.int64)

    def outlays(self, prop: Property, left: Callable[[], float]) -> dict[Outlay, int] | None:
        """Return the minimal outlays at which a property of safety breaks, with their events.

        None where they are too costly to find, or no time is left.
        """
        graph, levels = self.graph, self.graph.search.levels
        least, executed = dict[Outlay, int](), 0
        own = self._spent_by_events(prop)
        first = graph.search.broken[prop.name].events - prop.of_events
        for level in range(first, len(levels) - 1):
            if left() <= 0:
                return None
            spent = self.limits - graph.left_in(level, self.budgets)
            free = _beside(spent, least)
            if not free.any():
                continue
            numbers = np.array(graph.breaking(prop, level), np.int64)
            numbers = numbers[free[numbers - levels[level]]]
            if not own:
                outlays = np.unique(spent[numbers - levels[level]], axis=0).tolist()
            else:
                executed += len(numbers)
                if executed > MOST:
                    return None
                outlays = self._after_events(prop, spent[numbers - levels[level]], numbers)
            for outlay in map(tuple, outlays):
                least.setdefault(outlay, level + prop.of_events)
        return {outlay: events for outlay, events in least.items() if _is_minimal(outlay, least)}

    def _spent_by_events(self, prop: Property) -> bool:
        """Tell whether a property speaks of an event that spends one of the budgets."""
        actions = (a for a in self.system.actions if prop.of_events and prop.speaks_of(a.name))
        return any(action.budget in self.budgets for action in actions)

    def _after_events(
        self, prop: Property, spent: npt.NDArray[np.int64], numbers: npt.NDArray[np.int64]
    ) -> list[list[int]]:
        """Return what is spent after each event that breaks a property in one of some states."""
        system, found = self.system, list[list[int]]()
        for number, before in zip(numbers.tolist(), spent.tolist(), strict=True):
            for event in breaking(system, self.graph.state(number), prop):
                budget = system.actions[event.action].budget
                pairs = zip(self.budgets, before, strict=True)
                found.append([amount + (name == budget) for name, amount in pairs])
        return found


def _beside(spent: npt.NDArray[np.int64], least: Mapping[Outlay, int]) -> npt.NDArray[np.bool_]:
    """Tell of each row of outlays whether no outlay that is known is within it."""
    free = np.ones(len(spent), np.bool_)
    for outlay in least:
        free &= (spent < np.array(outlay, np.int64)).any(axis=1)
    return free


def _is_minimal(outlay: Outlay, least: Mapping[Outlay, int]) -> bool:
    """Tell whether no other outlay is within this one."""
    return not any(
        other != outlay and all(a <= b for a, b in zip(other, outlay, strict=True))
        for other in least
    )
