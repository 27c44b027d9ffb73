"""Write the order in which the members of sets and bags ascend, as numbers."""

from __future__ import annotations

from typing import Any

from fencecheck.export.tla.functions.gathering import Gathering
from fencecheck.export.tla.syntax.building import (
    calling,
    dotted,
    number,
)
from fencecheck.export.tla.syntax.trees import (
    At,
    Infix,
    Lambda,
    Tree,
    Word,
)
from fencecheck.export.tla.values import (
    NO_VALUE,
    TRUTH,
    HeldPlace,
    only_value,
)
from fencecheck.model.domains import (
    Array,
    Bag,
    Maybe,
    OneOf,
    Record,
)


class Ordering(Gathering):
    """Containers without an order, in order."""

    def in_order(self, bag: Any) -> Tree:
        loaded = bag.view.load(bag) if isinstance(bag, HeldPlace) else bag
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

        return dotted(tree, name)

    def _rank_by_values(self, tree: Tree, domain: Any) -> Tree:
        found = number(0)
        for rank in reversed(range(getattr(domain, "count", 0))):
            value = self.script.constant(domain.value(rank), domain)
            found = (
                number(rank)
                if rank == domain.count - 1
                else self._if(Infix("=", (tree, value)), number(rank), found)
            )
        return found

    def _mixed(self, parts: list[tuple[Tree, Any]]) -> Tree:

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
