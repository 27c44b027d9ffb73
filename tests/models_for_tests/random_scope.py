"""What a piece of a model by chance can name: variables and their parts, locals, helpers."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Type:
    """A domain: ``kind`` and what it is made of; ``text`` is how a model declares it."""

    kind: str
    text: str
    element: Type | None = None
    fields: tuple[tuple[str, Type], ...] = ()
    name: str = ""
    low: int = 0
    high: int = 0
    names: tuple[str, ...] = ()


@dataclass
class Function:
    """A helper function: ``takes`` the state and these types, gives ``returns``.

    ``touches`` are the variables that it names, itself or through other helpers. ``spare`` says
    that the last parameter has a default.
    """

    name: str
    takes: tuple[Type, ...]
    returns: Type
    changes: bool
    touches: frozenset[str] = frozenset()
    spare: bool = False


@dataclass
class Scope:
    """What a piece of text can name: variables and locals with their types, helper functions."""

    variables: dict[str, Type]
    functions: list[Function] = field(default_factory=list)
    locals: dict[str, Type] = field(default_factory=dict)
    records: list[Type] = field(default_factory=list)
    names: tuple[str, ...] = ()
    others: dict[str, str] = field(default_factory=dict)


INT = Type("int", "Int(-2, 3)", low=-2, high=3)
BOOL = Type("bool", "Bool()")
MAYBE = Type("maybe", 'Maybe(I, "none")', high=1)
SCALARS = ("int", "bool", "enum", "maybe", "tagged")


class Named:
    """Something written by chance; ``view`` is the name of the state."""

    def __init__(
        self, chance: random.Random, scope: Scope, view: str = "s", *, effects: bool = False
    ) -> None:
        self.chance, self.scope, self.view, self.effects = chance, scope, view, effects
        self.locked: set[str] = set()
        self.fresh = 0

    def pick(self, *options: object) -> str:
        """Return one of some texts."""
        return str(self.chance.choice(options))

    def percent(self, share: int) -> bool:
        """Return true in ``share`` of a hundred cases."""
        return self.chance.randrange(100) < share

    def places(self, kind: str) -> list[tuple[str, Type]]:
        """Return the variables of a kind as (text, type)."""
        found = self.scope.variables.items()
        return [(f"{self.view}.{name}", t) for name, t in found if t.kind == kind]

    def optional(self) -> list[str]:
        """Return what may be None."""
        return [text for text, t in self.readable() if t.kind == "maybe"]

    def readable(self) -> list[tuple[str, Type]]:
        """Return variables, elements at fixed places and fields, with their types."""
        found: list[tuple[str, Type]] = []
        for name, t in self.scope.variables.items():
            found.append((f"{self.view}.{name}", t))
        for text, t in list(found):
            if t.kind in ("array", "named"):
                found.append((f"{text}[{self.fixed(t)}]", t.element or t))
        found += self.scope.locals.items()
        fields = [
            (f"{text}.{f}", d) for text, t in found if t.kind == "record" for f, d in t.fields
        ]
        for text, t in fields:  # of records in records, and arrays in them
            fields += [(f"{text}.{f}", d) for f, d in t.fields if t.kind == "record"]
            if t.kind in ("array", "named") and t.element is not None:
                fields.append((f"{text}[{self.fixed(t)}]", t.element))
        return [*found, *fields]

    def fixed(self, t: Type) -> str:
        """Return an index of an array that is a constant."""
        return repr(self.chance.choice(t.names or (0, 1)))

    def named(self) -> bool:
        """Tell whether there is any name to be read."""
        return any(t.kind == "enum" for _, t in self.readable())

    def container(self, wanted: Type) -> str:
        """Return a container of exactly this type."""
        found = [text for text, t in self.readable() if t == wanted]
        return self.pick(*found)

    def held(self) -> tuple[str, Type]:
        """Return something to iterate over, with the type of its elements."""
        found = [(text, t) for text, t in self.readable() if t.element is not None]
        text, t = self.chance.choice(found)
        assert t.element is not None
        return text, t.element

    def variable_of(self, wanted: Type) -> str:
        """Return something of a type that is no literal."""
        return self.pick(*(text for text, t in self.readable() if alike(t, wanted)))


def alike(a: Type, b: Type) -> bool:
    """Tell whether a value of one type can stand where another is wanted."""
    if a.kind == "record" or b.kind == "record" or a.element or b.element:
        return a == b
    return a.kind == b.kind
