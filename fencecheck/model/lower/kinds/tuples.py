"""Lower ``tuple(...)``: several values in order, out of which arrays in records are made."""

from __future__ import annotations

import ast
from typing import Any

from fencecheck.model.lower.kinds.sets import Sets
from fencecheck.model.lower.symbols import Items, mark


class Tuples(Sets):
    """Several values in order."""

    def _of_tuple(self, node: ast.Call) -> Items:
        """Return several values, each of which must be there whatever the state is."""
        argument = node.args[0]
        if isinstance(argument, ast.GeneratorExp):
            self.keeps_order = argument
            found = self.comprehension(argument)
        else:
            items = self.items(self.expression(argument), argument)
            self.needs_order(items, argument)
            found = [(present, value, items.ghosts) for present, value in items.pairs]
        if any(present is not self.dag.true for present, _, _ in found):
            self.fail(
                f"`{ast.unparse(node)}` has as many values as the state says",
                "write tuple(... for ... in range(...)) without a condition, or use a Seq or Bag",
            )
        return Items(tuple((there, mark(value, more)) for there, value, more in found))

    def needs_order(self, items: Items, node: Any) -> None:
        raise AssertionError  # given by Calls
