"""Traces: a run told event by event so that it stands on its own, and its replay on the model.

A trace is a JSON document (schema fencecheck/trace/1): model, design, property, the initial
state, and each event with its arguments, what it changed, and the messages it put in flight or
consumed. ``replay`` runs it again on the model and says at which event, and why, it no longer
fits. Nothing here explores or draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import ModelError, TraceError, nearest
from fencecheck.model.ask.questions import Asked, question
from fencecheck.model.declare import Each, Variable
from fencecheck.model.domains import Array, Domain
from fencecheck.model.family import Design, Family
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.concrete import concrete_event, concrete_run
from fencecheck.runs.event import MODEL_ERRORS, Event
from fencecheck.runs.refutation import misfit_of
from fencecheck.version import __version__

SCHEMA = "fencecheck/trace/1"
Document = dict[str, Any]


@dataclass(frozen=True)
class Origin:
    """Where a trace comes from, for its head."""

    spec: str | None = None
    variant: str | None = None
    title: str = ""


def _flat(
    variable: Variable, domain: Domain, value: Any, each: bool
) -> Iterator[tuple[str, Any, Any]]:
    """Yield (name, shown, raw) for a variable, one for each element of an array.

    With ``each`` its owner is one of several of a kind, and element i belongs to the i-th.
    """
    name = f"{variable.owner}.{variable.name}"
    if isinstance(domain, Array):
        for i, item in enumerate(value, 1):
            its = f"{variable.owner} {i}.{variable.name}" if each else f"{name}[{i}]"
            yield its, domain.element.show(item), item
    else:
        yield name, domain.show(value), value


class Teller:
    """Tells runs of one system in words.

    Where the model says that an actor is several of a kind (``one_lane_each``: the actor's name,
    the bound that says how many), each has a lane: its number is the event's argument of the
    actor's name.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.domains = [v.domain.resolve(system.sizes) for v in system.variables]
        self.kinds: dict[str, str] = getattr(system.family.model, "one_lane_each", {})

    def lanes(self) -> list[dict[str, str]]:
        """Return the lanes of a diagram, in order."""
        lanes = []
        for lane in self.system.family.declared.lanes:
            names = [lane.name]
            if lane.name in self.kinds:
                many = getattr(self.system.sizes, self.kinds[lane.name])
                names = [f"{lane.name} {i + 1}" for i in range(many)]
            lanes += [{"name": name, "kind": str(lane.kind)} for name in names]
        return lanes

    def actor(self, event: Event) -> str:
        """Return the lane of whoever acts in an event."""
        actor = self.system.actions[event.action].actor
        if actor not in self.kinds:
            return actor
        return f"{actor} {self.system.shown_args(event.action, event.args)[actor]}"

    def values(self, state: State) -> dict[str, tuple[Any, Any, Variable]]:
        """Return every variable of a state as name -> (shown, raw, declaration)."""
        told = {}
        for variable, domain, value in zip(self.system.variables, self.domains, state, strict=True):
            each = variable.owner in self.kinds
            for name, shown, raw in _flat(variable, domain, value, each):
                told[name] = (shown, raw, variable)
        return told

    def initial(self, state: State) -> dict[str, Any]:
        """Return the initial values that people see: no ghosts, budgets included."""
        return {n: shown for n, (shown, _, v) in self.values(state).items() if not v.ghost}

    def changes(self, before: State, after: State) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what an event changed, and which ghosts, as name -> [before, after].

        A change that words do not show is left out.
        """
        old, new = self.values(before), self.values(after)
        plain: dict[str, Any] = {}
        ghosts: dict[str, Any] = {}
        for name, (shown, raw, variable) in new.items():
            was, raw_before, _ = old[name]
            if raw != raw_before and shown != was:
                (ghosts if variable.ghost else plain)[name] = [was, shown]
        return plain, ghosts

    def label(self, event: Event) -> str:
        """Return the words for an event's box: verb, what it is about, outcome."""
        action = self.system.actions[event.action]
        view = self.system.view(event.before)
        label = action.labelled(view, event.args)
        if label is not None:
            return label
        words = [action.verb.replace("_", " ")]
        for (_, param), value in zip(action.params.items(), event.args, strict=True):
            if isinstance(param, Each):
                domain: Any = self.domains[self.system.place[param.variable]]
                shown = domain.element.fields if param.args else {}
                words += [str(shown[f].show(getattr(value, f))) for f in param.args]
                words += [] if param.args else [str(domain.element.show(value))]
            else:
                words.append(str(param.resolve(self.system.sizes).show(value)))
        return " ".join(words) + (f": {event.outcome}" if event.outcome else "")

    def remark(self, event: Event) -> str | None:
        """Return the model's remark on what an event compared, if it makes one."""
        action = self.system.actions[event.action]
        return action.remarked(self.system.view(event.before), event.args)


class _Mail:
    """Numbers the messages of a run from the bags they travel in."""

    def __init__(self, teller: Teller) -> None:
        self.teller, self.system = teller, teller.system
        self.bags = [i for i, v in enumerate(self.system.variables) if v.messages]
        self.travelling: dict[tuple[int, Any], list[int]] = {}
        self.last = 0

    def event(self, event: Event) -> dict[str, list[dict[str, Any]]]:
        """Return what an event sends, takes and copies."""
        sends: list[dict[str, Any]] = []
        takes: list[dict[str, Any]] = []
        copies: list[dict[str, Any]] = []
        action = self.system.actions[event.action]
        for bag in self.bags:
            old: Counter[Any] = Counter(event.before[bag])
            new: Counter[Any] = Counter(event.after[bag])
            gone, come = sorted((old - new).elements()), sorted((new - old).elements())
            chosen = [
                value
                for (_, param), value in zip(action.params.items(), event.args, strict=True)
                if isinstance(param, Each) and param.variable == self.system.names[bag]
            ]
            if gone and come and not chosen:
                gone, come = self._altered(bag, gone, come)
            for message in gone:
                how = "lost" if action.interference else "taken"
                takes.append({"message": self._pop(bag, message), "how": how})
            for message in come:
                original = self.travelling.get((bag, message), [])
                number = self._push(bag, message)
                sends.append(self._sent(bag, message, number))
                if original and chosen and message in chosen:
                    copies.append({"message": number, "of": original[0]})
        return {"sends": sends, "takes": takes, "copies": copies}

    def _altered(self, bag: int, gone: list[Any], come: list[Any]) -> tuple[list[Any], list[Any]]:
        """Match messages that were only marked (a generation ended) and keep their numbers."""
        domain: Any = self.teller.domains[bag]
        for old in list(gone):
            same = [m for m in come if domain.element.show(m) == domain.element.show(old)]
            if same:
                number = self._pop(bag, old)
                gone.remove(old)
                come.remove(same[0])
                self.travelling.setdefault((bag, same[0]), []).append(number)
        return gone, come

    def _pop(self, bag: int, message: Any) -> int:
        return self.travelling[bag, message].pop(0)

    def _push(self, bag: int, message: Any) -> int:
        self.last += 1
        self.travelling.setdefault((bag, message), []).append(self.last)
        return self.last

    def _sent(self, bag: int, message: Any, number: int) -> dict[str, Any]:
        domain: Any = self.teller.domains[bag]
        label = str(domain.element.show(message))
        back = self.system.variables[bag].back
        kind = domain.element.name.lower()
        return {"message": number, "label": label, "kind": kind, "back": back}


def tell(
    system: System, events: Sequence[Event], prop: Property | None, origin: Origin
) -> Document:
    """Return the trace document of a run that ends where ``prop`` breaks (None: a witness)."""
    teller = Teller(system)
    mail = _Mail(teller)
    told = []
    events = concrete_run(system, events)
    for event in events:
        action = system.actions[event.action]
        changes, ghosts = teller.changes(event.before, event.after)
        told.append(
            {
                "event": action.name,
                "actor": teller.actor(event),
                "interference": action.interference,
                "args": system.shown_args(event.action, event.args),
                "exact": system.exact_args(event.action, event.args),
                "outcome": event.outcome,
                "label": teller.label(event),
                "quiet": action.quiet,
                **mail.event(event),
                "changes": changes,
                "ghosts": ghosts,
                "remark": teller.remark(event),
            }
        )
    return {
        **_head(system, origin),
        "property": _property(prop),
        "verdict": "violated" if prop else "witness",
        "lanes": teller.lanes(),
        "initial": teller.initial(system.initial),
        "relevant": _relevant(system, prop),
        "events": told,
        "violation": _violation(system, events, prop) if prop else None,
        "loop_start": None,
    }


def _head(system: System, origin: Origin) -> Document:
    return {
        "schema": SCHEMA,
        "fencecheck": __version__,
        "model": system.family.reference,
        "model_hash": system.family.hash,
        "spec": origin.spec,
        "variant": origin.variant,
        "title": origin.title or origin.variant or system.family.title,
        "mechanisms": dict(system.design.mechanisms),
        "bounds": dict(system.design.bounds),
    }


def _property(prop: Property | None) -> Document:
    if prop is None:
        return {
            "name": "event order",
            "kind": "reach",
            "meaning": "This order of events can happen.",
        }
    told = {"name": prop.name, "kind": prop.kind, "meaning": prop.doc}
    return {**told, "predicate": prop.text} if isinstance(prop, Asked) else told


def reached(document: Document, predicate: str) -> Document:
    """Return a trace as the witness that a state in which ``predicate`` is true is reached."""
    told = {"name": predicate, "kind": "reach", "meaning": "Such a state can be reached."}
    return {
        **document,
        "property": {**told, "predicate": predicate},
        "verdict": "witness",
        "violation": None,
    }


def _relevant(system: System, prop: Property | None) -> list[str]:
    names = prop.relevant if prop else ()
    state = Teller(system).values(system.initial)
    return [n for n, (_, _, v) in state.items() if v.name in names]


def _violation(system: System, events: Sequence[Event], prop: Property) -> Document:
    before = events[-1].before if events else system.initial
    after = events[-1].after if events else system.initial
    if prop.kind in ("invariant", "transition", "deadlock"):
        _check_broken(system, prop, (before, after))
    says, compare = prop.explained(system.view(before), system.view(after))
    return {"event": len(events), "says": says, "compare": compare}


def _check_broken(system: System, prop: Property, states: tuple[State, State]) -> None:
    """Raise ModelError where a property breaks only because of what the model forgets."""
    views = [system.view(state) for state in states]
    if prop.holds(*(views if prop.kind == "transition" else views[1:])):
        names = ", ".join(f.function.__name__ for f in system.family.declared.forgets)
        raise ModelError(
            f"model {system.family.name}: property {prop.name} asks for what is declared as "
            f"forgotten; look at {names}"
        )


# -- replay -------------------------------------------------------------------------------------
_TRIES = 20_000  # events that are tried where a trace does not say which of several it tells of


@dataclass(frozen=True)
class Replay:
    """The outcome of a replay: ``misfit`` says at which event and why it no longer fits."""

    events: list[Event]
    misfit: str | None
    model_changed: bool


def replay(family: Family, document: Document, capacity: Design | None = None) -> Replay:
    """Run a trace again, event by event; ``capacity`` is as for System.

    A trace identifies its events whole (``exact``). In older ones several events of a state may
    look like the one told of: then each is tried, and the trace replays if one of these runs does.

    Raises TraceError if the document lacks what a replay needs, DesignError if its design is
    unknown to the model.
    """
    for key in ("mechanisms", "bounds", "events", "property"):
        if key not in document:
            raise TraceError(f"the trace has no {key!r}; is it a {SCHEMA} document?")
    design = family.design(document["mechanisms"], document["bounds"])
    system = System(family, design, capacity)
    search = _Replaying(system, document)
    search.run()
    return Replay(search.best, search.misfit, document.get("model_hash") != family.hash)


class _Replaying:
    """A search for a run that fits a trace: depth first, in the order of the model.

    ``best`` is the run that fits; where none does, the longest that was found, with ``misfit``.
    """

    def __init__(self, system: System, document: Document) -> None:
        self.system, self.document = system, document
        self.teller = Teller(system)
        self.order: Sequence[Document] = document["events"]
        self.best: list[Event] = []
        self.misfit: str | None = None
        self._tries = 0
        self._seen: set[tuple[int, State]] | None = None if self._is_about_all() else set()

    def _is_about_all(self) -> bool:
        """Tell whether what the run refutes depends on more than its end."""
        prop = self.system.family.properties.get((self.document["property"] or {}).get("name", ""))
        return prop is not None and prop.temporal

    def run(self) -> bool:
        """Find the run; tell whether there is one."""
        events: list[Event] = []
        states = [self.system.initial]  # of the run in which nothing is forgotten
        open_ = [self._candidates(events, states[-1])]
        while open_:
            found = next(open_[-1], None)
            if found is None:
                open_.pop()
                events, states = events[:-1], states[:-1]
                continue
            events, states = [*events, found[0]], [*states, found[1]]
            self._tries += 1
            if len(events) == len(self.order) and self._ends(events):
                return True
            if self._tries >= _TRIES:
                return False
            open_.append(self._candidates(events, states[-1]))
        return not self.order and self._ends([])

    def _ends(self, events: list[Event]) -> bool:
        misfit = _ending(self.system, events, self.document)
        self._note(events, misfit)
        return misfit is None

    def _note(self, events: list[Event], misfit: str | None) -> None:
        """Keep the first of the longest runs, and why it does not fit."""
        if misfit is None or self.misfit is None or len(events) > len(self.best):
            self.best, self.misfit = events, misfit

    def _candidates(self, events: list[Event], concrete: State) -> Iterator[tuple[Event, State]]:
        """Yield the events that fit the trace after ``events``, and the concrete states after."""
        if len(events) == len(self.order):
            return
        told, state = self.order[len(events)], events[-1].after if events else self.system.initial
        if self._seen is not None:
            if (len(events), state) in self._seen:
                return
            self._seen.add((len(events), state))
        fitting, why = _follow(self.teller, (state, concrete), told)
        if not fitting:
            self._note(events, f"event {len(events) + 1}: {why}")
        yield from fitting


def _follow(
    teller: Teller, states: tuple[State, State], told: Document
) -> tuple[list[tuple[Event, State]], str]:
    """Return the events of a state that a trace can tell of, and why there is none.

    Also given is the state when nothing is forgotten; so are the states that the events lead to.
    """
    system, (state, concrete) = teller.system, states
    name, args, exact = told.get("event", "?"), told.get("args", {}), told.get("exact")
    words = f"{name}({', '.join(f'{k}={v}' for k, v in args.items())})"
    names = [a.name for a in system.actions]
    if name not in names:
        return [], f"the model has no event {name}{nearest(name, names)}"
    found: list[tuple[Event, State]] = []
    differences = []
    try:
        enabled = list(system.enabled(system.view(state), state))
    except MODEL_ERRORS as error:
        return [], f"what is possible there cannot be told: {error}"
    for action, raw in enabled:
        if system.actions[action].name != name or system.shown_args(action, raw) != args:
            continue
        if exact is not None and system.exact_args(action, raw) != exact:
            differences.append(f"its {_unlike(system.exact_args(action, raw), exact)}")
            continue
        try:
            after, outcome = system.steps[action](state, *raw)
        except MODEL_ERRORS as error:
            differences.append(f"it goes wrong: {error}")
            continue
        event = Event(action, raw, state, after, outcome)
        shown = concrete_event(system, concrete, event)
        difference = _difference(teller, shown, told)
        if exact is None and difference is not None:
            # Older traces tell of the states in which things are forgotten.
            difference = _difference(teller, event, told)
        if difference is not None:
            differences.append(difference)
        else:
            found.append((event, shown.after))
    if differences:
        return found, f"{words}: {differences[0]}"
    return found, f"{words} is not possible in this state"


def _unlike(now: Document, then: Any) -> str:
    """Return how the arguments of an event differ from those that a trace tells of."""
    for name, value in now.items():
        said = then.get(name) if isinstance(then, dict) else None
        if said != value and isinstance(value, dict) and isinstance(said, dict):
            field = next((f for f in value if said.get(f) != value[f]), "?")
            return f"{name}.{field} is {value.get(field)}, the trace says {said.get(field)}"
        if said != value:
            return f"{name} is {value}, the trace says {said}"
    return f"arguments are {now}, the trace says {then}"


def _difference(teller: Teller, event: Event, told: Document) -> str | None:
    if told.get("outcome") != event.outcome:
        return f"its outcome is {event.outcome}, the trace says {told.get('outcome')}"
    changes, _ = teller.changes(event.before, event.after)
    said = told.get("changes", changes)
    for key in [*changes, *(k for k in said if k not in changes)]:
        now, then = changes.get(key), said.get(key)
        if now != then and not (now is None and _says_nothing(then)):
            return f"{key} {_change(now)}, the trace says it {_change(then)}"
    return None


def _says_nothing(change: Any) -> bool:
    """Tell whether a trace told of a change that its words do not show, as it once did."""
    return isinstance(change, list) and len(change) == 2 and change[0] == change[1]


def _change(change: Any) -> str:
    return "does not change" if change is None else f"goes from {change[0]} to {change[1]}"


def _ending(system: System, events: list[Event], document: Document) -> str | None:
    """Return why the run does not end in the violation, or at the state, that it tells of."""
    told = document["property"]
    predicate = told.get("predicate") if told else None
    if predicate is not None and document.get("verdict") == "witness":
        holds = question(system.family, system.design, predicate).holds
        there = holds(system.view(events[-1].after if events else system.initial))
        return None if there else f"at its end this is not true: {predicate}"
    if document.get("verdict") != "violated":
        return None
    prop = system.family.properties.get(told["name"])
    if prop is None and predicate is not None:
        prop = question(system.family, system.design, predicate)
    if prop is None:
        names = system.family.properties
        return f"the model has no property {told['name']}{nearest(told['name'], names)}"
    return misfit_of(system, events, document.get("loop_start"), prop)
