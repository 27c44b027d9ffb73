"""Put trees together: what is known is folded away.

A choice with a known test is its answer; a conjunction has no part twice.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencecheck.export.tla.syntax.trees import (
    FALSE,
    TRUE,
    Applied,
    At,
    Dotted,
    Fields,
    If,
    Infix,
    Let,
    Prefix,
    Tree,
    Word,
    inside,
    mapped,
)


def substituted(tree: Tree, name: str, value: Tree) -> Tree:
    """Return a tree with a value in place of a word."""
    if isinstance(tree, Word):
        return value if tree.text == name else tree
    changed: Tree = mapped(tree, lambda part: substituted(part, name, value))
    return again(changed)


def again(tree: Tree) -> Tree:
    """Return a tree put together again after its parts were changed."""
    match tree:
        case Dotted(record, name):
            return dotted(record, name)
        case If(test, then, other):
            return choice(test, then, other)
    return tree


def number(value: int) -> Tree:
    """Return a whole number."""
    return Word(str(value)) if value >= 0 else Prefix("-", Word(str(-value)))


def text(value: str) -> Tree:
    """Return a text in quotes."""
    return Word('"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"')


def truth(value: object) -> Tree:
    """Return a truth."""
    return TRUE if value else FALSE


def _joined(operator: str, parts: Iterable[Tree], unit: Tree, zero: Tree) -> Tree:
    found: list[Tree] = []
    for part in parts:
        same = isinstance(part, Infix) and part.operator == operator
        for inner in part.operands if same else (part,):  # type: ignore[attr-defined]
            if inner == zero:
                return zero
            if inner != unit and inner not in found:
                found.append(inner)
    return unit if not found else found[0] if len(found) == 1 else Infix(operator, tuple(found))


def both(*parts: Tree) -> Tree:
    """Return where all parts are true."""
    return _joined("/\\", parts, TRUE, FALSE)


def either(*parts: Tree) -> Tree:
    """Return where one of the parts is true."""
    return _joined("\\/", parts, FALSE, TRUE)


_OPPOSITE = {"=": "#", "#": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OPPOSITE |= {"\\in": "\\notin", "\\notin": "\\in"}


def negated(part: Tree) -> Tree:
    """Return where a part is not true."""
    match part:
        case Word("TRUE" | "FALSE"):
            return FALSE if part == TRUE else TRUE
        case Prefix("~", inner):
            return inner
        case Infix(operator, operands) if operator in _OPPOSITE:
            return Infix(_OPPOSITE[operator], operands)
        case Infix("/\\", operands) if all(_is_plain(o) for o in operands):
            return either(*map(negated, operands))
        case Infix("\\/", operands) if all(_is_plain(o) for o in operands):
            return both(*map(negated, operands))
    return Prefix("~", part)


def _is_plain(part: Tree) -> bool:
    """Tell whether the opposite of a part is said as easily."""
    match part:
        case Infix(operator, _):
            return operator in _OPPOSITE
    return isinstance(part, Word | Dotted | At | Prefix)


def choice(test: Tree, then: Tree, other: Tree) -> Tree:
    """Return ``then`` where the test is true, else ``other``."""
    if test == TRUE or then == other:
        return then
    if test == FALSE:
        return other
    if then == TRUE:
        return either(test, other)
    if then == FALSE:
        return both(negated(test), other)
    if other == FALSE:
        return both(test, then)
    if other == TRUE:
        return either(negated(test), then)
    if isinstance(test, Prefix) and test.operator == "~":
        return If(test.operand, other, then)
    return If(test, then, other)


def dotted(record: Tree, name: str) -> Tree:
    """Return a field of a record."""
    if isinstance(record, Fields):
        found = dict(record.entries).get(name)
        if found is not None:
            return found
    return Dotted(record, name)


def in_turn(*parts: Tree) -> Tree:
    """Return where one of the parts is true, each asked only where those before it are false.

    TLC looks at every side of a disjunction that stands in an action, and at that of an
    implication only where it decides.
    """
    whole = either(*parts)
    if not (isinstance(whole, Infix) and whole.operator == "\\/"):
        return whole
    first, *rest = whole.operands
    others = in_turn(*rest)
    if _protects(first, others):
        return Infix("=>", (negated(first), others))
    return either(first, others)


_COMPARING = {"=", "#", "<", ">", "<=", ">="}


def _protects(first: Tree, other: Tree) -> bool:
    """Tell whether what one part compares is a place, container or tag that another relies on."""
    compared: set[Tree] = set()
    for part in inside(first):
        if isinstance(part, Infix) and part.operator in _COMPARING:
            for operand in part.operands:
                compared |= {operand, *(operand.arguments if isinstance(operand, Applied) else ())}
    for part in inside(other):
        match part:
            case At(function, place):
                if function in compared or any(p in compared for p in inside(place)):
                    return not isinstance(place, Word) or not place.text.isdigit()
            case Dotted(record, name):
                if Dotted(record, "tag") in compared and name != "tag":
                    return True
            case Applied("Head" | "Min" | "Max", (argument,)):
                if argument in compared:
                    return True
    return False


def calling(operator: str, *arguments: Tree) -> Tree:
    """Return an operator applied, or its name where it takes nothing."""
    return Applied(operator, arguments) if arguments else Word(operator)


def letting(names: Iterable[tuple[str, tuple[str, ...], Tree]], body: Tree) -> Tree:
    """Return an expression in which names are given."""
    given = tuple(names)
    if given and isinstance(body, Let):
        return Let(given + body.names, body.body)
    return Let(given, body) if given else body
