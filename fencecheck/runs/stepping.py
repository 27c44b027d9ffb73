"""A run that a person makes by hand: what can happen, what happened, what it says of properties.

Takes a System and the properties to watch; keeps the events chosen so far. Undo and restart go
back; nothing is explored. It may follow a run that was saved, and leave it anywhere. A property is
judged on this run only: safety by what was seen on it, possibility and liveness not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fencecheck.errors import StateError
from fencecheck.model.property import Property
from fencecheck.model.system import Args, State, System
from fencecheck.runs.event import MODEL_ERRORS, Event, ModelWentWrong, choices, end_of, execute
from fencecheck.runs.guards.why_not import why_not
from fencecheck.runs.notation import told_apart
from fencecheck.runs.run import Run
from fencecheck.runs.telling import tell
from fencecheck.runs.told.concrete import concrete_event, concrete_run
from fencecheck.runs.told.failure import model_failure, why_wrong
from fencecheck.runs.told.teller import Teller
from fencecheck.runs.trace import Origin, Trace


@dataclass(frozen=True)
class Choice:
    """An event that can happen now, in words; ``wrong`` says why the model cannot execute it."""

    action: int
    args: Args
    name: str
    label: str
    interference: bool
    wrong: str | None


class Stepping:
    """The events of one run, chosen one by one; ``saved`` are those of a run to follow."""

    def __init__(
        self,
        system: System,
        properties: Sequence[Property],
        origin: Origin,
        saved: Sequence[Event] = (),
    ) -> None:
        self.system, self.properties, self.origin = system, list(properties), origin
        self.events: list[Event] = []
        self.saved = list(saved)
        self._teller = Teller(system)

    @property
    def follows(self) -> bool:
        """Tell whether the events so far are those of the saved run, from its start."""
        begins = not self.saved or self.saved[0].before == self.system.initial
        return begins and self.events == self.saved[: len(self.events)]

    @property
    def next_saved(self) -> Event | None:
        """Return the next event of the saved run, None where it was left or has ended."""
        ahead = self.saved[len(self.events) :] if self.follows else []
        return ahead[0] if ahead else None

    @property
    def state(self) -> State:
        """Return the present state."""
        return end_of(self.system, self.events)

    def choices(self) -> list[Choice]:
        """Return what can happen now, in the order of the model.

        Raises StateError where the model goes wrong in the state itself.
        """
        try:
            found = choices(self.system, self.state)
        except ModelWentWrong:
            raise self._wrong(None) from None
        told = self.told_state
        chosen = [self._choice(action, args, told) for action, args in found]
        alike: dict[tuple[str, str], list[int]] = {}
        for place, choice in enumerate(chosen):
            alike.setdefault((choice.name, choice.label), []).append(place)
        for (name, _), places in alike.items():
            if len(places) > 1:
                exact = [self.system.exact_args(chosen[i].action, chosen[i].args) for i in places]
                for place, apart in zip(places, told_apart(name, exact), strict=True):
                    chosen[place] = replace(chosen[place], name=apart)
        return chosen

    @property
    def told_state(self) -> State:
        """Return the present state as people are told of it, in which nothing is forgotten."""
        return end_of(self.system, concrete_run(self.system, self.events))

    def _choice(self, number: int, args: Args, told: State) -> Choice:
        action = self.system.actions[number]
        event, wrong = self._executed(number, args)
        shown = self.system.shown_args(number, args)
        words = f"({', '.join(map(str, shown.values()))})" if shown else ""
        label = ""
        if event is not None:
            label = self._teller.label(concrete_event(self.system, told, event))
        return Choice(number, args, action.name + words, label, action.interference, wrong)

    def _executed(self, number: int, args: Args) -> tuple[Event | None, str | None]:
        try:
            return execute(self.system, self.state, number, args), None
        except ModelWentWrong:
            return None, why_wrong(self.system, self.state, (number, args))

    def is_next_saved(self, choice: Choice) -> bool:
        """Tell whether a choice is the next event of the saved run."""
        ahead = self.next_saved
        return ahead is not None and (choice.action, choice.args) == (ahead.action, ahead.args)

    def why_not(self, text: str) -> list[str]:
        """Return why the events meant by a text cannot happen now; raises UsageError for none."""
        return why_not(self.system, self.told_state, text)

    def take(self, choice: Choice) -> Event:
        """Let an event happen; raises StateError, with the run, where the model goes wrong."""
        event, _ = self._executed(choice.action, choice.args)
        if event is None:
            raise self._wrong((choice.action, choice.args))
        self.events.append(event)
        return event

    def _wrong(self, event: tuple[int, Args] | None) -> StateError:
        return model_failure(self.system, self.events, event, self.origin)

    def undo(self) -> bool:
        """Take the last event back; False where there is none."""
        if self.events:
            self.events.pop()
            return True
        return False

    @property
    def starts(self) -> tuple[State, ...]:
        """Return the initial states there are."""
        return self.system.initials

    def restart(self, number: int | None = None) -> None:
        """Go back to the initial state, or to another one by its number from 1."""
        self.events.clear()
        if number is not None:
            self.system = self.system.starting(self.starts[number - 1])
            self._teller = Teller(self.system)

    def first_broken(self, prop: Property) -> int | None:
        """Return after how many events a safety property first broke on this run, or None.

        Raises StateError where the property itself goes wrong.
        """
        if prop.temporal:
            return None
        for number in range(len(self.events) + 1):
            try:
                if prop.breaks(Run(self.system, self.events[:number])):
                    return number
            except MODEL_ERRORS:
                raise self._wrong_property(prop, number) from None
        return None

    def _wrong_property(self, prop: Property, number: int) -> StateError:
        """Return the error to raise where a property goes wrong after ``number`` events."""
        events, failing = self.events[:number], None
        if prop.of_events and events:
            last = events.pop()
            failing = (last.action, last.args)
        return model_failure(self.system, events, failing, self.origin, [prop])

    def says(self, prop: Property) -> str:
        """Return in the model's words how a property breaks at the end of the run."""
        violation = tell(self.system, self.events, prop, self.origin).violation
        return violation.says if violation else ""

    def trace(self) -> Trace:
        """Return the run as a trace: of the property that its last event breaks, else a witness."""
        prop = next((p for p in self.properties if self.first_broken(p) == len(self.events)), None)
        return tell(self.system, self.events, prop, self.origin)
