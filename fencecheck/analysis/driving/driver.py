"""Driver: one implementation along the events of a model, held beside it after every event.

Takes a system, an adapter and where a run is; gives what one call came to: the event that it was,
where the run is now, and in what the implementation differs. It holds the messages in flight, so
that whoever takes one gets the very object that was posted. Which events come is decided by
lockstep.py, tours.py and walks.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from fencecheck.analysis.driving.calling import AdapterError, Returned, called
from fencecheck.conform.adapter import ANY, Adapter, methods_of
from fencecheck.errors import nearest
from fencecheck.model.declare import Each
from fencecheck.model.domains import Maybe, Record, Unlimited, counted
from fencecheck.model.system import Args, State, System
from fencecheck.runs.event import Event, choices, execute
from fencecheck.runs.told.concrete import concrete_event
from fencecheck.runs.told.messages import PostOffice
from fencecheck.runs.told.observed import OUTCOME, RETURNS, Comparison, Difference, as_observed
from fencecheck.runs.told.teller import Teller
from fencecheck.runs.trace import Observed

Chosen = tuple[int, Args]  # an event of a state: the number of its action, its arguments
SECONDS = 10.0
KEPT = 100_000  # events and states of which is remembered what the model says


@dataclass(frozen=True)
class Position:
    """Where a run of the model is: its state, the same when nothing is forgotten, the messages."""

    state: State
    concrete: State
    office: PostOffice


@dataclass(frozen=True)
class RealCall:
    """One real call: a method, None for the network's own doing, and the events it can be.

    The first of them is the one that is meant.
    """

    method: str | None
    events: tuple[Chosen, ...]


@dataclass(frozen=True)
class Step:
    """What a call came to: the event it was, and where the run is then.

    With ``differences`` the event is the one that fits best, ``observed`` what was seen of it.
    """

    event: Event
    place: Position
    observed: Observed
    differences: tuple[Difference, ...] = ()


class Driver:
    """Drives one adapter after another, each along one run at a time."""

    def __init__(
        self, system: System, kind: type[Adapter], name: str, seconds: float = SECONDS
    ) -> None:
        self.system, self.kind, self.name, self.seconds = system, kind, name, seconds
        self.comparison = Comparison(Teller(system))
        self.method_of = {event: m for m, events in methods_of(kind) for event in events}
        self.adapter: Adapter | None = None
        self.objects: dict[int, Any] = {}
        self._executed: dict[tuple[State, State, int, Args], tuple[Event, Event]] = {}
        self._allowed: dict[State, list[Chosen]] = {}
        self.calls = 0

    # -- the life of an adapter -------------------------------------------------------------------
    def fresh(self) -> Adapter:
        """Make a new adapter in place of the one there was, with nothing in flight."""
        self.close()
        adapter = object.__new__(self.kind)
        adapter.design = {**self.system.design.mechanisms, **self.system.design.bounds}
        adapter.posted = []
        made = called(adapter.__init__, (), self.seconds)  # type: ignore[misc]
        if made.failure:
            raise AdapterError(f"{self.name}: a new adapter {made.failure}")
        self.adapter, self.objects = adapter, {}
        return adapter

    def close(self) -> None:
        """Close the adapter there is."""
        if self.adapter is not None:
            closed = called(self.adapter.close, (), self.seconds)
            self.adapter = None
            if closed.failure:
                raise AdapterError(f"{self.name}: close() {closed.failure}")

    def start(self, initial: State) -> tuple[Position, Observed, list[Difference]]:
        """Begin a run with a fresh adapter; also return in what it differs at once."""
        adapter = self.fresh()
        begun = called(adapter.begin, (dict(self.comparison.shown(initial)),), self.seconds)
        observed = self._observed(begun, None)
        teller = self.comparison.teller
        office = PostOffice(self.system, teller.domains, labels=False)
        place = Position(initial, initial, office)
        if observed.failure is not None:
            return place, observed, [Difference(RETURNS, "returns", observed.failure)]
        return place, observed, self.comparison.of_values(initial, observed.values)

    def starts(self) -> list[State]:
        """Return the initial states in which the implementation can begin: those that it shows.

        Where it shows none of them, the first.
        """
        initials = self.system.initials
        if len(initials) == 1:
            return list(initials)
        fitting = [state for state in initials if not self.start(state)[2]]
        return fitting or [initials[0]]

    # -- what can be called -----------------------------------------------------------------------
    def calls_of(self, place: Position) -> Iterator[RealCall]:
        """Yield the calls that the model allows, in its order: events that one call can be, once.

        Raises AdapterError for an event that the adapter has no method for.
        """
        groups: dict[Any, list[Chosen]] = {}
        for number, args in self.choices(place.state):
            method = self.method_of.get(self.system.actions[number].name)
            passed = tuple(self._identities(number, args))
            key = (method, passed) if method else (number, args)
            groups.setdefault(key, []).append((number, args))
        for events in groups.values():
            method = self.method_of.get(self.system.actions[events[0][0]].name)
            yield RealCall(method, tuple(events))

    def choices(self, state: State) -> list[Chosen]:
        """Return the events that the model allows in a state, in its order."""
        if state not in self._allowed:
            if len(self._allowed) > KEPT:
                self._allowed.clear()
            self._allowed[state] = choices(self.system, state)
        return self._allowed[state]

    def call_of(self, place: Position, chosen: Chosen) -> RealCall | None:
        """Return the call that can be an event, which is meant; None where it is not possible."""
        for call in self.calls_of(place):
            if chosen in call.events:
                others = (event for event in call.events if event != chosen)
                return RealCall(call.method, (chosen, *others))
        return None

    def _identities(self, number: int, args: Args) -> Iterator[Any]:
        """Yield what two events have in common that pass the same arguments."""
        for param, value in zip(self.system.params[number].values(), args, strict=True):
            if isinstance(param, Each):
                yield param.variable, value
            else:
                yield counted(param, value)

    def _passed(self, place: Position, number: int, args: Args) -> Iterator[Any]:
        """Yield the arguments of an event as its method takes them."""
        for param, value in zip(self.system.params[number].values(), args, strict=True):
            if isinstance(param, Each):
                message = place.office.number(param.variable, value)
                held: Any = self.comparison.teller.domains[self.system.place[param.variable]]
                whole = as_passed(held.element, value)
                yield whole if message is None else self.objects[message]
            else:
                yield counted(param, value)

    # -- one event --------------------------------------------------------------------------------
    def step(self, place: Position, call: RealCall) -> Step:
        """Carry out a call, and compare; raises ModelWentWrong where the model itself does."""
        self.calls += 1
        assert self.adapter is not None
        returned = None
        if call.method is None:
            self._check_moves(place, call)
        else:
            self.adapter.posted = []
            method = getattr(self.adapter, call.method)
            passed = tuple(self._passed(place, *call.events[0]))
            returned = called(method, passed, self.seconds)
        posts = list(self.adapter.posted) if call.method is not None else None
        observed = self._observed(returned, posts)
        steps = [self._compared(place, chosen, observed) for chosen in call.events]
        best = min(steps, key=lambda found: _unlike(found[0]))
        self._deliver(best[0], best[1], posts)
        return best[0]

    def _check_moves(self, place: Position, call: RealCall) -> None:
        """Raise AdapterError for an event without a method that does more than move messages."""
        event, _ = self.executed(place, call.events[0])
        if not place.office.only_moves(event):
            name = self.system.actions[event.action].name
            raise AdapterError(f'{self.name}: no method takes {name}; write one with @on("{name}")')

    def _observed(self, returned: Returned | None, posts: list[Any] | None) -> Observed:
        """Return what can be seen of the implementation after a call; None: nobody called it."""
        count = None if posts is None else len(posts)
        if returned is not None and returned.failure is not None:
            return Observed(self.name, posts=count, failure=returned.failure)
        assert self.adapter is not None
        seen = called(self.adapter.observe, (), self.seconds)
        if seen.failure is not None:
            return Observed(self.name, posts=count, failure=f"{seen.failure} in observe()")
        self._check_names(seen.value)
        values = self.observed_values(seen)
        outcome = None if returned is None else as_observed(returned.value)
        return Observed(self.name, outcome, values, count)

    @staticmethod
    def observed_values(seen: Returned) -> dict[str, Any]:
        """Return what ``observe`` returned, as it is compared, without what cannot be seen."""
        return {name: as_observed(value) for name, value in seen.value.items() if value is not ANY}

    def _check_names(self, seen: Any) -> None:
        """Raise AdapterError for what is observed under a name that the model has not."""
        if not isinstance(seen, Mapping):
            raise AdapterError(
                f"{self.name}: observe() returns {seen!r}; write a dictionary of names and values"
            )
        wrong = [name for name in seen if name not in self.comparison.names]
        if wrong:
            raise AdapterError("\n".join(f"{self.name}: {self.misnamed(n)}" for n in wrong))

    def misnamed(self, name: Any) -> str:
        """Return what is wrong with a name that is observed."""
        unseen = self.comparison.unseen.get(name)
        if unseen is not None:
            kind = "a ghost, which no implementation has" if unseen.ghost else "a budget"
            return f'observe(): "{name}" is {kind}; leave it out'
        known = self.comparison.names
        near = nearest(str(name), known)
        return f'observe(): the model has no value "{name}"{near}; it has {", ".join(known)}'

    def executed(self, place: Position, chosen: Chosen) -> tuple[Event, Event]:
        """Return an event of a place, and the same when nothing is forgotten."""
        key = (place.state, place.concrete, *chosen)
        if key not in self._executed:
            if len(self._executed) > KEPT:
                self._executed.clear()
            event = execute(self.system, place.state, *chosen)
            self._executed[key] = event, concrete_event(self.system, place.concrete, event)
        return self._executed[key]

    def _compared(
        self, place: Position, chosen: Chosen, observed: Observed
    ) -> tuple[Step, Sequence[int]]:
        """Return an event as what a call came to, and the messages that it puts in flight."""
        event, concrete = self.executed(place, chosen)
        office = place.office.copy()
        mail = office.event(event)
        moves = observed.posts is None
        found = self.comparison.of_event(concrete, len(mail.sends), observed, moves=moves)
        after = Position(event.after, concrete.after, office)
        sent = [message.message for message in mail.sends]
        return Step(event, after, observed, tuple(found)), sent

    def _deliver(self, step: Step, sent: Sequence[int], posts: list[Any] | None) -> None:
        """Give each message that an event put in flight its object; forget those it took.

        What the network puts in flight by itself is a copy of what was there.
        """
        travelling = step.place.office.travelling.values()
        if posts is None:
            for number in sent:
                alike = next(numbers for numbers in travelling if number in numbers)
                self.objects[number] = next(self.objects[n] for n in alike if n in self.objects)
        else:
            self.objects |= dict(zip(sent, posts, strict=False))
        flying = {number for numbers in travelling for number in numbers}
        self.objects = {n: posted for n, posted in self.objects.items() if n in flying}


def as_passed(domain: Any, value: Any) -> Any:
    """Return an element as a method takes it: records by their fields, indices from 1.

    Numbers that a clock hands out are those of the run, also where people do not see them.
    """
    inner = getattr(domain, "index", None) if isinstance(domain, Maybe) else domain
    if value is None or isinstance(inner, Unlimited):
        return value
    if isinstance(domain, Record):
        pairs = zip(domain.fields.items(), value, strict=True)
        return SimpleNamespace(**{name: as_passed(d, item) for (name, d), item in pairs})
    return counted(domain, value)


def _unlike(step: Step) -> tuple[int, int]:
    """Return how far an event is from what was observed; that of another outcome is farthest."""
    other = any(difference.of == OUTCOME for difference in step.differences)
    return int(other), len(step.differences)
