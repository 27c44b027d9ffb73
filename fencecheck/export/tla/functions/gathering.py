"""Write comprehensions: the set, the bag, the array of what they give."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fencecheck.export.tla.functions.counting import Counting, filtered
from fencecheck.export.tla.syntax.building import (
    both,
    calling,
    choice,
    number,
)
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    TRUE,
    Binding,
    FunctionOf,
    Infix,
    Lambda,
    Listed,
    Prefix,
    Tree,
    Word,
)
from fencecheck.export.tla.values import (
    INT,
    KnownValue,
    Several,
    Term,
)
from fencecheck.model.domains import (
    Array,
    Index,
    Set,
)


class Gathering(Counting):
    """New content for sets, bags and arrays."""

    # -- members --------------------------------------------------------------------------------
    def members(self, node: Any, level: int) -> Tree:
        """Return the set of what a comprehension gives from a loop on."""
        if level == len(node.generators):
            return Listed("{", (self.tree(self.expression(node.elt)),))
        loop = node.generators[level]
        ranging = self.ranging(self.expression(loop.iter), loop.iter)
        if ranging.single is not None:
            return self._union([self._members_of(node, level, v) for v in ranging.single])
        with (
            self.variable_for(loop.target.id) as name,
            self.named(loop.target, ranging.value(name)),
        ):
            test = both(*map(self.truth, loop.ifs))
            if test == FALSE:
                return Listed("{", ())
            inner = self.members(node, level + 1)
        places = filtered(ranging.places, name, test)
        match inner:
            case Listed("{", (element,)):
                same = element == Word(name)
                return places if same else Binding("}", name, places, element)
        return Prefix("UNION", Binding("}", name, places, inner))

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
            value = (
                ranging.value("x")
                if ranging.single is None
                else next(iter(ranging.single), KnownValue(0))
            )
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
        with (
            self.variable_for(loop.target.id) as name,
            self.named(loop.target, ranging.value(name)),
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
        places = calling("SetToBag", filtered(ranging.places, name, test))
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
        loop: Any = argument.generators[0]
        over = self.expression(loop.iter)
        if isinstance(over, KnownValue) and isinstance(over.value, range) and not loop.ifs:
            if over.value.start == 0 and len(over.value) > 1:
                with (
                    self.variable_for(loop.target.id) as name,
                    self.named(loop.target, Term(Word(name), INT)),
                ):
                    value = self.expression(argument.elt)
                row = Array(Index(len(over.value)), getattr(value, "domain", None) or INT)
                row.length, row.in_record = len(over.value), True
                places = Infix("..", (number(0), number(len(over.value) - 1)))
                return Term(FunctionOf(name, places, self.tree(value)), row)
            items = [KnownValue(v) for v in over.value]
        else:
            found = self.ranging(over, node, each=True).single
            if found is None and isinstance(getattr(over, "domain", None), Array):
                keys = range(over.domain.length)
                found = tuple(
                    self.element(
                        over, KnownValue(getattr(over.domain.index, "names", keys)[k]), node
                    )
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
