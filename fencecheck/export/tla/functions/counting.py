"""Write sums, extremes, and how many there are."""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.export.tla.functions.ranging import Ranging, RangingOver
from fencecheck.export.tla.syntax.building import (
    both,
    calling,
    number,
)
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    TRUE,
    Binding,
    Infix,
    Lambda,
    Listed,
    Tree,
    Word,
)
from fencecheck.export.tla.values import (
    INT,
    HeldPlace,
    KnownValue,
    Several,
    Term,
)
from fencecheck.model.domains import (
    Array,
    Bag,
    Seq,
    Set,
)


class Counting(RangingOver):
    """Numbers that come of many values."""

    # -- sums -----------------------------------------------------------------------------------
    def _of_sum(self, node: ast.Call) -> Any:
        (argument,) = node.args
        if isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return self.total(argument, 0)
        if isinstance(argument, ast.SetComp):
            members = self.members(argument, 0)
            kind = type(self.kind_of_elements(argument)).__name__
            with self.variable_for("x") as name:
                test, value = (Word(name), number(1)) if kind == "Bool" else (TRUE, Word(name))
                return Term(self._sum(Ranging(members, Word), name, test, value), INT)
        ranging = self.ranging(self.expression(argument), node, each=True)
        if ranging.single is not None:
            return self._added(list(ranging.single))
        with self.variable_for("x") as name:
            value = self.tree(ranging.value(name))
            return Term(self._sum(ranging, name, TRUE, value), INT)

    def total(self, node: Any, level: int, *, count: bool = False) -> Any:
        """Return the sum of what a comprehension gives from a loop on, or how many that is."""
        if level == len(node.generators):
            return KnownValue(1) if count else self.expression(node.elt)
        loop = node.generators[level]
        ranging = self.ranging(self.expression(loop.iter), loop.iter, each=True)
        if ranging.single is not None:
            return self._added([self._one(node, level, v, count=count) for v in ranging.single])
        with (
            self.variable_for(loop.target.id) as name,
            self.named(loop.target, ranging.value(name)),
        ):
            test = both(*map(self.truth, loop.ifs))
            value = KnownValue(0) if test == FALSE else self.total(node, level + 1, count=count)
            if _is_truth(value):
                test, value = both(test, self.tree(value)), KnownValue(1)
            if isinstance(value, KnownValue) and value.value == 0:
                return KnownValue(0)
            return Term(self._sum(ranging, name, test, self.tree(value)), INT)

    def _one(self, node: Any, level: int, value: Any, *, count: bool) -> Any:
        loop = node.generators[level]
        with self.named(loop.target, value):
            test = both(*map(self.truth, loop.ifs))
            if test == FALSE:
                return KnownValue(0)
            found = self.total(node, level + 1, count=count)
            if _is_truth(found):
                test, found = both(test, self.tree(found)), KnownValue(1)
            return self.chosen(test, found, KnownValue(0)) if test != TRUE else found

    def _added(self, values: list[Any]) -> Any:
        total: Any = KnownValue(0)
        for value in values:
            total = self.sum_of("+", total, value)
        return total

    def _sum(self, over: Ranging, name: str, test: Tree, value: Tree) -> Tree:
        counts = value == number(1)
        if over.bag is not None:
            kept = over.bag
            if test != TRUE:
                kept = self.script.helper("Those", Lambda((name,), test), over.bag)
            if counts:
                return calling("BagCardinality", kept)
            self.script.helpers.add("Sum")
            return self.script.helper("BagSum", Lambda((name,), value), kept)
        places = filtered(over.places, name, test)
        if counts:
            return calling("Cardinality", places)
        return self.script.helper("Sum", Lambda((name,), value), places)

    # -- least, greatest, how many --------------------------------------------------------------
    def _of_min(self, node: ast.Call) -> Any:
        return self._extreme(node, "Min")

    def _of_max(self, node: ast.Call) -> Any:
        return self._extreme(node, "Max")

    def _extreme(self, node: ast.Call, helper: str) -> Any:
        if len(node.args) > 1:
            values = [self.expression(a) for a in node.args]
            if all(isinstance(v, KnownValue) for v in values):
                pick = min if helper == "Min" else max
                return KnownValue(pick(v.value for v in values))
            trees = tuple(dict.fromkeys(map(self.tree, values)))
            return Term(self.script.helper(helper, Listed("{", trees)), INT)
        (argument,) = node.args
        if isinstance(argument, ast.GeneratorExp | ast.ListComp | ast.SetComp):
            members = self.members(argument, 0)
        else:
            members = self._all_of(self.expression(argument), node)
        found: Tree = self.script.helper(helper, members)
        domain: Any = INT
        for keyword in node.keywords:
            default = self.expression(keyword.value)
            empty = Infix("=", (members, Listed("{", ())))
            found = self.tree(self.chosen(empty, default, Term(found, INT)))
        return Term(found, domain)

    def _all_of(self, value: Any, node: ast.AST) -> Tree:
        """Return the set of the values in a container."""
        ranging = self.ranging(value, node)
        if ranging.single is not None:
            return Listed("{", tuple(dict.fromkeys(map(self.tree, ranging.single))))
        return ranging.places

    def _of_len(self, node: ast.Call) -> Any:
        (argument,) = node.args
        if isinstance(argument, ast.ListComp | ast.GeneratorExp):
            return self.total(argument, 0, count=True)
        return self.length(self.expression(argument), node)

    def length(self, value: Any, node: ast.AST) -> Any:
        """Return how many elements there are."""
        loaded = value.view.load(value) if isinstance(value, HeldPlace) else value
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, KnownValue):
            return KnownValue(len(loaded.value))
        if isinstance(domain, Array):
            return KnownValue(domain.length)
        if isinstance(loaded, Several) and not loaded.is_set:
            return KnownValue(len(loaded.items))
        tree = self.tree(loaded)
        name = (
            "Len"
            if isinstance(domain, Seq)
            else ("BagCardinality" if isinstance(domain, Bag) else "Cardinality")
        )
        return Term(calling(name, tree), INT)

    def _of_abs(self, node: ast.Call) -> Any:
        value = self.expression(node.args[0])
        if isinstance(value, KnownValue):
            return KnownValue(abs(value.value))
        return Term(self.script.helper("Abs", self.tree(value)), INT)

    def _of_range(self, node: ast.Call) -> Any:
        values = [self.expression(a) for a in node.args]
        if all(isinstance(v, KnownValue) for v in values):
            return KnownValue(range(*(v.value for v in values)))
        if len(values) > 2:
            self.fail(node, "its step is known only where its ends are")
        low, high = (KnownValue(0), *values) if len(values) == 1 else values
        last = self.tree(self.sum_of("-", high, KnownValue(1)))
        return Term(Infix("..", (self.tree(low), last)), Set(INT))

    def members(self, node: Any, level: int) -> Tree:
        """Return the set of what a comprehension gives from a loop on."""
        raise NotImplementedError

    def kind_of_elements(self, node: Any) -> Any:
        """Return the domain of what a comprehension gives."""
        raise NotImplementedError


def _is_truth(value: Any) -> bool:
    if isinstance(value, KnownValue):
        return isinstance(value.value, bool)
    return type(getattr(value, "domain", None)).__name__ == "Bool"


def filtered(places: Tree, name: str, test: Tree) -> Tree:
    """Return what of a set is as a test says."""
    return places if test == TRUE else Binding("{", name, places, test)
