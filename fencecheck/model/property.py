"""Properties: what must hold of a model, one class for each kind.

A class says what its property is a truth of (states, ends, events, or the whole graph), what puts
it to the test, and which runs refute it, so that nobody else has to know the kinds. ``kind`` is
its name in JSON. Nothing here runs a model: what a property asks of a run is a ``Behaviour``.

What an author declares may take parameters: those of the property itself, for each value of which
it is one promise more, and those of the events that it speaks of, by their names. A system has it
in a form that takes states and arguments of events alone (declaring/instances.py), which is what
is evaluated.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, overload

from fencecheck.errors import ModelError
from fencecheck.model.behaviour import Behaviour
from fencecheck.model.mistakes.refused import refused
from fencecheck.model.ordinary import noted
from fencecheck.model.wording.explaining import explanation, sentence
from fencecheck.model.wording.templates import Known, Saying

Function = Callable[..., Any]


class NamedEvent(Protocol):
    """An event with a name and the names of its parameters, as an action is."""

    @property
    def name(self) -> str:
        """Return its name."""

    @property
    def params(self) -> Iterable[str]:
        """Return the names of its parameters, in order."""


def names_taken(function: Function) -> tuple[str, ...]:
    """Return the names of what a function takes; none where Python does not say."""
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()


@dataclass
class Property:
    """What must hold; ``holds`` takes one state, or (before, after) of a transition.

    ``trigger`` says when it was put to the test: a truth of one state, but for a transition
    property with two arguments. ``explain`` is the sentence and the values that disagree, for
    people, or a function of (before, after) that returns them.

    It is promised for each value of ``params``. Behind the states, ``holds`` and ``trigger`` take
    what they name of these and of the parameters of an event; of the latter, in the form that is
    evaluated, the values of ``takes`` and ``trigger_takes``. That form has ``instances``, one for
    each choice of ``params``: those are its ``values``, and ``words`` what people call it.
    """

    name: str
    holds: Function
    trigger: Function | None = None
    explain: Function | Saying | None = None
    relevant: tuple[str, ...] = ()
    doc: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    takes: tuple[str, ...] = ()
    trigger_takes: tuple[str, ...] = ()
    instances: tuple[Property, ...] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""
    situation: str = ""  # what the trigger waits for, in words, where it has a name
    asks_states: bool | None = None  # whether its trigger takes one state; None: as it says itself

    kind: ClassVar[str]
    of_states: ClassVar[bool] = False  # a truth of every reachable state
    of_ends: ClassVar[bool] = False  # a truth of the states that no system event leaves
    of_events: ClassVar[bool] = False  # a truth of transitions
    temporal: ClassVar[bool] = False  # judged on the whole graph
    fair: ClassVar[bool] = False  # judged under fairness
    leads: ClassVar[bool] = False  # its trigger is part of what must hold

    @property
    def events(self) -> tuple[str, ...]:
        """Return the events it is about by name; none: all, or it is about states."""
        return ()

    def speaks_of(self, event: str) -> bool:
        """Tell whether it is a truth of the transitions of events of this name."""
        return False

    def triggered_on(self, event: str) -> bool:
        """Tell whether transitions of this name may put it to the test."""
        return False

    @property
    def triggered_by_states(self) -> bool:
        """Tell whether its trigger is asked of every reachable state."""
        return self.trigger is not None and not self.of_ends

    def each(self) -> Sequence[Property]:
        """Return the properties that it stands for: itself, or one for each choice of values."""
        return [self] if self.instances is None else self.instances

    def truth_on(self, action: NamedEvent) -> tuple[Function, tuple[str, ...]]:
        """Return what is asked of the transitions of an action: a function of both states,

        and the names of the event's arguments that it takes behind them.
        """
        return self.holds, self.takes

    def on_last(self, action: NamedEvent, args: Sequence[Any]) -> Property:
        """Return the property with the arguments of an event put in that it takes."""
        truth, names = self.truth_on(action)
        given = _picked(names, action, args)
        return replace(self, takes=(), holds=lambda *states: truth(*states, *given))

    def evaluate_state(self, view: Any) -> bool:
        """Return whether it holds in a state; True where it is no truth of states.

        Here and below, the trigger is evaluated too where it is asked, for the error it may raise.
        """
        if self.triggered_by_states and self.trigger is not None:
            self.trigger(view)
        if self.temporal:
            for one in self.each():
                one.holds(view)
        return not self.of_states or bool(self.holds(view))

    def evaluate_end(self, view: Any) -> bool:
        """Return whether it holds in a state that no system event leaves."""
        if not self.of_ends:
            return True
        if self.trigger is not None:
            self.trigger(view)
        return bool(self.holds(view))

    def evaluate_event(
        self, action: NamedEvent, args: Sequence[Any], before: Any, after: Any
    ) -> bool:
        """Return whether it holds of a transition of an action with these arguments."""
        if self.trigger is not None and self.triggered_on(action.name):
            self.trigger(before, after, *_picked(self.trigger_takes, action, args))
        if not self.speaks_of(action.name):
            return True
        truth, names = self.truth_on(action)
        return bool(truth(before, after, *_picked(names, action, args)))

    def misfit(self, run: Behaviour) -> str | None:
        """Return why a run does not refute it, or None where it does."""
        why = [one.why_kept(run) for one in self.each()]
        return None if None in why else next(iter(why), f"{self.name} promises nothing here")

    def refuted(self, run: Behaviour) -> Property:
        """Return which of the properties it stands for a run refutes: the first of them."""
        instances = self.instances or ()
        return next((one for one in instances if one.why_kept(run) is None), self)

    def why_kept(self, run: Behaviour) -> str | None:
        """Return why a run does not refute this one property, or None where it does."""
        raise NotImplementedError

    def breaks(self, run: Behaviour) -> bool:
        """Tell whether a run refutes it, in its last event or state if it is no temporal one."""
        return self.misfit(run) is None

    def _unless(self, held: Any) -> str | None:
        return f"at its end {self.name} is not violated any more" if held else None

    def _first_good(self, views: Sequence[Any]) -> str | None:
        good = any(self.holds(view) for view in views)
        return f"it reaches what {self.name} asks for" if good else None

    def explained(self, before: Any, after: Any, known: Known) -> tuple[str, list[list[Any]]]:
        """Return what breaks in words, and the values that disagree as [name, value].

        ``known`` is what can be named in it: the arguments of the last event, the states, and
        the values that the property is promised for. Without anything that explains it: what the
        property means. Words that go wrong are replaced by a note.
        """
        if self.explain is None:
            return self.doc, []
        what = f"says of {self.name}"
        try:
            takes = () if isinstance(self.explain, Saying) else names_taken(self.explain)[2:]
            given = explanation(what, self.explain, takes, (before, after), known)
        except ModelError as error:
            return f"{self.doc} {noted(error)}", []
        return given[0], [[str(name), value] for name, value in given[1]]

    @overload
    def says(self, wording: Function) -> Function: ...

    @overload
    def says(self, wording: str, values: Mapping[str, str] = ...) -> None: ...

    def says(
        self, wording: Function | str, values: Mapping[str, str] = MappingProxyType({})
    ) -> Function | None:
        """Say how it breaks: a sentence with fields in braces, and named values likewise.

        Or decorate the function of (before, after) that returns sentence and values. What a
        sentence names are parameters, ``before`` and ``after``, in a property of states ``s``.
        """
        if not isinstance(wording, str):
            self.explain = wording
            return wording
        try:
            self.explain = sentence(wording, values)
        except ModelError as error:
            refused(error)
        return None


@dataclass
class Invariant(Property):
    """True in every reachable state; put to the test by every state unless a trigger says."""

    kind = "invariant"
    of_states = True

    def why_kept(self, run: Behaviour) -> str | None:
        return self._unless(self.holds(run.end()))


@dataclass
class Deadlock(Property):
    """True wherever no system event is possible; such a state puts it to the test."""

    kind = "deadlock"
    of_ends = True

    def why_kept(self, run: Behaviour) -> str | None:
        if self.holds(run.end()):
            return self._unless(True)
        return "at its end the system can still do something" if run.can_go_on() else None


@dataclass
class Transition(Property):
    """True of every transition of its events (none: of all).

    A trigger of (before, after) is asked of transitions of ``trigger_on``: those it speaks of if
    that is None, all if it is empty. A trigger of one state is asked of every state.
    """

    about: tuple[str, ...] = ()
    trigger_on: tuple[str, ...] | None = None
    kind = "transition"
    of_events = True

    @property
    def events(self) -> tuple[str, ...]:
        return self.about

    def speaks_of(self, event: str) -> bool:
        return not self.about or event in self.about

    @functools.cached_property
    def triggered_by_states(self) -> bool:
        """Tell whether its trigger takes one state, beside the property's own parameters."""
        if self.trigger is None or self.asks_states is not None:
            return bool(self.trigger and self.asks_states)
        return names_taken(self.trigger)[1:2] == () or names_taken(self.trigger)[1] in self.params

    def triggered_on(self, event: str) -> bool:
        if self.triggered_by_states:
            return False
        if self.trigger_on is None:
            return self.speaks_of(event)
        return not self.trigger_on or event in self.trigger_on

    def why_kept(self, run: Behaviour) -> str | None:
        last = run.last_event()
        if last is None or not self.speaks_of(last[0].name):
            return f"its last event is none that {self.name} speaks of"
        action, args, before, after = last
        truth, names = self.truth_on(action)
        return self._unless(truth(before, after, *_picked(names, action, args)))


@dataclass
class Temporal(Property):
    """Judged on the whole graph, from truths of its states."""

    temporal = True


@dataclass
class Possibility(Temporal):
    """A state with it can always be reached by system events; tested by a state without it."""

    kind = "possibility"

    def why_kept(self, run: Behaviour) -> str | None:
        if run.can_reach(self.holds):
            return f"from its end the system can still reach what {self.name} asks for"
        return None


@dataclass
class Liveness(Temporal):
    """Every fair behaviour reaches it; tested if the initial state is without it."""

    kind = "liveness"
    fair = True

    def why_kept(self, run: Behaviour) -> str | None:
        return run.why_not_for_ever() or self._first_good(run.views())


@dataclass
class LeadsTo(Temporal):
    """From every state with its trigger fair behaviours reach it; the trigger tests it."""

    kind = "leads_to"
    fair = True
    leads = True

    def why_kept(self, run: Behaviour) -> str | None:
        why = run.why_not_for_ever() or self._first_good(run.recurring())
        if why is not None or self.trigger is None:
            return why
        for view in reversed(run.views()):
            if self.holds(view):
                break
            if self.trigger(view):
                return None
        return f"nothing on it leads to what {self.name} asks for"


@dataclass
class Recurrence(Temporal):
    """No fair behaviour has its events for ever, but for cycles through a state with it.

    Put to the test where one of the events happens. Of an event with a parameter that the
    property has as well, those with the same value count.
    """

    about: tuple[str, ...] = ()
    kind = "recurrence"
    fair = True

    @property
    def events(self) -> tuple[str, ...]:
        return self.about

    def why_kept(self, run: Behaviour) -> str | None:
        why = run.why_not_for_ever()
        if why is None and not any(self._counts(*event) for event in run.loop()):
            why = f"what it does for ever has none of {', '.join(self.about)}"
        return why or self._first_good(run.recurring())

    def _counts(self, action: NamedEvent, args: Sequence[Any]) -> bool:
        """Tell whether an event is one of those that may not go on for ever."""
        named = dict(zip(action.params, args, strict=True))
        same = all(named.get(name, value) == value for name, value in self.values.items())
        return action.name in self.about and same


KINDS: dict[str, type[Property]] = {
    kind.kind: kind
    for kind in (Invariant, Transition, Deadlock, Possibility, Liveness, LeadsTo, Recurrence)
}


def _picked(names: Sequence[str], action: NamedEvent, args: Sequence[Any]) -> list[Any]:
    """Return the arguments of an event that are named."""
    if not names:
        return []
    named = dict(zip(action.params, args, strict=True))
    return [named[name] for name in names]
