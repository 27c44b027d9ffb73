"""A model's own functions executed by hand: values, containers and events for the third judge.

Shares no code with the engines: containers at rest and in effects are made here, and hold what a
domain holds; an event is executed on copies.
"""

from __future__ import annotations

import functools
import itertools
from bisect import insort
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from fencecheck.model.declare import Action, Alternative, Each, Forgetting, Start
from fencecheck.model.domains import Array, Bag, Domain, Index, Record, Seq, Set
from fencecheck.model.family import Family
from fencecheck.model.held.in_place import changing_by

State = tuple[Any, ...]


class WentWrong(Exception):
    """A function of the model raised, or left a value outside its domain."""


# -- values ---------------------------------------------------------------------------------------
def _same(held: Any, other: Any) -> bool:
    if isinstance(other, set | frozenset):
        return frozenset(held) == other
    return isinstance(other, list | tuple) and list(held) == list(other)


def _ascends(value: Any) -> Any:
    """Return what elements are sorted by: nothing comes before every index."""
    if isinstance(value, tuple):
        return tuple(map(_ascends, value))
    return value is not None, 0 if value is None else value


def _place(names: tuple[str, ...], index: Any) -> Any:
    """Return where an element stands: arrays are read by number from 0, or by name."""
    if names:
        return {name: place for place, name in enumerate(names)}[index]
    if isinstance(index, int) and index < 0:
        raise IndexError(index)
    return index


def _names(domain: Any) -> tuple[str, ...]:
    return getattr(getattr(domain, "index", None), "names", ())


def _operator(name: str) -> Any:
    def operate(self: Any, other: Any) -> Any:
        if not isinstance(other, set | frozenset | Row | Box):
            return NotImplemented
        return getattr(frozenset, name)(frozenset(self), frozenset(other))

    return operate


class Members:
    """What can be asked of a set."""

    __or__ = __ror__ = union = _operator("__or__")
    __and__ = __rand__ = intersection = _operator("__and__")
    __xor__ = __rxor__ = symmetric_difference = _operator("__xor__")
    __sub__ = difference = _operator("__sub__")
    __rsub__ = _operator("__rsub__")
    __le__ = issubset = _operator("__le__")
    __ge__ = issuperset = _operator("__ge__")
    __lt__, __gt__ = _operator("__lt__"), _operator("__gt__")

    def isdisjoint(self: Any, other: Any) -> bool:
        return not frozenset(self) & frozenset(other)

    def copy(self: Any) -> Any:
        return frozenset(self)


class Row(Members, tuple[Any, ...]):
    """A container at rest: equal to whatever has the same content; no negative index."""

    names: tuple[str, ...] = ()

    def __getitem__(self, index: Any) -> Any:
        return tuple.__getitem__(self, _place(self.names, index))

    def __eq__(self, other: object) -> bool:
        return _same(self, other)

    def __ne__(self, other: object) -> bool:
        return not _same(self, other)

    __hash__ = tuple.__hash__


def _has_parts(value: Any) -> bool:
    """Tell whether a value is a record or an array in one, whose parts can be set in place."""
    return isinstance(value, tuple) and getattr(value, "_fields", None) != ("tag", "held")


def _parts_of(value: Any) -> dict[Any, Any]:
    names = getattr(value, "_fields", None) or getattr(value, "places", None) or range(len(value))
    return dict(zip(names, tuple.__iter__(value), strict=True))


def _with_parts(value: Any, parts: Any) -> Any:
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)


def _as_held(old: Any, value: Any) -> Any:
    """Return a value as a record holds it where ``old`` stood: an array as the same kind of row."""
    if not _has_parts(old) or hasattr(old, "_fields"):
        return value
    return type(old)(_as_held(next(iter(old)), item) for item in value)


def _place_in(get: Any, put: Any, part: Any) -> tuple[Any, Any]:
    """Return what reads a part of what ``get`` gives, and what puts another one there."""

    def write(value: Any) -> None:
        now = _parts_of(get())
        put(_with_parts(get(), {**now, part: _as_held(now[part], value)}.values()))

    return (lambda: _parts_of(get())[part]), write


class Read:
    """The records that an effect has read, and how to put another one where each was."""

    known: list[tuple[Any, Any, Any]]

    def __init__(self) -> None:
        self.known = []

    def copied(self, held: Any, get: Any, put: Any) -> Any:
        parts = [
            self.copied(item, *_place_in(get, put, part)) if _has_parts(item) else item
            for part, item in _parts_of(held).items()
        ]
        copy = _with_parts(held, parts)
        self.known.append((copy, get, put))
        return copy

    def __call__(self, holder: Any, part: Any, value: Any) -> None:
        for copy, get, put in self.known:
            if copy is holder:
                _place_in(get, put, part)[1](value)


class Box(Members, list[Any]):
    """A container in an effect."""

    domain: Any
    read: Read

    def __getitem__(self, index: Any) -> Any:
        place = _place(_names(self.domain), index)
        item = list.__getitem__(self, place)
        if not isinstance(self.domain.element, Record):
            return item
        get = functools.partial(list.__getitem__, self, place)
        return self.read.copied(item, get, functools.partial(self.__setitem__, index))

    def __setitem__(self, index: Any, value: Any) -> None:
        index = _place(_names(self.domain), index)
        if isinstance(self.domain, Seq) and not self.domain.element.contains(value):
            raise WentWrong(f"{value} does not belong there")
        list.__setitem__(self, index, _renewed(self.domain.element, value))

    def __eq__(self, other: object) -> bool:
        return _same(self, other)

    def __ne__(self, other: object) -> bool:
        return not _same(self, other)

    __hash__ = None

    def _admit(self, element: Any) -> None:
        if not self.domain.element.contains(element):
            raise WentWrong(f"{element} does not belong there")
        if isinstance(self.domain, Bag) and len(self) >= self.domain.capacity:
            raise WentWrong("full")

    def add(self, element: Any) -> None:
        self._admit(element)
        if not (isinstance(self.domain, Set) and element in self):
            insort(self, element, key=_ascends)

    def append(self, element: Any) -> None:
        self._admit(element)
        list.append(self, element)

    def discard(self, element: Any) -> None:
        if element in self:
            list.remove(self, element)

    def insert(self, index: Any, element: Any) -> None:
        if not isinstance(self.domain, Seq):
            return list.insert(self, index, element)
        if not 0 <= index <= len(self):
            raise WentWrong(f"no place {index}")
        self._admit(element)
        list.insert(self, index, element)

    def pop(self, index: Any = None) -> Any:
        if index is not None and index < 0:
            raise IndexError(index)
        return list.pop(self, len(self) - 1 if index is None else index)

    def change(self, element: Any, **fields: Any) -> None:
        place = list.index(self, element)
        list.pop(self, place)
        if isinstance(self.domain, Seq):
            self.insert(place, element._replace(**fields))
        else:
            self.add(element._replace(**fields))


def _melted(domain: Domain, value: Any) -> Any:
    if isinstance(domain, Array):
        box = Box(_melted(domain.element, item) for item in value)
    elif isinstance(domain, Set | Bag):
        box = Box(value)
    else:
        return value
    box.domain = domain
    return box


def _renewed(domain: Domain, value: Any) -> Any:
    """Return what is assigned as it is worked on: new content is held to its domain at once."""
    if not isinstance(domain, Set | Bag):
        return value
    box = Box()
    box.domain = domain
    for element in value:
        box.add(element)
    return box


class Look(SimpleNamespace):
    """A state as functions read it: by attributes, or by names (``s[name]``)."""

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)


class Working(Look):
    """A state in an effect."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if not isinstance(super().__getattribute__("domains").get(name), Record):
            return value
        put = functools.partial(self.__setattr__, name)
        return self.read.copied(value, lambda: super(Working, self).__getattribute__(name), put)

    def __setattr__(self, name: str, value: Any) -> None:
        domain = self.domains.get(name)
        super().__setattr__(name, value if domain is None else _renewed(domain, value))


def _at_rest(domain: Domain, value: Any) -> Any:
    if isinstance(domain, Array):
        row = Row(_at_rest(domain.element, item) for item in value)
        row.names = _names(domain)
        return row
    if isinstance(domain, Set):
        return Row(sorted(set(value), key=_ascends))
    if isinstance(domain, Seq):
        return Row(value)
    return Row(sorted(value, key=_ascends)) if isinstance(domain, Bag) else value


def _guards(guard: Any) -> list[tuple[tuple[Any, ...], bool]]:
    """Return what decides whether an action is possible, and the truth that each must have."""
    if not isinstance(guard, Alternative):
        return [] if guard is None else [((guard,), True)]
    earlier = [(others, False) for others in guard.earlier]
    return [*_guards(guard.group), *earlier, *(((own,), True) for own in guard.own)]


# -- what can happen ------------------------------------------------------------------------------
class Machine:
    """One design of a model, executed by hand."""

    def __init__(self, family: Family, mechanisms: Any, bounds: Any) -> None:
        self.family = family
        self.design = family.design(mechanisms, bounds)
        self.sizes = self.design.sizes
        self.names = [v.name for v in family.declared.variables]
        self.domains = [v.domain.resolve(self.sizes) for v in family.declared.variables]
        self.constants = {**self.design.mechanisms, **self.design.bounds, "k": self.sizes}
        declared = tuple(
            _at_rest(d, self._start(v.initial, d))
            for v, d in zip(family.declared.variables, self.domains, strict=True)
        )
        self.initials = list(self._begun(declared))

    def _start(self, initial: Any, domain: Any) -> Any:
        initial = initial(self.sizes) if callable(initial) else initial
        return domain.default if initial is None else initial

    def _begun(self, state: State) -> dict[State, None]:
        """Return the initial states: what each start makes of every state before it."""
        states = {state: None}
        for start in self.family.declared.starts:
            found: dict[State, None] = {}
            for before, args in itertools.product(states, self._choices(start, state)):
                if start.guard is None or start.guard(self.view(before), *args):
                    found[self._executed(before, start.function, None, args)] = None
            states = found
        return states

    def view(self, state: State) -> SimpleNamespace:
        """Return a state as guards and properties read it."""
        return Look(**{**self.constants, **dict(zip(self.names, state, strict=True))})

    def _choices(
        self, action: Action | Start | Forgetting, state: State
    ) -> Iterator[tuple[Any, ...]]:
        ways = []
        for param in action.params.values():
            if isinstance(param, Each):
                ways.append(list(dict.fromkeys(state[self.names.index(param.variable)])))
            else:
                domain: Any = param.resolve(self.sizes)
                ways.append([domain.value(rank) for rank in range(domain.count)])
        return itertools.product(*ways)

    def enabled(self, state: State) -> list[tuple[Action, tuple[Any, ...]]]:
        """Return what can happen in a state."""
        view, found = self.view(state), []
        for action in self.family.declared.actions:
            if action.budget is None or getattr(view, action.budget) > 0:
                for args in self._choices(action, state):
                    if all(
                        all(asked(view, *args) for asked in together) == wanted
                        for together, wanted in _guards(action.guard)
                    ):
                        found.append((action, args))
        return found

    def after(self, state: State, action: Action, args: tuple[Any, ...]) -> State:
        """Execute one event."""
        return self._executed(state, action.effect, action.budget, args, cleaned=True)

    def _executed(
        self, state: State, effect: Any, budget: str | None, args: Any, *, cleaned: bool = False
    ) -> State:
        read = Box.read = Read()
        melted = [_melted(d, v) for d, v in zip(self.domains, state, strict=True)]
        domains = dict(zip(self.names, self.domains, strict=True))
        s = Working(domains={}, read=read)
        vars(s).update(vars(self.view(tuple(melted))), domains=domains)
        if budget is not None:
            setattr(s, budget, getattr(s, budget) - 1)
        with changing_by(read):
            effect(s, *args)
            for forgetting in self.family.declared.forgets if cleaned else ():
                if forgetting.always:
                    for chosen in self._choices(forgetting, ()):
                        forgetting.function(s, *chosen)
        left = [getattr(s, name) for name in self.names]
        rest = tuple(_at_rest(d, v) for d, v in zip(self.domains, left, strict=True))
        for domain, value in zip(self.domains, rest, strict=True):
            if not domain.contains(value):
                raise WentWrong(f"{value} is not {domain.describe()}")
        return rest

    def fair_class(self, action: Action, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the class of fairness of an event: its name and the arguments that count."""
        told = []
        for (name, param), value in zip(action.params.items(), args, strict=True):
            domain: Any = param
            if isinstance(param, Each):
                held: Any = self.domains[self.names.index(param.variable)]
                domain = held.element
            if isinstance(param, Each) and param.args:
                told += [(f, domain.fields[f], getattr(value, f)) for f in param.args]
            else:
                told.append((name, domain, value))
        by = action.fair_by
        counts = [(n, v) for n, d, v in told if (isinstance(d, Index) if by is None else n in by)]
        return (action.name, *counts)
