"""The words of a system: its states, variables and events as people read them.

Takes a system; gives names, values, labels and whole events in the words of its model. What a run
amounts to, and what it breaks, is said in telling.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fencecheck.model.declare import Each, Lane, Variable
from fencecheck.model.declaring.assertions import FailedAssertion
from fencecheck.model.domains import Array, Bag, Domain, Record, Set
from fencecheck.model.ordinary import words
from fencecheck.model.system import State, System
from fencecheck.model.wording.fields import parameter_domains, state_fields
from fencecheck.model.wording.templates import template_of
from fencecheck.runs.event import Event
from fencecheck.runs.told.messages import PostOffice
from fencecheck.runs.told.reading import Portion
from fencecheck.runs.trace import Change, TracedEvent

Piece = tuple[str, Domain, Any]


def _flat(variable: Variable, domain: Domain, value: Any, each: bool) -> Iterator[Piece]:
    """Yield (name, domain, value) for a variable, one for each element of an array.

    A record that holds others, or arrays, is told by its parts, so that people see what changes.
    With ``each`` its owner is one of several of a kind, and element i belongs to the i-th.
    """
    if isinstance(domain, Array):
        for i, item in enumerate(value):
            yield from _pieces(flat_name(variable, domain, i, each), domain.element, item)
    else:
        yield from _pieces(flat_name(variable, domain, None, each), domain, value)


def _pieces(name: str, domain: Domain, value: Any) -> Iterator[Piece]:
    if isinstance(domain, Record) and domain.nested and not domain.in_words:
        for (field, inner), item in zip(domain.fields.items(), value, strict=True):
            yield from _pieces(f"{name}.{field}", inner, item)
    elif isinstance(domain, Array) and domain.in_record:
        for i, item in enumerate(value):
            yield from _pieces(f"{name}[{domain.label(i)}]", domain.element, item)
    else:
        yield name, domain, value


def flat_name(variable: Variable, domain: Domain, index: int | None, each: bool) -> str:
    """Return what people call a variable, or an element of it that counts from 0."""
    if index is None or not isinstance(domain, Array):
        return f"{variable.owner}.{variable.name}"
    if each:
        return f"{variable.owner} {index + 1}.{variable.name}"
    return f"{variable.owner}.{variable.name}[{domain.label(index)}]"


def _shown(pieces: Iterable[Piece]) -> dict[str, Any]:
    """Return what people see of pieces, without those that words do not tell from the default."""
    return {name: part.show(raw) for name, part, raw in pieces if _is_told(part, raw)}


def _is_told(domain: Domain, value: Any) -> bool:
    """Tell whether words show a value, or hide it behind those for the default."""
    return bool(value == domain.default or domain.show(value) != domain.show(domain.default))


class Teller:
    """Tells states and events of one system in words.

    Where the model says that an actor is several of a kind (``one_lane_each``: the actor's name,
    the bound that says how many), each has a lane: its number is the event's argument of the
    actor's name.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.domains = system.told_domains
        named = dict(zip(system.names, self.domains, strict=True))
        self.fields = state_fields(system.family.declared, named)
        self.kinds: dict[str, str] = getattr(system.family.model, "one_lane_each", {})
        self._told: dict[tuple[int, Any], dict[str, tuple[Any, Any, Variable]]] = {}

    def lanes(self) -> tuple[Lane, ...]:
        """Return the lanes of a diagram, in order."""
        lanes = []
        for lane in self.system.family.declared.lanes:
            names = [lane.name]
            if lane.name in self.kinds:
                many = getattr(self.system.sizes, self.kinds[lane.name])
                names = [f"{lane.name} {i + 1}" for i in range(many)]
            lanes += [Lane(name, lane.kind) for name in names]
        return tuple(lanes)

    def actor(self, event: Event) -> str:
        """Return the lane of whoever acts in an event."""
        actor = self.system.actions[event.action].actor
        if actor not in self.kinds:
            return actor
        return f"{actor} {self.system.shown_args(event.action, event.args)[actor]}"

    def values(self, state: State) -> dict[str, tuple[Any, Any, Variable]]:
        """Return every variable of a state as name -> (shown, raw, declaration)."""
        told: dict[str, tuple[Any, Any, Variable]] = {}
        for place, value in enumerate(state):
            told.update(self.value(place, value))
        return told

    def pieces(self, state: State) -> Iterator[tuple[Piece, Variable]]:
        """Yield every value that people read: (name, domain, raw value), and its variable."""
        for variable, domain, value in zip(self.system.variables, self.domains, state, strict=True):
            each = variable.owner in self.kinds
            for piece in _flat(variable, domain, value, each):
                yield piece, variable

    def unordered(self) -> frozenset[str]:
        """Return the names of values whose elements have no order, as people read them."""
        pieces = self.pieces(self.system.initial)
        return frozenset(name for (name, part, _), _ in pieces if isinstance(part, Bag | Set))

    def value(self, place: int, value: Any) -> dict[str, tuple[Any, Any, Variable]]:
        """Return what ``values`` tells of one value of variable number ``place``."""
        found = self._told.get((place, value))
        if found is None:
            variable, domain = self.system.variables[place], self.domains[place]
            pieces = _flat(variable, domain, value, variable.owner in self.kinds)
            found = {name: (part.show(raw), raw, variable) for name, part, raw in pieces}
            self._told[place, value] = found
        return found

    def parts(self, place: int, value: Any, part: Portion) -> dict[str, Any]:
        """Return name -> shown for a part of variable number ``place``, each element of a whole.

        A value that words do not tell from the default is left out.
        """
        variable, domain = self.system.variables[place], self.domains[place]
        each, (index, field) = variable.owner in self.kinds, part
        element: Any = getattr(domain, "element", domain)
        if index is None and field is None:
            return _shown(_flat(variable, domain, value, each))
        name = flat_name(variable, domain, index, each)
        if index is not None:
            domain, value = element, tuple(value)[index]
        if field is not None and isinstance(domain, Record):
            domain, value = domain.fields[field], getattr(value, field)
            name = f"{name}.{field}"
        return _shown(_pieces(name, domain, value))

    def hidden(self, place: int) -> frozenset[str]:
        """Return the ghost fields of the records that variable number ``place`` holds."""
        domain: Any = self.domains[place]
        return getattr(getattr(domain, "element", domain), "ghosts", frozenset())

    def initial(self, state: State) -> dict[str, Any]:
        """Return the initial values that people see: no ghosts, budgets included."""
        return {n: shown for n, (shown, _, v) in self.values(state).items() if not v.ghost}

    def silent(self) -> frozenset[str]:
        """Return the variables whose changes are told by arrows, or not at all."""
        values = self.values(self.system.initial)
        return frozenset(n for n, (_, _, v) in values.items() if v.messages or not v.told)

    def changes(self, before: State, after: State) -> tuple[dict[str, Change], dict[str, Change]]:
        """Return what an event changed, and which ghosts, by the variables' names.

        A change that words do not show is left out.
        """
        plain: dict[str, Change] = {}
        ghosts: dict[str, Change] = {}
        for variable, domain, old, new in zip(
            self.system.variables, self.domains, before, after, strict=True
        ):
            if old == new:
                continue
            each = variable.owner in self.kinds
            were = {name: (part, raw) for name, part, raw in _flat(variable, domain, old, each)}
            for name, part, raw in _flat(variable, domain, new, each):
                part_before, raw_before = were[name]
                if raw != raw_before and (now := part.show(raw)) != (
                    was := part_before.show(raw_before)
                ):
                    (ghosts if variable.ghost else plain)[name] = Change(was, now)
        return plain, ghosts

    def known(self, event: Event) -> dict[str, tuple[Any, Any]]:
        """Return what words can name of an event: its arguments, and ``s``, the state before."""
        return {**self.arguments(event), "s": (self.fields, self.system.view(event.before))}

    def arguments(self, event: Event) -> dict[str, tuple[Any, Any]]:
        """Return the arguments of an event with their domains, by the parameters' names."""
        domains = dict(zip(self.system.names, self.domains, strict=True))
        params = parameter_domains(self.system.actions[event.action], domains)
        sizes = self.system.sizes
        return {
            name: (domain.resolve(sizes), value)
            for (name, domain), value in zip(params.items(), event.args, strict=True)
        }

    def label(self, event: Event) -> str:
        """Return the words for an event's box: verb, what it is about, outcome."""
        action = self.system.actions[event.action]
        view = self.system.view(event.before)
        label = action.labelled(view, event.args, self.known(event))
        if label is not None:
            return label
        told = [action.verb.replace("_", " ")]
        for (_, param), value in zip(action.params.items(), event.args, strict=True):
            if isinstance(param, Each):
                domain: Any = self.domains[self.system.place[param.variable]]
                shown = domain.element.fields if param.args else {}
                told += [str(shown[f].show(getattr(value, f))) for f in param.args]
                told += [] if param.args else [str(domain.element.show(value))]
            else:
                told.append(str(param.resolve(self.system.sizes).show(value)))
        outcome = self.outcome(event)
        return " ".join(told) + (f": {outcome}" if outcome else "")

    def outcome(self, event: Event) -> Any:
        """Return the outcome of an event; what a failed assertion says is filled in."""
        if not isinstance(event.outcome, FailedAssertion):
            return event.outcome
        what = f"assertion of {self.system.actions[event.action].name}"
        return words(what, template_of(what, event.outcome).text, what, self.known(event))

    def remark(self, event: Event) -> str | None:
        """Return the model's remark on what an event compared, if it makes one."""
        action = self.system.actions[event.action]
        return action.remarked(self.system.view(event.before), event.args, self.known(event))

    def events(self, concrete: Sequence[Event]) -> tuple[TracedEvent, ...]:
        """Return the events of a concrete run from its start, told one by one."""
        office = PostOffice(self.system, self.domains)
        return tuple(self._event(event, office) for event in concrete)

    def _event(self, event: Event, office: PostOffice) -> TracedEvent:
        action = self.system.actions[event.action]
        changes, ghosts = self.changes(event.before, event.after)
        mail = office.event(event)
        return TracedEvent(
            name=action.name,
            actor=self.actor(event),
            interference=action.interference,
            args=self.system.shown_args(event.action, event.args),
            outcome=self.outcome(event),
            label=self.label(event),
            quiet=action.quiet,
            sends=mail.sends,
            takes=mail.takes,
            copies=mail.copies,
            changes=changes,
            ghosts=ghosts,
            remark=self.remark(event),
        )
