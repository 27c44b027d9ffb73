"""Lockstep: every event order within the bounds, tried on an implementation that can be saved.

Breadth first over pairs: a state of the model, and a saved state of the implementation with the
messages in flight. Every call that the model allows is made in every pair, once; so a divergence
that is found has the fewest events. What is saved must be all there is: what is observed after
loading is what was observed before saving, and every 64th pair is reached a second time from the
start, event by event.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from fencecheck.analysis.driving.calling import AdapterError, called, error_in_words
from fencecheck.analysis.driving.divergences import Divergence
from fencecheck.analysis.driving.driven import Driven
from fencecheck.analysis.driving.driver import Driver, Position, RealCall
from fencecheck.analysis.driving.survey import Clock
from fencecheck.conform.adapter import OWN
from fencecheck.conform.saving import (
    Unsavable,
    close_databases,
    content_key,
    files_of,
    pack,
    put_files,
    unpack,
    why_unsavable,
)
from fencecheck.model.system import State
from fencecheck.runs.event import Event
from fencecheck.runs.trace import Observed

AGAIN = 64  # every so many pairs one is reached a second time


class NotSaved(AdapterError):
    """An adapter that turned out, after some events, to be none that can be saved."""


@dataclass(frozen=True)
class LockstepPair:
    """A state of the model beside a saved one of the implementation, and how it was reached."""

    place: Position
    saved: bytes
    seen: Observed
    depth: int
    parent: int | None = None
    call: RealCall | None = None
    event: Event | None = None


def save_pair(
    driver: Driver, place: Position, keys: dict[Hashable, Hashable]
) -> tuple[bytes, Hashable]:
    """Return what is saved of an implementation with the messages in flight, and its key.

    ``keys`` are those of what was saved before. Raises Unsavable where it cannot be.
    """
    adapter = driver.adapter
    assert adapter is not None
    saved = called(adapter.save, (), driver.seconds)
    if saved.failure:
        raise Unsavable(f"save() {saved.failure}")
    files = files_of(adapter.folder)
    offices = sorted(place.office.travelling.items(), key=repr)
    travelling = [numbers for _, numbers in offices if numbers]
    content = pack((saved.value, driver.objects, files))
    known = content, tuple(tuple(numbers) for numbers in travelling)
    if known not in keys:
        flying = [[driver.objects[number] for number in numbers] for numbers in travelling]
        keys[known] = content_key((saved.value, flying, files))
    return content, keys[known]


def load_pair(driver: Driver, saved: bytes) -> None:
    """Make the implementation what it was when it was saved; a new one where there is none."""
    adapter = driver.adapter or driver.fresh()
    value, objects, files = unpack(saved)
    close_databases(vars(adapter))
    if files is not None and adapter.folder is not None:
        put_files(adapter.folder, files)
    loaded = called(adapter.load, (value,), driver.seconds)
    if loaded.failure:
        raise AdapterError(f"{driver.name}: load() {loaded.failure}")
    driver.objects = objects


def why_not_saved(driver: Driver) -> str:
    """Return why a fresh adapter cannot be saved and loaded; empty where it can."""
    try:
        place, observed, differences = driver.start(driver.starts()[0])
        if differences and observed.failure:
            return ""  # told as the divergence that it is
        return _why_not(driver, place)
    finally:
        driver.close()


def _why_not(driver: Driver, place: Position) -> str:
    try:
        saved, _ = save_pair(driver, place, {})
        load_pair(driver, saved)
    except (Unsavable, AdapterError) as error:
        return _named(driver, error)
    except Exception as error:
        return error_in_words(error)
    return ""


def _named(driver: Driver, error: Exception) -> str:
    assert driver.adapter is not None
    own = {n: v for n, v in vars(driver.adapter).items() if n not in OWN}
    return why_unsavable(own) or str(error)


class Lockstep:
    """A search over pairs, up to ``most``; ``driven`` is what it has come to.

    It ends where ``enough`` divergences were found, each of its own kind.
    """

    def __init__(
        self, driver: Driver, most: int | None, clock: Clock, enough: int | None = None
    ) -> None:
        self.driver, self.most, self.clock, self.enough = driver, most, clock, enough
        self.driven = Driven()
        self.pairs: list[LockstepPair] = []
        self._known: set[tuple[State, Hashable]] = set()
        self._keys: dict[Hashable, Hashable] = {}

    def search(self) -> Driven:
        """Try every event order, as far as the limits allow."""
        driver = self.driver
        for initial in driver.starts():
            place, observed, differences = driver.start(initial)
            if differences:
                self.driven.divergences.add(Divergence(initial, (), tuple(differences), observed))
            else:
                self._add(place, observed, {"depth": 0})
        for number, pair in enumerate(self.pairs):
            self.driven.stopped_by = self.clock.cut()
            if self.most is not None and len(self.pairs) >= self.most:
                self.driven.stopped_by = "states"
            if self.enough is not None and len(self.driven.divergences.found) >= self.enough:
                self.driven.stopped_by = "divergences"
            if self.driven.stopped_by:
                break
            if number and number % AGAIN == 0:
                self._check_again(number)
            self._expand(number, pair)
        self.driven.pairs = len(self.pairs)
        return self.driven

    def _add(self, place: Position, seen: Observed, reached: dict[str, Any]) -> None:
        """Keep a pair that is new; the implementation is in its state."""
        try:
            saved, key = save_pair(self.driver, place, self._keys)
        except Unsavable as error:
            raise NotSaved(
                f"{self.driver.name}: cannot be saved after {self._order(reached)}: {error}; write "
                "save() and load(saved), or drive it by runs (--by runs)"
            ) from None
        if (place.state, key) not in self._known:
            self._known.add((place.state, key))
            self.pairs.append(LockstepPair(place, saved, seen, **reached))

    def _expand(self, number: int, pair: LockstepPair) -> None:
        driver, driven = self.driver, self.driven
        for count, call in enumerate(list(driver.calls_of(pair.place))):
            load_pair(driver, pair.saved)
            if not count:
                self._check_loaded(number, pair)
            step = driver.step(pair.place, call)
            driven.depth = max(driven.depth, pair.depth + 1)
            if step.differences:
                events = (*self._events(number), step.event)
                start = self._start(number)
                driven.divergences.add(Divergence(start, events, step.differences, step.observed))
                if step.observed.failure is not None:
                    driver.close()
                continue
            driven.reach(driver.comparison.teller, step.event)
            reached = {"depth": pair.depth + 1, "parent": number, "call": call}
            self._add(step.place, step.observed, {**reached, "event": step.event})

    def _path(self, number: int) -> Iterator[LockstepPair]:
        """Yield a pair and those before it, back to the first."""
        at: int | None = number
        while at is not None:
            yield self.pairs[at]
            at = self.pairs[at].parent

    def _events(self, number: int) -> list[Event]:
        return [p.event for p in self._path(number) if p.event is not None][::-1]

    def _start(self, number: int) -> State:
        return list(self._path(number))[-1].place.state

    def _order(self, reached: dict[str, Any]) -> str:
        """Return the events before a pair in words."""
        parent, system = reached.get("parent"), self.driver.system
        events = [] if parent is None else [*self._events(parent), reached["event"]]
        names = [_call_in_words(system.actions[e.action].name, system.shown_args(e.action, e.args))
                 for e in events]  # fmt: skip
        return ", ".join(names) or "no event"

    def _check_loaded(self, number: int, pair: LockstepPair) -> None:
        """Raise AdapterError where an implementation that was loaded shows something else."""
        assert self.driver.adapter is not None
        seen = called(self.driver.adapter.observe, (), self.driver.seconds)
        again = Driver.observed_values(seen) if seen.failure is None else seen.failure
        if again != pair.seen.values:
            self._refuse(number, again, "after it was saved and loaded")

    def _check_again(self, number: int) -> None:
        """Raise AdapterError where a pair that is reached from the start shows something else."""
        driver, way = self.driver, list(self._path(number))[::-1]
        place, observed, _ = driver.start(way[0].place.state)
        for pair in way[1:]:
            assert pair.call is not None
            step = driver.step(place, pair.call)
            driver.calls -= 1
            place, observed = step.place, step.observed
            if step.differences or step.event != pair.event:
                break
        if observed.values != way[-1].seen.values or observed.failure is not None:
            self._refuse(number, observed.failure or observed.values, "from the start")

    def _refuse(self, number: int, seen: Any, how: str) -> None:
        pair = self.pairs[number]
        order = self._order({"parent": pair.parent, "event": pair.event})
        shown = seen if isinstance(seen, str) else _unlike(pair.seen.values, seen)
        raise AdapterError(
            f"{self.driver.name}: state outside what is saved: after {order} it shows something "
            f"else {how} ({shown}); keep all of it in attributes, in a folder that the adapter "
            "names, or in what save() returns; or drive it by runs (--by runs)"
        )


def _unlike(before: Any, after: Any) -> str:
    """Return in which values two observations differ."""
    names = [n for n in {**before, **after} if before.get(n) != after.get(n)]
    return "; ".join(f"{n}: {before.get(n)}, then {after.get(n)}" for n in names)


def _call_in_words(name: str, args: dict[str, Any]) -> str:
    return f"{name}({', '.join(str(value) for value in args.values())})" if args else name
