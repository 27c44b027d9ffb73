"""Print trees as TLA+: on one line where there is room, else in lists that line up.

Takes a tree and how many columns there are; gives lines, of which all but the first are indented
as they stand below the first one.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.export.tla.syntax.trees import (
    Applied,
    At,
    Binding,
    Dotted,
    Except,
    Fields,
    FunctionOf,
    If,
    Infix,
    Lambda,
    Let,
    Listed,
    OfSteps,
    Prefix,
    Primed,
    Tree,
    Word,
)

_LIST = ("/\\", "\\/")
_BINDING = {
    "=>": 1, "<=>": 2, "~>": 2, "/\\": 3, "\\/": 3,
    "=": 5, "#": 5, "<": 5, ">": 5, "<=": 5, ">=": 5,
    "\\in": 5, "\\notin": 5, "\\subseteq": 5, "@@": 6, ":>": 7,
    "\\union": 8, "\\intersect": 8, "\\": 8, "..": 9,
    "+": 10, "(+)": 10, "-": 10, "(-)": 10, "%": 10, "*": 13, "\\div": 13, "\\X": 13,
}  # fmt: skip
_CLOSING = {"[": "]", "<<": ">>"}
_OPEN, _ARGUMENT, _OPERAND, _CLOSED = 0, 0, 4, 20


def lines_of(tree: Tree, room: int) -> list[str]:
    """Return the lines of an expression that may end anywhere."""
    return _laid(tree, room, _OPEN)


def on_one_line(tree: Tree) -> str:
    """Return an expression on one line, whatever its length."""
    return _flat(tree, _OPEN)


def _flat(tree: Tree, level: int) -> str:
    match tree:
        case Word(text):
            return text
        case Infix(operator, operands):
            own = _BINDING[operator]
            found = f" {operator} " if operator != ".." else ".."
            text = found.join(_flat(o, own + 1) for o in operands)
            return f"({text})" if own < level else text
        case Prefix(operator, operand):
            gap = " " if operator.isalpha() else ""
            own = 11 if operator == "-" else _OPERAND
            inner = _OPEN if isinstance(operand, Prefix) else _CLOSED
            text = f"{operator}{gap}{_flat(operand, inner)}"
            return f"({text})" if own < level else text
        case Primed(inner):
            return f"{_flat(inner, _CLOSED)}'"
        case Applied(operator, arguments):
            return f"{operator}({', '.join(_flat(a, _ARGUMENT) for a in arguments)})"
        case Dotted(record, name):
            return f"{_flat(record, _CLOSED)}.{name}"
        case At(function, place):
            return f"{_flat(function, _CLOSED)}[{_flat(place, _OPEN)}]"
    return _flat_in_brackets(tree, level)


def _flat_in_brackets(tree: Tree, level: int) -> str:
    match tree:
        case OfSteps(opening, step):
            return f"{opening}{_flat(step, _OPEN)}{_CLOSING[opening]}_vars"
        case Fields(entries):
            return f"[{', '.join(f'{n} |-> {_flat(v, _OPEN)}' for n, v in entries)}]"
        case FunctionOf(variable, places, value):
            return f"[{variable} \\in {_flat(places, 6)} |-> {_flat(value, _OPEN)}]"
        case Listed(opening, items):
            inner = ", ".join(_flat(i, _OPEN) for i in items)
            if opening == "{":
                return f"{{{inner}}}"
            return f"<<{inner}>>" if inner else "<< >>"
        case Except(base, updates):
            inner = ", ".join(_update(path, _flat(v, _OPEN)) for path, v in updates)
            return f"[{_flat(base, _OPEN)} EXCEPT {inner}]"
        case Binding("{", variable, places, body):
            return f"{{{variable} \\in {_flat(places, 6)} : {_flat(body, _OPEN)}}}"
        case Binding("}", variable, places, body):
            return f"{{{_flat(body, _OPEN)} : {variable} \\in {_flat(places, 6)}}}"
    return _flat_open(tree, level)


def _flat_open(tree: Tree, level: int) -> str:
    """Return what has no end of its own, in brackets where something follows it."""
    match tree:
        case Binding(kind, variable, places, body):
            text = f"{kind} {variable} \\in {_flat(places, 6)} : {_flat(body, _OPEN)}"
        case If(test, then, other):
            text = f"IF {_flat(test, 1)} THEN {_flat(then, 1)} ELSE {_flat(other, _OPEN)}"
        case Let(names, body):
            given = " ".join(f"{_head(n, p)} == {_flat(v, _OPEN)}" for n, p, v in names)
            text = f"LET {given} IN {_flat(body, _OPEN)}"
        case Lambda(parameters, body):
            text = f"LAMBDA {', '.join(parameters)} : {_flat(body, _OPEN)}"
        case _:
            raise AssertionError(type(tree))
    return f"({text})" if level > _OPEN else text


def _head(name: str, parameters: Sequence[str]) -> str:
    return f"{name}({', '.join(parameters)})" if parameters else name


def _update(path: Sequence[str | Tree], value: str) -> str:
    return f"!{_path(path)} = {value}"


def _path(path: Sequence[str | Tree]) -> str:
    return "".join(f".{s}" if isinstance(s, str) else f"[{_flat(s, _OPEN)}]" for s in path)


def _hung(lead: str, lines: Sequence[str], end: str = "") -> list[str]:
    """Return lines behind a lead, the others below the first."""
    gap = " " * len(lead)
    found = [lead + lines[0], *(gap + line for line in lines[1:])]
    found[-1] += end
    return found


def _laid(tree: Tree, room: int, level: int) -> list[str]:
    text = _flat(tree, level)
    if len(text) <= room and not any(isinstance(p, Let) for p in _spine(tree)):
        return [text]
    match tree:
        case Infix(operator, _) if operator in _LIST:
            return _bracketed(_listed(tree, room - (level > _OPEN)), level)
        case Infix(operator, _):
            own = _BINDING[operator]
            lines = _operands(tree, room - (own < level))
            return _hung("(", lines, ")") if own < level else lines
        case Prefix(operator, OfSteps() as operand):
            return _hung(operator, _laid(operand, room - len(operator), _OPEN))
        case Prefix(operator, operand):
            gap = " " if operator.isalpha() else ""
            lead = f"{operator}{gap}("
            return _hung(lead, _laid(operand, room - len(lead) - 1, _OPEN), ")")
        case If() | Let() | Lambda() | Binding("\\E" | "\\A" | "CHOOSE"):
            return _bracketed(_laid_open(tree, room - (level > _OPEN)), level)
    return _laid_in_brackets(tree, room) or [text]


def _spine(tree: Tree) -> list[Tree]:
    """Return a tree with what ends where it ends, which decides whether it is broken."""
    match tree:
        case If(_, then, other):
            return [tree, *_spine(then), *_spine(other)]
        case Binding("\\E" | "\\A", _, _, body):
            return [tree, *_spine(body)]
        case Applied(_, arguments):
            return [tree, *(a for a in arguments if isinstance(a, Let))]
        case Infix(operator, operands) if operator in _LIST:
            return [tree, *operands]
    return [tree]


def _bracketed(lines: list[str], level: int) -> list[str]:
    return _hung("(", lines, ")") if level > _OPEN else lines


def _listed(tree: Infix, room: int) -> list[str]:
    found = []
    for part in tree.operands:
        found += _hung(f"{tree.operator} ", _laid(part, room - 3, _OPEN))
    return found


def _operands(tree: Infix, room: int) -> list[str]:
    level = _BINDING[tree.operator] + 1
    first, *others = tree.operands
    found = _laid(first, room - 1, level)
    for part in others:
        if len(found) == 1 and len(found[0]) <= 12:
            found = _hung(f"{found[0]} {tree.operator} ", _laid(part, room - 24, level))
            continue
        lead = f"  {tree.operator} "
        below = _laid(part, room - len(lead), level)
        joined = f"{found[-1]} {tree.operator} {below[0]}"
        if len(joined) <= room and len(below) == 1:
            found[-1] = joined
        else:
            found += _hung(lead, below)
    return found


def _laid_open(tree: Tree, room: int) -> list[str]:
    match tree:
        case Binding(kind, variable, places, body):
            lead = f"{kind} {variable} \\in {_flat(places, 6)} :"
            return [lead, *_hung("  ", _laid(body, room - 2, _OPEN))]
        case Lambda(parameters, body):
            lead = f"LAMBDA {', '.join(parameters)} :"
            return [lead, *_hung("  ", _laid(body, room - 2, _OPEN))]
        case If(test, then, other):
            found = _hung("IF ", _laid(test, room - 3, _OPEN))
            answer = _hung("THEN ", _laid(then, room - 5, _OPEN))
            if len(found) == len(answer) == 1 and len(found[0]) + 1 + len(answer[0]) <= room:
                found = [f"{found[0]} {answer[0]}"]
            else:
                found += answer
            if isinstance(other, If):
                below = _laid_open(other, room - 5)
                return (
                    [*found, *_hung("ELSE ", below)]
                    if not _chains(other, room)
                    else [
                        *found,
                        "ELSE " + _laid_open(other, room)[0],
                        *_laid_open(other, room)[1:],
                    ]
                )
            return found + _hung("ELSE ", _laid(other, room - 5, _OPEN))
        case Let(names, body):
            found = []
            for name, parameters, value in names:
                lead = "    " if found else "LET "
                found += _hung(lead, _definition(_head(name, parameters), value, room - 4))
            return found + _hung("IN  ", _laid(body, room - 4, _OPEN))
    raise AssertionError(type(tree))


def _chains(tree: If, room: int) -> bool:
    """Tell whether an IF behind ELSE can stand on its line with the others below ELSE."""
    return len(_laid(tree.test, room - 8, _OPEN)) == 1


def _definition(head: str, value: Tree, room: int) -> list[str]:
    """Return a definition in lines: behind its head, or below it where that is too narrow."""
    beside = _laid(value, room - len(head) - 4, _OPEN)
    if len(beside) == 1 or len(head) <= 12:
        return _hung(f"{head} == ", beside)
    return [f"{head} ==", *_hung("  ", _laid(value, room - 2, _OPEN))]


def definition_lines(head: str, value: Tree, room: int = 100) -> list[str]:
    """Return an operator of the module in lines."""
    beside = _laid(value, room - len(head) - 4, _OPEN)
    if len(beside) == 1:
        return [f"{head} == {beside[0]}"]
    return [f"{head} ==", *_hung("  ", _laid(value, room - 2, _OPEN))]


def _laid_in_brackets(tree: Tree, room: int) -> list[str]:
    match tree:
        case OfSteps(opening, step):
            lines = _laid(step, room - len(opening) - 6, _OPEN)
            return _hung(opening, lines, f"{_CLOSING[opening]}_vars")
        case Applied(operator, arguments):
            return _entries(f"{operator}(", [("", a) for a in arguments], ")", room)
        case Listed(opening, items) if items:
            closing = "}" if opening == "{" else ">>"
            return _filled(opening, items, closing, room)
        case Fields(entries):
            return _entries("[", [(f"{n} |-> ", v) for n, v in entries], "]", room)
        case FunctionOf(variable, places, value):
            lead = f"[{variable} \\in {_flat(places, 6)} |->"
            return [lead, *_hung("   ", _laid(value, room - 4, _OPEN), "]")]
        case Except(base, updates):
            below = [(f"!{_path(path)} = ", v) for path, v in updates]
            head = _hung("[", _laid(base, room - 8, _OPEN), " EXCEPT")
            return [*head, *_entries("   ", below, "]", room)]
        case Binding("{", variable, places, body):
            lead = f"{{{variable} \\in {_flat(places, 6)} :"
            return [lead, *_hung("   ", _laid(body, room - 4, _OPEN), "}")]
        case Binding("}", variable, places, body):
            found = _hung("{", _laid(body, room - 1, _OPEN))
            return [*found, f"   : {variable} \\in {_flat(places, 6)}}}"]
        case At(function, place):
            lead = f"{_flat(function, _CLOSED)}["
            if 2 * len(lead) <= room:
                return _hung(lead, _laid(place, room - len(lead) - 1, _OPEN), "]")
            index = _hung("  [", _laid(place, room - 4, _OPEN), "]")
            return [*_hung("(", _laid(function, room - 2, _OPEN), ")"), *index]
        case Dotted(record, name):
            return _hung("(", _laid(record, room - 2, _OPEN), f").{name}")
    return []


def _entries(opening: str, entries: Sequence[tuple[str, Tree]], end: str, room: int) -> list[str]:
    found: list[str] = []
    for number, (lead, value) in enumerate(entries):
        start = (opening if not found else " " * len(opening)) + lead
        last = number == len(entries) - 1
        below = _laid(value, room - len(start) - 1, _OPEN)
        found += _hung(start, below, end if last else ",")
    return found


def _filled(opening: str, items: Sequence[Tree], end: str, room: int) -> list[str]:
    """Return a long list, as many items on a line as there is room for."""
    if any(len(_flat(item, _OPEN)) > room - len(opening) - 2 for item in items):
        return _entries(opening, [("", item) for item in items], end, room)
    found, line = [], opening
    for number, item in enumerate(items):
        word = _flat(item, _OPEN) + ("," if number < len(items) - 1 else end)
        if line.strip() and len(line) + 1 + len(word) > room and line != opening:
            found.append(line.rstrip())
            line = " " * len(opening)
        line += word + " "
    return [*found, line.rstrip()]
