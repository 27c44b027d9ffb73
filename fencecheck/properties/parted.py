"""Temporal properties of a graph that several processes have: what is judged is gathered here.

Whether a goal can always be reached, the owners of the states find out together. For what may go on
for ever they take out what lies on no cycle; what is left is judged here, if it fits. Only if a
fair behaviour ends there are ways to it looked for, by the owners too, and the nearest ones shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, runtime_checkable

from fencecheck.explore.cutting import MemoryUp
from fencecheck.explore.edges import Met
from fencecheck.explore.graph import Broken, StateGraph
from fencecheck.model.property import Liveness, Possibility, Property, Recurrence
from fencecheck.model.system import System
from fencecheck.properties.evidence import Evidence
from fencecheck.properties.temporal import TemporalJudge, fits, room_for
from fencecheck.runs.fairness import Classes


class JudgedPart(StateGraph, Protocol):
    """States of a graph as a graph of their own, in their order, and one more: all the others.

    The last one has no edges, and every truth holds in it. Runs to states are those of the whole.
    """

    def in_whole(self, state: int) -> int:
        """Return the number in the whole graph of a state of this part."""
        ...


@runtime_checkable
class PartedGraph(StateGraph, Protocol):
    """A StateGraph that is with several processes.

    Truths are told by their numbers among those that were watched (watch.py). What needs memory
    that they do not have raises MemoryUp, what is cut TimeUp or KeyboardInterrupt (cutting.py).
    """

    def met(self) -> Met:
        """Return which truths and which edges there are at all."""
        ...

    def trapped(self, goal: int) -> Broken | None:
        """Return the nearest states from which the system's own events never lead to a truth.

        Where a bound holds back a system event, the truth counts as within reach.
        """
        ...

    def keep_cyclic(self, avoided: int) -> tuple[int, int]:
        """Keep what may lie on a cycle of edges that last, where a truth does not hold.

        Returns how many states that is and how many edges leave them.
        """
        ...

    def nearest_starts(
        self, ends: Sequence[int], avoided: int | None, trigger: int | None
    ) -> list[int]:
        """Return the nearest starts with a way to one of the states ``ends``, by number.

        Ways stay where ``avoided`` does not hold, and may then end where nothing has to happen too.
        Starts are where ``trigger`` holds, without one the initial states. Of several initial ones
        these are those with the shortest ways.
        """
        ...

    def keep_ways(self, starts: Sequence[int]) -> tuple[int, int]:
        """Keep, too, what is on shortest ways from the starts that were found last."""
        ...

    def kept(self) -> JudgedPart:
        """Return what is kept."""
        ...


def judge_of(
    system: System, graph: StateGraph, properties: Sequence[Property], memory: int | None
) -> TemporalJudge | None:
    """Return the judge of a complete graph, None where its edges do not fit the memory allowed."""
    if isinstance(graph, PartedGraph):
        return PartedJudge(system, graph, properties, memory)
    return TemporalJudge(system, graph, properties) if room_for(graph.search, memory) else None


class PartedJudge(TemporalJudge):
    """Judges what a TemporalJudge does, with the same evidence, and gathers what that needs.

    ``memory`` is what this process may take. Where what may go on for ever does not fit, ``judge``
    raises MemoryUp.
    """

    def __init__(
        self,
        system: System,
        graph: PartedGraph,
        properties: Sequence[Property],
        memory: int | None,
    ) -> None:
        super().__init__(system, graph, properties)
        self.parted, self.properties, self.memory = graph, properties, memory

    @cached_property
    def _met(self) -> Met:
        return self.parted.met()

    @cached_property
    def classes(self) -> Classes:
        """The fairness classes of the edges, which are elsewhere."""
        return Classes(self.system)

    def _bit(self, prop: Property, instance: int, part: str) -> int:
        return self.bits[prop.name, instance, part]

    def _triggered_one(self, prop: Property, instance: int) -> bool:
        if prop.trigger is not None:
            return self._bit(prop, instance, "trigger") in self._met.somewhere
        if isinstance(prop, Recurrence):
            return not self._met.labels.isdisjoint(self._labels_of(prop, instance))
        if isinstance(prop, Liveness):
            view, holds = self.system.view, prop.each()[instance].holds
            starts = (self.graph.state(number) for number in range(self.initials))
            return not all(holds(view(state)) for state in starts)
        return self._bit(prop, instance, "holds") not in self._met.everywhere

    def _trapped(self, prop: Property, instance: int) -> Broken | None:
        return self.parted.trapped(self._bit(prop, instance, "holds"))

    def _judge_one(self, prop: Property, instance: int) -> Evidence | None:
        if isinstance(prop, Possibility):
            return super()._judge_one(prop, instance)
        holds = self._bit(prop, instance, "holds")
        part = self._gathered(self.parted.keep_cyclic(holds))
        ends = TemporalJudge(self.system, part, self.properties).ends(prop, instance)
        inside = [part.in_whole(state) for state in ends]
        leads = not isinstance(prop, Liveness | Recurrence)
        starts = self.parted.nearest_starts(
            inside,
            None if isinstance(prop, Recurrence) else holds,
            self._bit(prop, instance, "trigger") if leads else None,
        )
        if not starts:
            return None
        part = self._gathered(self.parted.keep_ways(starts))
        return TemporalJudge(self.system, part, self.properties)._judge_one(prop, instance)

    def _gathered(self, size: tuple[int, int]) -> JudgedPart:
        """Return what is kept, of which the size is known; raises MemoryUp if it does not fit."""
        if not fits(*size, self.memory):
            raise MemoryUp
        return self.parted.kept()
