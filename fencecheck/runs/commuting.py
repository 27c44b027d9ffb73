"""Which events commute, and one name for all orders that differ only in commuting events.

Two events are independent if neither writes a field of the state that the other reads or writes;
the fields come from the intermediate form with the design's switches known. Swapping independent
neighbours changes nothing that anybody could see, so orders that differ by such swaps are one
(Mazurkiewicz, "Trace theory", 1986). What is called dependent here may still commute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fencecheck.model.declare import Each
from fencecheck.model.folding import Folding
from fencecheck.model.lower.dag import nodes_of
from fencecheck.model.lower.lowered import Case
from fencecheck.model.system import Args, System
from fencecheck.runs.event import Event, event_key

Fields = frozenset[int]
Key = tuple[Any, ...]


class Commuting:
    """The footprints of a system's events: which fields each reads, and which it writes."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._folding = Folding(system, system.family.mechanisms)
        self._cases: list[list[Case]] = [[] for _ in system.actions]
        for case in system.lowered.cases:
            self._cases[case.action].append(case)
        self._known: dict[tuple[int, Args | None], tuple[Fields, Fields]] = {}

    def footprint(self, event: Event) -> tuple[Fields, Fields]:
        """Return the fields that an event may read, and those that it may write."""
        number, cases = event.action, self._cases[event.action]
        params = self.system.params[number].values()
        exact = not any(isinstance(param, Each) for param in params)
        choices = self.system.arguments(number, event.before) if exact else []
        exact = exact and len(choices) == len(cases)
        key = (number, event.args if exact else None)
        if key not in self._known:
            chosen = [cases[choices.index(event.args)]] if exact else cases
            self._known[key] = self._of_cases(chosen)
        return self._known[key]

    def _of_cases(self, cases: Sequence[Case]) -> tuple[Fields, Fields]:
        reads, writes = set[int](), set[int]()
        for case in cases:
            roots = [self._folding.fold(case.enabled)]
            for field, node in case.writes.items():
                folded = self._folding.fold(node)
                if not (folded.op == "read" and int(folded.extra[1]) == field):
                    writes.add(field)
                    roots.append(folded)
            reads |= {int(n.extra[1]) for n in nodes_of(roots) if n.op == "read"}
        return frozenset(reads), frozenset(writes)

    def independent(self, one: Event, other: Event) -> bool:
        """Tell whether two events commute wherever both can happen."""
        (reads, writes), (their_reads, their_writes) = self.footprint(one), self.footprint(other)
        return not (writes & (their_reads | their_writes) or their_writes & reads)

    def normal_form(
        self, events: Sequence[Event], keys: Sequence[Key] | None = None
    ) -> tuple[Key, ...]:
        """Return the smallest order, by names and arguments, that is one with ``events``.

        ``keys`` are other names and arguments for them, in the same order.
        """
        if keys is None:
            keys = [event_key(self.system, e.action, e.args)[:2] for e in events]
        before = [
            {i for i in range(j) if not self.independent(events[i], events[j])}
            for j in range(len(events))
        ]
        left, order = set(range(len(events))), list[Key]()
        while left:
            chosen = min((j for j in left if not before[j] & left), key=lambda j: (keys[j], j))
            order.append(keys[chosen])
            left.remove(chosen)
        return tuple(order)
