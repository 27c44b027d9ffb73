"""Walks over a graph of numbered states: what can be reached, what can go on for ever.

Plain loops over arrays, run as they are on small graphs and compiled by numba on large ones
(``graph_functions``). A graph is ``offsets`` (edges of state s are offsets[s] .. offsets[s + 1])
and ``targets``; ``live`` masks states with 0 or 1, ``allowed`` masks labels. Once ``stop``, an
array of one number, is set from outside, a function ends early, with nothing that counts.
"""

from __future__ import annotations

import functools
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from fencecheck.explore.cutting import cut_short

LARGE = 20_000  # edges from which compiling pays


def reversed_graph(stop: Any, offsets: Any, targets: Any, labels: Any, allowed: Any) -> Any:
    """Return (offsets, sources) of the edges with an allowed label, turned round."""
    n = offsets.size - 1
    starts = np.zeros(n + 1, np.int64)
    kept = 0
    for e in range(targets.size):
        if stop[0]:
            break
        if allowed[labels[e]]:
            starts[targets[e] + 1] += 1
            kept += 1
    for s in range(n):
        starts[s + 1] += starts[s]
    place = starts.copy()
    sources = np.empty(kept, np.uint32)
    for s in range(n):
        if stop[0]:
            break
        for e in range(offsets[s], offsets[s + 1]):
            if allowed[labels[e]]:
                t = targets[e]
                sources[place[t]] = s
                place[t] += 1
    return starts, sources


def reach(stop: Any, offsets: Any, targets: Any, found: Any) -> None:
    """Mark in ``found`` (0 or 1 by state) everything that can be reached from what is marked."""
    stack = np.empty(found.size, np.int64)
    top = 0
    for s in range(found.size):
        if found[s]:
            stack[top] = s
            top += 1
    while top:
        if stop[0]:
            break
        top -= 1
        s = stack[top]
        for e in range(offsets[s], offsets[s + 1]):
            t = targets[e]
            if not found[t]:
                found[t] = 1
                stack[top] = t
                top += 1


def components(stop: Any, offsets: Any, targets: Any, live: Any) -> Any:
    """Return the strongly connected component of each live state, and how many there are.

    Tarjan's algorithm (1972) without recursion; -1 for states that are not live.
    """
    n = offsets.size - 1
    index = np.zeros(n, np.int64)
    low = np.zeros(n, np.int64)
    component = np.full(n, -1, np.int64)
    stack = np.empty(n, np.int64)
    calls = np.empty(n, np.int64)
    edge = np.empty(n, np.int64)
    counter, count, top = 0, 0, 0
    for root in range(n):
        if not live[root] or index[root]:
            continue
        depth = 0
        calls[0] = root
        counter += 1
        index[root] = low[root] = counter
        edge[root] = offsets[root]
        stack[top] = root
        top += 1
        while depth >= 0:
            if stop[0]:
                break
            s = calls[depth]
            if edge[s] < offsets[s + 1]:
                t = targets[edge[s]]
                edge[s] += 1
                if not live[t]:
                    continue
                if index[t] == 0:
                    counter += 1
                    index[t] = low[t] = counter
                    edge[t] = offsets[t]
                    stack[top] = t
                    top += 1
                    depth += 1
                    calls[depth] = t
                elif component[t] < 0 and index[t] < low[s]:
                    low[s] = index[t]
                continue
            depth -= 1
            if depth >= 0 and low[s] < low[calls[depth]]:
                low[calls[depth]] = low[s]
            if low[s] == index[s]:
                while True:
                    top -= 1
                    t = stack[top]
                    component[t] = count
                    if t == s:
                        break
                count += 1
    return component, count


def fair_components(
    stop: Any, offsets: Any, targets: Any, labels: Any, component: Any, count: Any, fair: Any
) -> Any:
    """Return for each component whether a weakly fair behaviour can stay in it for ever.

    It must have an edge inside, and every class of ``fair`` labels must be taken inside or be
    disabled in one of its states. For weak fairness a part of a component that is not fair is
    not fair either, so whole components decide.
    """
    classes = fair.size
    inside = np.zeros(count, np.uint8)
    excused = np.zeros((count, classes), np.uint8)
    enabled = np.zeros(classes, np.int64)
    for s in range(offsets.size - 1):
        if stop[0]:
            break
        c = component[s]
        if c < 0:
            continue
        for e in range(offsets[s], offsets[s + 1]):
            enabled[labels[e]] = s + 1
            if component[targets[e]] == c:
                inside[c] = 1
                excused[c, labels[e]] = 1
        for k in range(classes):
            if enabled[k] != s + 1:
                excused[c, k] = 1
    for c in range(count):
        for k in range(classes):
            if fair[k] and not excused[c, k]:
                inside[c] = 0
    return inside


def starved_states(
    stop: Any, offsets: Any, targets: Any, labels: Any, component: Any, count: Any, strong: Any
) -> Any:
    """Return where a class of ``strong`` labels is possible that its component never takes.

    A strongly fair behaviour that stays in the component for ever leaves these states out.
    """
    taken = np.zeros((count, strong.size), np.uint8)
    n = offsets.size - 1
    for s in range(n):
        if stop[0]:
            break
        c = component[s]
        if c >= 0:
            for e in range(offsets[s], offsets[s + 1]):
                if component[targets[e]] == c:
                    taken[c, labels[e]] = 1
    starved = np.zeros(n, np.uint8)
    for s in range(n):
        if stop[0]:
            break
        c = component[s]
        if c >= 0:
            for e in range(offsets[s], offsets[s + 1]):
                if strong[labels[e]] and not taken[c, labels[e]]:
                    starved[s] = 1
    return starved


def quiet_states(stop: Any, offsets: Any, labels: Any, own: Any) -> Any:
    """Return for each state whether no edge with a label of ``own`` leaves it."""
    n = offsets.size - 1
    quiet = np.ones(n, np.uint8)
    for s in range(n):
        if stop[0]:
            break
        for e in range(offsets[s], offsets[s + 1]):
            if own[labels[e]]:
                quiet[s] = 0
                break
    return quiet


def inner_edges(
    stop: Any, offsets: Any, targets: Any, labels: Any, component: Any, wanted: Any, count: Any
) -> Any:
    """Return for each component whether an edge with a wanted label stays within it."""
    found = np.zeros(count, np.uint8)
    for s in range(offsets.size - 1):
        if stop[0]:
            break
        c = component[s]
        if c >= 0:
            for e in range(offsets[s], offsets[s + 1]):
                if wanted[labels[e]] and component[targets[e]] == c:
                    found[c] = 1
    return found


def distances(stop: Any, offsets: Any, sources: Any, live: Any, goals: Any) -> Any:
    """Return for each live state how many edges a shortest way within ``live`` to a goal has.

    The graph is the reversed one; -1 where no goal can be reached.
    """
    n = offsets.size - 1
    distance = np.full(n, -1, np.int64)
    queue = np.empty(n, np.int64)
    head, tail = 0, 0
    for s in range(n):
        if goals[s] and live[s]:
            distance[s] = 0
            queue[tail] = s
            tail += 1
    while head < tail:
        if stop[0]:
            break
        t = queue[head]
        head += 1
        for e in range(offsets[t], offsets[t + 1]):
            s = sources[e]
            if live[s] and distance[s] < 0:
                distance[s] = distance[t] + 1
                queue[tail] = s
                tail += 1
    return distance


def excusing_states(
    stop: Any, offsets: Any, targets: Any, labels: Any, member: Any, label: Any
) -> Any:
    """Return the member states in which a class is disabled or is taken to another member."""
    found = np.zeros(member.size, np.uint8)
    for s in range(member.size):
        if stop[0]:
            break
        if member[s]:
            disabled = True
            for e in range(offsets[s], offsets[s + 1]):
                if labels[e] == label:
                    disabled = False
                    if member[targets[e]]:
                        found[s] = 1
            if disabled:
                found[s] = 1
    return found


_FUNCTIONS = (
    reversed_graph,
    reach,
    components,
    fair_components,
    starved_states,
    quiet_states,
    inner_edges,
    distances,
    excusing_states,
)


@functools.cache
def _compiled(function: Any) -> Any:
    from fencecheck.explore.jit import compiled

    return compiled(function)


@functools.cache
def compiled_walks() -> SimpleNamespace:
    """Return the functions of this module by name, compiled."""
    return SimpleNamespace(**{f.__name__: _compiled(f) for f in _FUNCTIONS})


def graph_functions(large: bool) -> SimpleNamespace:
    """Return the functions of this module by name, without ``stop``, for one size of graph.

    Those for ``large`` graphs are compiled; a limit on time or an interrupt cuts them, which
    raises TimeUp or KeyboardInterrupt. What a small graph takes is not worth looking at a clock.
    """
    if large:
        return SimpleNamespace(
            **{name: partial(cut_short, walk) for name, walk in vars(compiled_walks()).items()}
        )
    going = np.zeros(1, np.int64)
    return SimpleNamespace(**{f.__name__: partial(f, going) for f in _FUNCTIONS})
