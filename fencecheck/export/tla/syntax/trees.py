"""Expressions of TLA+ as trees, and how trees are put together: what is known is folded.

A tree is an immutable value; ``layout`` prints it. Nothing here knows of models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Tree:
    """An expression."""


@dataclass(frozen=True)
class Word(Tree):
    """A name, a number, a text in quotes."""

    text: str


@dataclass(frozen=True)
class Infix(Tree):
    """Two operands or more with an operator between them."""

    operator: str
    operands: tuple[Tree, ...]


@dataclass(frozen=True)
class Prefix(Tree):
    """An operator in front of its operand."""

    operator: str
    operand: Tree


@dataclass(frozen=True)
class Primed(Tree):
    """An expression in the state after a step."""

    inner: Tree


@dataclass(frozen=True)
class Applied(Tree):
    """An operator with its arguments."""

    operator: str
    arguments: tuple[Tree, ...]


@dataclass(frozen=True)
class Dotted(Tree):
    """A field of a record."""

    record: Tree
    name: str


@dataclass(frozen=True)
class At(Tree):
    """An element of a function or sequence."""

    function: Tree
    place: Tree


@dataclass(frozen=True)
class Fields(Tree):
    """A record: its names and values."""

    entries: tuple[tuple[str, Tree], ...]


@dataclass(frozen=True)
class FunctionOf(Tree):
    """A function, by the value at each place."""

    variable: str
    places: Tree
    value: Tree


@dataclass(frozen=True)
class Listed(Tree):
    """A set or sequence, element by element."""

    opening: str
    items: tuple[Tree, ...]


@dataclass(frozen=True)
class Except(Tree):
    """A record or function with other values at some places.

    An update is a path, whose steps are names of fields and places, and the new value.
    """

    base: Tree
    updates: tuple[tuple[tuple[str | Tree, ...], Tree], ...]


@dataclass(frozen=True)
class Binding(Tree):
    r"""What binds a variable: ``\E``, ``\A``, a filter (``{``), an image (``}``), ``CHOOSE``."""

    kind: str
    variable: str
    places: Tree
    body: Tree


@dataclass(frozen=True)
class If(Tree):
    """A choice of two."""

    test: Tree
    then: Tree
    other: Tree


@dataclass(frozen=True)
class Let(Tree):
    """Names given to expressions, in order: each a name, its parameters, and what it stands for."""

    names: tuple[tuple[str, tuple[str, ...], Tree], ...]
    body: Tree


@dataclass(frozen=True)
class OfSteps(Tree):
    """Steps as a temporal formula knows them: ``[A]_vars`` or ``<<A>>_vars``."""

    opening: str
    step: Tree


@dataclass(frozen=True)
class Lambda(Tree):
    """An operator without a name."""

    parameters: tuple[str, ...]
    body: Tree


TRUE, FALSE, HERE = Word("TRUE"), Word("FALSE"), Word("@")


def mapped(tree: Any, change: Callable[[Tree], Tree]) -> Any:
    """Return a tree whose immediate parts are changed."""

    def inner(part: Any) -> Any:
        if isinstance(part, Tree):
            return change(part)
        return tuple(map(inner, part)) if isinstance(part, tuple) else part

    return type(tree)(*(inner(getattr(tree, f.name)) for f in fields(tree)))


def inside(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and all that is in it."""
    waiting: list[Any] = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Tree):
            yield part
            waiting += [getattr(part, f.name) for f in fields(part)]
        elif isinstance(part, tuple):
            waiting += part


def words_in(tree: Tree) -> list[str]:
    """Return every word in a tree, as often as it stands there, operators that are applied too."""
    found = [part.text for part in inside(tree) if isinstance(part, Word)]
    return found + [part.operator for part in inside(tree) if isinstance(part, Applied)]
