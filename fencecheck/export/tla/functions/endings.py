"""How a function ends on each of its paths, and trees whose leaves are such endings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fencecheck.export.tla.syntax.building import choice, letting
from fencecheck.export.tla.syntax.trees import If, Let, Tree


@dataclass(frozen=True, eq=False)
class Ending(Tree):
    """An end: the state then, whether it is another one, what is returned, what locals are.

    ``failed``: an assertion failed there.
    """

    state: Any
    changed: bool = False
    value: Any = None
    locals: Any = None
    failed: bool = False

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def endings(tree: Tree) -> list[Ending]:
    """Return the ends in a tree, in order."""
    match tree:
        case Ending():
            return [tree]
        case If(_, then, other):
            return [*endings(then), *endings(other)]
        case Let(_, body):
            return endings(body)
    return []


def at_ends(tree: Tree, change: Callable[[Ending], Tree]) -> Tree:
    """Return a tree with something else in place of its ends."""
    match tree:
        case Ending():
            return change(tree)
        case If(test, then, other):
            return choice(test, at_ends(then, change), at_ends(other, change))
        case Let(names, body):
            return letting(names, at_ends(body, change))
    return tree
