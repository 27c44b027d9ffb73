"""Owners: the actors of one search, called together. They end with whoever made them."""

from __future__ import annotations

import contextlib
import weakref
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fencecheck.errors import ClusterError
from fencecheck.explore.cluster.graph_owner import OwnerOfGraph
from fencecheck.explore.cluster.owner import OwnerTask
from fencecheck.explore.machine import available

_SHARE = 0.8  # of the memory that a machine has free, where no limit is given


class OwnerLost(ClusterError):
    """An owner's process died, and its part of the states with it."""


class Owners:
    """Actors of Ray, one for each task, on the ``machines`` named.

    Any call raises OwnerLost where a process died, or its machine was lost before it was there.
    """

    def __init__(self, ray: Any, tasks: Sequence[OwnerTask], machines: Sequence[str]) -> None:
        self._ray = ray
        kind = ray.remote(num_cpus=0, max_restarts=0)(OwnerOfGraph)
        there = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        self._actors = [
            kind.options(scheduling_strategy=there(machine, soft=False)).remote(task)
            for task, machine in zip(tasks, machines, strict=True)
        ]
        self.number = len(self._actors)
        self._end = weakref.finalize(self, _kill, ray, list(self._actors))

    def end(self) -> None:
        """Give the processes back."""
        self._end()

    def got(self, results: Any) -> Any:
        """Return what calls give."""
        try:
            return self._ray.get(results)
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, self._ray.exceptions.RayError):
                raise OwnerLost(str(error.cause)) from None  # another owner, whose batch it was
            raise error.as_instanceof_cause() from None
        except self._ray.exceptions.RayError as error:
            raise OwnerLost(str(error)) from None

    def one(self, owner: int, method: str, *args: Any) -> Any:
        """Return what one owner answers."""
        return self.got(self.begin(owner, method, *args))

    def all(self, method: str, *args: Any) -> list[Any]:
        """Return what every owner answers to the same."""
        shared = [self._ray.put(arg) for arg in args]
        return list(self.got([self.begin(i, method, *shared) for i in range(self.number)]))

    def begin(self, owner: int, method: str, *args: Any, several: int = 1) -> Any:
        """Have an owner do something; return what stands for its answer, or for ``several``."""
        return getattr(self._actors[owner], method).options(num_returns=several).remote(*args)

    def done(self, results: list[Any], seconds: float) -> bool:
        """Wait for calls to end, but no longer than so many seconds; tell whether all did."""
        ready, _ = self._ray.wait(results, num_returns=len(results), timeout=seconds)
        return len(ready) == len(results)


def _kill(ray: Any, actors: list[Any]) -> None:
    if ray.is_initialized():
        for actor in actors:
            with contextlib.suppress(ray.exceptions.RayError):  # they ended with their connection
                ray.kill(actor)


def machines_of_owners(ray: Any, owners: int) -> list[str]:
    """Return the machine of each owner: in turn whichever has the fewest for its cores.

    Ray itself spreads actors that ask for no cores by chance: all may come to one machine.
    """
    alive = {n["NodeID"]: n["Resources"].get("CPU", 0) for n in ray.nodes() if n["Alive"]}
    cores = {machine: alive[machine] for machine in sorted(alive) if alive[machine] > 0}
    cores = cores or dict.fromkeys(sorted(alive), 1)
    chosen, machines = Counter[str](), list[str]()
    for _ in range(owners):
        machines.append(min(cores, key=lambda machine: (chosen[machine] + 1) / cores[machine]))
        chosen[machines[-1]] += 1
    return machines


def memory_of_owners(ray: Any, machines: Sequence[str], limit: int | None) -> int:
    """Return how many bytes an owner may take: ``limit``, or its share of what a machine has."""
    if limit is not None:
        return limit
    nodes = [node for node in ray.nodes() if node["NodeID"] in machines]
    most = max(Counter(machines).values())
    free = [node["Resources"].get("memory", 0) for node in nodes]
    least = int(min(free)) if len(nodes) > 1 and all(free) else available()
    return int(least * _SHARE / most)
