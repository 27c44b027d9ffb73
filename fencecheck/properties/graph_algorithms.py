"""Walks over a graph of numbered states: what can be reached, what can go on for ever.

A graph is ``offsets`` (edges of state s are offsets[s] .. offsets[s + 1]) and ``targets``, with
``labels`` of its edges; ``live`` masks states with 0 or 1, ``allowed`` masks labels. The loops
stand in graph_loops.py; they run as Python on small graphs and as machine code on large ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fencecheck.explore.cutting import cut_short
from fencecheck.explore.native.code import NativeCode
from fencecheck.properties import graph_loops

LARGE = 20_000  # edges from which machine code pays

_CODE = NativeCode("fencecheck.properties", ("graph_loops",))
_GRAPH = "i64* stop, i64* offsets, u32* targets"
_LOOPS = [
    f"reversed_graph({_GRAPH}, u16* labels, u8* allowed, i64 n, i64* starts, i64* place, "
    "u32* sources)",
    f"reach({_GRAPH}, i64 n, u8* found, i64* stack)",
    f"components({_GRAPH}, u8* live, i64 n, i64* component, i64* index, i64* low, i64* stack, "
    "i64* calls, i64* edge)",
    f"fair_components({_GRAPH}, u16* labels, i64* component, i64 count, u8* fair, i64 n, "
    "i64 classes, u8* inside, u8* excused, i64* enabled)",
    f"starved_states({_GRAPH}, u16* labels, i64* component, u8* strong, i64 n, i64 classes, "
    "u8* taken, u8* starved)",
    "quiet_states(i64* stop, i64* offsets, u16* labels, u8* own, i64 n, u8* quiet)",
    f"inner_edges({_GRAPH}, u16* labels, i64* component, u8* wanted, i64 n, u8* found)",
    "distances(i64* stop, i64* offsets, u32* sources, u8* live, u8* goals, i64 n, i64* distance, "
    "i64* queue)",
    f"excusing_states({_GRAPH}, u16* labels, u8* member, i64 label, i64 n, u8* found)",
]
_NATIVE = {f.__name__: f for f in (_CODE.declare(f"i64 {loop}") for loop in _LOOPS)}

Run = Callable[..., int]


class Walks:
    """The walks; ``run`` is called with the name of a loop and its arguments but for ``stop``."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def reversed_graph(self, offsets: Any, targets: Any, labels: Any, allowed: Any) -> Any:
        """Return (offsets, sources) of the edges with an allowed label, turned round."""
        n = offsets.size - 1
        starts, place = np.zeros(n + 1, np.int64), np.empty(n, np.int64)
        sources = np.empty(int(np.count_nonzero(allowed[labels])), np.uint32)
        self._run("reversed_graph", offsets, targets, labels, allowed, n, starts, place, sources)
        return starts, sources

    def reach(self, offsets: Any, targets: Any, found: Any) -> None:
        """Mark in ``found`` (0 or 1 by state) everything that can be reached from what is."""
        self._run("reach", offsets, targets, found.size, found, np.empty(found.size, np.int64))

    def components(self, offsets: Any, targets: Any, live: Any) -> tuple[Any, int]:
        """Return the strongly connected component of each live state, and how many there are.

        -1 for states that are not live.
        """
        n = offsets.size - 1
        component, index, low = np.full(n, -1, np.int64), *np.zeros((2, n), np.int64)
        room = np.empty((3, n), np.int64)
        count = self._run("components", offsets, targets, live, n, component, index, low, *room)
        return component, count

    def fair_components(
        self, offsets: Any, targets: Any, labels: Any, component: Any, count: int, fair: Any
    ) -> Any:
        """Return for each component whether a weakly fair behaviour can stay in it for ever."""
        n, classes = offsets.size - 1, fair.size
        inside, excused = np.zeros(count, np.uint8), np.zeros((count, classes), np.uint8)
        self._run(
            "fair_components", offsets, targets, labels, component, count, fair, n, classes,
            inside, excused, np.zeros(classes, np.int64),
        )  # fmt: skip
        return inside

    def starved_states(
        self, offsets: Any, targets: Any, labels: Any, component: Any, count: int, strong: Any
    ) -> Any:
        """Return where a class of ``strong`` labels is possible that its component never takes."""
        n, classes = offsets.size - 1, strong.size
        taken, starved = np.zeros((count, classes), np.uint8), np.zeros(n, np.uint8)
        self._run(
            "starved_states", offsets, targets, labels, component, strong, n, classes, taken,
            starved,
        )  # fmt: skip
        return starved

    def quiet_states(self, offsets: Any, labels: Any, own: Any) -> Any:
        """Return for each state whether no edge with a label of ``own`` leaves it."""
        n = offsets.size - 1
        quiet = np.ones(n, np.uint8)
        self._run("quiet_states", offsets, labels, own, n, quiet)
        return quiet

    def inner_edges(
        self, offsets: Any, targets: Any, labels: Any, component: Any, wanted: Any, count: int
    ) -> Any:
        """Return for each component whether an edge with a wanted label stays within it."""
        n, found = offsets.size - 1, np.zeros(count, np.uint8)
        self._run("inner_edges", offsets, targets, labels, component, wanted, n, found)
        return found

    def distances(self, offsets: Any, sources: Any, live: Any, goals: Any) -> Any:
        """Return for each live state how many edges a shortest way within ``live`` to a goal has.

        The graph is the reversed one; -1 where no goal can be reached.
        """
        n = offsets.size - 1
        distance = np.full(n, -1, np.int64)
        self._run("distances", offsets, sources, live, goals, n, distance, np.empty(n, np.int64))
        return distance

    def excusing_states(
        self, offsets: Any, targets: Any, labels: Any, member: Any, label: int
    ) -> Any:
        """Return the member states in which a class is disabled or is taken to another member."""
        found = np.zeros(member.size, np.uint8)
        self._run("excusing_states", offsets, targets, labels, member, label, member.size, found)
        return found


def native_loop(name: str) -> Callable[..., int]:
    """Return a loop as machine code; its first argument is ``stop``."""
    return _NATIVE[name]


def graph_functions(large: bool) -> Walks:
    """Return the walks for one size of graph.

    Those over ``large`` graphs run as machine code; a limit on time or an interrupt cuts them,
    which raises TimeUp or KeyboardInterrupt. What a small graph takes is not worth looking at a
    clock.
    """
    if large:
        return Walks(lambda name, *args: cut_short(native_loop(name), *args))
    going = np.zeros(1, np.int64)
    return Walks(lambda name, *args: getattr(graph_loops, name)(going, *_flat(args)))


def _flat(args: tuple[Any, ...]) -> list[Any]:
    """Return arguments as the loops read them: an array of rows is one row after another."""
    return [arg.reshape(-1) if isinstance(arg, np.ndarray) else arg for arg in args]
