"""What the cluster package asks of Ray, in this process: calls happen at once, actors may die."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Lost:
    """What stands for the answer of an actor that died."""


class RayError(Exception):
    """What Ray raises where a process died."""


class RayTaskError(RayError):
    """What Ray raises where a call raised."""


class InProcess:
    """Stands in for Ray's module. ``dies`` says of each call, by its number, whether it kills.

    The machines of ``cores`` are numbered; ``placed`` has those on which actors were made.
    """

    class exceptions:  # noqa: N801 - it is a module of Ray's
        RayError, RayTaskError = RayError, RayTaskError

    class util:  # noqa: N801
        class scheduling_strategies:  # noqa: N801
            @staticmethod
            def NodeAffinitySchedulingStrategy(machine: str, soft: bool) -> str:  # noqa: N802
                return machine

    def __init__(self, *cores: int, dies: Callable[[str, int], bool] = lambda name, at: False):
        self.cores, self.dies, self.calls = cores, dies, 0
        self.placed = list[str]()

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(sum(self.cores))}

    def nodes(self) -> list[dict[str, Any]]:
        return [
            {"Alive": True, "NodeID": f"machine {at}", "Resources": {"CPU": cores, "memory": 1e9}}
            for at, cores in enumerate(self.cores)
        ]

    def is_initialized(self) -> bool:
        return True

    def put(self, value: Any) -> Any:
        return value

    def get(self, results: Any) -> Any:
        if isinstance(results, list):
            return [self.get(result) for result in results]
        if isinstance(results, Lost):
            raise RayError("the actor died")
        return results

    def wait(self, results: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], Any]:
        return results, []

    def kill(self, actor: Any) -> None:
        actor.made = None

    def remote(self, **how: Any) -> Callable[[type], Any]:
        return lambda kind: Kind(self, kind)


class Kind:
    """A class whose objects are actors."""

    def __init__(self, ray: InProcess, kind: type) -> None:
        self.ray, self.kind = ray, kind

    def options(self, scheduling_strategy: str) -> Kind:
        self.ray.placed.append(scheduling_strategy)
        return self

    def remote(self, *args: Any) -> Any:
        return Actor(self.ray, self.kind(*args))


class Actor:
    """An object whose methods are called as an actor's are."""

    def __init__(self, ray: InProcess, made: Any) -> None:
        self.ray, self.made = ray, made

    def __getattr__(self, name: str) -> Any:
        return Call(self, name)


class Call:
    """A method of an actor."""

    def __init__(self, actor: Actor, name: str) -> None:
        self.actor, self.name = actor, name

    def options(self, num_returns: int) -> Call:
        self.several = num_returns
        return self

    def remote(self, *args: Any) -> Any:
        ray, actor = self.actor.ray, self.actor
        ray.calls += 1
        if ray.dies(self.name, ray.calls):
            actor.made = None
        lost = actor.made is None or any(isinstance(arg, Lost) for arg in args)
        if lost:
            return Lost() if self.several == 1 else [Lost()] * self.several
        return getattr(actor.made, self.name)(*args)
