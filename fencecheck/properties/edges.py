"""Edges: a whole state graph as arrays, with a label on each edge and truths of states.

Made from either engine's StateGraph once a search is complete. The reference engine's edges are
turned into arrays; the compiled engine's are generated again, state by state, and each target
looked up, which costs less than keeping them during the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fencecheck.errors import InternalError
from fencecheck.explore.graph import MemoryGraph, StateGraph
from fencecheck.model.lower.dag import Node
from fencecheck.model.system import System
from fencecheck.runs.fairness import Classes

if TYPE_CHECKING:
    from fencecheck.explore.compiled.kernel.compile import Kernel

_WORD = 32  # truths in one word of marks


@dataclass(frozen=True)
class Edges:
    """The edges of a complete graph, by source in order of number.

    ``marks[s]`` has bit i set, 32 to a word, where truth i holds in state s.
    """

    offsets: npt.NDArray[np.int64]
    targets: npt.NDArray[np.uint32]
    labels: npt.NDArray[np.uint16]
    marks: npt.NDArray[np.uint32]
    classes: Classes

    def holds(self, predicate: int) -> npt.NDArray[np.uint8]:
        """Return where a predicate holds, as 0 and 1."""
        word, bit = divmod(predicate, _WORD)
        return (self.marks[:, word] >> np.uint32(bit) & np.uint32(1)).astype(np.uint8)


_kernels: dict[tuple[object, ...], tuple[Kernel, object]] = {}


def edges_of(system: System, graph: StateGraph, truths: Sequence[Node]) -> Edges:
    """Return the edges of a complete graph, and which ``truths`` hold in its states.

    They are those that were watched (explore/watch.py), in the lowered form and in that order.
    """
    if isinstance(graph, MemoryGraph):
        return _of_memory(system, graph, len(truths))
    return _of_packed(system, graph, truths)


def _of_memory(system: System, graph: MemoryGraph, truths: int) -> Edges:
    classes = Classes(system)
    offsets = np.zeros(len(graph.states) + 1, np.int64)
    offsets[1:] = np.cumsum([len(edges) for edges in graph.edges])
    flat = [edge for edges in graph.edges for edge in edges]
    targets = np.array([target for _, _, target in flat], np.uint32)
    labels = np.array([classes.label(a, args) for a, args, _ in flat], np.uint16)
    marks = np.zeros((len(graph.states), 1 + max(0, truths - 1) // _WORD), np.uint32)
    for word in range(marks.shape[1]):
        marks[:, word] = [bits >> _WORD * word & 0xFFFFFFFF for bits in graph.marks]
    return Edges(offsets, targets, labels, marks, classes)


def _kernel(system: System, searched: Kernel, classes: Classes, truths: Sequence[Node]) -> Kernel:
    """Return the kernel that tells edges apart, made once for all designs of one structure."""
    from fencecheck.explore.compiled.kernel.compile import build
    from fencecheck.explore.compiled.kernel.plan import plan_edges

    lowered, packing = system.lowered, searched.packing
    key = (id(lowered), id(packing), tuple(node.number for node in truths))
    if key not in _kernels:
        plan = plan_edges(lowered, classes.first, truths)
        _kernels[key] = (build(system, plan, packing), (lowered, packing))
    return _kernels[key][0]


def _of_packed(system: System, graph: Any, truths: Sequence[Node]) -> Edges:
    from fencecheck.explore.compiled import loop as runtime
    from fencecheck.explore.compiled.packed_graph import Worker

    classes = Classes(system)
    kernel = _kernel(system, graph.kernel, classes, truths)
    worker, words, count = (
        Worker(kernel, graph.worker.switches),
        graph.store.words,
        graph.search.count,
    )
    log = np.concatenate([graph.in_order(), np.zeros(8 * words, np.uint64)])
    table = np.zeros(1 << (count + count // 2 + 64).bit_length(), np.uint64)
    runtime.index_states(log, count, table, words)
    room = graph.search.transitions + runtime.CHUNK * kernel.cases
    offsets, marks = (
        np.zeros(count + 1, np.int64),
        np.zeros((count, kernel.plan.flag_words), np.uint32),
    )
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
