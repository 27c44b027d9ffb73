"""Loops in no order: over values of a symmetric Index, and over what fresh values put in order.

A representative has such values in another order than the state that it stands for. So what one
turn of a loop does must not depend on the turns before: it writes the elements of the one it is at,
or adds to a set, a bag or a number, and reads nothing that other turns wrote.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from fencecheck.model.lower.core import Core
from fencecheck.model.lower.symbols import Items, Mark, Missing, Num, mark_of

_NUMBERS, _PARTS = re.compile(r"\[(\d+)\]"), re.compile(r"[\[.|#]")
_UNSET = Missing("a loop in no order sets it")


@dataclass
class Turns:
    """A loop in no order: which of ``of`` it is at, and which turn wrote what, or how it adds."""

    text: str
    of: Mark | None = None
    at: int | None = None
    turn: int = 0
    written: dict[str, int | str] = field(default_factory=dict)


class AnyOrder(Core):
    """Keeps the turns of loops in no order apart."""

    @contextmanager
    def adding(self, how: str) -> Iterator[None]:
        """Take what is read and written as an addition, for which the order is the same."""
        saved, self.adds = self.adds, how
        yield
        self.adds = saved

    def note_read(self, path: str) -> None:
        """Refuse that a turn reads what another one wrote."""
        for loop in self.turns:
            by = loop.written.get(path, loop.turn)
            if by != loop.turn and by != self.adds:
                self._refuse_order(loop, f"reads {_shown(path)}, which other turns write")

    def note_write(self, path: str) -> None:
        """Refuse that a turn writes what another one writes too, unless both add to it."""
        for loop in self.turns:
            if self._is_own(loop, path):
                loop.written[path] = loop.turn
            elif self.adds and loop.written.get(path, self.adds) == self.adds:
                loop.written[path] = self.adds
            else:
                self._refuse_order(loop, f"writes {_shown(path)}, whichever it is at")

    def _is_own(self, loop: Turns, path: str) -> bool:
        """Tell whether a field belongs to the one that a loop is at."""
        if loop.of is None or loop.at is None:
            return False
        domain: Any = self.variables[_PARTS.split(path)[0]][0]
        for number in _NUMBERS.findall(path):
            if mark_of(domain.index) == loop.of and int(number) == loop.at:
                return True
            domain = domain.element
        return False

    def _refuse_order(self, loop: Turns, what: str) -> None:
        self.fail(
            f"a loop over `{loop.text}`, which has no order, {what}",
            "write only elements of the one that it is at, add to a set or a number (+=), or ask "
            "any, all or sum",
        )

    def check_turns(self, node: ast.For) -> None:
        """Refuse a loop in no order that ends early, or that keeps names from turn to turn."""
        text = ast.unparse(node.iter)
        for inner in _own_statements(node.body):
            if isinstance(inner, ast.Return | ast.Break):
                self.node = inner
                self._refuse_order(Turns(text), f"ends with `{ast.unparse(inner)}`")
        added = {name for name, adds in _names(node.body) if adds}
        for part in (i for statement in node.body for i in ast.walk(statement)):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in added:
                self.node = part
                self._refuse_order(Turns(text), f"reads `{ast.unparse(part)}` of other turns")

    @contextmanager
    def in_any_order(self, node: ast.For, items: Items) -> Iterator[Iterator[tuple[Any, Any]]]:
        """Give the (present, value) pairs of a loop in no order, each as a turn of its own."""
        loop = Turns(ast.unparse(node.iter), items.loose if isinstance(items.loose, Mark) else None)
        unset = [name for name, adds in _names(node.body) if not adds]
        self.turns.append(loop)
        yield self._each_turn(loop, items, unset)
        self.turns.pop()
        self.frame.locals.update(dict.fromkeys(unset, _UNSET))

    def _each_turn(self, loop: Turns, items: Items, unset: list[str]) -> Iterator[tuple[Any, Any]]:
        for turn, (present, value) in enumerate(items.pairs):
            loop.turn = turn
            if loop.of is not None and isinstance(items.loose, Mark):
                loop.at = turn
            elif isinstance(value, Num) and value.kind == "identity":
                loop.of, loop.at = value.mark, value.node.constant
            self.frame.locals.update(dict.fromkeys(unset, _UNSET))
            yield present, value


def _names(body: list[ast.stmt]) -> list[tuple[str, bool]]:
    """Return the local names that a body sets, and whether it only adds to them."""
    inside = [inner for statement in body for inner in ast.walk(statement)]
    adds = [n.target for n in inside if isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add)]
    found: dict[str, bool] = {}
    for node in inside:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = found.get(node.id, True) and any(node is target for target in adds)
    return list(found.items())


def _own_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a loop's body; of loops inside only what ends a function."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _own_statements([*statement.body, *statement.orelse])
        if isinstance(statement, ast.For):
            inside = _own_statements(statement.body)
            yield from (one for one in inside if not isinstance(one, ast.Break))


def _shown(path: str) -> str:
    return _PARTS.split(path)[0]
