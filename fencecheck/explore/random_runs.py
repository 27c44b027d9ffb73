"""Random runs of a range of seeds, by either engine: how often each property broke, where first.

runs/random_run.py says what a seed stands for; no outcome depends on the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fencecheck.explore import interrupt
from fencecheck.explore.engine import Explorer
from fencecheck.model.property import Property
from fencecheck.model.system import System
from fencecheck.runs.random_run import Walk, random_walk

_BATCH = 1 << 16  # seeds whose outcomes are kept at a time
_FEW = 200  # seeds up to which compiling does not pay


@dataclass
class SeedOutcomes:
    """What some consecutive seeds gave: name -> (in how many it broke, fewest events, its seed)."""

    seeds: int
    events: int
    over: int
    cut: int
    failed: int | None
    broken: dict[str, tuple[int, int, int]]


def seed_outcomes(
    system: System, watched: list[Property], seeds: range, length: int, explorer: Explorer
) -> Iterator[SeedOutcomes]:
    """Yield what the runs of ``seeds`` gave, so many at a time.

    A run has at most ``length`` events. ``explorer`` chooses the engine: a few runs are not worth
    a kernel.
    """
    if explorer.engine == "reference" or (explorer.engine == "auto" and len(seeds) <= _FEW):
        with interrupt.looked_for():
            yield _by_reference(system, watched, seeds, length)
        return
    from fencecheck.explore.compiled.loops.slots import CUT, ENDED, FAILED
    from fencecheck.explore.compiled.random_runs.batches import Walkers

    walkers = Walkers(system, watched, explorer.resources.threads)
    for seed in range(seeds.start, seeds.stop, _BATCH):
        number = min(_BATCH, seeds.stop - seed)
        batch = walkers.walk(seed, number, length)
        broken = {}
        for k, prop in enumerate(watched):
            column = batch.first[:, k]
            hits = np.flatnonzero(column >= 0)
            if len(hits):
                best = int(hits[np.argmin(column[hits])])
                broken[prop.name] = (len(hits), int(column[best]), seed + best)
        wrong = np.flatnonzero(batch.endings == FAILED)
        ends = [int((batch.endings == ending).sum()) for ending in (ENDED, CUT)]
        failed = seed + int(wrong[0]) if len(wrong) else None
        yield SeedOutcomes(number, batch.events, ends[0], ends[1], failed, broken)


def _by_reference(
    system: System, watched: list[Property], seeds: range, length: int
) -> SeedOutcomes:
    """Make the same runs one state at a time."""
    walks: list[Walk] = []
    for seed in seeds:
        if interrupt.heard():
            break
        walks.append(random_walk(system, watched, seed, length))
    broken = {}
    for prop in watched:
        hits = [(walk.first[prop.name], walk.seed) for walk in walks if prop.name in walk.first]
        if hits:
            broken[prop.name] = (len(hits), *min(hits))
    return SeedOutcomes(
        len(walks),
        sum(len(walk.events) for walk in walks),
        sum(walk.ending == "over" for walk in walks),
        sum(walk.ending == "cut" for walk in walks),
        next((walk.seed for walk in walks if walk.ending == "failed"), None),
        broken,
    )
