"""The representative of a state as formulas: what it is in model/representatives, field by field.

Takes the layout of a model's states; gives the fields in which the representative of a state right
after an event can differ from it, over reads of that state. It is the same that
``System.representative`` gives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.domains import Fresh, Index, Unlimited, Version
from fencecheck.model.lower.alike.fresh import ascending, in_order, numbered
from fencecheck.model.lower.alike.inside import (
    Change,
    Found,
    changed,
    has_marked,
    members_changed,
    members_in,
    shape_of_field,
    values_in,
)
from fencecheck.model.lower.alike.orders import Arrangement, rows_over
from fencecheck.model.lower.alike.slices import SliceCodes
from fencecheck.model.lower.alike.versions import Renumbering
from fencecheck.model.lower.dag import Dag, Node, TooLarge
from fencecheck.model.lower.layout import Layout
from fencecheck.model.representatives.renaming import kinds_in


def representative(dag: Dag, layout: Layout, still: Collection[Any] = ()) -> dict[int, Node] | None:
    """Return the fields that differ, by number; None where a state stands for no other.

    ``still`` are the symmetric indices, as they were declared, whose values keep their places.
    """
    kinds = any(kinds_in(domain) for _, domain, _ in layout.variables)
    if not (kinds or any(field.advance for field in layout.fields)):
        return None
    try:
        return _made(dag, layout, still)
    except TooLarge:
        raise ModelError(
            "what a state says of a value of a symmetric Index needs more than 62 bits; narrow "
            "what the elements of its bags and sets hold"
        ) from None


def _made(dag: Dag, layout: Layout, still: Collection[Any]) -> dict[int, Node]:
    made = _Making(dag, layout)
    for number, domain in made.clocks.items():
        if isinstance(domain, Version):
            made.renumber_versions(number, domain)
    made.put_in_order(still)
    fresh = {n: domain for n, domain in made.clocks.items() if isinstance(domain, Fresh)}
    if fresh:
        made.renumber_fresh(fresh)
    return {i: node for i, node in enumerate(made.nodes) if node is not made.raw[i]}


class _Making:
    """A state on its way to its representative: ``nodes`` are its fields so far.

    ``groups`` are the numbers of fields that belong together: the slots of one bag or sequence, the
    masks of one set, or one scalar.
    """

    def __init__(self, dag: Dag, layout: Layout) -> None:
        self.dag, self.layout, self.fields = dag, layout, layout.fields
        self.raw = [  # a field of one value has no bits to read
            dag.read(1, i, (f.low, f.high), truth=f.truth)
            if f.low < f.high
            else dag.const(f.low, truth=f.truth)
            for i, f in enumerate(layout.fields)
        ]
        self.nodes = list(self.raw)
        domains = [field.holds for field in layout.fields]
        self.clocks = {
            i: d for i, d in enumerate(domains) if isinstance(d, Unlimited) and d.is_clock
        }
        groups: dict[str, list[int]] = {}
        for i, field in enumerate(layout.fields):
            if has_marked(field.holds):
                groups.setdefault(field.group, []).append(i)
        self.groups = list(groups.values())

    def renumber_versions(self, number: int, domain: Version) -> None:
        """Give the versions of one clock their numbers, and let the clock stand still."""
        found = [f for f in self.found() if _clock(f[1]) == domain.clock]
        if found:
            numbers = Renumbering(self.dag, found[0][1], self.nodes[number], found)
            known: dict[int, Node] = {}

            def change(of: Any, rank: Node) -> Node:
                if _clock(of) != domain.clock:
                    return rank
                if rank.number not in known:
                    known[rank.number] = numbers.number(rank)
                return known[rank.number]

            self.change(change)
        self.nodes[number] = self.dag.const(self.fields[number].low)

    def put_in_order(self, still: Collection[Any]) -> None:
        """Put the values of each symmetric Index in order, one Index after another."""
        kinds: dict[Any, Any] = {}
        for _, domain, _ in self.layout.variables:
            kinds |= {key: kind for key, kind in kinds_in(domain).items() if key not in kinds}
        indices = [k for k in kinds.values() if isinstance(k, Index) and k.origin not in still]
        for number, index in enumerate(indices):
            if index.count > 1:
                self._put_in_order(index, indices[number + 1 :])

    def _put_in_order(self, index: Index, later: Sequence[Index]) -> None:
        slices = SliceCodes(self.dag, self._read, index, later)
        said = [
            [part for n, domain, _ in self.layout.variables for part in slices.said(domain, n, one)]
            for one in range(index.count)
        ]
        order = Arrangement(self.dag, index, said)

        def change(of: Any, rank: Node) -> Node:
            return order.place(rank) if _origin(of) is index.origin else rank

        self.change(change)
        for name, domain, _ in self.layout.variables:
            for path, length in rows_over(index, domain, name):
                elements = [self._under(f"{path}[{i}]") for i in range(length)]
                for alike in zip(*elements, strict=True):
                    self._put(list(alike), order.moved([self.nodes[i] for i in alike]))
        self._sort_bags()

    def _read(self, path: str) -> Node:
        return self.nodes[self.layout.place[path]]

    def _under(self, path: str) -> list[int]:
        """Return the fields of an element of an array."""
        return [i for i, field in enumerate(self.fields) if field.path.startswith(path)]

    def _sort_bags(self) -> None:
        for group in self.groups:
            if self._in_a_bag(group):
                self._put(group, ascending(self.dag, [self.nodes[i] for i in group]))

    def renumber_fresh(self, clocks: dict[int, Fresh]) -> None:
        """Number the fresh values of all clocks by first occurrence, and let the clocks stand."""
        for group in self.groups:
            if self._in_a_bag(group):
                pairs = [(self._masked(i), self.nodes[i]) for i in group]
                self._put(group, in_order(self.dag, pairs))
        found, known = list(self.found()), dict[str, dict[int, Node]]()
        for domain in clocks.values():
            known[domain.clock] = numbered(
                self.dag, (f for f in found if _clock(f[1]) == domain.clock)
            )

        def change(of: Any, rank: Node) -> Node:
            numbers = known.get(_clock(of))
            return rank if numbers is None else numbers[rank.number]

        self.change(change)
        self._sort_bags()
        for number in clocks:
            self.nodes[number] = self.dag.const(self.fields[number].low)

    def _in_a_bag(self, group: list[int]) -> bool:
        field = self.fields[group[0]]
        return shape_of_field(field) == "slot" and not field.ordered

    def _masked(self, number: int) -> Node:
        return changed(self.dag, self.fields[number], self.nodes[number], self._mask)

    def _mask(self, of: Any, rank: Node) -> Node:
        """Return a rank as it is where fresh values are not told apart, but for 0."""
        return self.dag.minimum(rank, self.dag.const(1)) if isinstance(of, Fresh) else rank

    def _put(self, group: list[int], nodes: list[Node]) -> None:
        for number, node in zip(group, nodes, strict=True):
            self.nodes[number] = node

    def found(self) -> Iterator[Found]:
        """Yield the marked values of all fields in the order of the layout.

        Those of members of a set come as if fresh values in them were all the same.
        """
        for group in self.groups:
            fields, nodes = [self.fields[i] for i in group], [self.nodes[i] for i in group]
            if shape_of_field(fields[0]) == "members":
                yield from members_in(self.dag, fields, nodes, self._mask)
                continue
            for field, node in zip(fields, nodes, strict=True):
                yield from values_in(self.dag, field, node)

    def change(self, change: Change) -> None:
        """Give the marked values of all fields other ranks."""
        for group in self.groups:
            fields, nodes = [self.fields[i] for i in group], [self.nodes[i] for i in group]
            if shape_of_field(fields[0]) == "members":
                self._put(group, members_changed(self.dag, fields, nodes, change))
                continue
            pairs = zip(fields, nodes, strict=True)
            self._put(group, [changed(self.dag, field, node, change) for field, node in pairs])


def _origin(domain: Any) -> Any:
    """Return a symmetric Index as it was declared, nothing for a Version or Fresh."""
    return domain.origin if isinstance(domain, Index) else None


def _clock(domain: Any) -> str:
    """Return the clock of a Version or Fresh; nothing for a symmetric Index."""
    return domain.clock if isinstance(domain, Unlimited) else ""
