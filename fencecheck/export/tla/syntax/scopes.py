"""Give bound names that would hide others names of their own: TLA+ takes none twice."""

from __future__ import annotations

from collections.abc import Iterable

from fencecheck.export.tla.syntax.building import substituted
from fencecheck.export.tla.syntax.naming import Identifiers
from fencecheck.export.tla.syntax.trees import (
    Binding,
    FunctionOf,
    Lambda,
    Let,
    Tree,
    Word,
    inside,
    mapped,
    words_in,
)


def apart_from(tree: Tree, scope: Iterable[str], names: Identifiers) -> Tree:
    """Return a tree in which no name is bound that has a meaning where it is bound.

    ``scope`` are the names that have one around the tree, beside those of the module.
    """
    known = frozenset(scope)
    match tree:
        case FunctionOf(variable, places, value):
            kept, value = _renamed(variable, value, known, names)
            return FunctionOf(kept, apart_from(places, known, names), value)
        case Binding(kind, variable, places, body):
            kept, body = _renamed(variable, body, known, names)
            return Binding(kind, kept, apart_from(places, known, names), body)
        case Lambda(parameters, body):
            return Lambda(*_of_several(parameters, body, known, names))
        case Let(given, body):
            found = []
            for name, parameters, value in given:
                found.append((name, *_of_several(parameters, value, known, names)))
                known |= {name}
            return Let(tuple(found), apart_from(body, known, names))
    changed: Tree = mapped(tree, lambda part: apart_from(part, known, names))
    return changed


def _of_several(
    parameters: tuple[str, ...], body: Tree, scope: frozenset[str], names: Identifiers
) -> tuple[tuple[str, ...], Tree]:
    body = apart_from(body, scope | set(parameters), names)
    found = []
    for parameter in parameters:
        kept, body = _free_of(parameter, body, scope, names)
        found.append(kept)
    return tuple(found), body


def _renamed(
    variable: str, body: Tree, scope: frozenset[str], names: Identifiers
) -> tuple[str, Tree]:
    """Return a bound name and what it is bound in, inner names first."""
    return _free_of(variable, apart_from(body, scope | {variable}, names), scope, names)


def _free_of(
    variable: str, body: Tree, scope: frozenset[str], names: Identifiers
) -> tuple[str, Tree]:
    if variable not in scope:
        return variable, body
    bound = {part.variable for part in inside(body) if isinstance(part, FunctionOf | Binding)}
    bound |= {n for part in inside(body) if isinstance(part, Lambda) for n in part.parameters}
    bound |= {n for part in inside(body) if isinstance(part, Let) for n, _, _ in part.names}
    other = names.free(variable, scope | bound | set(words_in(body)))
    return other, substituted(body, variable, Word(other))
