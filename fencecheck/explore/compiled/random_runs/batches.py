"""Random walks of whole ranges of seeds with the compiled kernel.

Takes a System, the safety properties to watch and a range of seeds; gives, for each seed, after
how many events each property first broke and how the walk ended. What a seed does is defined by
runs/random_run.py and depends neither on the range nor on the other properties.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled.kernel.compile import Kernel, build
from fencecheck.explore.compiled.loops.slots import LANES
from fencecheck.explore.compiled.random_runs.plan import ERRORS, GROUP, plan_walks
from fencecheck.explore.native.code import NativeCode
from fencecheck.explore.threads import Threads
from fencecheck.model.property import Property
from fencecheck.model.system import System

Ints = npt.NDArray[np.int32]
_SPARE = 16  # entries that a kernel may touch past the last state
_CODE = NativeCode("fencecheck.explore.compiled.loops", ("slots", "intrinsics", "walks"))
walk_seeds = _CODE.declare(
    "i64 walk_seeds(i64 kernel, i64* buffers, u64* states, u64* initial, i64 starts, i64 words, "
    "i64 first_seed, i64 count, i64 length, i64 broken, i64 failed, i64* walk, i64* at, "
    "u64* stream, i32* first, i64 columns, u8* endings)"
)


@dataclass(frozen=True)
class Batch:
    """Walks of consecutive seeds: ``first[i, k]`` is when property k first broke (-1: never)."""

    first: Ints
    endings: npt.NDArray[np.uint8]
    events: int


class Walkers:
    """Makes the random walks of one system with compiled kernels."""

    def __init__(self, system: System, properties: Sequence[Property], threads: int = 1) -> None:
        self.system, self.threads = system, threads
        self.watched = [p for p in properties if not p.temporal]
        groups = [self.watched[i : i + GROUP] for i in range(0, len(self.watched), GROUP)]
        self.groups = groups or [[]]
        self.kernels = [
            build(system, plan_walks(system.lowered, system.actions, group))
            for group in self.groups
        ]
        ranks = [system.rank(name) for name in self.kernels[0].signs.switches]
        self.switches = np.array(ranks, np.int32)

    def walk(self, first_seed: int, count: int, length: int) -> Batch:
        """Make the walks of ``count`` seeds of at most ``length`` events each."""
        edges = np.linspace(0, count, self.threads + 1).astype(int).tolist()
        parts = [(a, b) for a, b in itertools.pairwise(edges) if b > a]
        first = np.full((count, len(self.groups) * GROUP), -1, np.int32)
        endings, events = np.zeros(count, np.uint8), 0
        with Threads(self.threads) as pool:
            for number, kernel in enumerate(self.kernels):
                columns = np.full((count, GROUP), -1, np.int32)
                bits = len(self.groups[number])
                jobs = []
                for a, b in parts:
                    seeds, results = (first_seed + a, b - a, length), (columns[a:b], endings[a:b])
                    jobs.append(pool.submit(self._walk, kernel, bits, seeds, results))
                events = sum(job.result() for job in jobs)
                first[:, number * GROUP : (number + 1) * GROUP] = columns
        return Batch(first[:, : len(self.watched)], endings, events)

    def _walk(
        self, kernel: Kernel, bits: int, seeds: tuple[int, int, int], results: tuple[Any, Any]
    ) -> int:
        words, lanes = kernel.packing.words, LANES
        layout = self.system.lowered.layout
        starts = map(self.system.representative, self.system.initials)
        initial = np.stack([kernel.packing.pack(layout.numbers(state)) for state in starts])
        states = np.zeros((lanes + _SPARE) * words, np.uint64)
        arrays = (
            np.empty((lanes + _SPARE) * kernel.cases * words, np.uint64),
            np.empty(lanes + _SPARE, np.uint32),
            self.switches,
            np.zeros(lanes + _SPARE, np.uint32),
            np.zeros(kernel.seen_words, np.uint32),
            np.empty(kernel.scratch_words, np.uint64),
            np.empty((lanes + _SPARE) * kernel.cases, np.uint16),
        )
        buffers = np.array([array.ctypes.data for array in arrays], np.int64)
        walk, at, stream = (np.zeros(lanes, kind) for kind in (np.int64, np.int64, np.uint64))
        return walk_seeds(
            kernel.address, buffers, states, initial, *initial.shape, *seeds, (1 << bits) - 1,
            ERRORS, walk, at, stream, results[0], results[0].shape[1], results[1],
        )  # fmt: skip
