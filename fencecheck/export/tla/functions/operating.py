"""Write arithmetic, sets, truths and comparisons, with what is known folded."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from fencecheck.errors import UsageError
from fencecheck.export.tla.functions.reading import Reading
from fencecheck.export.tla.syntax.building import (
    both,
    choice,
    in_turn,
    negated,
    number,
)
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    TRUE,
    Infix,
    Listed,
    Prefix,
    Tree,
    Word,
)
from fencecheck.export.tla.values import (
    INT,
    TRUTH,
    HeldPlace,
    KnownValue,
    Several,
    Term,
)
from fencecheck.model.declaring.any_number import AnyNumber
from fencecheck.model.domains import (
    Bag,
    Count,
    Enum,
    Int,
    OneOf,
    Set,
)

_ARITHMETIC: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARED: dict[type, tuple[str, Callable[[Any, Any], bool]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_SETS = {ast.BitOr: "\\union", ast.BitAnd: "\\intersect", ast.Sub: "\\"}


class Operating(Reading):
    """Operators of expressions."""

    # -- arithmetic -----------------------------------------------------------------------------
    def _binop(self, node: ast.BinOp) -> Any:
        return self.operate(node.op, self.expression(node.left), self.expression(node.right), node)

    def operate(self, op: ast.operator, left: Any, right: Any, node: ast.AST) -> Any:
        """Return ``left op right``, of numbers or of sets."""
        if self._is_set(left) or self._is_set(right):
            return self._of_sets(op, left, right)
        kind = type(op)
        if isinstance(left, KnownValue) and isinstance(right, KnownValue):
            try:
                return KnownValue(_ARITHMETIC[kind](left.value, right.value))
            except (ZeroDivisionError, TypeError) as error:
                self.fail(node, f"it goes wrong in every run: {error}")
        if kind in (ast.Add, ast.Sub, ast.Mult):
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}[kind]
            return self._counted(left, self.sum_of(sign, left, right))
        known = right.value if isinstance(right, KnownValue) else None
        if known == 1:
            return left if kind is ast.FloorDiv else KnownValue(0)
        trees = self.tree(left), self.tree(right)
        if known is not None and known > 1:
            return Term(Infix("\\div" if kind is ast.FloorDiv else "%", trees), INT)
        return Term(
            self.script.helper("FloorDiv" if kind is ast.FloorDiv else "Modulo", *trees), INT
        )

    def _counted(self, left: Any, total: Any) -> Any:
        """Return a sum; in an effect, what is added to a count leaves it where it ends."""
        domain = getattr(left, "domain", None)
        if not (self.changes and isinstance(domain, Count)):
            return total
        most = number(domain.high)
        if isinstance(total, KnownValue):
            return KnownValue(min(total.value, domain.high), domain)
        return Term(self.script.helper("Min", Listed("{", (total.tree, most))), domain)

    def sum_of(self, sign: str, left: Any, right: Any) -> Any:
        """Return a sum, difference or product of numbers."""
        if isinstance(left, KnownValue) and isinstance(right, KnownValue):
            if isinstance(left.value, AnyNumber):
                raise UsageError("it asks how much of a budget of any was used")
            op = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign]
            return KnownValue(op(left.value, right.value))
        for one, other in ((left, right), (right, left)):
            if isinstance(one, KnownValue) and sign == "+" and one.value == 0:
                return Term(self.tree(other), INT)
            if isinstance(one, KnownValue) and sign == "*" and one.value == 1:
                return Term(self.tree(other), INT)
        if isinstance(right, KnownValue) and sign == "-" and right.value == 0:
            return Term(self.tree(left), INT)
        if isinstance(right, KnownValue) and sign == "+" and right.value < 0:
            return self.sum_of("-", left, KnownValue(-right.value))
        return Term(_summed(sign, self.tree(left), self.tree(right)), INT)

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return self.known_truth(negated(self.truth(node.operand)))
        value = self.expression(node.operand)
        if isinstance(node.op, ast.UAdd):
            return value
        if isinstance(value, KnownValue):
            return KnownValue(-value.value)
        return Term(Prefix("-", self.tree(value)), INT)

    # -- sets -----------------------------------------------------------------------------------
    def _is_set(self, value: Any) -> bool:
        domain = getattr(value, "domain", None)
        if isinstance(value, Several):
            return value.is_set
        return isinstance(domain, Set) or (
            isinstance(value, KnownValue) and isinstance(value.value, frozenset | set)
        )

    def _of_sets(self, op: ast.operator, left: Any, right: Any) -> Any:
        domain = self.set_domain(left, right)
        a, b = self.tree(left, domain), self.tree(right, domain)
        sign = _SETS.get(type(op))
        if sign:
            return Term(Infix(sign, (a, b)), domain)
        only = Infix("\\", (a, b)), Infix("\\", (b, a))
        return Term(Infix("\\union", only), domain)

    def set_domain(self, *sets: Any) -> Any:
        """Return the domain of one of several sets of a kind."""
        known = [d for v in sets if isinstance(d := getattr(v, "domain", None), Set)]
        if known:
            return known[0]
        items = [i for v in sets if isinstance(v, Several) for i in v.items]
        inner = next((i.domain for i in items if getattr(i, "domain", None) is not None), INT)
        return Set(inner)

    # -- truths ---------------------------------------------------------------------------------
    def known_truth(self, tree: Tree) -> Any:
        """Return a truth, as Python's where it is known."""
        return KnownValue(tree == TRUE) if tree in (TRUE, FALSE) else Term(tree, TRUTH)

    def _boolop(self, node: ast.BoolOp) -> Any:
        is_and = isinstance(node.op, ast.And)
        found: list[Tree] = []
        for place, value in enumerate(node.values):
            if place == 0:
                part = self.truth(value)
            else:
                with self.unchanged(value):
                    part = self.truth(value)
            found.append(part)
            if part == (FALSE if is_and else TRUE):
                break
        return self.known_truth(both(*found) if is_and else in_turn(*found))

    def _ifexp(self, node: ast.IfExp) -> Any:
        test = self.truth(node.test)
        if test in (TRUE, FALSE):
            return self.expression(node.body if test == TRUE else node.orelse)
        with self.unchanged(node):
            return self.chosen(test, self.expression(node.body), self.expression(node.orelse))

    def chosen(self, test: Tree, a: Any, b: Any) -> Any:
        """Return one of two values."""
        domain = getattr(a, "domain", None) or getattr(b, "domain", None)
        if isinstance(a, KnownValue) and isinstance(b, KnownValue):
            if a == b:
                return a
            domain = domain or self._domain_of_constant(a) or self._domain_of_constant(b)
        elif domain is None:
            domain = self._domain_of_constant(a) or self._domain_of_constant(b)
        if isinstance(domain, OneOf):
            domain = domain.unnarrowed
        tree = choice(test, self.tree(a, domain), self.tree(b, domain))
        return self.known_truth(tree) if tree in (TRUE, FALSE) else Term(tree, domain)

    def _domain_of_constant(self, value: Any) -> Any:
        if not isinstance(value, KnownValue):
            return None
        known = value.value
        if type(known) in self.script.records:
            return self.script.records[type(known)]
        if type(known) in self.script.tagged:
            return self.script.tagged[type(known)]
        return TRUTH if isinstance(known, bool) else INT if type(known) is int else None

    def _compare(self, node: ast.Compare) -> Any:
        left, found = self.expression(node.left), list[Tree]()
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            if found:
                with self.unchanged(right_node):
                    right = self.expression(right_node)
            else:
                right = self.expression(right_node)
            found.append(self._compared(op, left, right, node))
            if found[-1] == FALSE:
                break
            left = right
        return self.known_truth(both(*found))

    def _compared(self, op: ast.cmpop, left: Any, right: Any, node: ast.AST) -> Tree:
        if isinstance(op, ast.In | ast.NotIn):
            found = self.member(left, right, node)
            return found if isinstance(op, ast.In) else negated(found)
        if isinstance(op, ast.Eq | ast.Is | ast.NotEq | ast.IsNot):
            same = self.same(left, right)
            return same if isinstance(op, ast.Eq | ast.Is) else negated(same)
        sign, compare = _COMPARED[type(op)]
        if self._is_set(left) or self._is_set(right):
            return self._sets_compared(sign, left, right)
        if isinstance(left, KnownValue) and isinstance(right, KnownValue):
            return TRUE if compare(left.value, right.value) else FALSE
        return Infix(sign, (self.tree(left), self.tree(right)))

    def _sets_compared(self, sign: str, left: Any, right: Any) -> Tree:
        if sign in (">", ">="):
            left, right, sign = right, left, sign.replace(">", "<")
        domain = self.set_domain(left, right)
        a, b = self.tree(left, domain), self.tree(right, domain)
        inside = Infix("\\subseteq", (a, b))
        return inside if sign == "<=" else both(inside, Infix("#", (a, b)))

    def same(self, left: Any, right: Any) -> Tree:
        """Return where two values are equal."""
        a = left.view.load(left) if isinstance(left, HeldPlace) else left
        b = right.view.load(right) if isinstance(right, HeldPlace) else right
        if isinstance(a, KnownValue) and isinstance(b, KnownValue):
            return self._same_known(a, b)
        domain = getattr(a, "domain", None) or getattr(b, "domain", None)
        if isinstance(domain, Enum | Int | OneOf):
            domain = None
        trees = self.tree(a, domain), self.tree(b, domain)
        for one, other in (trees, trees[::-1]):
            if one in (TRUE, FALSE):
                return other if one == TRUE else negated(other)
        return TRUE if trees[0] == trees[1] else Infix("=", trees)

    def _same_known(self, a: KnownValue, b: KnownValue) -> Tree:
        values = [tuple(v.value) if isinstance(v.value, list) else v.value for v in (a, b)]
        if any(isinstance(v.domain, Set | Bag) for v in (a, b)):
            values = [tuple(sorted(map(repr, v))) for v in values]
        return TRUE if values[0] == values[1] else FALSE

    # -- given by the classes below -------------------------------------------------------------
    def member(self, item: Any, container: Any, node: ast.AST) -> Tree:
        """Return where ``item in container``."""
        raise NotImplementedError


def _summed(sign: str, a: Tree, b: Tree) -> Tree:
    """Return a sum; a number that follows a sum is added to the number in it."""
    match a, b:
        case Infix("+" | "-" as own, (rest, Word(x))), Word(y) if (
            sign in "+-" and x.isdigit() and y.isdigit()
        ):
            total = (int(x) if own == "+" else -int(x)) + (int(y) if sign == "+" else -int(y))
            if total == 0:
                return rest
            return Infix("+" if total > 0 else "-", (rest, number(abs(total))))
    return Infix(sign, (a, b))
