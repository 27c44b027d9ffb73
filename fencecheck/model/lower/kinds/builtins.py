"""Lower the builtins of the subset: what they give of numbers, and of all that a loop visits."""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.model.domains import MOST, Index
from fencecheck.model.lower.calls import Calls
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.symbols import NONE, Items, Num, View, mark_of


class Builtins(Calls):
    """len, range, abs, min, max, any, all, sum; ``apply`` has checked how many arguments."""

    def _of_len(self, node: ast.Call) -> Num:
        return self.length(self.expression(node.args[0]), node)

    def _of_range(self, node: ast.Call) -> Items:
        index = self._symmetric_range(node)
        if index is not None:
            mark = mark_of(index)
            each = (Num(self.dag.const(i), mark=mark) for i in range(index.count))
            return Items(tuple((self.dag.true, one) for one in each), loose=mark or False)
        numbers = [self.integer(a).node.constant for a in node.args]
        if any(n is None for n in numbers):
            self.fail(
                f"`{ast.unparse(node)}` depends on the state",
                "range over a bound and test inside the loop",
            )
        if numbers[2:] == [0]:
            self.fail(f"`{ast.unparse(node)}` never moves on", "write a step other than 0")
        values = range(*[n for n in numbers if n is not None])
        if abs(values.stop - values.start) // abs(values.step) > MOST:
            self.fail(f"`{ast.unparse(node)}` visits too many numbers", "choose smaller bounds")
        return Items(tuple((self.dag.true, Num(self.dag.const(i))) for i in values))

    def _symmetric_range(self, node: ast.Call) -> Index | None:
        """Return the symmetric Index over whose values ``range(s.bound)`` goes, if it is one."""
        (argument, *more) = node.args
        if more or not isinstance(argument, ast.Attribute) or argument.attr not in self.identities:
            return None
        is_bound = isinstance(self.expression(argument.value), View)
        return self.identities[argument.attr] if is_bound else None

    def _of_abs(self, node: ast.Call) -> Num:
        value = self.integer(node.args[0])
        minus = self.dag.sub(self.dag.const(0), value.node)
        return Num(self.dag.maximum(value.node, minus), None, value.ghosts)

    def _of_min(self, node: ast.Call) -> Num:
        return self._extreme(node, self.dag.minimum)

    def _of_max(self, node: ast.Call) -> Num:
        return self._extreme(node, self.dag.maximum)

    def _extreme(self, node: ast.Call, pick: Any) -> Num:
        if len(node.args) < 2:
            return self._extreme_of_each(node, pick)
        values = [self._in_order(a) for a in node.args]
        result = values[0]
        for value in values[1:]:
            self.check_alike(ast.unparse(node.func), result, value)
            ghosts, at_clock = result.ghosts | value.ghosts, result.at_clock and value.at_clock
            both = pick(result.node, value.node)
            result = Num(both, None, ghosts, mark=result.mark, at_clock=at_clock)
        return result

    def _in_order(self, node: ast.expr) -> Num:
        """Return an expression that must be of those that have an order: a number or a version."""
        value = self.expression(node)
        if self.marked(value) and value.kind == "version":
            return self.present(value)
        return self.whole_number(value, node)

    def _extreme_of_each(self, node: ast.Call, pick: Any) -> Num:
        """Return the least or greatest of what is visited.

        As in Python, None among it is an error where there is another to compare it with.
        """
        dag, some, best = self.dag, self.dag.false, Num(self.dag.const(0))
        for present, value, more in self._each(node):
            if not isinstance(value, Num) or value.kind not in ("int", "version"):
                self.fail(f"`{ast.unparse(node)}` is over {describe(value)}", "give whole numbers")
            if some is not dag.false:
                self.check_alike(ast.unparse(node.func), best, value)
            both, none = dag.both(some, present), dag.const(-1)
            with self.within(both):
                for one in (best, value):
                    if one.optional:
                        self.may_fail(dag.equal(one.node, none))
            better = dag.select(both, pick(best.node, value.node), value.node)
            chosen = value.node if some is dag.false else dag.select(present, better, best.node)
            optional = best.optional or value.optional
            ghosts = best.ghosts | value.ghosts | more
            some = dag.either(some, present)
            best = Num(chosen, None, ghosts, optional, mark=value.mark)
        return self._or_default(node, Num(some, None, best.ghosts), best)

    def _or_default(self, node: ast.Call, some: Num, best: Num) -> Num:
        """Return a number where there is some, else the default; without one that is an error."""
        if not node.keywords:
            self.may_fail(self.dag.negate(some.node))
            return best
        stores = self.stores
        given = self.expression(node.keywords[0].value)
        if self.stores > stores:
            self.fail(f"`{ast.unparse(node)}`: its default changes the state", "assign it before")
        default = self._number_or_none(given, node)
        chosen = default if some.node is self.dag.false else self.choose(some, best, default)
        return self._number_or_none(chosen, node)

    def _number_or_none(self, value: Any, node: ast.Call) -> Num:
        """Return the default of an extreme, or what it is with it, which is a number or None."""
        if isinstance(value, Num) and value.kind in ("int", "version"):
            return value
        self.fail(
            f"the default of `{ast.unparse(node)}` is {describe(value)}",
            "write a number, or None where the numbers are indices",
        )

    def _of_any(self, node: ast.Call) -> Num:
        found, ghosts = self.dag.false, NONE
        for present, value, more in self._each(node, until=True):
            self._truth(value, node)
            found = self.dag.either(found, self.dag.both(present, value.node))
            ghosts = ghosts | value.ghosts | more
        return Num(found, None, ghosts)

    def _of_all(self, node: ast.Call) -> Num:
        found, ghosts = self.dag.true, NONE
        for present, value, more in self._each(node, until=False):
            self._truth(value, node)
            fine = self.dag.either(self.dag.negate(present), value.node)
            found = self.dag.both(found, fine)
            ghosts = ghosts | value.ghosts | more
        return Num(found, None, ghosts)

    def _truth(self, value: Any, node: ast.Call) -> None:
        if not (isinstance(value, Num) and value.kind == "bool"):
            self.fail(f"`{ast.unparse(node)}` is over {describe(value)}", "write a comparison")

    def _of_sum(self, node: ast.Call) -> Num:
        total, ghosts = self.dag.const(0), NONE
        for present, value, more in self._each(node):
            if not isinstance(value, Num) or value.kind not in ("bool", "int"):
                self.fail(f"`{ast.unparse(node)}` adds {describe(value)}", "add whole numbers")
            if value.optional:
                with self.within(present):
                    value = self.present(value)
            number = self.dag.as_int(value.node) if value.kind == "bool" else value.node
            total = self.dag.add(total, self.dag.select(present, number, self.dag.const(0)))
            ghosts = ghosts | value.ghosts | more
        return Num(total, None, ghosts)

    def _each(
        self, node: ast.Call, until: bool | None = None
    ) -> list[tuple[Node, Any, frozenset[str]]]:
        """Return (present, value, ghosts) for the one argument of any, all or sum.

        A generator is not asked for more once it has given ``until``.
        """
        if len(node.args) != 1:
            self.fail(
                f"`{ast.unparse(node)}` takes one argument",
                f"write {ast.unparse(node.func)}(... for ... in ...)",
            )
        argument = node.args[0]
        if isinstance(argument, ast.GeneratorExp):
            return self.comprehension(argument, until)
        if isinstance(argument, ast.ListComp):
            return self.comprehension(argument)
        if isinstance(argument, ast.SetComp):
            found = self.comprehension(argument)
            kept = self.distinct((present, value) for present, value, _ in found)
            ghosts = NONE.union(*(more | value.ghosts for _, value, more in found))
            return [(present, value, ghosts) for present, value in kept]
        items = self.items(self.expression(argument), node)
        return [(present, value, items.ghosts) for present, value in items.pairs]
