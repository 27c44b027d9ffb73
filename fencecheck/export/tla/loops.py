"""Write what expressions say of many values: any, all, sum, min, max, len, in, and comprehensions.

What a loop runs over is a set with, for each member, the value that its name has; or values that
are known one by one, for which the loop is written out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fencecheck.export.tla.expressions import Expressions
from fencecheck.export.tla.trees import (
    FALSE,
    TRUE,
    At,
    Bound_,
    Function_,
    Infix,
    Lambda,
    Listed,
    Prefix,
    Tree,
    Word,
    both,
    calling,
    either,
    number,
    words_in,
)
from fencecheck.export.tla.values import INT, TRUTH, Known, Place, Several, Term
from fencecheck.model.domains import Array, Bag, Index, Maybe, OneOf, Record, Seq, Set

_FEW = 4  # known values for which a loop is written out


@dataclass(frozen=True)
class Ranging:
    """What a loop runs over: a set, and the value that stands for each of its members.

    Or single values, where these are known. ``bag`` is the bag whose elements they are.
    """

    places: Tree
    value: Callable[[str], Any]
    single: tuple[Any, ...] | None = None
    bag: Tree | None = None


class Loops(Expressions):
    """Expressions over many values."""

    used: set[str]

    @contextmanager
    def variable_for(self, wanted: str) -> Iterator[str]:
        """Give a name to a bound variable, for as long as it means something."""
        name = self.script.names.free(wanted, self.used)
        self.used.add(name)
        yield name
        self.used.discard(name)

    # -- what there is to go over ---------------------------------------------------------------
    def ranging(self, value: Any, node: ast.AST, *, each: bool = False) -> Ranging:
        """Return what a loop over a value runs over; ``each``: equal elements count apart."""
        loaded = value.view.load(value) if isinstance(value, Place) else value
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, Several):
            return Ranging(TRUE, Word, loaded.items)
        if isinstance(loaded, Known):
            if (found := self._known_items(loaded, each=each)) is not None:
                return Ranging(TRUE, Word, found)
            if isinstance(loaded.value, range):
                return Ranging(self.tree(loaded), lambda name: Term(Word(name), INT))
        tree = self.tree(loaded)
        element = getattr(domain, "element", INT)
        if isinstance(domain, Bag) and not isinstance(domain, Seq):
            places = calling("BagToSet", tree)
            return Ranging(places, lambda name: Term(Word(name), element), bag=tree)
        if isinstance(domain, Set):
            return Ranging(tree, lambda name: Term(Word(name), element))
        if not isinstance(domain, Array | Seq):
            self.fail(node, "what it runs over is no container here")
        if not each:
            return Ranging(
                self.script.helper("Range", tree), lambda name: Term(Word(name), element)
            )
        places = (
            self.script.places(domain)
            if isinstance(domain, Array)
            else Infix("..", (number(1), calling("Len", tree)))
        )
        return Ranging(places, lambda name: Term(At(tree, Word(name)), element))

    def _known_items(self, known: Known, *, each: bool) -> tuple[Any, ...] | None:
        """Return the items of a known container where a loop over them is written out."""
        value, element = known.value, getattr(known.domain, "element", None)
        items = list(value)
        if not each and isinstance(known.domain, Array | Bag):
            items = list(dict.fromkeys(items))
        few = len(items) <= (1 if isinstance(value, range) else _FEW)
        if not few and (isinstance(value, range) or isinstance(known.domain, Array | Bag | Set)):
            return None
        return tuple(Known(item, element) for item in items)

    # -- quantifiers ----------------------------------------------------------------------------
    def _of_any(self, node: ast.Call) -> Any:
        return self._quantified(node, "\\E")

    def _of_all(self, node: ast.Call) -> Any:
        return self._quantified(node, "\\A")

    def _quantified(self, node: ast.Call, kind: str) -> Any:
        (argument,) = node.args
        if isinstance(argument, ast.GeneratorExp | ast.ListComp | ast.SetComp):
            return self.known_truth(self._over(argument, 0, kind))
        ranging = self.ranging(self.expression(argument), node)
        return self.known_truth(
            self._bound(kind, ranging, "x", lambda value: (TRUE, self.tree(value)))
        )

    def _over(self, node: Any, level: int, kind: str) -> Tree:
        """Return a quantifier over the loops of a comprehension from ``level`` on."""
        if level == len(node.generators):
            return self.truth(node.elt)
        loop = node.generators[level]
        ranging = self.ranging(self.expression(loop.iter), loop.iter)

        def body(value: Any) -> tuple[Tree, Tree]:
            with self.named(loop.target, value):
                test = both(*map(self.truth, loop.ifs))
                return test, TRUE if test == FALSE else self._over(node, level + 1, kind)

        return self._bound(kind, ranging, loop.target.id, body)

    @contextmanager
    def named(self, target: Any, value: Any) -> Iterator[None]:
        """Let the name of a loop stand for a value."""
        if not isinstance(target, ast.Name):
            self.fail(target, "a loop binds one name")
        saved = dict(self.frame.locals)
        self.frame.locals[target.id] = value
        yield
        self.frame.locals = saved

    def _bound(
        self, kind: str, over: Ranging, wanted: str, body: Callable[[Any], tuple[Tree, Tree]]
    ) -> Tree:
        is_any = kind == "\\E"
        if over.single is not None:
            pairs = [body(value) for value in over.single]
            parts = [both(*p) if is_any else _implies(*p) for p in pairs]
            return either(*parts) if is_any else both(*parts)
        with self.variable_for(wanted) as name:
            test, inner = body(over.value(name))
        if is_any:
            found = both(test, inner)
            match found:
                case Infix("=", (Word(own), other)) if own == name and name not in words_in(other):
                    return Infix("\\in", (other, over.places))
            if found == TRUE:
                return Infix("#", (over.places, Listed("{", ())))
            return FALSE if found == FALSE else Bound_(kind, name, over.places, found)
        found = _implies(test, inner)
        return TRUE if found == TRUE else Bound_(kind, name, over.places, found)

    # -- sums -----------------------------------------------------------------------------------
    def _of_sum(self, node: ast.Call) -> Any:
        (argument,) = node.args
        if isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return self.total(argument, 0)
        if isinstance(argument, ast.SetComp):
            members = self.members(argument, 0)
            return Term(self._sum(Ranging(members, Word), "x", TRUE, Word("x")), INT)
        ranging = self.ranging(self.expression(argument), node, each=True)
        if ranging.single is not None:
            return self._added(list(ranging.single))
        with self.variable_for("x") as name:
            value = self.tree(ranging.value(name))
            return Term(self._sum(ranging, name, TRUE, value), INT)

    def total(self, node: Any, level: int, *, count: bool = False) -> Any:
        """Return the sum of what a comprehension gives from a loop on, or how many that is."""
        if level == len(node.generators):
            return Known(1) if count else self.expression(node.elt)
        loop = node.generators[level]
        ranging = self.ranging(self.expression(loop.iter), loop.iter, each=True)
        if ranging.single is not None:
            return self._added([self._one(node, level, v, count=count) for v in ranging.single])
        with self.variable_for(loop.target.id) as name, self.named(
            loop.target, ranging.value(name)
        ):
            test = both(*map(self.truth, loop.ifs))
            value = Known(0) if test == FALSE else self.total(node, level + 1, count=count)
            if _is_truth(value):
                test, value = both(test, self.tree(value)), Known(1)
            if isinstance(value, Known) and value.value == 0:
                return Known(0)
            return Term(self._sum(ranging, name, test, self.tree(value)), INT)

    def _one(self, node: Any, level: int, value: Any, *, count: bool) -> Any:
        loop = node.generators[level]
        with self.named(loop.target, value):
            test = both(*map(self.truth, loop.ifs))
            if test == FALSE:
                return Known(0)
            found = self.total(node, level + 1, count=count)
            if _is_truth(found):
                test, found = both(test, self.tree(found)), Known(1)
            return self.chosen(test, found, Known(0)) if test != TRUE else found

    def _added(self, values: list[Any]) -> Any:
        total: Any = Known(0)
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
        places = _filtered(over.places, name, test)
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
            if all(isinstance(v, Known) for v in values):
                pick = min if helper == "Min" else max
                return Known(pick(v.value for v in values))
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
        loaded = value.view.load(value) if isinstance(value, Place) else value
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, Known):
            return Known(len(loaded.value))
        if isinstance(domain, Array):
            return Known(domain.length)
        if isinstance(loaded, Several) and not loaded.is_set:
            return Known(len(loaded.items))
        tree = self.tree(loaded)
        name = "Len" if isinstance(domain, Seq) else (
            "BagCardinality" if isinstance(domain, Bag) else "Cardinality"
        )
        return Term(calling(name, tree), INT)

    def _of_abs(self, node: ast.Call) -> Any:
        value = self.expression(node.args[0])
        if isinstance(value, Known):
            return Known(abs(value.value))
        return Term(self.script.helper("Abs", self.tree(value)), INT)

    def _of_range(self, node: ast.Call) -> Any:
        values = [self.expression(a) for a in node.args]
        if all(isinstance(v, Known) for v in values):
            return Known(range(*(v.value for v in values)))
        if len(values) > 2:
            self.fail(node, "its step is known only where its ends are")
        low, high = (Known(0), *values) if len(values) == 1 else values
        last = self.tree(self.sum_of("-", high, Known(1)))
        return Term(Infix("..", (self.tree(low), last)), Set(INT))

    # -- members --------------------------------------------------------------------------------
    def members(self, node: Any, level: int) -> Tree:
        """Return the set of what a comprehension gives from a loop on."""
        if level == len(node.generators):
            return Listed("{", (self.tree(self.expression(node.elt)),))
        loop = node.generators[level]
        ranging = self.ranging(self.expression(loop.iter), loop.iter)
        if ranging.single is not None:
            return self._union([self._members_of(node, level, v) for v in ranging.single])
        with self.variable_for(loop.target.id) as name, self.named(
            loop.target, ranging.value(name)
        ):
            test = both(*map(self.truth, loop.ifs))
            if test == FALSE:
                return Listed("{", ())
            inner = self.members(node, level + 1)
        places = _filtered(ranging.places, name, test)
        match inner:
            case Listed("{", (element,)):
                same = element == Word(name)
                return places if same else Bound_("}", name, places, element)
        return Prefix("UNION", Bound_("}", name, places, inner))

    def _members_of(self, node: Any, level: int, value: Any) -> Tree:
        loop = node.generators[level]
        with self.named(loop.target, value):
            test = both(*map(self.truth, loop.ifs))
            empty = Listed("{", ())
            if test == FALSE:
                return empty
            inner = self.members(node, level + 1)
            return inner if test == TRUE else self._if(test, inner, empty)

    def _if(self, test: Tree, a: Tree, b: Tree) -> Tree:
        from fencecheck.export.tla.trees import choice

        return choice(test, a, b)

    def _union(self, sets: list[Tree]) -> Tree:
        kept = [s for s in sets if s != Listed("{", ())]
        if all(isinstance(s, Listed) for s in kept):
            items = dict.fromkeys(i for s in kept if isinstance(s, Listed) for i in s.items)
            return Listed("{", tuple(items))
        return kept[0] if len(kept) == 1 else Infix("\\union", tuple(kept))

    def _setcomp(self, node: ast.SetComp) -> Any:
        members = self.members(node, 0)
        return Term(members, Set(self.kind_of_elements(node)))

    def kind_of_elements(self, node: Any) -> Any:
        """Return the domain of what a comprehension gives."""
        with self._first_of_each(node):
            value = self.expression(node.elt)
        return getattr(value, "domain", None) or self._domain_of_constant(value) or INT

    @contextmanager
    def _first_of_each(self, node: Any) -> Iterator[None]:
        saved = dict(self.frame.locals)
        for loop in node.generators:
            ranging = self.ranging(self.expression(loop.iter), loop.iter)
            value = ranging.value("x") if ranging.single is None else next(iter(ranging.single), 0)
            self.frame.locals[loop.target.id] = value
        yield
        self.frame.locals = saved

    def bag_content(self, node: Any) -> Tree:
        """Return the bag of what a comprehension gives."""
        if len(node.generators) > 1:
            self.fail(node, "a bag of two loops has no counterpart; write one loop")
        (loop,) = node.generators
        ranging = self.ranging(self.expression(loop.iter), loop.iter, each=True)
        if ranging.single is not None:
            bags = [self._bag_of_one(node, value) for value in ranging.single]
            kept = [b for b in bags if b != Word("EmptyBag")]
            if not kept:
                return Word("EmptyBag")
            return kept[0] if len(kept) == 1 else Infix("(+)", tuple(kept))
        with self.variable_for(loop.target.id) as name, self.named(
            loop.target, ranging.value(name)
        ):
            test = both(*map(self.truth, loop.ifs))
            element = self.tree(self.expression(node.elt))
        if test == FALSE:
            return Word("EmptyBag")
        if ranging.bag is not None:
            kept_bag = ranging.bag
            if test != TRUE:
                kept_bag = self.script.helper("Those", Lambda((name,), test), kept_bag)
            if element == Word(name):
                return kept_bag
            return calling("BagOfAll", Lambda((name,), element), kept_bag)
        places = calling("SetToBag", _filtered(ranging.places, name, test))
        if element == Word(name):
            return places
        return calling("BagOfAll", Lambda((name,), element), places)

    def _bag_of_one(self, node: Any, value: Any) -> Tree:
        (loop,) = node.generators
        with self.named(loop.target, value):
            test = both(*map(self.truth, loop.ifs))
            if test == FALSE:
                return Word("EmptyBag")
            one = calling("SetToBag", Listed("{", (self.tree(self.expression(node.elt)),)))
            return one if test == TRUE else self._if(test, one, Word("EmptyBag"))

    def _of_tuple(self, node: ast.Call) -> Any:
        (argument,) = node.args
        if not isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return self.expression(argument)
        (loop,) = argument.generators
        over = self.expression(loop.iter)
        if isinstance(over, Known) and isinstance(over.value, range) and not loop.ifs:
            if over.value.start == 0 and len(over.value) > 1:
                with self.variable_for(loop.target.id) as name, self.named(
                    loop.target, Term(Word(name), INT)
                ):
                    value = self.expression(argument.elt)
                row = Array(Index(len(over.value)), getattr(value, "domain", None) or INT)
                row.length, row.in_record = len(over.value), True
                places = Infix("..", (number(0), number(len(over.value) - 1)))
                return Term(Function_(name, places, self.tree(value)), row)
            items = [Known(v) for v in over.value]
        else:
            found = self.ranging(over, node, each=True).single
            if found is None and isinstance(getattr(over, "domain", None), Array):
                keys = range(over.domain.length)
                found = tuple(
                    self.element(over, Known(getattr(over.domain.index, "names", keys)[k]), node)
                    for k in keys
                )
            if found is None:
                self.fail(node, "how many values it gives is not known")
            items = list(found)
        values = []
        for item in items:
            with self.named(loop.target, item):
                values.append(self.expression(argument.elt))
        return Several(tuple(values))

    # -- membership and order -------------------------------------------------------------------
    def member(self, item: Any, container: Any, node: ast.AST) -> Tree:
        loaded = container.view.load(container) if isinstance(container, Place) else container
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, Known):
            if isinstance(item, Known):
                return TRUE if item.value in loaded.value else FALSE
            values = [Known(v, getattr(domain, "element", None)) for v in loaded.value]
            if isinstance(loaded.value, range) and len(values) > 1:
                return Infix("\\in", (self.tree(item), self.tree(loaded)))
            loaded = Several(tuple(values))
        if isinstance(loaded, Several):
            return self._among(item, list(loaded.items))
        tree = self.tree(loaded)
        if isinstance(domain, Bag) and not isinstance(domain, Seq):
            return calling("BagIn", self.tree(item), tree)
        if isinstance(domain, Array | Seq):
            tree = self.script.helper("Range", tree)
        return Infix("\\in", (self.tree(item), tree))

    def _among(self, item: Any, items: list[Any]) -> Tree:
        if isinstance(item, Known) or len(items) < 2:
            return either(*(self.same(item, other) for other in items))
        trees = tuple(dict.fromkeys(map(self.tree, items)))
        return Infix("\\in", (self.tree(item), Listed("{", trees)))

    def in_order(self, bag: Any) -> Tree:
        loaded = bag.view.load(bag) if isinstance(bag, Place) else bag
        tree, domain = self.tree(loaded), loaded.domain
        with self.variable_for("x") as name:
            rank = Lambda((name,), self.rank(Word(name), domain.element))
        is_bag = isinstance(domain, Bag)
        places = calling("BagToSet", tree) if is_bag else tree
        ordered = self.script.helper("Ascending", rank, places)
        return self.script.helper("Repeated", ordered, tree) if is_bag else ordered

    def rank(self, tree: Tree, domain: Any) -> Tree:
        """Return a number by which values of a domain ascend, as far as they have an order."""
        if isinstance(domain, Record):
            return self._mixed([(self._dot(tree, f), d) for f, d in domain.fields.items()])
        if isinstance(domain, Array):
            keys = [self.script.key(domain, place) for place in range(domain.length)]
            return self._mixed([(At(tree, key), domain.element) for key in keys])
        if isinstance(domain, OneOf) or hasattr(domain, "names"):
            return self._rank_by_values(tree, domain)
        if isinstance(domain, Maybe):
            own = self.rank(tree, domain.index)
            return self._if(Infix("=", (tree, Word("None"))), number(0), _plus_one(own))
        if domain is TRUTH or type(domain).__name__ == "Bool":
            return self._if(tree, number(1), number(0))
        low = getattr(domain, "low", 0)
        return tree if low >= 0 else Infix("+", (tree, number(-low)))

    def _dot(self, tree: Tree, name: str) -> Tree:
        from fencecheck.export.tla.trees import dotted

        return dotted(tree, name)

    def _rank_by_values(self, tree: Tree, domain: Any) -> Tree:
        found = number(0)
        for rank in reversed(range(getattr(domain, "count", 0))):
            value = self.script.constant(domain.value(rank), domain)
            found = number(rank) if rank == domain.count - 1 else self._if(
                Infix("=", (tree, value)), number(rank), found
            )
        return found

    def _mixed(self, parts: list[tuple[Tree, Any]]) -> Tree:
        from fencecheck.export.tla.values import NO_VALUE, only_value

        found: Tree | None = None
        for tree, domain in parts:
            if only_value(domain) is not NO_VALUE:
                continue
            own = self.rank(tree, domain)
            if found is None:
                found = own
            else:
                many = max(2, getattr(domain, "count", 2))
                found = Infix("+", (Infix("*", (found, number(many))), own))
        return found or number(0)


def _plus_one(tree: Tree) -> Tree:
    return Infix("+", (tree, number(1)))


def _is_truth(value: Any) -> bool:
    if isinstance(value, Known):
        return isinstance(value.value, bool)
    return type(getattr(value, "domain", None)).__name__ == "Bool"


def _implies(test: Tree, inner: Tree) -> Tree:
    if test == TRUE:
        return inner
    if test == FALSE or inner == TRUE:
        return TRUE
    return Infix("=>", (test, inner))


def _filtered(places: Tree, name: str, test: Tree) -> Tree:
    return places if test == TRUE else Bound_("{", name, places, test)


__all__ = ["Loops", "Ranging", "words_in"]
