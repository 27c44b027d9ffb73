"""Influence: which switches and variables can still matter once some switches are known.

Takes a lowered model, the budgets that are zero and the properties asked about. Every switch that
becomes known is put in for its value and the nodes are simplified; what is then read, directly
or by way of what is written, by any guard or property is the cone of influence. Two designs with
the same nodes in their cones, and the same initial values there, have the same behaviours as far
as events and these properties go, unless the model itself goes wrong in one of them. Nothing is
run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fencecheck.errors import InternalError
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.lowered import Lowered

Signature = tuple[object, ...]
_START = -1  # what sets up an initial state is told from actions by numbers from here down
_SWITCHES, _FIELDS = 0, 1  # the kinds of leaves, as places in a node's support
_Put = tuple[int, int, int]  # a kind of leaf, which one (as a mask of one bit), its value


Support = tuple[int, int]  # the switches and the fields that are read, as bit masks


@dataclass(frozen=True, eq=False)
class Way:
    """One way an event can happen, with what it writes to each field (in order of field).

    What sets up an initial state is a way too, of a negative ``action``.

    ``fair`` is the rank of its fairness class; ``reads`` is what decides whether it happens and
    in which class; each write has its own support.
    """

    action: int
    enabled: Node
    fair: Node
    writes: tuple[tuple[int, Node, Support], ...]
    reads: Support
    all_switches: int


@dataclass(frozen=True)
class Slice:
    """A model of which some switches are known: its ways, and the nodes of its properties."""

    ways: tuple[Way, ...]
    forms: tuple[Node, ...]


@dataclass(frozen=True)
class Cone:
    """What matters: names of switches, numbers of fields."""

    switches: frozenset[str]
    fields: frozenset[int]


class Influence:
    """Puts switches in for their values and says what still matters. Results are shared."""

    def __init__(self, lowered: Lowered, idle: Iterable[str], properties: Iterable[str]) -> None:
        self.lowered, self.dag = lowered, lowered.dag
        self.names = list(lowered.switches)
        self._put: dict[tuple[int, _Put], Node] = {}
        self._support: dict[int, Support] = {}
        self._ways: dict[tuple[Way, _Put], Way | None] = {}
        wanted = set(properties)
        forms = [
            node
            for number, prop in enumerate(lowered.properties)
            if prop.name in wanted
            for form in lowered.forms_of(number)
            for node in (form.holds, form.trigger)
        ]
        ways = [self._way(c.action, c.enabled, c.fair, c.writes.items()) for c in lowered.cases]
        never_fair = self.dag.const(0)
        ways += [
            self._way(_START - number, start.allowed, never_fair, start.writes.items())
            for number, start in enumerate(lowered.starts)
        ]
        self.whole = Slice(tuple(ways), tuple(forms))
        for name in idle:
            self.whole = self._with(self.whole, (_FIELDS, 1 << lowered.layout.place[name], 0))

    def know(self, part: Slice, switch: str, rank: int) -> Slice:
        """Return a slice with one more switch known, by the rank of its value."""
        return self._with(part, (_SWITCHES, 1 << self.names.index(switch), rank))

    def cone(self, part: Slice) -> Cone:
        """Return what can matter in a slice."""
        switches, fields = self._of(part.forms)
        for way in part.ways:
            switches, fields = switches | way.reads[0], fields | way.reads[1]
        known = -1
        while known != fields:
            known = fields
            for way in part.ways:
                for field, _, reads in way.writes:
                    if known >> field & 1:
                        switches, fields = switches | reads[0], fields | reads[1]
        return Cone(
            frozenset(name for i, name in enumerate(self.names) if switches >> i & 1),
            frozenset(_bits(fields)),
        )

    def signature(self, part: Slice, cone: Cone) -> Signature:
        """Return the nodes that matter in a slice, as a comparable value."""
        ways = tuple(
            (
                way.action,
                way.enabled.number,
                way.fair.number,
                tuple((f, node.number) for f, node, _ in way.writes if f in cone.fields),
            )
            for way in part.ways
        )
        return ways, tuple(node.number for node in part.forms)

    # -- substitution ---------------------------------------------------------------------------
    def _with(self, part: Slice, put: _Put) -> Slice:
        ways = [self._known_way(way, put) for way in part.ways]
        forms = tuple(self._apply(node, put) for node in part.forms)
        return Slice(tuple(way for way in ways if way is not None), forms)

    def _known_way(self, way: Way, put: _Put) -> Way | None:
        """Return a way with one leaf known; None if it can never happen."""
        if put[0] == _SWITCHES and not way.all_switches & put[1]:
            return way
        key = (way, put)
        if key not in self._ways:
            enabled = self._apply(way.enabled, put)
            fair = self._apply(way.fair, put)
            writes = [(field, self._apply(node, put)) for field, node, _ in way.writes]
            never = enabled is self.dag.false
            self._ways[key] = None if never else self._way(way.action, enabled, fair, writes)
        return self._ways[key]

    def _way(
        self, action: int, enabled: Node, fair: Node, writes: Iterable[tuple[int, Node]]
    ) -> Way:
        told = tuple((f, node, self._supported(node)) for f, node in sorted(writes, key=_place))
        reads = self._of([enabled, fair])
        every = reads[0]
        for _, _, (switches, _) in told:
            every |= switches
        return Way(action, enabled, fair, told, reads, every)

    def _apply(self, root: Node, put: _Put) -> Node:
        """Return ``root`` with one leaf known; what does not read that leaf stays as it is."""
        if not self._reads(root, put):
            return root
        stack = [root]
        while stack:
            node = stack[-1]
            key = (node.number, put)
            if key in self._put:
                stack.pop()
                continue
            if not node.args:
                self._put[key] = self.dag.const(put[2], truth=node.truth)
                stack.pop()
                continue
            missing = [
                a for a in node.args if self._reads(a, put) and (a.number, put) not in self._put
            ]
            if missing:
                stack += missing
                continue
            args = [self._put[a.number, put] if self._reads(a, put) else a for a in node.args]
            self._put[key] = self.dag.rebuild(node, args)
            stack.pop()
        return self._put[root.number, put]

    def _reads(self, node: Node, put: _Put) -> bool:
        return bool(self._supported(node)[put[0]] & put[1])

    # -- what a node reads ----------------------------------------------------------------------
    def _of(self, nodes: Iterable[Node]) -> Support:
        switches = fields = 0
        for node in nodes:
            more = self._supported(node)
            switches, fields = switches | more[0], fields | more[1]
        return switches, fields

    def _supported(self, root: Node) -> Support:
        """Return the switches and fields that a node reads, before or after, as bit masks."""
        found = self._support.get(root.number)
        if found is not None:
            return found
        stack = [root]
        while stack:
            node = stack[-1]
            missing = [a for a in node.args if a.number not in self._support]
            if missing:
                stack += missing
                continue
            self._support[node.number] = self._leaf(node) if not node.args else self._of(node.args)
            stack.pop()
        return self._support[root.number]

    def _leaf(self, node: Node) -> Support:
        if node.op == "switch":
            return 1 << self.names.index(str(node.extra[0])), 0
        if node.op == "read":
            return 0, 1 << int(node.extra[1])
        if node.op != "const":
            raise InternalError(f"a node {node.op} has no arguments")
        return 0, 0


def _place(write: tuple[int, Node]) -> int:
    return write[0]


def _bits(mask: int) -> Iterable[int]:
    return (i for i in range(mask.bit_length()) if mask >> i & 1)
