"""Formulas as expressions of a language: one printer of nodes, and what each syntax writes.

Takes roots and a syntax; gives the locals that they need, in order, and the text of each root. A
node that is used more than once, or whose text grows long, is a local; the others stand inline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from fencecheck.model.lower.dag import Node, nodes_of

# what a program prints of an event that it is made to tell: before and after, then an end
SAW, SAID = "fencecheck saw", "fencecheck said"
LONG = 240  # characters of an expression that is worth a local
_TWICE = frozenset({"min", "max", "floordiv", "mod"})  # their arguments are written twice
_FORMATS = {
    "add": "({0} + {1})",
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "min": "({0} < {1} ? {0} : {1})",
    "max": "({0} < {1} ? {1} : {0})",
    "band": "({0} & {1})",
    "bor": "({0} | {1})",
    "bandn": "({0} & ~{1})",
    "lt": "({0} < {1})",
    "not": "!{0}",
    "select": "({0} ? {1} : {2})",
}


class Syntax(Protocol):
    """What a language writes differently from others; ``own`` are its formats of operations."""

    own: dict[str, str]

    def number(self, value: int) -> str:
        """Return a number as it is written."""

    def truth(self, value: bool) -> str:
        """Return a truth as it is written."""


@dataclass(frozen=True)
class Local:
    """A variable of a block: its name, the node that it holds, and the expression for it."""

    name: str
    node: Node
    text: str


class Block:
    """Expressions of ``roots`` that are computed together, from the fields that ``read`` names."""

    def __init__(
        self, syntax: Syntax, read: Callable[[int, int], str], roots: Iterable[Node]
    ) -> None:
        self.syntax, self.read, self.roots = syntax, read, list(roots)
        self.locals: list[Local] = []
        self._texts: dict[int, str] = {}
        self._uses = Counter(root.number for root in self.roots)
        for node in nodes_of(self.roots):
            for arg in node.args:
                self._uses[arg.number] += 2 if node.op in _TWICE else 1

    def prepare(self, *roots: Node) -> list[Local]:
        """Make the texts of some of the roots; return the locals that they need beside earlier."""
        known = len(self.locals)
        nodes = [node for node in nodes_of(roots) if node.number not in self._texts]
        for node in sorted(nodes, key=lambda node: node.number):
            text = self._expression(node)
            if node.args and (self._uses[node.number] > 1 or len(text) > LONG):
                local = Local(f"n{len(self.locals) + 1}", node, text)
                self.locals.append(local)
                text = local.name
            self._texts[node.number] = text
        return self.locals[known:]

    def text(self, node: Node) -> str:
        """Return the expression of a root that was prepared."""
        return self._texts[node.number]

    def _expression(self, node: Node) -> str:
        args = [self._texts[arg.number] for arg in node.args]
        if node.op == "const":
            value = node.low
            return self.syntax.truth(bool(value)) if node.truth else self.syntax.number(value)
        if node.op == "read":
            return self.read(int(node.extra[0]), int(node.extra[1]))
        if node.op == "slice":
            return self._slice(node, args[0])
        if node.op == "shl":
            return f"({args[0]} << {node.extra[0]})"
        if node.op in ("floordiv", "mod") and node.args[1].low > 0:
            return f"({args[0]} {'/' if node.op == 'floordiv' else '%'} {args[1]})"
        return (self.syntax.own.get(node.op) or _FORMATS[node.op]).format(*args)

    def _slice(self, node: Node, arg: str) -> str:
        shift, bits = (int(x) for x in node.extra)
        moved = f"({arg} >> {shift})" if shift else arg
        mask = (1 << bits) - 1
        if node.args[0].high >> shift <= mask:
            return moved
        return f"({moved} & {self.syntax.number(mask)})"
