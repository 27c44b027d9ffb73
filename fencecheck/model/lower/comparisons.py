"""Lower comparisons: of numbers and names, of records and whole containers, chained as in Python.

Two values are the same where their content is, whatever holds it.
"""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.model.domains import Array, Bag, Enum, Int, Maybe, OneOf, Record, Set
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.kinds.coercion import share_names
from fencecheck.model.lower.kinds.records import Records
from fencecheck.model.lower.places import ghost_fields
from fencecheck.model.lower.symbols import (
    NONE,
    Num,
    Place,
    Rec,
    Text,
    Unspent,
    Vector,
    is_set,
    mark_of,
    scalars_in,
)

_ORDERED = {"int", "version", "count"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class Comparisons(Records):
    """Comparisons of whatever the state holds."""

    def _compare(self, node: ast.Compare) -> Num:
        left = self.expression(node.left)
        result: Num | None = None
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            going = result.node if result else self.dag.true
            with self.within(going, result.ghosts if result else NONE):
                right = self.expression(right_node)
                if isinstance(op, ast.In | ast.NotIn):
                    found = self.membership(left, right)
                    if isinstance(op, ast.NotIn):
                        found = Num(self.dag.negate(found.node), None, found.ghosts)
                elif isinstance(op, ast.Is | ast.IsNot) and _is_none(left, right):
                    found = self._relate("==" if isinstance(op, ast.Is) else "!=", left, right)
                elif type(op) in _COMPARE:
                    found = self._relate(_COMPARE[type(op)], left, right)
                else:
                    self.fail(f"`{ast.unparse(node)}` is outside the subset", "write == or !=")
            if result is not None:
                both = self.dag.both(result.node, found.node)
                found = Num(both, None, result.ghosts | found.ghosts)
            result, left = found, right
        assert result is not None
        return result

    def _relate(self, op: str, a: Any, b: Any) -> Num:
        if isinstance(a, Unspent) or isinstance(b, Unspent):
            return self._unspent(op, a, b)
        self.check_alike(op, a, b)
        if op in ("==", "!="):
            same = self.same(a, b)
            return same if op == "==" else Num(self.dag.negate(same.node), None, same.ghosts)
        if is_set(a) and is_set(b):
            return self.sets_related(op, a, b)
        kinds = [one.kind for one in (a, b) if isinstance(one, Num)]
        if len(kinds) < 2 or not _ORDERED.issuperset(kinds) or _is_none(a, b):
            self.fail(
                f"{op} between {describe(a)} and {describe(b)}", "only whole numbers have an order"
            )
        a, b = self.present(a), self.present(b)
        less, negate = self.dag.less, self.dag.negate
        node = {
            "<": lambda: less(a.node, b.node),
            ">": lambda: less(b.node, a.node),
            "<=": lambda: negate(less(b.node, a.node)),
            ">=": lambda: negate(less(a.node, b.node)),
        }[op]()
        return Num(node, None, a.ghosts | b.ghosts)

    def _unspent(self, op: str, a: Any, b: Any) -> Num:
        """Return a comparison of what is left of a budget of any, which is with 0 alone."""
        left, other = (a, b) if isinstance(a, Unspent) else (b, a)
        if not (isinstance(other, Num) and other.kind == "int" and other.node.constant == 0):
            self.no_number(f"how much of {left.budget} is left")
        turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="} if left is b else {}
        there = left.there
        node = {
            ">": there,
            "!=": there,
            "==": self.dag.negate(there),
            "<=": self.dag.negate(there),
            "<": self.dag.false,
            ">=": self.dag.true,
        }[turned.get(op, op)]
        return Num(node)

    def same(self, a: Any, b: Any) -> Num:
        """Return whether two values of one kind are equal."""
        if isinstance(a, Unspent) or isinstance(b, Unspent):
            return self._unspent("==", a, b)
        if isinstance(a, Text) and isinstance(b, Text):
            self.fail("two literals are compared", "compare a variable or mechanism with a literal")
        if isinstance(a, Text):
            a, b = b, a
        if isinstance(a, Num) and a.enum and isinstance(b, Text):
            b = self._literal(b, a.enum)
        if self.marked(a) or self.marked(b):
            self.check_alike("==", a, b)
            return self._same_number(a, b)
        if isinstance(a, Num) and isinstance(b, Num) and a.kind == b.kind:
            if a.one_of and b.one_of and a.one_of.make is not b.one_of.make:
                self.fail(
                    f"{describe(a)} is compared with {describe(b)}", "compare values of one OneOf"
                )
            if a.one_of and b.one_of:
                a = self.retagged(a, b.one_of, -1)
            if a.enum and b.enum and not one_enum(a, b):
                if share_names(a.enum, b.enum):
                    return self._same_number(self.recast(a, b.enum, -1), b)
                self.fail(
                    f"{a.enum.describe()} is compared with {b.enum.describe()}",
                    "compare values of one Enum",
                )
            return self._same_number(a, b)
        if isinstance(a, Place) and isinstance(b, Place) and not isinstance(a.domain, Record):
            return self._same_place(a, b)
        if is_set(a) and is_set(b):
            return self.sets_related("==", a, b)
        if isinstance(a, Vector) or isinstance(b, Vector):
            return self._same_vector(a, b)
        if not (_is_record(a) and _is_record(b)):
            self.fail(f"{describe(a)} is compared with {describe(b)}", "compare values of one kind")
        a, b = self.record(a), self.record(b)
        if a.record.make is not b.record.make:
            self.fail(
                f"{a.record.name} is compared with {b.record.name}", "compare records of one kind"
            )
        return self._same_scalars(a, b)

    def _same_scalars(self, a: Any, b: Any) -> Num:
        """Return whether two values with the same parts are equal."""
        pairs = zip(scalars_in(a), scalars_in(b), strict=True)
        same = self.dag.all_of(self.dag.equal(x.node, y.node) for x, y in pairs)
        return Num(same, None, a.ghosts | b.ghosts)

    def _same_vector(self, a: Any, b: Any) -> Num:
        """Return whether an array in a record equals another array."""
        known = [v.array if isinstance(v, Vector) else getattr(v, "domain", None) for v in (a, b)]
        if not (isinstance(known[0], Array) and _alike(*known)):
            self.fail(f"{describe(a)} is compared with {describe(b)}", "compare arrays of one kind")
        return self._same_scalars(self.vector(a, known[0]), self.vector(b, known[0]))

    def _same_number(self, a: Num, b: Num) -> Num:
        dag, same = self.dag, self.dag.equal(a.node, b.node)
        for none, other in ((a, b), (b, a)):
            if none.is_none and not other.optional:
                self.fail(
                    f"{describe(other)} is compared with {describe(none)}",
                    "compare values of one kind",
                )
            if none.optional and not other.optional and other.node.low < 0:
                same = dag.both(same, dag.negate(dag.less(none.node, dag.const(0))))
        return Num(same, None, a.ghosts | b.ghosts)

    def present(self, value: Num) -> Num:
        raise AssertionError  # given by Expressions

    def _same_place(self, a: Place, b: Place) -> Num:
        if not _alike(a.domain, b.domain) or len(a.alternatives) + len(b.alternatives) > 2:
            self.fail(f"{describe(a)} is compared with {describe(b)}", "compare their elements")
        self.check_current(a)
        self.check_current(b)
        (_, first), (_, second) = a.alternatives[0], b.alternatives[0]
        pairs = []
        for path in self.layout.place:
            if path == first or (path.startswith(first) and path[len(first)] in "[.|#"):
                other = second + path[len(first) :]
                pairs.append((self.field(a.view, path), self.field(b.view, other)))
        ghosts = {p.name for p in (a, b) if p.ghost}
        ghosts |= {f"{p.name}.{f}" for p in (a, b) for f in ghost_fields(p.domain)}
        nodes = self.dag.all_of(self.dag.equal(x, y) for x, y in pairs)
        return Num(nodes, None, a.ghosts | b.ghosts | ghosts)

    def membership(self, item: Any, container: Any) -> Num:
        raise AssertionError  # given by Containers

    def sets_related(self, operator: str, a: Any, b: Any) -> Num:
        raise AssertionError  # given by Sets


def one_enum(a: Num, b: Num) -> bool:
    """Tell whether the ranks of two names mean the same; for other kinds they do."""
    return (a.enum.names if a.enum else None) == (b.enum.names if b.enum else None)


def _is_none(a: Any, b: Any) -> bool:
    return any(isinstance(side, Num) and side.is_none for side in (a, b))


def _is_record(value: Any) -> bool:
    return isinstance(value, Rec) or (isinstance(value, Place) and isinstance(value.domain, Record))


def _alike_keys(a: Array, b: Array) -> bool:
    """Tell whether the elements of two arrays stand at the same places."""
    names = [getattr(array.index, "names", None) for array in (a, b)]
    return a.length == b.length and names[0] == names[1]


def _alike(a: Any, b: Any) -> bool:
    """Tell whether two domains have the same values in the same fields."""
    if isinstance(a, Int) and isinstance(b, Int) and isinstance(a, Maybe) == isinstance(b, Maybe):
        return (a.low, a.high) == (b.low, b.high) and mark_of(a) == mark_of(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, OneOf):
        return a.make is b.make
    if isinstance(a, Enum):
        return bool(a.names == b.names)
    if isinstance(a, Record):
        return a.make is b.make
    if isinstance(a, Array):
        return type(a.index) is type(b.index) and _alike_keys(a, b) and _alike(a.element, b.element)
    if isinstance(a, Bag):
        return a.capacity == b.capacity and _alike(a.element, b.element)
    return not isinstance(a, Set) or _alike(a.element, b.element)
