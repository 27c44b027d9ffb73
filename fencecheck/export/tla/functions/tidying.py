"""Make an expression shorter: names that stand for little, and parts that nobody reads.

A name that is read once stands where it is read, if there is room; of a record that is made only
to be taken apart there remain the fields that are read.
"""

from __future__ import annotations

from fencecheck.export.tla.syntax.building import choice, letting, substituted
from fencecheck.export.tla.syntax.layout import on_one_line
from fencecheck.export.tla.syntax.trees import (
    Dotted,
    Except,
    Fields,
    If,
    Let,
    Tree,
    Word,
    inside,
    mapped,
    words_in,
)

_INLINE = 44


def tidy(tree: Tree) -> Tree:
    """Return a tree without names that stand for little or are used nowhere."""
    if isinstance(tree, Word):
        return tree
    if not isinstance(tree, Let):
        found: Tree = mapped(tree, tidy)
        return found
    names, body = _without_unread([(n, p, tidy(v)) for n, p, v in tree.names], tidy(tree.body))
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


Given = tuple[str, tuple[str, ...], Tree]


def _without_unread(names: list[Given], body: Tree) -> tuple[list[Given], Tree]:
    """Return definitions whose records have only fields that are read; one alone is no record."""
    for number in reversed(range(len(names))):
        name, parameters, value = names[number]
        after = [v for _, _, v in names[number + 1 :]]
        read = _fields_read(name, [*after, body])
        leaves = _record_leaves(value)
        if parameters or not read or leaves is None:
            continue
        single = next(iter(read)) if len(read) == 1 else ""
        kept = tidy(_with_fields(value, read, single))
        names[number] = name, parameters, kept
        if single:
            names[number + 1 :] = [
                (n, p, _plain_read(v, name, single)) for n, p, v in names[number + 1 :]
            ]
            body = _plain_read(body, name, single)
    return names, body


def _fields_read(name: str, places: list[Tree]) -> set[str]:
    """Return the fields of a record that are read; none where it is used as a whole."""
    dotted = [
        part
        for place in places
        for part in inside(place)
        if isinstance(part, Dotted) and part.record == Word(name)
    ]
    uses = sum(words_in(place).count(name) for place in places)
    return {part.name for part in dotted} if uses == len(dotted) else set()


def _record_leaves(value: Tree) -> list[Fields] | None:
    """Return the records that a choice is between; None where it is of something else."""
    match value:
        case Fields():
            return [value]
        case If(_, then, other):
            first, second = _record_leaves(then), _record_leaves(other)
            return None if first is None or second is None else [*first, *second]
        case Let(_, body):
            return _record_leaves(body)
    return None


def _with_fields(value: Tree, read: set[str], single: str) -> Tree:
    """Return a choice of records with the fields that are read, or of what is in the only one."""
    match value:
        case Fields(entries) if single:
            return dict(entries)[single]
        case Fields(entries):
            return Fields(tuple((n, v) for n, v in entries if n in read))
        case If(test, then, other):
            answers = (_with_fields(answer, read, single) for answer in (then, other))
            return choice(test, *answers)
        case Let(names, body):
            return letting(names, _with_fields(body, read, single))
    return value


def _plain_read(tree: Tree, name: str, field: str) -> Tree:
    """Return a tree that reads a value where it read the one field of a record."""
    if tree == Dotted(Word(name), field):
        return Word(name)
    found: Tree = mapped(tree, lambda part: _plain_read(part, name, field))
    return found


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
