"""The state graph of a design for driving: every state and transition, and what an adapter needs.

States are those of runs as they are executed, not their representatives: an implementation counts
on. Takes a system and limits; gives states in breadth-first order, their events, and for each event
that can happen its outcomes, what it is passed and whether the network does it by itself.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fencecheck.explore.graph import Limits
from fencecheck.explore.interrupt import heard
from fencecheck.explore.machine import most_resident, resident
from fencecheck.model.declare import Each
from fencecheck.model.system import Args, State, System
from fencecheck.runs.event import Event, ModelWentWrong, choices, execute
from fencecheck.runs.logged.fitting import frozen
from fencecheck.runs.told.failure import model_failure
from fencecheck.runs.told.messages import PostOffice
from fencecheck.runs.told.observed import as_observed
from fencecheck.runs.told.teller import Teller
from fencecheck.runs.trace import Origin

GLANCE = 64  # steps between two looks at the memory
Outcome = tuple[str, Any]  # the name of an event, and an outcome of it
Edge = tuple[Event, int]  # an event of a state, and the number of the state after it


@dataclass
class Happening:
    """What is known of one event: its outcomes, how many messages it sends, what it is passed.

    ``moves`` tells that all it ever does is to take messages out of flight, or copy them.
    """

    name: str
    parameters: tuple[str, ...]
    outcomes: dict[Any, None] = field(default_factory=dict)
    sends: set[int] = field(default_factory=set)
    moves: bool = True


@dataclass
class Survey:
    """A state graph; ``stopped_by`` says which limit cut it, None for a whole one."""

    system: System
    states: list[State] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    parents: list[tuple[int, Event] | None] = field(default_factory=list)
    happenings: dict[str, Happening] = field(default_factory=dict)
    stopped_by: str | None = None

    @property
    def outcomes(self) -> list[Outcome]:
        """Return every event that can happen with each of its outcomes, in the model's order."""
        found = {h.name: h for h in self.happenings.values()}
        names = dict.fromkeys(action.name for action in self.system.actions)
        return [(name, o) for name in names if name in found for o in found[name].outcomes]

    def way_to(self, number: int) -> list[Event]:
        """Return the events of a shortest way to a state."""
        events = []
        parent = self.parents[number]
        while parent is not None:
            events.append(parent[1])
            parent = self.parents[parent[0]]
        return events[::-1]


class Clock:
    """The limits on time and memory, and an interrupt, looked at now and then."""

    def __init__(self, limits: Limits) -> None:
        self._until, self._allowed = limits.deadline(), most_resident(limits.memory)
        self._looks = 0

    @property
    def left(self) -> float | None:
        """Return how many seconds are left, None for no end of them."""
        return None if math.isinf(self._until) else max(0.0, self._until - time.monotonic())

    def cut(self) -> str | None:
        """Return which limit of the machine has been reached, None for none."""
        self._looks += 1
        if time.monotonic() > self._until:
            return "time"
        if heard():
            return "interrupt"
        return "memory" if self._looks % GLANCE == 0 and resident() > self._allowed else None


def survey_states(system: System, limits: Limits, clock: Clock, origin: Origin) -> Survey:
    """Explore every state of a design, up to limits.

    Raises StateError where the model goes wrong.
    """
    found = Survey(system)
    number_of: dict[State, int] = {}
    teller = Teller(system)
    office = PostOffice(system, teller.domains, labels=False)

    def number(state: State, parent: tuple[int, Event] | None) -> int:
        if state not in number_of:
            number_of[state] = len(found.states)
            found.states.append(state)
            found.parents.append(parent)
        return number_of[state]

    for initial in system.initials:
        number(initial, None)
    for source, _ in enumerate(found.states):
        found.stopped_by = clock.cut()
        if limits.states is not None and len(found.states) >= limits.states:
            found.stopped_by = "states"
        if found.stopped_by:
            break
        edges: list[Edge] = []
        for chosen in _choices(found, source, origin):
            event = _executed(found, source, chosen, origin)
            _note(found, event, office, as_observed(teller.outcome(event)))
            edges.append((event, number(event.after, (source, event))))
        found.edges.append(edges)
    return found


def _choices(found: Survey, source: int, origin: Origin) -> Sequence[tuple[int, Args]]:
    try:
        return choices(found.system, found.states[source])
    except ModelWentWrong:
        raise _failure(found, source, None, origin) from None


def _executed(found: Survey, source: int, chosen: tuple[int, Args], origin: Origin) -> Event:
    try:
        return execute(found.system, found.states[source], *chosen)
    except ModelWentWrong:
        raise _failure(found, source, chosen, origin) from None


def _failure(
    found: Survey, source: int, chosen: tuple[int, Args] | None, origin: Origin
) -> Exception:
    events = found.way_to(source)
    start = events[0].before if events else found.states[source]
    return model_failure(found.system.starting(start), events, chosen, origin, [])


def _note(found: Survey, event: Event, office: PostOffice, outcome: Any) -> None:
    """Note what an event shows of what an adapter has to have for it."""
    system, action = found.system, found.system.actions[event.action]
    if action.name not in found.happenings:
        names = tuple(system.params[event.action])
        found.happenings[action.name] = Happening(action.name, names)
    happening = found.happenings[action.name]
    happening.outcomes[frozen(outcome)] = None
    happening.moves = happening.moves and office.only_moves(event)
    happening.sends.add(office.sends(event))


def passed_in_words(system: System, name: str) -> list[tuple[str, str]]:
    """Return the parameters of an event, each with what its method gets for it."""
    number = next(i for i, action in enumerate(system.actions) if action.name == name)
    found = []
    for parameter, domain in system.params[number].items():
        what = ""
        if isinstance(domain, Each):
            variable = system.variables[system.place[domain.variable]]
            what = "the object that was posted" if variable.messages else "an element, by fields"
        found.append((parameter, what))
    return found
