"""Family ledger explored with the reference engine, for the tests of its facts and switches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencecheck.explore.graph import Limits, MemoryGraph
from fencecheck.explore.reference import explore
from fencecheck.explore.watch import Watch
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.models.ledger.family import model

FAMILY = Family(model)
Explored = tuple[System, MemoryGraph]
Explore = Callable[..., Explored]


def explorer() -> Explore:
    """Explore a design with the reference engine, each only once."""
    known: dict[str, Explored] = {}

    def run(mechanisms: dict[str, str], **bounds: Any) -> Explored:
        design = FAMILY.design(mechanisms, bounds)
        if repr(design) not in known:
            system = System(FAMILY, design)
            graph = explore(system, Watch(system), Limits())
            assert graph.search.complete
            known[repr(design)] = system, graph
        return known[repr(design)]

    return run


def breaks(run: Explored) -> dict[str, int]:
    return {name: broken.events for name, broken in run[1].search.broken.items()}


def size(run: Explored) -> tuple[int, int]:
    return run[1].search.count, run[1].search.transitions
