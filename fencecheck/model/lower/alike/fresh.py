"""Fresh values in a representative: numbered by first occurrence; 0 stays what was there first."""

from __future__ import annotations

from collections.abc import Iterable

from fencecheck.model.lower.alike.inside import Found
from fencecheck.model.lower.dag import Dag, Node


def numbered(dag: Dag, found: Iterable[Found]) -> dict[int, Node]:
    """Return for each rank, by the number of its node, the rank it has in a representative.

    ``found`` are the values of one clock in the order in which they are numbered. What is returned
    for a rank holds where a value of that rank is there.
    """
    zero, count = dag.const(0), dag.const(0)
    known: dict[int, Node] = {}
    earlier: list[tuple[Node, Node, Node]] = []
    for present, _, rank in found:
        there = dag.both(present, dag.negate(dag.equal(rank, zero)))
        number, again = dag.add(count, dag.const(1)), dag.false
        for before, other, its_number in earlier:
            same = dag.both(before, dag.equal(other, rank))
            again = dag.either(again, same)
            number = dag.select(same, its_number, number)
        first = dag.both(there, dag.negate(again))
        count = dag.add(count, dag.as_int(first))
        earlier.append((there, rank, number))
        known[rank.number] = dag.select(there, number, known.get(rank.number, zero))
    return known


def in_order(dag: Dag, keyed: list[tuple[Node, Node]]) -> list[Node]:
    """Return the second of (key, node) pairs ascending by their keys, ties in their order."""
    pairs = list(keyed)
    for end in range(len(pairs) - 1, 0, -1):
        for i in range(end):
            (a, first), (b, second) = pairs[i : i + 2]
            swapped = dag.less(b, a)
            pairs[i] = dag.minimum(a, b), dag.select(swapped, second, first)
            pairs[i + 1] = dag.maximum(a, b), dag.select(swapped, first, second)
    return [node for _, node in pairs]


def ascending(dag: Dag, nodes: list[Node]) -> list[Node]:
    """Return nodes in ascending order."""
    found = list(nodes)
    for end in range(len(found) - 1, 0, -1):
        for i in range(end):
            a, b = found[i : i + 2]
            found[i : i + 2] = dag.minimum(a, b), dag.maximum(a, b)
    return found
