"""What a second pass over packed states tells: edges, how often each event occurs, what breaks.

The states of a compiled search are in its log; what leads from one to another is generated again
by a kernel, which costs less than keeping it during the search.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.errors import InternalError
from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.kernel.compile import Kernel, kernel_once
from fencecheck.explore.compiled.kernel.drafts import Wanted
from fencecheck.explore.compiled.kernel.plan import KernelPlan, plan_edges
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.packed_states import PackedStates
from fencecheck.explore.compiled.storage.needed import NeededStore, table_of
from fencecheck.explore.compiled.storage.packing import Packing, Words
from fencecheck.explore.compiled.worker import Worker, in_chunks
from fencecheck.explore.cutting import check_cut
from fencecheck.explore.edges import EdgeArrays, LastingTruth
from fencecheck.model.lower.dag import Node
from fencecheck.model.property import Property
from fencecheck.model.system import System
from fencecheck.runs.fairness import Classes

_AT_ONCE = 1 << 18  # states between two looks at the clock


def edge_kernel(packing: Packing, classes: Classes, truths: Sequence[LastingTruth]) -> Kernel:
    """Return the kernel that tells the classes of edges apart, and which truths hold.

    Behind the flags of the truths are those of the classes that bounds hold back.
    """
    system = classes.system
    lowered = system.lowered

    def plan() -> tuple[KernelPlan, Sequence[int]]:
        held = _held_classes(system, classes)
        nodes = [truth.node(lowered) for truth in truths]
        return plan_edges(lowered, classes.first, [*nodes, *held.values()]), tuple(held)

    asked = [(truth.name, truth.instance, truth.part) for truth in truths]
    of = ["classes", *classes.first, classes.count, *asked]
    return kernel_once(system, Wanted(of, plan, packing))


def _count_kernel(graph: PackedStates) -> Kernel:
    """Return the kernel that tells the actions of edges apart."""

    def plan() -> tuple[KernelPlan, Sequence[int]]:
        lowered = graph.system.lowered
        planned = plan_edges(lowered, list(range(len(graph.system.actions))), [])
        for case in planned.cases:
            case.label = lowered.dag.const(case.action)
        return planned, ()

    return kernel_once(graph.system, Wanted(["actions"], plan, graph.kernel.packing))


def edge_arrays(graph: PackedStates, truths: Sequence[LastingTruth]) -> EdgeArrays:
    """Return the edges of a complete graph: each state expanded, each target looked up.

    Raises InternalError where there are not as many as the search saw, TimeUp or
    KeyboardInterrupt where it is cut.
    """
    if graph.search.count >= 1 << 32:
        raise MemoryError("the edges of so many states do not fit any memory")
    classes = Classes(graph.system)
    kernel = edge_kernel(graph.kernel.packing, classes, truths)
    worker, words, count = (
        Worker(kernel, graph.worker.switches),
        graph.store.words,
        graph.search.count,
    )
    log = graph.in_order(spare=8 * words)
    find, table = _finder(graph, log)
    room = graph.search.transitions + slots.LONGEST * kernel.cases
    offsets = np.zeros(count + 1, np.int64)
    marks = np.zeros((count, kernel.signs.flag_words), np.uint32)
    targets, labels = np.empty(room, np.uint32), np.empty(room, np.uint16)
    kinds = np.empty(slots.LONGEST * kernel.cases + 64, np.uint16)
    done, buffers = 0, worker.buffers_with(kinds)
    while done < count:
        check_cut()
        part = min(_AT_ONCE, count - done)
        found = find(
            kernel.address, buffers, log, done, part, *table,
            offsets, targets, labels, room, marks, marks.shape[1],
        )  # fmt: skip
        done += max(0, found)
        if found < part:
            break
    total = int(offsets[count])
    if done != count or total != graph.search.transitions:
        raise InternalError(
            f"the search saw {graph.search.transitions} transitions of {count} states, "
            f"a second pass {total} of {done}; this is a bug of fencecheck: please report it"
        )
    edges = EdgeArrays(offsets, targets[:total], labels[:total], marks, classes)
    where = {label: edges.holds(len(truths) + i) for i, label in enumerate(kernel.signs.classes)}
    edges.held.update({label: flags for label, flags in where.items() if flags.any()})
    return edges


def _finder(graph: PackedStates, log: Words) -> tuple[Callable[..., int], tuple[Any, ...]]:
    """Return what finds edges, and the table of the states of a log as it takes it."""
    words, count = graph.store.words, graph.search.count
    if isinstance(graph.store, NeededStore):
        covering = table_of(graph.store, log, count)
        return loop.find_needed_edges, (covering.slots, covering.shape)
    table = index_of(log, count, words)
    return loop.find_edges, (table, len(table), words)


def index_of(log: Words, count: int, words: int) -> Words:
    """Return the table of the states of a log, as ``find_edges`` and ``find_states`` take it.

    Raises TimeUp or KeyboardInterrupt where it is cut.
    """
    table = np.zeros(1 << (count + count // 2 + 64).bit_length(), np.uint64)
    for first in range(0, count, _AT_ONCE):
        check_cut()
        loop.index_states(log, first, min(first + _AT_ONCE, count), table, len(table), words)
    return table


def _held_classes(system: System, classes: Classes) -> dict[int, Node]:
    """Return where bounds hold back system events, by class."""
    dag, found = system.lowered.dag, dict[int, Node]()
    ends = [*classes.first[1:], classes.count]
    for case in system.lowered.cases:
        first, end = classes.first[case.action], ends[case.action]
        if system.actions[case.action].interference or not case.held:
            continue
        for label in range(first, end):
            this = dag.equal(case.fair, dag.const(label - first))
            here = dag.both(this, dag.any_of(case.held.values()))
            if here.constant != 0:
                found[label] = dag.either(found.get(label, dag.false), here)
    return found


def event_counts(graph: PackedStates) -> npt.NDArray[np.int64]:
    """Return how many edges of each action lead to each depth.

    States that a cut search did not expand are left out.
    """
    system, depths = graph.system, graph.search.depth + 2
    counts = np.zeros((depths, len(system.actions)), np.int64)
    kernel = _count_kernel(graph)
    worker = Worker(kernel, graph.worker.switches)
    labels = np.empty(slots.LONGEST * kernel.cases + 64, np.uint16)
    buffers = worker.buffers_with(labels)
    expanded = len(graph.segments) - (0 if graph.search.complete else 1)
    for depth, segments in enumerate(graph.segments[:expanded]):
        for at, n in in_chunks(segments).tolist():
            made = worker.judge(graph.store, at, n, buffers)
            counts[depth + 1] += np.bincount(labels[:made], minlength=counts.shape[1])
    return counts


def counts_of_edges(graph: PackedStates, edges: EdgeArrays) -> npt.NDArray[np.int64]:
    """Return the same of a complete graph whose edges are known."""
    width = len(graph.system.actions)
    counts = np.zeros((graph.search.depth + 2, width), np.int64)
    actions = np.searchsorted(edges.classes.first, edges.labels, side="right") - 1
    for depth, (first, last) in enumerate(itertools.pairwise(graph.search.levels)):
        of_level = actions[edges.offsets[first] : edges.offsets[last]]
        counts[depth + 1] = np.bincount(of_level, minlength=width)
    return counts


def breaking_states(graph: PackedStates, prop: Property, level: int) -> list[int]:
    """Return the states of an expanded level at which a watched property breaks, ascending."""
    worker, places = graph.worker, list[int]()
    word, bit = graph.kernel.signs.bits[prop.name]
    for at, count in in_chunks(graph.segments[level]).tolist():
        flags = _flags(graph, worker, at, count)
        hits = np.flatnonzero(flags[:, word] >> np.uint32(bit) & np.uint32(1))
        places += [at + int(i) for i in hits]
    return sorted(int(n) for n in graph.numbers(level, np.array(places, np.int64)))


def _flags(graph: PackedStates, worker: Worker, at: int, count: int) -> Any:
    """Return the flag words of ``count`` states from a place in the log on."""
    worker.judge(graph.store, at, count)
    words = graph.kernel.signs.flag_words
    return worker.flags[: count * words].reshape(count, words)
