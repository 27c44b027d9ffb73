"""Write expressions of the subset as trees, with what the design decides folded.

A method ``_name`` writes one kind of syntax. What has no counterpart is refused by its place.
"""

from __future__ import annotations

import ast
import operator
import types
from collections.abc import Callable
from typing import Any, NoReturn

from fencecheck.errors import UsageError
from fencecheck.export.tla.script import Script
from fencecheck.export.tla.states import View
from fencecheck.export.tla.trees import (
    FALSE,
    TRUE,
    At,
    If,
    Infix,
    Listed,
    Prefix,
    Primed,
    Tree,
    Word,
    both,
    choice,
    dotted,
    in_turn,
    negated,
    number,
)
from fencecheck.export.tla.values import (
    INT,
    NO_VALUE,
    TRUTH,
    Known,
    Place,
    Several,
    Term,
    only_value,
)
from fencecheck.model.declare import LEFT, USED, part_of_budget
from fencecheck.model.declaring.any_number import AnyNumber
from fencecheck.model.domains import Array, Bag, Count, Enum, Int, OneOf, Record, Seq, Set
from fencecheck.model.files.texts import near
from fencecheck.model.parts import Part

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


class Frame:
    """A function that is being written: its names."""

    def __init__(self, name: str, file: str) -> None:
        self.name, self.file = name, file
        self.locals: dict[str, Any] = {}
        self.globals: dict[str, Any] = {}


class Expressions:
    """Expressions; calls, containers and statements are added by the classes below this one."""

    script: Script
    frames: list[Frame]
    changes: bool  # whether this is an effect, in which counts stay where they end

    @property
    def frame(self) -> Frame:
        """Return the function that is being written."""
        return self.frames[-1]

    def fail(self, node: ast.AST, message: str) -> NoReturn:
        """Raise UsageError: where, what was seen, why it has no counterpart."""
        line = getattr(node, "lineno", 0)
        said = ast.unparse(node).splitlines()[0]
        place = f"{near(self.frame.file)}:{line}: in {self.frame.name}"
        raise UsageError(f"{place}: `{said}`: {message}")

    def tree(self, value: Any, domain: Any = None) -> Tree:
        """Return a value as a tree."""
        return self.script.tree(value, domain)

    def expression(self, node: ast.expr) -> Any:
        """Return what an expression stands for."""
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            self.fail(node, f"{type(node).__name__} has no counterpart in the export to TLA+")
        return method(node)

    def truth(self, node: ast.expr) -> Tree:
        """Return a condition as a tree."""
        return self.tree(self.expression(node))

    # -- names ----------------------------------------------------------------------------------
    def _constant(self, node: ast.Constant) -> Any:
        return Known(node.value)

    def _name(self, node: ast.Name) -> Any:
        if node.id in self.frame.locals:
            found = self.frame.locals[node.id]
            if found is None:
                self.fail(node, "it has a value on some paths only")
            return found
        value = self.frame.globals.get(node.id)
        is_record = type(value) in self.script.records or type(value) in self.script.tagged
        name = node.id if is_record and not node.id.startswith("_") else ""
        return Known(value, None, name)

    def _tuple(self, node: ast.Tuple | ast.List) -> Any:
        return Several(tuple(self.expression(e) for e in node.elts))

    _list = _tuple

    def _set(self, node: ast.Set) -> Any:
        return Several(tuple(self.expression(e) for e in node.elts), is_set=True)

    # -- attributes and elements ----------------------------------------------------------------
    def _attribute(self, node: ast.Attribute) -> Any:
        return self.attribute(self.expression(node.value), node.attr, node)

    def attribute(self, base: Any, name: str, node: ast.AST) -> Any:
        """Return what ``base.name`` is."""
        if isinstance(base, View):
            return self.variable(base, name)
        if isinstance(base, Known):
            return self._of_known(base, name)
        domain = getattr(base, "domain", None)
        if isinstance(base, Term) and isinstance(domain, Record):
            return self._part(dotted(base.tree, name), domain.fields[name])
        if isinstance(base, Term) and isinstance(domain, OneOf):
            return self._of_tagged(base, name)
        if isinstance(base, Term) and isinstance(base.tree, If):
            return Term(dotted(base.tree, name))
        self.fail(node, "what it is read from is not known here")

    def _of_known(self, base: Known, name: str) -> Any:
        value = base.value
        if isinstance(value, Part | types.ModuleType | OneOf):
            return Known(getattr(value, name))
        kind = self.script.records.get(type(value))
        return Known(getattr(value, name), kind and kind.fields[name])

    def _part(self, tree: Tree, domain: Any) -> Any:
        value = only_value(domain)
        return Term(tree, domain) if value is NO_VALUE else Known(value, domain)

    def _of_tagged(self, base: Term, name: str) -> Any:
        domain = base.domain
        if name == "tag":
            tags = [tag for tag in domain.tags if domain.size(tag)]
            return Known(tags[0]) if len(tags) == 1 else Term(dotted(base.tree, "tag"), Enum(*tags))
        return self._part(dotted(base.tree, name), domain.tags[name])

    def variable(self, view: View, name: str) -> Any:
        """Return what ``s.name`` is: a variable, a mechanism, a bound, a part of a budget."""
        if name in self.script.domains:
            return view.at((name,), self.script.domains[name])
        totals = self.script.system.design.bounds
        budget, part = part_of_budget(name, totals)
        if budget:
            left = view.at((budget,), self.script.domains[budget])
            if part == LEFT:
                return left
            assert part == USED
            return self.sum_of("-", Known(totals[budget]), left)
        return Known(getattr(self.script.system.sizes, name))

    def _subscript(self, node: ast.Subscript) -> Any:
        base, index = self.expression(node.value), self.expression(node.slice)
        if isinstance(base, View):
            return self.variable(base, index.value)
        return self.element(base, index, node)

    def element(self, base: Any, index: Any, node: ast.AST) -> Any:
        """Return ``base[index]``."""
        domain = getattr(base, "domain", None)
        if isinstance(base, Place):
            if isinstance(domain, Array):
                return base.view.at((*base.path, self.tree(index)), domain.element)
            base = base.view.load(base)
        if isinstance(base, Several) or (isinstance(base, Known) and domain is None):
            return self._of_several(base, index)
        if isinstance(base, Known) and isinstance(index, Known):
            try:
                return Known(base.value[index.value], domain.element)
            except (IndexError, KeyError, TypeError):
                pass
        if isinstance(domain, Array):
            return self._part(At(self.tree(base), self.tree(index)), domain.element)
        if isinstance(domain, Seq):
            return self._part(At(self.tree(base), self.after(index)), domain.element)
        if isinstance(domain, Bag):
            return self._part(At(self.in_order(base), self.after(index)), domain.element)
        self.fail(node, "its elements have no numbers")

    def _of_several(self, base: Any, index: Any) -> Any:
        items = base.items if isinstance(base, Several) else [Known(v) for v in base.value]
        if isinstance(index, Known):
            return items[index.value]
        trees = tuple(self.tree(item) for item in items)
        place = self.tree(self.sum_of("+", index, Known(1)))
        return Term(At(Listed("<<", trees), place), getattr(items[0], "domain", None) or INT)

    def after(self, index: Any) -> Tree:
        """Return the place, from 1, of an index from 0."""
        return self.tree(self.sum_of("+", index, Known(1)))

    # -- arithmetic -----------------------------------------------------------------------------
    def _binop(self, node: ast.BinOp) -> Any:
        return self.operate(node.op, self.expression(node.left), self.expression(node.right), node)

    def operate(self, op: ast.operator, left: Any, right: Any, node: ast.AST) -> Any:
        """Return ``left op right``, of numbers or of sets."""
        if self._is_set(left) or self._is_set(right):
            return self._of_sets(op, left, right)
        kind = type(op)
        if isinstance(left, Known) and isinstance(right, Known):
            try:
                return Known(_ARITHMETIC[kind](left.value, right.value))
            except (ZeroDivisionError, TypeError) as error:
                self.fail(node, f"it goes wrong in every run: {error}")
        if kind in (ast.Add, ast.Sub, ast.Mult):
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}[kind]  # type: ignore[index]
            return self._counted(left, self.sum_of(sign, left, right))
        known = right.value if isinstance(right, Known) else None
        if known == 1:
            return left if kind is ast.FloorDiv else Known(0)
        trees = self.tree(left), self.tree(right)
        if known is not None and known > 1:
            return Term(Infix("\\div" if kind is ast.FloorDiv else "%", trees), INT)
        return Term(self.script.helper("FloorDiv" if kind is ast.FloorDiv else "Modulo", *trees), INT)

    def _counted(self, left: Any, total: Any) -> Any:
        """Return a sum; in an effect, what is added to a count leaves it where it ends."""
        domain = getattr(left, "domain", None)
        if not (self.changes and isinstance(domain, Count)):
            return total
        most = number(domain.high)
        if isinstance(total, Known):
            return Known(min(total.value, domain.high), domain)
        return Term(self.script.helper("Min", Listed("{", (total.tree, most))), domain)

    def sum_of(self, sign: str, left: Any, right: Any) -> Any:
        """Return a sum, difference or product of numbers."""
        if isinstance(left, Known) and isinstance(right, Known):
            if isinstance(left.value, AnyNumber):
                raise UsageError("it asks how much of a budget of any was used")
            op = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign]
            return Known(op(left.value, right.value))
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Known) and sign == "+" and one.value == 0:
                return Term(self.tree(other), INT)
            if isinstance(one, Known) and sign == "*" and one.value == 1:
                return Term(self.tree(other), INT)
        if isinstance(right, Known) and sign == "-" and right.value == 0:
            return Term(self.tree(left), INT)
        if isinstance(right, Known) and sign == "+" and right.value < 0:
            return self.sum_of("-", left, Known(-right.value))
        return Term(_summed(sign, self.tree(left), self.tree(right)), INT)

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return self.known_truth(negated(self.truth(node.operand)))
        value = self.expression(node.operand)
        if isinstance(node.op, ast.UAdd):
            return value
        if isinstance(value, Known):
            return Known(-value.value)
        return Term(Prefix("-", self.tree(value)), INT)

    # -- sets -----------------------------------------------------------------------------------
    def _is_set(self, value: Any) -> bool:
        domain = getattr(value, "domain", None)
        if isinstance(value, Several):
            return value.is_set
        return isinstance(domain, Set) or (
            isinstance(value, Known) and isinstance(value.value, frozenset | set)
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
        return Known(tree == TRUE) if tree in (TRUE, FALSE) else Term(tree, TRUTH)

    def _boolop(self, node: ast.BoolOp) -> Any:
        is_and = isinstance(node.op, ast.And)
        found: list[Tree] = []
        for value in node.values:
            part = self.truth(value)
            found.append(part)
            if part == (FALSE if is_and else TRUE):
                break
        return self.known_truth(both(*found) if is_and else in_turn(*found))

    def _ifexp(self, node: ast.IfExp) -> Any:
        test = self.truth(node.test)
        if test in (TRUE, FALSE):
            return self.expression(node.body if test == TRUE else node.orelse)
        return self.chosen(test, self.expression(node.body), self.expression(node.orelse))

    def chosen(self, test: Tree, a: Any, b: Any) -> Any:
        """Return one of two values."""
        domain = getattr(a, "domain", None) or getattr(b, "domain", None)
        if isinstance(a, Known) and isinstance(b, Known):
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
        if not isinstance(value, Known):
            return None
        known = value.value
        if type(known) in self.script.records:
            return self.script.records[type(known)]
        if type(known) in self.script.tagged:
            return self.script.tagged[type(known)]
        return TRUTH if isinstance(known, bool) else INT if type(known) is int else None

    def _compare(self, node: ast.Compare) -> Any:
        left, found = self.expression(node.left), []
        for op, right_node in zip(node.ops, node.comparators, strict=True):
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
        if isinstance(left, Known) and isinstance(right, Known):
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
        a = left.view.load(left) if isinstance(left, Place) else left
        b = right.view.load(right) if isinstance(right, Place) else right
        if isinstance(a, Known) and isinstance(b, Known):
            return self._same_known(a, b)
        domain = getattr(a, "domain", None) or getattr(b, "domain", None)
        if isinstance(domain, Enum | Int | OneOf):
            domain = None
        trees = self.tree(a, domain), self.tree(b, domain)
        for one, other in (trees, trees[::-1]):
            if one in (TRUE, FALSE):
                return other if one == TRUE else negated(other)
        return TRUE if trees[0] == trees[1] else Infix("=", trees)

    def _same_known(self, a: Known, b: Known) -> Tree:
        values = [tuple(v.value) if isinstance(v.value, list) else v.value for v in (a, b)]
        if any(isinstance(v.domain, Set | Bag) for v in (a, b)):
            values = [tuple(sorted(map(repr, v))) for v in values]
        return TRUE if values[0] == values[1] else FALSE

    # -- given by the classes below -------------------------------------------------------------
    def member(self, item: Any, container: Any, node: ast.AST) -> Tree:
        """Return where ``item in container``."""
        raise NotImplementedError

    def in_order(self, bag: Any) -> Tree:
        """Return the elements of a bag or set as an ascending sequence."""
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


__all__ = ["Expressions", "Frame", "Primed"]
