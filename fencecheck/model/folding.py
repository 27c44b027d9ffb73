"""Folding: the formulas of a lowered model rebuilt with the values of some switches known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fencecheck.model.lower.dag import Dag, Node, unknown_of

if TYPE_CHECKING:
    from fencecheck.model.system import System


class Folding:
    """Rebuilds nodes of a lowered model with some switches known, in a graph of its own."""

    def __init__(self, system: System, names: Iterable[str]) -> None:
        self.dag, self.known = Dag(), dict[int, Node]()
        self.ranks = {name: system.rank(name) for name in names}

    def fold(self, root: Node, false: Node | None = None) -> Node:
        """Return ``root`` simplified; ``false`` is a node to be taken as never true."""
        known = self.known if false is None else {false.number: self.dag.false}
        for node in unknown_of(root, known):
            known[node.number] = self._rebuilt(node, [known[a.number] for a in node.args])
        return known[root.number]

    def _rebuilt(self, node: Node, args: list[Node]) -> Node:
        if node.op == "const":
            return self.dag.const(node.low, truth=node.truth)
        if node.op == "read":
            state, field = (int(x) for x in node.extra)
            return self.dag.read(state, field, (node.low, node.high), truth=node.truth)
        if node.op == "switch":
            name = str(node.extra[0])
            rank = self.ranks.get(name)
            return self.dag.switch(name, node.high + 1) if rank is None else self.dag.const(rank)
        return self.dag.rebuild(node, args)

    def excludes(self, conditions: Iterable[Node], false: Node | None = None) -> bool:
        """Tell whether every one of ``conditions`` folds to false."""
        return all(self.fold(condition, false) is self.dag.false for condition in conditions)
