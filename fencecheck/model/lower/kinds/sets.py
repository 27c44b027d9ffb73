"""Lower operators and methods of sets: what they give is a list of members, each present or not.

A member of a set of the state is a constant, so that a test whether it is in another such set is
one bit. What an operator gives has no order, and nothing may depend on one.
"""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.sequences import Sequences
from fencecheck.model.lower.symbols import NONE, Items, Num, Place, is_set

_METHODS = {
    "union": "|", "intersection": "&", "difference": "-", "symmetric_difference": "^",
    "issubset": "<=", "issuperset": ">=", "isdisjoint": "isdisjoint", "copy": "copy",
}  # fmt: skip
_OPERATORS = {ast.BitOr: "|", ast.BitAnd: "&", ast.Sub: "-", ast.BitXor: "^"}
Pairs = list[tuple[Node, Any]]


class Sets(Sequences):
    """Sets in expressions."""

    def _setcomp(self, node: ast.SetComp) -> Items:
        found = self.comprehension(node)
        ghosts = NONE.union(*(more | value.ghosts for _, value, more in found))
        pairs = self.distinct((present, value) for present, value, _ in found)
        return Items(tuple(pairs), ghosts, ordered=False)

    def comprehension(self, node: Any, until: bool | None = None) -> list[Any]:
        raise AssertionError  # given by Calls

    def _binop(self, node: ast.BinOp) -> Any:
        left, right = self.expression(node.left), self.expression(node.right)
        return self.operate(node, left, right)

    def operate(self, node: ast.BinOp | ast.AugAssign, left: Any, right: Any) -> Any:
        """Return the result of an operator on two sets or two whole numbers."""
        if is_set(left) or is_set(right):
            operator = _OPERATORS.get(type(node.op))
            if operator is None:
                self.fail(f"`{ast.unparse(node)}` is no operator of sets", "write |, &, - or ^")
            return self.combined(operator, left, right)
        if self.marked(left) or self.marked(right):
            return self.marked_sum(node, left, right)
        sides = (
            (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        )
        a, b = self.whole_number(left, sides[0]), self.whole_number(right, sides[1])
        return self.arithmetic(node, a, b)

    def _members_of(self, value: Any) -> Items:
        if not is_set(value):
            self.fail(
                f"{describe(value)} stands where a set is needed",
                "write a set of the state, or one in braces",
            )
        self.uses_sets = True
        items = self.items(value, self.node)
        own = self.own_ghosts(value) if isinstance(value, Place) else NONE
        return Items(items.pairs, items.ghosts | own, ordered=False)

    def _only(self, pairs: Any, other: Any, *, inside: bool) -> tuple[Pairs, frozenset[str]]:
        """Return members that are (or are not) in another set, and the ghosts that decides on."""
        kept, ghosts = [], NONE
        for present, member in pairs:
            found = self.membership(member, other)
            test = found.node if inside else self.dag.negate(found.node)
            kept.append((self.dag.both(present, test), member))
            ghosts = ghosts | found.ghosts
        return kept, ghosts

    def combined(self, operator: str, a: Any, b: Any) -> Items:
        """Return what ``|``, ``&``, ``-`` or ``^`` give for two sets."""
        first, second = self._members_of(a), self._members_of(b)
        pairs, ghosts = list(first.pairs), first.ghosts | second.ghosts
        if operator != "|":
            pairs, more = self._only(first.pairs, b, inside=operator == "&")
            ghosts = ghosts | more
        if operator in "|^":
            rest, more = self._only(second.pairs, a, inside=False)
            pairs, ghosts = [*pairs, *rest], ghosts | more
        return Items(tuple(pairs), ghosts, ordered=False)

    def _within(self, a: Any, b: Any) -> Num:
        missing, ghosts = self._only(self._members_of(a).pairs, b, inside=False)
        none = self.dag.negate(self.dag.any_of(present for present, _ in missing))
        return Num(none, None, ghosts | self._members_of(a).ghosts | self._members_of(b).ghosts)

    def sets_related(self, operator: str, a: Any, b: Any) -> Num:
        """Return how two sets compare."""
        if operator in (">", ">="):
            a, b, operator = b, a, operator.replace(">", "<")
        within, around = self._within(a, b), self._within(b, a)
        node = within.node
        if operator != "<=":
            other = around.node if operator == "==" else self.dag.negate(around.node)
            node = self.dag.both(node, other)
        return Num(node, None, within.ghosts | around.ghosts)

    def set_method(self, base: Any, name: str, args: list[Any]) -> Any:
        """Return what a method gives that changes nothing."""
        wanted = 0 if name == "copy" else 1
        if len(args) != wanted:
            self.fail(f"{name}() of a set has {len(args)} arguments", f"it takes {wanted}")
        operator = _METHODS[name]
        if operator == "copy":
            return self._members_of(base)
        if operator == "isdisjoint":
            common = self.combined("&", base, args[0])
            some = self.dag.any_of(present for present, _ in common.pairs)
            return Num(self.dag.negate(some), None, common.ghosts)
        if operator in ("<=", ">="):
            return self.sets_related(operator, base, args[0])
        return self.combined(operator, base, args[0])

    def method(self, place: Place, name: str, args: list[Any]) -> Any:
        """Execute ``place.name(...)``."""
        if is_set(place) and name in _METHODS:
            return self.set_method(place, name, args)
        if is_set(place) and name == "remove" and len(args) == 1:
            self.writable(place)
            self.may_fail(self.dag.negate(self.membership(args[0], place).node))
            name = "discard"
        return super().method(place, name, args)


SET_METHODS = frozenset(_METHODS)
