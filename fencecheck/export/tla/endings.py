"""How a function ends on each of its paths, and trees whose leaves are such endings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fencecheck.export.tla.layout import on_one_line
from fencecheck.export.tla.trees import (
    Except,
    If,
    Let,
    Tree,
    Word,
    choice,
    inside,
    letting,
    mapped,
    substituted,
    words_in,
)

_INLINE = 44


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


def tidy(tree: Tree) -> Tree:
    """Return a tree without names that stand for little or are used nowhere."""
    if isinstance(tree, Word):
        return tree
    if not isinstance(tree, Let):
        found: Tree = mapped(tree, tidy)
        return found
    names = [(n, p, tidy(v)) for n, p, v in tree.names]
    body = tidy(tree.body)
    for number in reversed(range(len(names))):
        name, parameters, value = names[number]
        after = [v for _, _, v in names[number + 1 :]]
        uses = sum(words_in(part).count(name) for part in (*after, body))
        if uses == 0:
            del names[number]
        elif uses == 1 and not parameters and _fits_in(value, name, [*after, body]):
            names[number + 1 :] = [
                (n, p, substituted(v, name, value)) for n, p, v in names[number + 1 :]
            ]
            body = substituted(body, name, value)
            del names[number]
    return letting(names, body)


def _fits_in(value: Tree, name: str, places: list[Tree]) -> bool:
    """Tell whether what a name stands for can stand in its only place."""
    if places[-1] == Word(name):
        return True
    if isinstance(value, If | Let):
        return _is_alone(name, places[-1])
    base = any(
        isinstance(part, Except) and part.base == Word(name)
        for place in places
        for part in inside(place)
    )
    if base:
        return False
    return len(on_one_line(value)) <= _INLINE or _is_alone(name, places[-1])


def _is_alone(name: str, tree: Tree) -> bool:
    """Tell whether a name stands where an expression can end anywhere: alone, or as an answer."""
    match tree:
        case Word(text):
            return text == name
        case If(_, then, other):
            return _is_alone(name, then) or _is_alone(name, other)
        case Let(_, body):
            return _is_alone(name, body)
    return False
