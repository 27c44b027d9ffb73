"""The notation of scripted orders: ``client.dispatch(1)``, ``human.edit(file=1)``, ``executor(2)``.

An event is named with its arguments, in the order in which people see them or by name; an event
without arguments needs no parentheses. ``executor(2)`` leaves open which event it is: what that
actor does about its first argument 2 (``executor``: whatever it does), up to the next event that
has an outcome. ``worker.commit(1, 1)?`` happens where it is possible and is left out elsewhere, so
that one order fits designs of which only some have that event. Where several events look alike
and lead to different states, what tells them apart is named as well, be it a field that people do
not see otherwise: ``client.receive(1, answer=applied)``. Orders are read and compared here;
analysis/compare/scenario.py runs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.errors import not_among
from fencecheck.model.declare import Action, Each
from fencecheck.model.family import Family

_CALL = re.compile(r"\s*([A-Za-z_][\w.]*)\s*(?:\(([^()]*)\))?\s*(?P<optional>\?)?\s*")


class OrderError(ValueError):
    """A call that is not in the notation, or that names what the model does not have."""


@dataclass(frozen=True)
class Call:
    """One entry of an order: an event (``name`` has a dot) or an actor, and its arguments.

    An ``optional`` one is left out where it is not possible.
    """

    name: str
    args: tuple[str, ...] = ()
    named: tuple[tuple[str, str], ...] = ()
    optional: bool = False

    @property
    def is_event(self) -> bool:
        """Tell whether it names one event rather than an actor."""
        return "." in self.name

    def fits(self, action: Action, shown: Mapping[str, Any], exact: Mapping[str, Any]) -> bool:
        """Tell whether it speaks of the event of ``action`` with these arguments.

        ``shown`` are those that people see, ``exact`` all of them with all their fields.
        """
        if self.name != (action.name if self.is_event else action.actor):
            return False
        values = [str(value) for value in shown.values()]
        if list(self.args) != values[: len(self.args)]:
            return False
        known = (fields_of(exact), shown)
        return all(
            any(name in fields and value in _texts(fields[name]) for fields in known)
            for name, value in self.named
        )


def fields_of(exact: Mapping[str, Any]) -> dict[str, Any]:
    """Return every argument of an event that can be named, those of records by their fields."""
    fields: dict[str, Any] = {}
    for name, value in exact.items():
        fields.update(value if isinstance(value, dict) else {name: value})
    return fields


def told_apart(name: str, exact: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of events that look alike (``receive(1)``), each with what tells it apart.

    ``exact`` are the arguments of each, whole.
    """
    known = [fields_of(arguments) for arguments in exact]
    telling = [field for field in known[0] if len({fields[field] for fields in known}) > 1]
    start = f"{name[:-1]}, " if name.endswith(")") else f"{name}("
    return [
        f"{start}{', '.join(f'{field}={written(fields[field])}' for field in telling)})"
        for fields in known
    ]


def written(value: Any) -> str:
    """Return the value of an argument as an order names it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _texts(value: Any) -> tuple[str, str]:
    return str(value), written(value)


def parse(text: str) -> Call:
    """Read one entry of an order; raises OrderError if it is not in the notation."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise OrderError(f'"{text}" is not an event; write actor.verb(argument) or actor(argument)')
    args, named = list[str](), list[tuple[str, str]]()
    for part in (match[2] or "").split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if equals:
            named.append((key, value))
        elif key:
            args.append(key)
    return Call(match[1], tuple(args), tuple(named), bool(match["optional"]))


def check_call(family: Family, text: str, *, ask: bool = False) -> None:
    """Raise OrderError where an entry names an event, actor or argument the model lacks.

    What is asked (``ask``) is an actor: which of its events comes is the question.
    """
    call = parse(text)
    actions = family.declared.actions
    if ask and call.is_event:
        raise OrderError(f'"{text}" is an event; write the actor that is asked, as in executor(1)')
    if ask and call.optional:
        raise OrderError(f'"{text}": what is asked must answer; leave out the "?"')
    if not call.is_event:
        chosen = [a for a in actions if a.actor == call.name]
        _known(call.name, dict.fromkeys(a.actor for a in actions), chosen)
        if not any(_takes(family, action, call) for action in chosen):
            raise OrderError(f'"{text}": no event of {call.name} has such arguments')
        return
    chosen = [a for a in actions if a.name == call.name]
    _known(call.name, [a.name for a in actions], chosen)
    names = parameters(chosen[0])
    given = [*names[: len(call.args)], *(name for name, _ in call.named)]
    if not set(names) <= set(given) or not _takes(family, chosen[0], call):
        raise OrderError(f'"{text}": write {call.name}{_listed(names)}')


def parameters(action: Action) -> list[str]:
    """Return the names of an event's arguments as people see them."""
    names: list[str] = []
    for name, param in action.params.items():
        names += (param.args or [name]) if isinstance(param, Each) else [name]
    return names


def nameable(family: Family, action: Action) -> list[str]:
    """Return all that can be named of an event: its arguments as people see them, then fields."""
    return [*parameters(action), *_hidden(family, action)]


def _takes(family: Family, action: Action, call: Call) -> bool:
    """Tell whether an event has the arguments, or the fields of them, that a call names."""
    known = nameable(family, action)
    return len(call.args) <= len(parameters(action)) and all(n in known for n, _ in call.named)


def _hidden(family: Family, action: Action) -> list[str]:
    """Return the fields of an event's arguments that people do not see as arguments."""
    domains: dict[str, Any] = {v.name: v.domain for v in family.declared.variables}
    hidden: list[str] = []
    for param in action.params.values():
        if isinstance(param, Each):
            fields = getattr(domains[param.variable].element, "fields", {})
            hidden += [field for field in fields if field not in param.args]
    return hidden


def _known(name: str, allowed: Iterable[str], chosen: list[Action]) -> None:
    if not chosen:
        names = list(allowed)
        raise OrderError(f'"{name}" {not_among(name, names)}')


def _listed(names: list[str]) -> str:
    return f"({', '.join(names)})" if names else " without arguments"
