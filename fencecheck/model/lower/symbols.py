"""What names stand for while a function is lowered: numbers, records, places in the state.

A ``Num`` is one scalar node with its type; a ``Text`` is a string literal that still waits for
the Enum it belongs to; a ``Rec`` is a record of Nums; a ``Place`` is a variable or a part of one,
with one alternative for each value a computed index may have; a ``View`` is the state argument.
``ghosts`` are the ghost variables a value depends on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from fencecheck.model.domains import Domain, Enum, OneOf, Record
from fencecheck.model.lower.dag import Node

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Num:
    """A bool (``node.truth``), an int, or the rank of a name of ``enum``.

    With ``one_of`` it is the rank of a tagged value. An int that is ``optional`` may be None, which
    is -1; ``is_none`` is the literal.
    """

    node: Node
    enum: Enum | None = None
    ghosts: frozenset[str] = NONE
    optional: bool = False
    is_none: bool = False
    one_of: OneOf | None = None

    @property
    def kind(self) -> str:
        """Return bool, int, enum or tagged."""
        if self.one_of is not None:
            return "tagged"
        return "enum" if self.enum else "bool" if self.node.truth else "int"


@dataclass(frozen=True)
class Text:
    """One of several string literals; the first whose condition holds."""

    options: tuple[tuple[Node, str], ...]
    ghosts: frozenset[str] = NONE


@dataclass(frozen=True)
class Rec:
    """A record's fields; ``slot`` is its packed form while it is exactly a bag's element."""

    record: Record
    fields: dict[str, Num]
    slot: Node | None = None

    @property
    def ghosts(self) -> frozenset[str]:
        """Return what the record as a whole depends on."""
        return frozenset().union(*(f.ghosts for f in self.fields.values()))


@dataclass(frozen=True)
class View:
    """The state argument of a function: 0 is the state before, 1 the state after."""

    index: int
    writable: bool = False


@dataclass(frozen=True)
class Place:
    """A variable or part of one; ``alternatives`` are (condition, path), disjoint.

    ``renewed`` is how often its variable had been assigned as a whole when it was named.
    """

    view: View
    domain: Domain
    alternatives: tuple[tuple[Node, str], ...]
    ghosts: frozenset[str] = NONE
    ghost: bool = False
    name: str = ""
    renewed: int = 0


@dataclass(frozen=True)
class Items:
    """Something to iterate over: (present, value) pairs, in an order unless it is a set's."""

    pairs: tuple[tuple[Node, Any], ...]
    ghosts: frozenset[str] = NONE
    place: Place | None = None
    ordered: bool = True


@dataclass(frozen=True)
class Missing:
    """A name that has a value on some paths only, or the value of a bare return."""

    why: str


@dataclass(frozen=True)
class Wrong(Missing):
    """A name whose value is not known, since the statement that sets it was refused."""


@dataclass
class Frame:
    """One function being executed: its locals, whether it still runs, what it returned.

    ``result`` is None until a return is met; a bare return leaves a Missing.
    """

    function: str
    file: str
    globals: dict[str, Any]
    locals: dict[str, Any]
    base: Node
    live: Node
    result: Any = None
    ghosts: frozenset[str] = NONE
    iterating: list[str] = field(default_factory=list)


def mark(value: Any, ghosts: frozenset[str]) -> Any:
    """Return a symbol that depends on ``ghosts`` as well."""
    if isinstance(value, Rec):
        return replace(value, fields={f: mark(v, ghosts) for f, v in value.fields.items()})
    if ghosts and isinstance(value, Num | Text | Place | Items):
        return replace(value, ghosts=value.ghosts | ghosts)
    return value
