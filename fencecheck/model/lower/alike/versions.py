"""Versions in a representative: the clock stands still, what is below it keeps its order.

What is above the clock keeps its distance. Which values there are is a mask of bits; how many of
them lie between a version and the clock is the number of bits between.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.model.domains import Version
from fencecheck.model.lower.alike.inside import Found, bit_in
from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.lower.layout import CHUNK


class Renumbering:
    """The numbers that the versions of one clock have in a representative.

    ``clock`` is where it stands in the state; ``found`` are all versions that there can be.
    """

    def __init__(self, dag: Dag, domain: Version, clock: Node, found: Sequence[Found]) -> None:
        self.dag, self.clock, self.still = dag, clock, domain.places
        starts = range(0, domain.count, CHUNK)
        self.chunks = [(start, min(CHUNK, domain.count - start)) for start in starts]
        self.masks = []
        for start, size in self.chunks:
            mask = dag.const(0)
            for there, _, rank in found:
                bit, inside = self._bit(rank, start, size)
                here = dag.both(there, inside)
                mask = dag.bits_or(mask, dag.select(here, bit, dag.const(0)))
            self.masks.append(dag.bits_without(mask, self._from_clock(start, size)))
        self.moved = dag.sub(clock, dag.const(self.still))

    def _bit(self, rank: Node, start: int, size: int) -> tuple[Node, Node]:
        """Return the bit of a version; where all fit into one mask none has to be looked for."""
        if len(self.chunks) == 1:
            return self.dag.bit(rank, size), self.dag.true
        return bit_in(self.dag, rank, start, size)

    def _from_clock(self, start: int, size: int) -> Node:
        """Return the bits of a mask that are not below the clock."""
        dag, all_bits = self.dag, self.dag.const((1 << size) - 1)
        bit, inside = bit_in(dag, self.clock, start, size)
        below = dag.less(self.clock, dag.const(start))
        rest = dag.bits_without(all_bits, dag.sub(bit, dag.const(1)))
        return dag.select(inside, rest, dag.select(below, all_bits, dag.const(0)))

    def number(self, rank: Node) -> Node:
        """Return the number of a version in the representative."""
        dag, count = self.dag, self.dag.const(0)
        for (start, size), mask in zip(self.chunks, self.masks, strict=True):
            bit, inside = self._bit(rank, start, size)
            above = dag.bits_without(mask, dag.sub(bit, dag.const(1)))
            if len(self.chunks) > 1:
                under = dag.less(rank, dag.const(start))
                above = dag.select(inside, above, dag.select(under, mask, dag.const(0)))
            count = dag.add(count, dag.count_bits(above))
        count = dag.minimum(count, dag.const(self.still))
        older = dag.sub(dag.const(self.still), count)
        newer = dag.maximum(dag.sub(rank, self.moved), dag.const(0))
        return dag.select(dag.less(rank, self.clock), older, newer)
