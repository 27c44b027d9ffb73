"""Domains as predicates: what a value of each variable looks like, and how much a bag may hold."""

from __future__ import annotations

from typing import Any

from fencecheck.export.tla.syntax.building import both, calling, dotted, either, number, text
from fencecheck.export.tla.syntax.trees import TRUE, At, Binding, Infix, Listed, Tree, Word
from fencecheck.export.tla.values import NO_VALUE, live_fields, only_value
from fencecheck.model.domains import (
    Array,
    Bag,
    Bool,
    Enum,
    Left,
    Maybe,
    OneOf,
    Record,
    Seq,
    Set,
    Unlimited,
)


def membership(script: Any, tree: Tree, domain: Any, depth: int = 0) -> Tree:
    """Return where a value belongs to a domain."""
    only = only_value(domain)
    if only is not NO_VALUE:
        return Infix("=", (tree, script.constant(only, domain)))
    if isinstance(domain, Record):
        parts = live_fields(domain).items()
        return both(*(membership(script, dotted(tree, f), d, depth) for f, d in parts))
    if isinstance(domain, Array):
        return _of_each(script, tree, domain, depth)
    if isinstance(domain, Bag | Set):
        return _of_container(script, tree, domain, depth)
    if isinstance(domain, OneOf):
        return _of_tagged(script, tree, domain, depth)
    return Infix("\\in", (tree, scalar_set(script, domain)))


def scalar_set(script: Any, domain: Any) -> Tree:
    """Return the set of the values of a scalar domain."""
    if isinstance(domain, Bool):
        return Word("BOOLEAN")
    if isinstance(domain, Enum):
        return Listed("{", tuple(map(text, domain.names)))
    if isinstance(domain, Maybe):
        own = scalar_set(script, domain.index)
        return Infix("\\union", (own, Listed("{", (Word("None"),))))
    if isinstance(domain, Unlimited | Left):
        return Word("Nat")
    return Infix("..", (number(domain.low), number(domain.high)))


def _of_each(script: Any, tree: Tree, domain: Any, depth: int) -> Tree:
    name = script.names.free("ijklmn"[depth % 6], ())
    inner = membership(script, At(tree, Word(name)), domain.element, depth + 1)
    return Binding("\\A", name, script.places(domain), inner)


def _of_container(script: Any, tree: Tree, domain: Any, depth: int) -> Tree:
    name = script.names.free("ijklmn"[depth % 6], ())
    if isinstance(domain, Seq):
        places, size = script.helper("Range", tree), calling("Len", tree)
    elif isinstance(domain, Bag):
        places, size = calling("BagToSet", tree), calling("BagCardinality", tree)
    else:
        places, size = tree, calling("Cardinality", tree)
    each = Binding("\\A", name, places, membership(script, Word(name), domain.element, depth + 1))
    room: Tree = TRUE
    if domain.capacity is not None:
        room = Infix("<=", (size, number(domain.capacity)))
    return both(each, room)


def _of_tagged(script: Any, tree: Tree, domain: Any, depth: int) -> Tree:
    found: list[Tree] = []
    for tag, held in domain.tags.items():
        if not domain.size(tag):
            continue
        if held is None:
            found.append(Infix("=", (tree, script.tag(domain.make, tag))))
        else:
            own = Infix("=", (dotted(tree, "tag"), text(tag)))
            found.append(both(own, membership(script, dotted(tree, tag), held, depth)))
    return either(*found)
