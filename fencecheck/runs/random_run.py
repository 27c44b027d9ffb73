"""Random runs from numbered seeds, one state at a time: the definition of what a seed stands for.

A run starts in the initial state, or one of several with the same chance, and takes, event after
event, one of the enabled events, each with the same chance (so an actor with many enabled events
acts more often). It ends where nothing is enabled, after ``length`` events, or where the model
itself goes wrong. The choices come from a stream of numbers that the seed alone decides
(splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), so a
run does not depend on how many others are made. The choice is made among the events of the state's
representative; what happens is the event that stands for it. The compiled walks make the same
choices; this is the oracle they are held against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.event import MODEL_ERRORS, Event, choices, execute, is_quiet
from fencecheck.runs.told.behind import behind

GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
Ending = Literal["over", "cut", "failed"]


def mixed(z: int) -> int:
    """Return 64 bits in which every bit of ``z`` has its part."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Stream:
    """The choices of one seed."""

    def __init__(self, seed: int) -> None:
        self.state = mixed((seed + GOLDEN) & _MASK)

    def choose(self, count: int) -> int:
        """Return one of 0 .. ``count`` - 1; the chances differ by less than count / 2**32."""
        self.state = (self.state + GOLDEN) & _MASK
        return ((mixed(self.state) >> 32) * count) >> 32


@dataclass
class Walk:
    """One random run: its start, its events, after how many of them each property first broke."""

    seed: int
    start: State
    events: list[Event] = field(default_factory=list)
    first: dict[str, int] = field(default_factory=dict)
    ending: Ending = "cut"


def random_walk(system: System, properties: Sequence[Property], seed: int, length: int) -> Walk:
    """Return the run of a seed, watching the safety properties among ``properties``."""
    stream = Stream(seed)
    state = system.initials[stream.choose(len(system.initials)) if len(system.initials) > 1 else 0]
    walk = Walk(seed, state)
    watched = [p for p in properties if not p.temporal]
    here = behind(system, state)
    while True:
        try:
            found = _judged(system, watched, walk, here.representative)
        except MODEL_ERRORS:
            walk.ending = "failed"
            return walk
        if not found or len(walk.events) == length:
            walk.ending = "cut" if found else "over"
            return walk
        chosen, broken = found[stream.choose(len(found))]
        event, here = here.after(system, chosen)
        walk.events.append(event)
        for name in broken:
            walk.first.setdefault(name, len(walk.events))


def _broken_by(system: System, watched: Sequence[Property], event: Event) -> list[str]:
    """Return the properties of events that one breaks."""
    action, before = system.actions[event.action], system.view(event.before)
    later = system.view(event.after)
    return [p.name for p in watched if not p.evaluate_event(action, event.args, before, later)]


def _judged(
    system: System, watched: Sequence[Property], walk: Walk, state: State
) -> list[tuple[Event, list[str]]]:
    """Return every event of a state with what it breaks, noting what breaks in the state itself.

    Raises an error where any of the events goes wrong, chosen or not.
    """
    view = system.view(state)
    wrong = [p.name for p in watched if not p.evaluate_state(view)]
    found = []
    for number, args in choices(system, state):
        event = execute(system, state, number, args)
        found.append((event, _broken_by(system, watched, event)))
    if is_quiet(system, state):
        wrong += [p.name for p in watched if not p.evaluate_end(view)]
    for name in wrong:
        walk.first.setdefault(name, len(walk.events))
    return found
