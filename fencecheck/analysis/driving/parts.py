"""Parts of driving, each made in another process: what comes of them is what one process finds.

Walks are divided by their seeds. Runs are planned on the model alone and divided as planned; where
the implementation does something else, that run is made here, and what follows is planned anew, as
one process does after each event. Lockstep grows one set of pairs and is no sum of parts: each
design is a part.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from fencecheck.analysis.driving.divergences import Divergence, Divergences
from fencecheck.analysis.driving.driven import Driven
from fencecheck.analysis.driving.driver import Driver
from fencecheck.analysis.driving.lockstep import Lockstep, NotSaved
from fencecheck.analysis.driving.survey import Clock
from fencecheck.analysis.driving.tours import Node, Runs, Tour
from fencecheck.analysis.driving.walks import along, drive_seeds
from fencecheck.checking.question import Elsewhere
from fencecheck.errors import FencecheckError
from fencecheck.explore.cluster.parcel import AdapterParcel, Parcel, parcel_of, parcel_of_adapter
from fencecheck.explore.graph import Limits
from fencecheck.explore.interrupt import heard
from fencecheck.model.family import Design
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, execute
from fencecheck.runs.told.observed import Difference
from fencecheck.runs.trace import Observed, Origin

SEEDS = 25  # walks of a part
RUNS = 64  # runs of a part, at most; the first after a run that went another way has one


@dataclass(frozen=True)
class _Made:
    """What another process makes a driver of, and the limits on what it does with it."""

    family: Parcel
    design: Design
    adapter: tuple[str, AdapterParcel, float]
    limits: Limits

    def driver(self) -> Driver:
        """Return the driver, the same one for what differs in its limits only."""
        mechanisms, bounds = self.design.mechanisms, self.design.bounds
        return _driver(self.family, tuple(mechanisms.items()), tuple(bounds.items()), self.adapter)


@functools.lru_cache(maxsize=8)
def _driver(
    family: Parcel,
    mechanisms: tuple[tuple[str, str], ...],
    bounds: tuple[tuple[str, Any], ...],
    adapter: tuple[str, AdapterParcel, float],
) -> Driver:
    name, parcel, seconds = adapter
    system = System(family.opened(), Design(dict(mechanisms), dict(bounds)), asked=[])
    return Driver(system, parcel.opened(), name, seconds)


@dataclass(frozen=True)
class _Route:
    """A run, by numbers alone: states of a model are of classes that no other process has.

    ``start`` is the number of an initial state, ``places`` are those of events among all that can
    happen.
    """

    start: int
    places: tuple[int, ...]

    def events(self, driver: Driver) -> Iterator[Event]:
        """Yield the events of the run."""
        state = driver.system.initials[self.start]
        for place in self.places:
            event = execute(driver.system, state, *driver.choices(state)[place])
            yield event
            state = event.after


def _route(driver: Driver, start: State, events: Sequence[Event]) -> _Route:
    places = (driver.choices(e.before).index((e.action, e.args)) for e in events)
    return _Route(list(driver.system.initials).index(start), tuple(places))


@dataclass
class _Part:
    """What came of a part: the numbers of its driving, the calls made, and where it diverged.

    ``deviates`` tells that the run after those it has made did not go as planned.
    """

    driven: Driven = field(default_factory=Driven)
    calls: int = 0
    found: list[tuple[_Route, tuple[Difference, ...], Observed]] = field(default_factory=list)
    deviates: bool = False


def _part(driver: Driver, driven: Driven) -> _Part:
    """Return what was driven as other processes can read it."""
    found = [
        (_route(driver, one.start, one.events), one.differences, one.observed)
        for one in driven.divergences.found.values()
    ]
    return _Part(replace(driven, divergences=Divergences()), driver.calls, found)


def _in_lockstep(made: _Made, most: int) -> list[_Part | NotSaved] | FencecheckError:
    """Drive a design in lockstep."""
    try:
        driver, limits = made.driver(), made.limits
        driver.calls = 0
        try:
            driven = Lockstep(driver, limits.states, Clock(limits), most).search()
        finally:
            driver.close()
        return [_part(driver, driven)]
    except NotSaved as error:
        return [error]
    except FencecheckError as error:
        return error


def _along_seeds(
    made: _Made, seeds: range, length: int, origin: Origin
) -> list[_Part] | FencecheckError:
    """Drive the walks of some seeds."""
    try:
        driver = made.driver()
        driver.calls = 0
        driven = drive_seeds(driver, seeds, length, Clock(made.limits), origin)
        return [_part(driver, driven)]
    except FencecheckError as error:
        return error


def _along_runs(made: _Made, routes: Sequence[_Route]) -> list[_Part] | FencecheckError:
    """Drive runs that were planned, up to the first that goes another way."""
    try:
        driver, clock, part = made.driver(), Clock(made.limits), _Part()
        driver.close()
        for route in routes:
            part.driven.stopped_by = clock.cut()
            if part.driven.stopped_by:
                break
            driver.calls, run, events = 0, Driven(), list(route.events(driver))
            start = driver.system.initials[route.start]
            part.deviates = not along(driver, run, start, events)
            driver.close()
            if part.deviates:
                break
            part.calls += driver.calls
            part.driven.take(run)
    except FencecheckError as error:
        return error
    return [part]


class DrivingParts:
    """Has designs driven in other processes, within limits on all of it together."""

    def __init__(self, place: Elsewhere, limits: Limits, clock: Clock) -> None:
        self.place, self.limits, self.clock = place, limits, clock
        self._lockstep: Iterator[_Part | NotSaved] = iter(())

    def begin_lockstep(self, drivers: Sequence[Driver], most: int) -> None:
        """Have designs driven in lockstep, each by one process; ``lockstep`` gives them in turn."""
        self._lockstep = self._each(_in_lockstep, ((self._made(d), most) for d in drivers))

    def lockstep(self, driver: Driver) -> Driven:
        """Return what came of the next design; raises NotSaved as one process does."""
        part = next(self._lockstep, None)
        if isinstance(part, NotSaved):
            raise part
        return _interrupted() if part is None else _taken(driver, part)

    def seeds(self, driver: Driver, seeds: range, length: int, origin: Origin) -> Driven:
        """Return what came of the walks of some seeds."""
        driven, made = Driven(), self._made
        given = (
            (made(driver), range(first, min(first + SEEDS, seeds.stop)), length, origin)
            for first in range(seeds.start, seeds.stop, SEEDS)
        )
        for part in self._each(_along_seeds, given):
            driven.take(_taken(driver, part))
            if driven.stopped_by:
                return driven
        return _interrupted(driven)

    def runs(self, runs: Runs) -> Driven:
        """Make every run of a tour, as far as the limits allow; return what came of them."""
        for initial in runs.driver.starts():
            while (way := self._as_planned(runs, initial)) is not None:
                if not runs.make(initial, way):
                    break
        runs.driven.covered = len(runs.tour.covered)
        return _interrupted(runs.driven)

    def _as_planned(self, runs: Runs, initial: State) -> list[int] | None:
        """Make the runs that go as planned; return the way of the first that does not."""
        planned = deque[list[list[int]]]()
        number = list(runs.driver.system.initials).index(initial)
        start, tour = runs.node(initial), runs.tour

        def given() -> Iterator[tuple[Any, ...]]:
            plan = _planned(tour.draft(), start)
            size = 1
            while part := list(islice(plan, size)):
                planned.append(part)
                yield self._made(runs.driver), [_Route(number, tuple(way)) for way in part]
                size = min(2 * size, RUNS)

        for part in self._each(_along_runs, given()):
            ways = planned.popleft()
            runs.driven.take(_taken(runs.driver, part))
            for way in ways[: part.driven.runs]:
                tour.take(start, way)
            if part.driven.stopped_by:
                return None
            if part.deviates:
                return ways[part.driven.runs]
        return None

    def _made(self, driver: Driver) -> _Made:
        """Return what another process needs, with what is left of the time."""
        system, adapter = driver.system, parcel_of_adapter(driver.kind)
        limits = replace(self.limits, seconds=self.clock.left)
        named = driver.name, adapter, driver.seconds
        return _Made(parcel_of(system.family), system.design, named, limits)

    def _each(
        self, function: Callable[..., Any], given: Iterator[tuple[Any, ...]]
    ) -> Iterator[Any]:
        return self.place.each(function, given, hurried=self.clock.left is not None)


def _planned(tour: Tour, start: Node) -> Iterator[list[int]]:
    """Yield the runs that a tour goes on with, if the implementation does as the model."""
    while (way := tour.way(start)) is not None:
        yield [edge for edge, _ in tour.take(start, way)]


def _taken(driver: Driver, part: _Part) -> Driven:
    """Return what came of a part, as if it had been driven here."""
    driver.calls += part.calls
    for route, differences, observed in part.found:
        start, events = driver.system.initials[route.start], tuple(route.events(driver))
        part.driven.divergences.add(Divergence(start, events, differences, observed))
    return part.driven


def _interrupted(driven: Driven | None = None) -> Driven:
    """Say so of what an interrupt has cut."""
    driven = driven or Driven()
    if heard():
        driven.stopped_by = "interrupt"
    return driven
