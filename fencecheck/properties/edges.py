"""Edges: a whole state graph as arrays, with a label on each edge and predicates on states.

Made from either engine's StateGraph once a search is complete. The reference engine's edges are
turned into arrays; the compiled engine's are generated again, state by state, and each target
looked up, which costs less than keeping them during the search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fencecheck.errors import InternalError, UsageError
from fencecheck.explore.graph import MemoryGraph, StateGraph
from fencecheck.model.lower.dag import Node
from fencecheck.model.system import System
from fencecheck.properties.classes import Classes, classes_of, label_of

if TYPE_CHECKING:
    from fencecheck.explore.compiled.kernel.compile import Kernel

PREDICATES = 32


@dataclass(frozen=True)
class Predicate:
    """A truth of one state, as the model's function and as a node of the lowered form."""

    holds: Callable[[Any], bool]
    node: Node


@dataclass(frozen=True)
class Edges:
    """The edges of a complete graph, by source in order of number.

    ``marks[s]`` has bit i set where predicate i holds in state s.
    """

    offsets: npt.NDArray[np.int64]
    targets: npt.NDArray[np.uint32]
    labels: npt.NDArray[np.uint16]
    marks: npt.NDArray[np.uint32]
    classes: Classes

    def holds(self, predicate: int) -> npt.NDArray[np.uint8]:
        """Return where a predicate holds, as 0 and 1."""
        return (self.marks >> np.uint32(predicate) & np.uint32(1)).astype(np.uint8)


_kernels: dict[tuple[object, ...], tuple[Kernel, object]] = {}


def edges_of(system: System, graph: StateGraph, predicates: Sequence[Predicate]) -> Edges:
    """Return the edges of a complete graph (at most 32 predicates)."""
    if len(predicates) > PREDICATES:
        raise UsageError(f"at most {PREDICATES // 2} temporal properties at a time; name fewer")
    if isinstance(graph, MemoryGraph):
        return _of_memory(system, graph, predicates)
    return _of_packed(system, graph, predicates)


def _of_memory(system: System, graph: MemoryGraph, predicates: Sequence[Predicate]) -> Edges:
    classes = classes_of(system)
    offsets = np.zeros(len(graph.states) + 1, np.int64)
    offsets[1:] = np.cumsum([len(edges) for edges in graph.edges])
    flat = [edge for edges in graph.edges for edge in edges]
    targets = np.array([target for _, _, target in flat], np.uint32)
    labels = np.array([label_of(system, classes, a, args) for a, args, _ in flat], np.uint16)
    marks = np.zeros(len(graph.states), np.uint32)
    for number, state in enumerate(graph.states):
        view = system.view(state)
        marks[number] = sum(1 << i for i, p in enumerate(predicates) if p.holds(view))
    return Edges(offsets, targets, labels, marks, classes)


def _kernel(
    system: System, searched: Kernel, classes: Classes, predicates: Sequence[Predicate]
) -> Kernel:
    """Return the kernel that tells edges apart, made once for all designs of one structure."""
    from fencecheck.explore.compiled.kernel.compile import build
    from fencecheck.explore.compiled.kernel.plan import plan_edges

    lowered, packing = system.lowered, searched.packing
    key = (id(lowered), id(packing), tuple(p.node.number for p in predicates))
    if key not in _kernels:
        plan = plan_edges(lowered, classes.first, [p.node for p in predicates])
        _kernels[key] = (build(system, plan, packing), (lowered, packing))
    return _kernels[key][0]


def _of_packed(system: System, graph: Any, predicates: Sequence[Predicate]) -> Edges:
    from fencecheck.explore.compiled import loop as runtime
    from fencecheck.explore.compiled.packed_graph import Worker

    classes = classes_of(system)
    kernel = _kernel(system, graph.kernel, classes, predicates)
    worker, words, count = (
        Worker(kernel, graph.worker.switches),
        graph.store.words,
        graph.search.count,
    )
    log = np.concatenate([graph.in_order(), np.zeros(8 * words, np.uint64)])
    table = np.zeros(1 << (count + count // 2 + 64).bit_length(), np.uint64)
    runtime.index_states(log, count, table, words)
    room = graph.search.transitions + runtime.CHUNK * kernel.cases
    offsets, marks = np.zeros(count + 1, np.int64), np.zeros(count, np.uint32)
    targets, labels = np.empty(room, np.uint32), np.empty(room, np.uint16)
    kinds = np.empty(runtime.CHUNK * kernel.cases + 64, np.uint16)
    done = runtime.find_edges(
        kernel.address, log, 0, count, table, words, worker.buffers, worker.switches, kinds,
        (offsets, targets, labels, marks),
    )  # fmt: skip
    total = int(offsets[count])
    if done != count or total != graph.search.transitions:
        raise InternalError(
            f"the search saw {graph.search.transitions} transitions of {count} states, "
            f"a second pass {total} of {done}; this is a bug of fencecheck: please report it"
        )
    return Edges(offsets, targets[:total], labels[:total], marks, classes)
