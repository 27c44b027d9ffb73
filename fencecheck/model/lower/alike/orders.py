"""The values of a symmetric Index in a representative: ordered by what a state says of each."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from fencecheck.model.domains import Array, Domain, Index
from fencecheck.model.lower.alike.slices import SlicePart, before, words_of
from fencecheck.model.lower.dag import Dag, Node


class Arrangement:
    """Which place each value of an Index gets: that of its slice among all, ties as they were."""

    def __init__(self, dag: Dag, index: Index, slices: Sequence[Sequence[SlicePart]]) -> None:
        self.dag, self.index = dag, index
        words = [words_of(dag, parts) for parts in slices]
        places = [dag.const(0) for _ in slices]
        for first, second in itertools.combinations(range(len(slices)), 2):
            turned = before(dag, words[second], words[first])
            places[first] = dag.add(places[first], dag.as_int(turned))
            places[second] = dag.add(places[second], dag.as_int(dag.negate(turned)))
        self.places = places
        targets = map(dag.const, range(len(places)))
        self.comes_to = [[dag.equal(place, target) for place in places] for target in targets]

    def place(self, rank: Node) -> Node:
        """Return what a value becomes."""
        dag, result = self.dag, self.places[-1]
        for value in range(len(self.places) - 2, -1, -1):
            here = dag.equal(rank, dag.const(value))
            result = dag.select(here, self.places[value], result)
        return result

    def moved(self, nodes: Sequence[Node]) -> list[Node]:
        """Return the elements of an array over the Index at their new places."""
        found = []
        for comes in self.comes_to:
            node = nodes[-1]
            for here, other in zip(reversed(comes[:-1]), reversed(nodes[:-1]), strict=True):
                node = self.dag.select(here, other, node)
            found.append(node)
        return found


def rows_over(index: Index, domain: Domain, path: str) -> list[tuple[str, int]]:
    """Return (path, length) of each array over an Index in a variable, inner ones first."""
    if not isinstance(domain, Array):
        return []
    inner = [rows_over(index, domain.element, f"{path}[{i}]") for i in range(domain.length)]
    found = list(itertools.chain.from_iterable(inner))
    over: Any = domain.index
    if isinstance(over, Index) and over.symmetric and over.origin is index.origin:
        found.append((path, domain.length))
    return found
