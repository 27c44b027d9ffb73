"""Write what is said of many values: any, all, and whether one is among them.

What a loop runs over is a set with, for each member, the value that its name has; or values that
are known one by one, for which the loop is written out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fencecheck.export.tla.functions.operating import Operating
from fencecheck.export.tla.syntax.building import (
    both,
    calling,
    either,
    number,
)
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    TRUE,
    At,
    Binding,
    Infix,
    Listed,
    Tree,
    Word,
    words_in,
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
    Subset,
)

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


class RangingOver(Operating):
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
        loaded = value.view.load(value) if isinstance(value, HeldPlace) else value
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, Several):
            return Ranging(TRUE, Word, loaded.items)
        if isinstance(loaded, KnownValue):
            if (found := self._known_items(loaded, each=each)) is not None:
                return Ranging(TRUE, Word, found)
            if isinstance(loaded.value, range):
                return Ranging(self.tree(loaded), lambda name: Term(Word(name), INT))
        tree = self.tree(loaded)
        element = getattr(domain, "element", INT)
        if isinstance(domain, Bag) and not isinstance(domain, Seq):
            places = calling("BagToSet", tree)
            return Ranging(places, lambda name: Term(Word(name), element), bag=tree)
        if isinstance(domain, Set | Subset):
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

    def _known_items(self, known: KnownValue, *, each: bool) -> tuple[Any, ...] | None:
        """Return the items of a known container where a loop over them is written out."""
        value, element = known.value, getattr(known.domain, "element", None)
        items = list(value)
        if not each and isinstance(known.domain, Array | Bag):
            items = list(dict.fromkeys(items))
        few = len(items) <= (1 if isinstance(value, range) else _FEW)
        if not few and (isinstance(value, range) or isinstance(known.domain, Array | Bag | Set)):
            return None
        return tuple(KnownValue(item, element) for item in items)

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
        with self.unchanged(target):
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
            return FALSE if found == FALSE else Binding(kind, name, over.places, found)
        found = _implies(test, inner)
        return TRUE if found == TRUE else Binding(kind, name, over.places, found)

    # -- membership and order -------------------------------------------------------------------
    def member(self, item: Any, container: Any, node: ast.AST) -> Tree:
        loaded = container.view.load(container) if isinstance(container, HeldPlace) else container
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, KnownValue):
            if isinstance(item, KnownValue):
                return TRUE if item.value in loaded.value else FALSE
            values = [KnownValue(v, getattr(domain, "element", None)) for v in loaded.value]
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
        if isinstance(item, KnownValue) or len(items) < 2:
            return either(*(self.same(item, other) for other in items))
        trees = tuple(dict.fromkeys(map(self.tree, items)))
        return Infix("\\in", (self.tree(item), Listed("{", trees)))


def _implies(test: Tree, inner: Tree) -> Tree:
    if test == TRUE:
        return inner
    if test == FALSE or inner == TRUE:
        return TRUE
    return Infix("=>", (test, inner))
