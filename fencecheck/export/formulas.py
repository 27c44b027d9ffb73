"""Formulas of a lowered model with what is known of a design filled in, ready to be printed.

Also written in operations that every language has, and in which all languages agree.
"""

from __future__ import annotations

import functools
from collections.abc import Collection

from fencecheck.model.folding import Folding
from fencecheck.model.lower.dag import Dag, Node, conjuncts
from fencecheck.model.system import System

_FEW = 6  # bits that are added one by one


class KnownFields(Folding):
    """Fills in the design's switches and the fields of which there is one value."""

    def __init__(self, system: System) -> None:
        super().__init__(system, system.lowered.switches)
        self.fields = system.lowered.layout.fields

    def _rebuilt(self, node: Node, args: list[Node]) -> Node:
        if node.op == "read":
            known = self.fields[int(node.extra[1])]
            if known.low == known.high:
                return self.dag.const(known.low, truth=node.truth)
        if node.op == "eq":
            return self.dag.equal(*(self._bits(arg, args) for arg in args))
        if node.op == "popcount":
            return counted_bits(self.dag, args[0])
        if node.op in ("floordiv", "mod") and args[1].constant is not None:
            return divided_from_zero(self.dag, node.op, args[0], args[1].constant)
        return super()._rebuilt(node, args)

    def _bits(self, arg: Node, args: list[Node]) -> Node:
        """Return bits of a number that are compared with 0 as what a mask leaves of it.

        Whether a member is in a set is then one formula, however it was asked.
        """
        if arg.op != "slice" or all(other.constant != 0 for other in args):
            return arg
        shift, bits = (int(x) for x in arg.extra)
        return self.dag.bits_and(arg.args[0], self.dag.const(((1 << bits) - 1) << shift))


def divided_from_zero(dag: Dag, op: str, number: Node, divisor: int) -> Node:
    """Return Python's division by a constant as one of numbers from 0 on, which all round alike.

    What a division by 0 gives does not matter: that the model goes wrong is said beside it.
    """
    if divisor == 0:
        return dag.const(0)
    if divisor < 0:
        turned = divided_from_zero(dag, op, dag.sub(dag.const(0), number), -divisor)
        return turned if op == "floordiv" else dag.sub(dag.const(0), turned)
    times = max(0, -(number.low // divisor))
    moved = dag.add(number, dag.const(times * divisor))
    if op == "mod":
        return dag.mod(moved, dag.const(divisor))
    return dag.sub(dag.floordiv(moved, dag.const(divisor)), dag.const(times))


def counted_bits(dag: Dag, mask: Node) -> Node:
    """Return how many bits of a mask are set, as sums: of pairs, of fours, of eights, of all.

    There is no operation for it in Murphi, and a function that is called so often costs Rumur more
    to read than all the rest.
    """
    width = mask.high.bit_length()
    if width <= _FEW:
        return functools.reduce(dag.add, [dag.slice(mask, i, 1) for i in range(width)])
    total = mask
    for size in (1, 2, 4):
        every = dag.const(sum(((1 << size) - 1) << i for i in range(0, width, 2 * size)))
        moved = dag.bits_and(dag.slice(total, size, width), every)
        total = dag.add(dag.bits_and(total, every), moved)
    return dag.mod(total, dag.const(255))


class AfterEvent(KnownFields):
    """Beside that: what an event does not write is after it what it was before."""

    def __init__(self, known: KnownFields, system: System, written: Collection[int]) -> None:
        super().__init__(system)
        self.dag, self.written = known.dag, written

    def _rebuilt(self, node: Node, args: list[Node]) -> Node:
        if node.op == "read" and int(node.extra[1]) not in self.written:
            before = (0, int(node.extra[1]))
            node = Node(node.op, (), before, node.low, node.high, node.truth, node.number)
        return super()._rebuilt(node, args)


class Given(Folding):
    """Takes a condition to be true, where formulas are only asked where it is."""

    def __init__(self, dag: Dag, condition: Node) -> None:
        self.dag, self.known = dag, dict[int, Node]()
        for part in conjuncts(condition):
            self.known[part.number] = dag.true
            if part.op == "not":
                self.known[part.args[0].number] = dag.false

    def _rebuilt(self, node: Node, args: list[Node]) -> Node:
        return node if node.args == tuple(args) else self.dag.rebuild(node, args)
