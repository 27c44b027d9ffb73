"""How a model includes a part: without some events, or with stronger guards; what parts need.

The part itself stays as it is, since another model may include it otherwise. Takes what parts
declare and how they are included, gives the actions of the model; raises ModelError, with the
place of the ``include``, for an event that is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, get_args

from fencecheck.errors import ModelError, nearest
from fencecheck.model.declare import Action, Alternative, Declared
from fencecheck.model.property import Function

Need = Literal["bound", "budget", "variable", "mechanism", "actor", "event"]
NEEDS: tuple[str, ...] = get_args(Need)
_TO_WRITE: dict[str, str] = {
    "bound": 'model.bound("{name}", 2, "...")',
    "budget": 'model.budget("{name}", "...")',
    "variable": 'model.variable("{name}", ...)',
    "mechanism": 'model.mechanism("{name}", (...), ...)',
    "actor": 'model.actor("{name}")',
    "event": "an action of that name",
}


@dataclass(frozen=True)
class Needed:
    """What a part expects others to declare: a kind of declaration, and its name."""

    kind: str
    name: str
    place: str


@dataclass(frozen=True)
class Inclusion:
    """Events and properties that a part is included without, and stronger guards of events."""

    part: Any
    without: tuple[str, ...]
    guards: Mapping[str, Function]
    place: str


class Including(Protocol):
    """A part, as far as it includes others and needs what they declare."""

    @property
    def name(self) -> str:
        """Return its name."""

    @property
    def inclusions(self) -> list[Inclusion]:
        """Return how it includes parts, where that is not as they are."""

    @property
    def needed(self) -> list[Needed]:
        """Return what it expects others to declare."""


def adapt(parts: Iterable[Including], declared: Declared) -> None:
    """Change what all parts of a model declare to what they are included as.

    A budget goes with the last event that it was for.
    """
    dropped = set[str]()
    for part in parts:
        for inclusion in part.inclusions:
            _check(part.name, inclusion)
            dropped |= set(inclusion.without)
            declared.actions = [_guarded(a, inclusion.guards) for a in declared.actions]
    declared.properties = [p for p in declared.properties if p.name not in dropped]
    gone = {a.budget for a in declared.actions if a.name in dropped}
    declared.actions = [a for a in declared.actions if a.name not in dropped]
    gone -= {a.budget for a in declared.actions}
    declared.bounds = [b for b in declared.bounds if not (b.budget and b.name in gone)]
    declared.variables = [v for v in declared.variables if not (v.budget and v.name in gone)]


def _check(includes: str, inclusion: Inclusion) -> None:
    """Refuse names that the part, and what it includes, do not have."""
    declared = [part.declared for part in inclusion.part.and_included()]
    events = [action.name for d in declared for action in d.actions]
    properties = [prop.name for d in declared for prop in d.properties]
    asked = [("event", name, events) for name in inclusion.guards]
    asked += [("event or property", name, [*events, *properties]) for name in inclusion.without]
    for kind, name, known in asked:
        if name not in known:
            raise ModelError(
                f"{inclusion.place}{includes}: include: part {inclusion.part.name} has no {kind} "
                f"{name!r}{nearest(name, known) or _there_is(known)}"
            )


def _guarded(action: Action, guards: Mapping[str, Function]) -> Action:
    """Return an action with what a model adds to its guard, if that is anything."""
    added = guards.get(action.name)
    if added is None:
        return action
    return replace(action, guard=Alternative(action.guard, (), (added,), ()))


def check_needs(model: str, parts: Iterable[Including], declared: Declared) -> None:
    """Raise ModelError for what parts need and nobody declares: all of it, and what to write."""
    there: dict[str, set[str]] = {
        "bound": {b.name for b in declared.bounds if not b.budget},
        "budget": {b.name for b in declared.bounds if b.budget},
        "variable": {v.name for v in declared.variables if not v.budget},
        "mechanism": {m.name for m in declared.mechanisms},
        "actor": {lane.name for lane in declared.lanes},
        "event": {a.name for a in declared.actions},
    }
    missing = [
        (part.name, need)
        for part in parts
        for need in part.needed
        if need.name not in there[need.kind]
    ]
    if missing:
        said = [
            f"part {part} needs {need.kind} {need.name}: write "
            f"{_TO_WRITE[need.kind].format(name=need.name)}"
            for part, need in missing
        ]
        raise ModelError(f"{missing[0][1].place}model {model}: {'; '.join(said)}")


def _there_is(names: list[str]) -> str:
    return f"; it has {', '.join(names) or 'none'}"
