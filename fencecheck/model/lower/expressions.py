"""Lower expressions of the subset to nodes.

Each method takes a piece of syntax and returns a symbol (symbols.py), with Python's meaning:
short-circuit, floor division, chained comparison. What may fail in a run is recorded as a
condition under the current path. What is outside the subset raises ModelError with the line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from fencecheck.errors import nearest
from fencecheck.model.domains import Array, Bag, Enum, Record
from fencecheck.model.lower.comparisons import Comparisons, one_enum
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.kinds.coercion import share_names
from fencecheck.model.lower.symbols import (
    Items,
    Missing,
    Num,
    Place,
    Rec,
    Text,
    Unspent,
    Vector,
    View,
    Wrong,
    mark_of,
)
from fencecheck.model.mistakes.gathering import Following
from fencecheck.model.mistakes.refused import RefusedDeclaration


class Expressions(Comparisons):
    """Expressions; calls and containers are added by the classes below this one."""

    # -- literals and names ---------------------------------------------------------------------
    def _constant(self, node: ast.Constant) -> Any:
        return self.constant(node.value)

    def _name(self, node: ast.Name) -> Any:
        if node.id in self.frame.locals:
            found = self.frame.locals[node.id]
            if isinstance(found, Wrong):
                raise Following(node.id)
            if isinstance(found, Missing):
                self.fail(f"{node.id} may have no value here ({found.why})", "assign it first")
            return found
        if node.id not in self.frame.globals:
            known = [*self.frame.locals, *self.frame.globals]
            hint = nearest(node.id, known)
            self.fail(
                f"unknown name {node.id}{hint}",
                "use a name of the file or of the function, or a "
                "builtin of the subset: len, min, max, abs, any, all, sum, range, tuple",
            )
        known_to_python = self.frame.globals[node.id]
        if isinstance(known_to_python, RefusedDeclaration):
            raise Following(node.id)
        return self.python_value(known_to_python)

    def _tuple(self, node: ast.Tuple | ast.List | ast.Set) -> Items:
        return Items(tuple((self.dag.true, self.expression(e)) for e in node.elts))

    _list = _tuple

    def _set(self, node: ast.Set) -> Items:
        return Items(tuple(self.distinct(self._tuple(node).pairs)), ordered=False)

    def distinct(self, pairs: Iterable[tuple[Node, Any]]) -> list[tuple[Node, Any]]:
        """Return (present, value) pairs in which a value equal to an earlier one is absent."""
        kept: list[tuple[Node, Any]] = []
        for present, value in pairs:
            again = self.dag.any_of(
                self.dag.both(there, self.same(value, other).node) for there, other in kept
            )
            kept.append((self.dag.both(present, self.dag.negate(again)), value))
        return kept

    # -- elements --------------------------------------------------------------------------------
    def _subscript(self, node: ast.Subscript) -> Any:
        return self.subscripted(self.symbol(node.value), node)

    def subscripted(self, base: Any, node: ast.Subscript) -> Any:
        """Return the element of ``base`` that a subscript names."""
        if isinstance(node.slice, ast.Slice):
            self.fail(f"`{ast.unparse(node)}` is a part of a container", "read its elements singly")
        if isinstance(base, View):
            return self.variable(base, self.name_in(self.expression(node.slice), node))
        if isinstance(base, Place) and isinstance(base.domain, Array):
            return self.load(self.element(base, self.position(base.domain, node.slice)))
        if isinstance(base, Vector):
            return self.chosen_of(base.items, self.position(base.array, node.slice))
        if isinstance(base, Place) and isinstance(base.domain, Bag):
            return self.slot_at(base, self.integer(node.slice))
        if isinstance(base, Items):
            return self._pick(base, self.integer(node.slice))
        self.fail(
            f"`{ast.unparse(node)}`: {describe(base)} has no elements by number",
            "index an array; iterate over sets and bags",
        )

    def _pick(self, items: Items, index: Num) -> Any:
        count, number = len(items.pairs), index.node.constant
        if number is not None and -count <= number < 0 and items.ordered:
            return items.pairs[number][1]
        if (number is None and index.node.low < 0) or not items.ordered:
            self.fail(
                "a list of values is read at an index that can be negative, or has no order",
                "index a tuple with 0 or more",
            )
        return self.chosen_of([value for _, value in items.pairs], index)

    def chosen_of(self, values: Sequence[Any], index: Num) -> Any:
        """Return that one of several values which stands at a computed place."""
        self.check_index(index.node, len(values))
        result = values[-1]
        for i in range(len(values) - 2, -1, -1):
            here = self.dag.equal(index.node, self.dag.const(i))
            result = self.choose(Num(here, None, index.ghosts), values[i], result)
        return result

    def check_index(self, index: Node, count: int) -> None:
        """Record that an index below 0 or not below ``count`` is an error of the run."""
        if index.low < 0:
            self.may_be_negative = True
            self.may_fail(self.dag.less(index, self.dag.const(0)))
        if index.high >= count:
            self.may_fail(self.dag.less(self.dag.const(count - 1), index))

    def position(self, array: Array, node: ast.expr) -> Num:
        """Return the place, from 0, of the element of an array that ``x[...]`` speaks of."""
        enum = array.index
        if not isinstance(enum, Enum):
            return self._place_by_number(array, node)
        name = self.coerce(self.expression(node), enum)
        if name.node.high >= enum.count:
            self.may_fail(self.dag.less(self.dag.const(enum.count - 1), name.node))
        place = self.dag.const(0)
        for number, one in enumerate(enum.names):
            here = self.dag.equal(name.node, self.dag.const(enum.rank(one)))
            place = self.dag.select(here, self.dag.const(number), place)
        return Num(place, None, name.ghosts)

    def _place_by_number(self, array: Array, node: ast.expr) -> Num:
        """Return the place of an element of an array over an Index."""
        wanted, value = mark_of(array.index), self.expression(node)
        if wanted is None:
            return self.whole_number(value, node)
        if not (isinstance(value, Num) and value.mark == wanted):
            self.node = node
            self.wrong_mark(value, wanted)
        return self.present(value)

    def element(self, base: Place, index: Num) -> Place:
        """Return the element of an array place, with one alternative per possible index."""
        assert isinstance(base.domain, Array)
        self.check_current(base)
        self.check_index(index.node, base.domain.length)
        alternatives = []
        low, high = max(index.node.low, 0), min(index.node.high, base.domain.length - 1)
        for condition, path in base.alternatives:
            for i in range(low, high + 1):
                here = self.dag.equal(index.node, self.dag.const(i))
                both = self.dag.both(condition, here)
                if both is not self.dag.false:
                    alternatives.append((both, f"{path}[{i}]"))
        if not alternatives:  # an error of the run, if this path is ever taken
            alternatives = [(self.dag.true, f"{base.alternatives[0][1]}[0]")]
        return Place(
            base.view,
            base.domain.element,
            tuple(alternatives),
            base.ghosts | index.ghosts,
            base.ghost,
            base.name,
            base.renewed,
        )

    def slot_at(self, base: Place, index: Num) -> Any:
        raise AssertionError  # given by Containers

    # -- operators ------------------------------------------------------------------------------
    def integer(self, node: ast.expr) -> Num:
        """Return an expression that must be a whole number."""
        return self.whole_number(self.expression(node), node)

    def whole_number(self, value: Any, node: ast.expr) -> Num:
        """Return the value of ``node``, which must be a whole number."""
        if isinstance(value, Num) and value.kind == "int" and not value.is_none:
            return self.present(value)
        if isinstance(value, Unspent):
            self.no_number(f"how much of {value.budget} is left")
        if self.marked(value):
            self.node = node
            self.wrong_mark(value, None)
        self.fail(
            f"`{ast.unparse(node)}` is {describe(value)} where a whole number is needed",
            "write (1 if ... else 0) for a truth",
        )

    def present(self, value: Num) -> Num:
        """Return a number; None in its place is an error of the run."""
        if not value.optional:
            return value
        self.may_fail(self.dag.equal(value.node, self.dag.const(-1)))
        return replace(value, node=self.dag.maximum(value.node, self.dag.const(0)), optional=False)

    def condition(self, node: ast.expr) -> Num:
        """Return an expression that must be a truth."""
        value = self.expression(node)
        if isinstance(value, Num) and value.kind == "bool":
            return value
        self.fail(
            f"`{ast.unparse(node)}` is {describe(value)} where true or false is needed",
            "write a comparison (x > 0, len(x) > 0, x == ...)",
        )

    def _unaryop(self, node: ast.UnaryOp) -> Num:
        if isinstance(node.op, ast.Not):
            value = self.condition(node.operand)
            return Num(self.dag.negate(value.node), None, value.ghosts)
        if isinstance(node.op, ast.USub):
            value = self.integer(node.operand)
            return Num(self.dag.sub(self.dag.const(0), value.node), None, value.ghosts)
        self.fail(f"`{ast.unparse(node)}` is outside the subset", "write not or -")

    def arithmetic(self, node: ast.BinOp | ast.AugAssign, a: Num, b: Num) -> Num:
        """Return the result of an operator on two whole numbers that are evaluated already."""
        ghosts = a.ghosts | b.ghosts
        dag = self.dag
        simple = {ast.Add: dag.add, ast.Sub: dag.sub, ast.Mult: dag.mul}
        if (build := simple.get(type(node.op))) is not None:
            return Num(build(a.node, b.node), None, ghosts)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            right = node.right if isinstance(node, ast.BinOp) else node.value
            if isinstance(right, ast.Constant) and b.node.constant == 0:
                self.fail(f"`{ast.unparse(node)}` divides by zero", "write another divisor")
            self.may_fail(dag.equal(b.node, dag.const(0)))
            divide = dag.floordiv if isinstance(node.op, ast.FloorDiv) else dag.mod
            return Num(divide(a.node, b.node), None, ghosts)
        self.fail(f"`{ast.unparse(node)}` is outside the subset", "write +, -, *, // or %")

    def _boolop(self, node: ast.BoolOp) -> Num:
        values = node.values
        if (settled := self.said_by_part(values[0])) is not None:
            if settled is not isinstance(node.op, ast.And):
                return Num(self.dag.truth(settled))
            values = values[1:]
        result = self.condition(values[0])
        for operand in values[1:]:
            is_and = isinstance(node.op, ast.And)
            goes_on = result.node if is_and else self.dag.negate(result.node)
            if self.passes_over(operand, goes_on):
                continue
            with self.within(goes_on, result.ghosts):
                right = self.condition(operand)
            combine = self.dag.both if is_and else self.dag.either
            result = Num(combine(result.node, right.node), None, result.ghosts | right.ghosts)
        return result

    def _ifexp(self, node: ast.IfExp) -> Any:
        if (settled := self.said_by_part(node.test)) is not None:
            return self.expression(node.body if settled else node.orelse)
        condition = self.condition(node.test)
        a, b = (
            self._where_evaluated(one, there, condition.ghosts)
            for one, there in (
                (node.body, condition.node),
                (node.orelse, self.dag.negate(condition.node)),
            )
        )
        return self.choose(condition, a, b)

    def _where_evaluated(self, node: ast.expr, there: Node, ghosts: frozenset[str]) -> Any:
        """Return an expression's value where ``there`` holds; None if that is known to be nowhere.

        So it is at least where it was lowered before.
        """
        if self.passes_over(node, there):
            return None
        with self.within(there, ghosts):
            return self.expression(node)

    def _known(self, value: Any, other: Node) -> Any:
        """Return a value as a number where it is None in no case but the ``other``."""
        if not (isinstance(value, Num) and value.optional and not value.is_none):
            return value
        if self.dag.equal(value.node, self.dag.const(-1)) is not other:
            return value
        return replace(value, node=self.dag.maximum(value.node, self.dag.const(0)), optional=False)

    def _of_one_domain(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Return two names of Enums that share some as names of one Enum, tagged values likewise.

        Other symbols are returned as they are.
        """
        if not (isinstance(a, Num) and isinstance(b, Num)):
            return a, b
        if a.one_of and b.one_of and a.one_of.make is b.one_of.make:
            both = a.one_of if a.one_of.has_values_of(b.one_of) else a.one_of.unnarrowed
            return self.retagged(a, both, both.count), self.retagged(b, both, both.count)
        if not (a.enum and b.enum):
            return a, b
        if one_enum(a, b) or not share_names(a.enum, b.enum):
            return a, b
        names = Enum(*dict.fromkeys((*a.enum.names, *b.enum.names)))
        return self.recast(a, names, 0), self.recast(b, names, 0)

    def choose(self, condition: Num, a: Any, b: Any) -> Any:
        """Return a where the condition holds, else b; the two must be of one kind."""
        dag, test = self.dag, condition.node
        if a is b or test is dag.true:
            return a
        if test is dag.false:
            return b
        if wrong := [one for one in (a, b) if isinstance(one, Wrong)]:
            return wrong[0]
        if isinstance(a, Missing) or isinstance(b, Missing) or a is None or b is None:
            return Missing("it is set on some paths only")
        if isinstance(a, Place) and isinstance(b, Place) and isinstance(a.domain, Record):
            a, b = self.record(a), self.record(b)
        if isinstance(a, Text) and isinstance(b, Num) and b.enum:
            a = self.coerce(a, b.enum)
        if isinstance(b, Text) and isinstance(a, Num) and a.enum:
            b = self.coerce(b, a.enum)
        if isinstance(a, Text) and isinstance(b, Text):
            return self._either_text(condition, a, b)
        if _either_kind(a, b):
            return Missing("it is set on some paths only")
        a = self._known(a, dag.negate(test))
        b = self._known(b, test)
        a, b = self._of_one_domain(a, b)
        if _one_kind(a, b):
            ghosts = a.ghosts | b.ghosts | condition.ghosts
            optional = a.optional or b.optional
            node = dag.select(test, a.node, b.node)
            at_clock = a.at_clock and b.at_clock
            return Num(
                node, a.enum, ghosts, optional, one_of=a.one_of, mark=a.mark or b.mark,
                at_clock=at_clock,
            )  # fmt: skip
        a = self.record(a) if isinstance(a, Place) and isinstance(a.domain, Record) else a
        b = self.record(b) if isinstance(b, Place) and isinstance(b.domain, Record) else b
        if isinstance(a, Rec) and isinstance(b, Rec) and a.record.make is b.record.make:
            fields = {f: self.choose(condition, a.fields[f], b.fields[f]) for f in a.fields}
            slot = dag.select(test, a.slot, b.slot) if a.slot and b.slot else None
            return Rec(a.record, fields, slot)
        if isinstance(a, Vector) and isinstance(b, Vector) and len(a.items) == len(b.items):
            pairs = zip(a.items, b.items, strict=True)
            return Vector(a.array, tuple(self.choose(condition, x, y) for x, y in pairs))
        self._differ(a, b)

    def _either_text(self, condition: Num, a: Text, b: Text) -> Text:
        """Return a literal of a or of b; each text stands among the options once."""
        first, second = ({text: when for when, text in t.options} for t in (a, b))
        dag, no = self.dag, self.dag.false
        options = [
            (dag.select(condition.node, first.get(text, no), second.get(text, no)), text)
            for text in first | second
        ]
        return Text(tuple(options), a.ghosts | b.ghosts | condition.ghosts)

    def _differ(self, a: Any, b: Any) -> NoReturn:
        self.fail(
            f"the two cases differ in kind: {describe(a)} and {describe(b)}",
            "give both the same kind",
        )


_NUMBERS = {"int", "version", "fresh", "identity"}


def _one_kind(a: Any, b: Any) -> bool:
    """Tell whether two symbols are numbers, truths or names that one symbol can stand for."""
    if not (isinstance(a, Num) and isinstance(b, Num)):
        return False
    none = (a.is_none and a.kind == "int" and b.mark) or (b.is_none and b.kind == "int" and a.mark)
    if not none and not (a.kind == b.kind and a.mark == b.mark and one_enum(a, b)):
        return False
    if a.one_of and b.one_of:
        return a.one_of.make is b.one_of.make
    return all(n.optional or n.node.low >= 0 for n in (a, b)) if a.optional != b.optional else True


def _either_kind(a: Any, b: Any) -> bool:
    """Tell whether one of two symbols is None, and the other can never be."""
    return any(
        isinstance(one, Num)
        and one.is_none
        and not (isinstance(other, Num) and other.kind in _NUMBERS)
        for one, other in ((a, b), (b, a))
    )
