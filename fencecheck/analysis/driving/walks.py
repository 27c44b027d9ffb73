"""Walks: the random runs of numbered seeds, as ``fuzz`` draws them, for any bounds."""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.analysis.driving.divergences import Divergence
from fencecheck.analysis.driving.driven import Driven
from fencecheck.analysis.driving.driver import Driver
from fencecheck.analysis.driving.survey import Clock
from fencecheck.errors import StateError
from fencecheck.model.system import State
from fencecheck.runs.event import Event
from fencecheck.runs.random_run import random_walk
from fencecheck.runs.told.failure import failing_event, model_failure
from fencecheck.runs.trace import Origin

LENGTH = 100


def drive_seeds(driver: Driver, seeds: range, length: int, clock: Clock, origin: Origin) -> Driven:
    """Drive a fresh adapter along the run of each seed, as far as the limits allow.

    A walk ends where the implementation does something else that the model may.
    """
    driven = Driven()
    for seed in seeds:
        driven.stopped_by = clock.cut()
        if driven.stopped_by:
            break
        walk = random_walk(driver.system, [], seed, length)
        if walk.ending == "failed":
            raise _failure(driver, walk.start, walk.events, origin)
        along(driver, driven, walk.start, walk.events)
    driver.close()
    return driven


def along(driver: Driver, driven: Driven, start: State, events: Sequence[Event]) -> bool:
    """Drive a fresh adapter along a run; tell whether it came to the end of it."""
    driven.runs += 1
    place, observed, differences = driver.start(start)
    if differences:
        driven.divergences.add(Divergence(start, (), tuple(differences), observed))
        return False
    done: list[Event] = []
    for event in events:
        call = driver.call_of(place, (event.action, event.args))
        assert call is not None, "a run of the model is possible on the model"
        step = driver.step(place, call)
        done.append(step.event)
        driven.depth = max(driven.depth, len(done))
        if step.differences:
            found = Divergence(start, tuple(done), step.differences, step.observed)
            driven.divergences.add(found)
            return False
        driven.reach(driver.comparison.teller, step.event)
        if step.event != event:
            return False
        place = step.place
    return True


def _failure(driver: Driver, start: State, events: Sequence[Event], origin: Origin) -> StateError:
    system = driver.system.starting(start)
    return model_failure(system, events, failing_event(system, events), origin, [])
