"""Dominance: states that nobody needs, since another has at least as much left of every budget.

A state is (x, b): b what is left of the budgets that its model only spends (see Spending), x the
rest. Whatever can happen from it can happen from a state with the same x and no less of any of
these budgets, in the same events; where such a state was found after as few events, or fewer, it is
superfluous. Kept are, for each x, the states that none found so early makes superfluous, whatever
the order in which the states of a level come. Verdicts, lengths and the counterexample that is
shown stay what they are (shortest.py); counts are of the states that are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.explore.graph import MemoryGraph
from fencecheck.explore.watch import Watch
from fencecheck.model.system import State, System

MOST_BITS = 20  # of what is left: a slot of the compiled engine's table holds no more
_Left = tuple[int, ...]


def only_spent(system: System, watch: Watch) -> tuple[str, ...]:
    """Return the budgets that a model only spends, of those with a number above 0.

    There are none where a model refills a budget: how much interference a run has is then more
    than what is left says, and another counterexample could have the least.
    """
    asked = {prop.name for prop in watch.properties}
    others = [name for name in system.family.properties if name not in asked]
    known = system.lowered.spending.without(others)
    return () if known.refilled else known.only


def spent_budgets(system: System, watch: Watch) -> tuple[str, ...]:
    """Return the budgets by which a state can be superfluous, those of few bits first.

    They are only spent, and what is left of all of them takes MOST_BITS at most.
    """
    only = only_spent(system, watch)
    layout, chosen, room = system.lowered.layout, list[str](), MOST_BITS
    bits = {name: layout.fields[layout.place[name]].bits for name in only}
    for name in sorted(only, key=lambda name: (bits[name], name)):
        room -= bits[name]
        if room >= 0:
            chosen.append(name)
    return tuple(chosen)


class Fronts:
    """The numbers of the states that are kept, found by any state that one of them covers.

    Of a state that a later one of its level covers, the number is of no more use: ``settle``, at
    the end of a level, takes such states out of the graph.
    """

    def __init__(self, graph: MemoryGraph, budgets: Sequence[str]) -> None:
        self.graph, names = graph, graph.system.names
        self.places = [i for i, name in enumerate(names) if name in budgets]
        self.rest = [i for i, name in enumerate(names) if name not in budgets]
        self.held: dict[State, list[tuple[_Left, int]]] = {}
        self.struck: dict[int, int] = {}  # to the number of what covers it
        self.first, self.fresh = 0, dict[State, None]()  # of the level under way: number, rests
        for number, state in enumerate(graph.states):
            self[state] = number
        self.first = len(graph.states)

    def get(self, state: State) -> int | None:
        """Return the number of a state that covers this one, None where there is none."""
        left = [state[i] for i in self.places]
        for held, number in self.held.get(tuple([state[i] for i in self.rest]), ()):
            if all(has >= needed for has, needed in zip(held, left, strict=True)):
                return number
        return None

    def __setitem__(self, state: State, number: int) -> None:
        """Keep a state that none covers, in place of those that it covers."""
        left = tuple([state[i] for i in self.places])
        rest = tuple([state[i] for i in self.rest])
        self.fresh[rest] = None
        front = self.held.setdefault(rest, [])
        covered = [
            (held, other)
            for held, other in front
            if all(has <= more for has, more in zip(held, left, strict=True))
        ]
        for entry in covered:
            front.remove(entry)
            if entry[1] >= self.first:
                self.struck[entry[1]] = number
        front.append((left, number))

    def forget(self, end: int) -> None:
        """Forget the states from number ``end`` on, which are no longer in the graph."""
        self.struck = {n: by for n, by in self.struck.items() if n < end and by < end}

    def settle(self, sources: range) -> None:
        """Take the states that were struck out of the level that ``sources`` lead to.

        Edges into them lead to what covers them.
        """
        graph, first = self.graph, self.first
        if self.struck:
            kept = [n for n in range(first, len(graph.states)) if n not in self.struck]
            number_of = {n: first + i for i, n in enumerate(kept)}
            for number in sorted(self.struck, reverse=True):
                number_of[number] = number_of[self.struck[number]]
            for rest in self.fresh:
                front = self.held[rest]
                front[:] = [(left, number_of.get(n, n)) for left, n in front]
            for source in sources[: len(graph.edges) - sources.start]:
                graph.edges[source] = [
                    (action, args, number_of.get(target, target))
                    for action, args, target in graph.edges[source]
                ]
            graph.states[first:] = [graph.states[n] for n in kept]
            self.struck = {}
        self.first, self.fresh = len(graph.states), {}
