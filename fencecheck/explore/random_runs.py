"""Random runs of a range of seeds, by either engine: how often each property broke, where first.

runs/random_run.py says what a seed stands for; no outcome depends on the engine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fencecheck.explore import interrupt
from fencecheck.explore.engine import Explorer
from fencecheck.model.property import Property
from fencecheck.model.system import System
from fencecheck.model.time_limit import time_left
from fencecheck.runs.random_run import random_walk

_BATCH = 1 << 16  # seeds whose outcomes are kept at a time
_GLANCE = 1 << 11  # the same where there is a limit on time
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
    a kernel. Where a limit on time is in force, what is drawn ends with it: TimeUp is raised where
    that is before anything was drawn.
    """
    if explorer.engine == "reference" or (explorer.engine == "auto" and len(seeds) <= _FEW):
        with interrupt.looked_for():
            yield _by_reference(system, watched, seeds, length)
        return
    from fencecheck.explore.compiled.loops.slots import CUT, ENDED, FAILED
    from fencecheck.explore.compiled.random_runs.batches import Walkers

    walkers = Walkers(system, watched, explorer.resources.threads)
    batch_size = _BATCH if math.isinf(time_left()) else _GLANCE
    for seed in range(seeds.start, seeds.stop, batch_size):
        if time_left() <= 0:
            return
        number = min(batch_size, seeds.stop - seed)
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
    """Make the same runs one state at a time; none of them is kept."""
    found = SeedOutcomes(0, 0, 0, 0, None, {})
    for seed in seeds:
        if interrupt.heard() or time_left() <= 0:
            break
        walk = random_walk(system, watched, seed, length)
        found.seeds += 1
        found.events += len(walk.events)
        found.over += walk.ending == "over"
        found.cut += walk.ending == "cut"
        if walk.ending == "failed" and found.failed is None:
            found.failed = seed
        for name, events in walk.first.items():
            number, least, its_seed = found.broken.get(name, (0, events, seed))
            least, its_seed = min((least, its_seed), (events, seed))
            found.broken[name] = (number + 1, least, its_seed)
    return found
