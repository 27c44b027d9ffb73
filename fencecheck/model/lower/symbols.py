"""What names stand for while a function is lowered: numbers, records, places in the state.

A ``Num`` is one scalar node with its type; a ``Text`` is a string literal that still waits for
the Enum it belongs to; a ``Rec`` is a record of Nums; a ``Place`` is a variable or a part of one,
with one alternative for each value a computed index may have; a ``View`` is the state argument.
``ghosts`` are the ghost variables a value depends on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from fencecheck.model.domains import Array, Domain, Enum, OneOf, Record, Set
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
    """One of several string literals, each once: that whose condition holds, which one does."""

    options: tuple[tuple[Node, str], ...]
    ghosts: frozenset[str] = NONE


@dataclass(frozen=True)
class Rec:
    """A record's fields, each a Num, Rec or Vector.

    ``slot`` is its packed form while it is exactly a bag's element.
    """

    record: Record
    fields: dict[str, Any]
    slot: Node | None = None

    @property
    def ghosts(self) -> frozenset[str]:
        """Return what the record as a whole depends on."""
        return frozenset().union(*(f.ghosts for f in self.fields.values()))


@dataclass(frozen=True)
class Vector:
    """An array as a value, as a record holds it: its elements, each a Num, Rec or Vector."""

    array: Array
    items: tuple[Any, ...]

    @property
    def ghosts(self) -> frozenset[str]:
        """Return what the array as a whole depends on."""
        return frozenset().union(*(item.ghosts for item in self.items))


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

    @property
    def in_record(self) -> bool:
        """Tell whether it is part of a record, which is a value as a whole."""
        return "." in self.name


@dataclass(frozen=True)
class SeqSlot:
    """An element of a sequence, or a part of it, as a place to be assigned.

    ``path`` leads to the part: names of fields and indices of arrays.
    """

    seq: Place
    index: Num
    path: tuple[str | Num, ...] = ()


def root_of(name: str) -> str:
    """Return the variable to which a place belongs, by the place's name."""
    return name.partition(".")[0]


@dataclass(frozen=True)
class Items:
    """Something to iterate over: (present, value) pairs, in an order unless it is a set's."""

    pairs: tuple[tuple[Node, Any], ...]
    ghosts: frozenset[str] = NONE
    place: Place | None = None
    ordered: bool = True


def is_set(value: Any) -> bool:
    """Tell whether a symbol is a set: of the state, written out, or given by an operator."""
    if isinstance(value, Place):
        return isinstance(value.domain, Set)
    return isinstance(value, Items) and not value.ordered


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

    ``live`` are the paths that execute what comes next; ``returned`` and, of the innermost loop
    with jumps, ``broken`` those that will not come back. ``result`` is None until a return is met;
    a bare return leaves a Missing. Ghosts decide what is executed at all (``ghosts``), until the
    loop is over (``loop_ghosts``) or this time round (``turn_ghosts``). Names that are ``unset``
    where a jump leaves have no value behind it.
    """

    function: str
    file: str
    globals: dict[str, Any]
    locals: dict[str, Any]
    base: Node
    live: Node
    returned: Node
    broken: Node
    result: Any = None
    ghosts: frozenset[str] = NONE
    iterating: list[str] = field(default_factory=list)
    loops: int = 0
    jumps: int = 0
    turn_ghosts: frozenset[str] = NONE
    loop_ghosts: frozenset[str] = NONE
    unset: set[str] = field(default_factory=set)
    unset_after: set[str] = field(default_factory=set)

    @property
    def tainted(self) -> frozenset[str]:
        """Return the ghosts that decide whether what comes next is executed."""
        return self.ghosts | self.turn_ghosts | self.loop_ghosts


def mark(value: Any, ghosts: frozenset[str]) -> Any:
    """Return a symbol that depends on ``ghosts`` as well."""
    if isinstance(value, Rec):
        return replace(value, fields={f: mark(v, ghosts) for f, v in value.fields.items()})
    if isinstance(value, Vector):
        return replace(value, items=tuple(mark(item, ghosts) for item in value.items))
    if ghosts and isinstance(value, Num | Text | Place | Items):
        return replace(value, ghosts=value.ghosts | ghosts)
    return value


def scalars_in(value: Any) -> Iterator[Num]:
    """Yield the scalars of a value that an element of a container can be, in order."""
    if isinstance(value, Rec | Vector):
        for inner in value.fields.values() if isinstance(value, Rec) else value.items:
            yield from scalars_in(inner)
    else:
        yield value


def out_of_scalars(domain: Any, values: Iterator[Num]) -> Any:
    """Return the value of a domain whose scalars are these; the inverse of ``scalars_in``."""
    if isinstance(domain, Record):
        return Rec(domain, {f: out_of_scalars(d, values) for f, d in domain.fields.items()})
    if isinstance(domain, Array):
        items = (out_of_scalars(domain.element, values) for _ in range(domain.length))
        return Vector(domain, tuple(items))
    return next(values)
