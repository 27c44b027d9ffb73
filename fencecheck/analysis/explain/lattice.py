"""The lattice of designs: every combination of switches that a model's rules accept.

A design is the set of the switches that differ from their plain value. The combinations form a
tree whose leaves stand for designs that behave alike; leaves that cannot be told apart share the
number of their class. building.py makes the tree; these are its values and the walks over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fencecheck.model.declare import Mechanism
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.family import Design, Family

Settings = dict[str, str]


@dataclass(frozen=True)
class Refused:
    """Combinations that a rule of the model refuses, in its words."""

    known: Settings
    why: str


@dataclass(frozen=True)
class Leaf:
    """Designs that behave alike: the switches that are known; the others may have any value."""

    known: Settings
    number: int
    count: int


@dataclass(frozen=True)
class Unbuilt:
    """Combinations that were not gone through, for want of time; some may be refused."""

    known: Settings
    count: int


@dataclass(frozen=True)
class Fork:
    """What follows for each value of a switch."""

    switch: str
    ways: dict[str, Fork | Leaf | Refused | Unbuilt]


Node = Fork | Leaf | Refused | Unbuilt


@dataclass
class Lattice:
    """All designs of a family at some bounds. ``switches`` are those that are varied.

    ``idle`` are the switches that no accepted design reads at these bounds. ``unbuilt`` is what
    time did not allow. ``wrong`` are the classes whose model cannot even be set up, and why.
    """

    family: Family
    bounds: dict[str, HowMany]
    switches: list[Mechanism]
    kept: Settings
    root: Node
    leaves: list[Leaf] = field(default_factory=list)
    classes: int = 0
    unbuilt: list[Unbuilt] = field(default_factory=list)
    wrong: dict[int, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Return how many designs the rules accept."""
        return sum(leaf.count for leaf in self.leaves)

    @property
    def missing(self) -> int:
        """Return how many combinations of switches were not gone through."""
        return sum(place.count for place in self.unbuilt)

    @property
    def idle(self) -> list[str]:
        """Return the switches that nothing reads at these bounds, whatever else is chosen."""
        if self.unbuilt:
            return []
        read = {name for leaf in self.leaves for name in leaf.known}
        return [m.name for m in self.switches if m.name not in read]

    def plain(self) -> Settings:
        """Return every varied switch with its plain value."""
        return {m.name: m.weakest for m in self.switches}

    def complete(self, settings: Mapping[str, str]) -> Settings:
        """Return settings of every switch: what is not given is plain."""
        return {**self.plain(), **{n: v for n, v in settings.items() if n not in self.kept}}

    def added(self, settings: Mapping[str, str]) -> frozenset[tuple[str, str]]:
        """Return the set that a design is: its switches that are not plain, with their values."""
        plain = self.plain()
        return frozenset((n, v) for n, v in settings.items() if n in plain and v != plain[n])

    def design(self, settings: Mapping[str, str]) -> Design:
        """Return the complete design of some settings."""
        chosen = {**self.kept, **self.complete(settings)}
        return Design({name: chosen[name] for name in self.family.mechanisms}, self.bounds)

    def at(self, settings: Mapping[str, str]) -> Leaf | Refused | Unbuilt:
        """Return the leaf, or the refusal, of a complete choice."""
        node = self.root
        while isinstance(node, Fork):
            node = node.ways[settings[node.switch]]
        return node

    def refusal(self, settings: Mapping[str, str]) -> str | None:
        """Return why the rules refuse a complete choice, or None where they accept it."""
        sizes = self.design(settings).sizes
        said = (rule.objection(sizes) for rule in self.family.declared.rules)
        return next((why for why in said if why), None)

    def near(self, settings: Mapping[str, str]) -> Iterator[Leaf | Refused | Unbuilt]:
        """Yield every leaf and refusal that agrees with a choice of some switches."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            if not isinstance(node, Fork):
                yield node
            elif node.switch in settings:
                stack.append(node.ways[settings[node.switch]])
            else:
                stack += node.ways.values()
