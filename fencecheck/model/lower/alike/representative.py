"""The representative of a state as formulas: what it is in model/representatives, field by field.

Takes the layout of a model's states; gives the fields in which the representative of a state right
after an event can differ from it, over reads of that state. It is the same that
``System.representative`` gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencecheck.model.domains import Fresh, Unlimited, Version
from fencecheck.model.lower.alike.fresh import ascending, in_order, numbered
from fencecheck.model.lower.alike.inside import (
    Change,
    Found,
    changed,
    has_marked,
    kind_of,
    members_changed,
    members_in,
    values_in,
)
from fencecheck.model.lower.alike.versions import Renumbering
from fencecheck.model.lower.dag import Dag, Node
from fencecheck.model.lower.layout import Layout


def representative(dag: Dag, layout: Layout) -> dict[int, Node] | None:
    """Return the fields that differ, by number; None where a state stands for no other."""
    if not any(field.advance or has_marked(field.holds) for field in layout.fields):
        return None
    made = _Making(dag, layout)
    for number, domain in made.clocks.items():
        if isinstance(domain, Version):
            made.renumber_versions(number, domain)
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
        self.dag, self.fields = dag, layout.fields
        self.raw = [
            dag.read(1, i, (f.low, f.high), truth=f.truth) for i, f in enumerate(layout.fields)
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
        for group in self.groups:
            if self._in_a_bag(group):
                self._put(group, ascending(self.dag, [self.nodes[i] for i in group]))
        for number in clocks:
            self.nodes[number] = self.dag.const(self.fields[number].low)

    def _in_a_bag(self, group: list[int]) -> bool:
        field = self.fields[group[0]]
        return kind_of(field) == "slot" and not field.ordered

    def _masked(self, number: int) -> Node:
        return changed(self.dag, self.fields[number], self.nodes[number], self._mask)

    def _mask(self, of: Any, rank: Node) -> Node:
        return self.dag.const(0) if isinstance(of, Fresh) else rank

    def _put(self, group: list[int], nodes: list[Node]) -> None:
        for number, node in zip(group, nodes, strict=True):
            self.nodes[number] = node

    def found(self) -> Iterator[Found]:
        """Yield the marked values of all fields in the order of the layout.

        Those of members of a set come as if fresh values in them were all the same.
        """
        for group in self.groups:
            fields, nodes = [self.fields[i] for i in group], [self.nodes[i] for i in group]
            if kind_of(fields[0]) == "members":
                yield from members_in(self.dag, fields, nodes, self._mask)
                continue
            for field, node in zip(fields, nodes, strict=True):
                yield from values_in(self.dag, field, node)

    def change(self, change: Change) -> None:
        """Give the marked values of all fields other ranks."""
        for group in self.groups:
            fields, nodes = [self.fields[i] for i in group], [self.nodes[i] for i in group]
            if kind_of(fields[0]) == "members":
                self._put(group, members_changed(self.dag, fields, nodes, change))
                continue
            pairs = zip(fields, nodes, strict=True)
            self._put(group, [changed(self.dag, field, node, change) for field, node in pairs])


def _clock(domain: Any) -> str:
    """Return the clock of a Version or Fresh; nothing for a symmetric Index."""
    return domain.clock if isinstance(domain, Unlimited) else ""
