"""Many small searches in the processes of a cluster: designs to check, seeds to draw.

Each is a task of Ray's. Results come in the order in which they were asked for and are those of
one process. A task whose worker dies is done again, a few times.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from fencecheck.checking.check import check_design, not_searched
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.cluster.connection import cluster_address, connected, refuse_without_ray
from fencecheck.cluster.parcel import Parcel, parcel_of
from fencecheck.errors import ClusterError, FencecheckError
from fencecheck.explore import interrupt
from fencecheck.explore.engine import EngineName, Explorer
from fencecheck.explore.graph import Search
from fencecheck.explore.random_runs import SeedOutcomes, seed_outcomes
from fencecheck.model.family import Design, Family
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_left, time_limit

_AGAIN = 3  # times that a task is done again whose worker died
_GLANCE = 0.1  # seconds between looks for an interrupt and at the clock
_BATCH = 1 << 16  # seeds of a task
_AHEAD = 4  # tasks of seeds for each core that are under way


class Cluster:
    """The processes at an address (connection.py); the connection is made when first needed."""

    def __init__(self, address: str) -> None:
        self.address = cluster_address(address)
        refuse_without_ray(self.address)
        self._under_way: dict[tuple[str | None, str | None], Callable[[], VariantResult]] = {}

    # -- designs --------------------------------------------------------------------------------
    def begin(
        self, family: Family, design: Design, question: Question, options: Options
    ) -> Callable[[], VariantResult]:
        """Have a design checked by a task, and return what waits for the result."""
        ray = connected(self.address)
        own = replace(options, threads=1, progress=None, elsewhere=None)
        task = ray.remote(num_cpus=1, max_retries=_AGAIN)(_checked)
        given = parcel_of(family), design, question, own
        result = task.remote(*given)

        def wait() -> VariantResult:
            found = self._got(result)
            if found is None:
                return self._without(family, design, question, options)
            if isinstance(found, FencecheckError):
                raise found
            checked: VariantResult = found
            return checked

        return wait

    def keep(self, question: Question, wait: Callable[[], VariantResult]) -> None:
        """Keep what waits for an answer until the question is asked."""
        self._under_way[_key(question)] = wait

    def kept(self, question: Question) -> Callable[[], VariantResult] | None:
        """Return what waits for the answer to a question, once, if it is kept."""
        return self._under_way.pop(_key(question), None)

    def _got(self, result: Any) -> Any:
        """Return what a task gives; None after an interrupt, and where its workers keep dying."""
        ray = connected(self.address)
        try:
            with interrupt.looked_for():
                while not ray.wait([result], timeout=_GLANCE)[0]:
                    if interrupt.heard():
                        break
                else:
                    return ray.get(result)
        except ray.exceptions.RayError:
            return None
        except KeyboardInterrupt:
            ray.cancel(result, force=True)
            raise
        ray.cancel(result, force=True)
        return None

    def _without(
        self, family: Family, design: Design, question: Question, options: Options
    ) -> VariantResult:
        """Return what is known of a design that no task has checked."""
        why = "interrupt" if interrupt.heard() else "worker"
        search = Search([0, 0], stopped_by=why, engine=options.engine, threads=options.threads)
        return not_searched(family, design, question, (options.predicates, search))

    # -- seeds ----------------------------------------------------------------------------------
    def seeds(
        self, system: System, properties: Sequence[str], drawn: tuple[range, int], options: Options
    ) -> Iterator[SeedOutcomes]:
        """Yield what random runs of some seeds, of so many events at most, gave, in their order.

        Tasks draw a batch each, a few for each core ahead of what is asked for. Raises TimeUp as
        one process does.
        """
        ray, parcel = connected(self.address), parcel_of(system.family)
        task = ray.remote(num_cpus=1, max_retries=_AGAIN)(_drawn)
        (seeds, length), ahead = drawn, _AHEAD * int(ray.cluster_resources().get("CPU", 1))
        of = parcel, system.design, list(properties)
        starts, waiting = iter(range(seeds.start, seeds.stop, _BATCH)), deque[Any]()
        try:
            while not interrupt.heard():
                for start in itertools.islice(starts, ahead - len(waiting)):
                    part = range(start, min(start + _BATCH, seeds.stop)), length
                    waiting.append(task.remote(of, part, options.engine, time_left()))
                if not waiting:
                    return
                found = self._got(waiting.popleft())
                if isinstance(found, Exception):
                    raise found
                if found is None:
                    if interrupt.heard():
                        return
                    raise ClusterError(
                        f"the processes of the cluster {self.address} died, time and again, while "
                        "they drew seeds; draw fewer at a time, or without --cluster"
                    )
                yield from found
        finally:
            for result in waiting:
                ray.cancel(result, force=True)

    # -- one design -----------------------------------------------------------------------------
    def explorer(self, options: Options) -> Explorer:
        """Return what explores one design in all the processes together."""
        from fencecheck.cluster.search import ClusterExplorer

        alone = replace(options, elsewhere=None).explorer()
        return ClusterExplorer(
            alone.engine, alone.resources, address=self.address, predicates=options.predicates
        )


def _key(question: Question) -> tuple[str | None, str | None]:
    return question.origin.spec, question.origin.variant


def _checked(
    parcel: Parcel, design: Design, question: Question, options: Options
) -> VariantResult | FencecheckError:
    """Check a design in a worker; an error that the asker is to hear comes as a value."""
    try:
        return check_design(parcel.opened(), design, question, options)
    except FencecheckError as error:
        return error


def _drawn(
    of: tuple[Parcel, Design, list[str]],
    drawn: tuple[range, int],
    engine: EngineName,
    seconds: float,
) -> list[SeedOutcomes] | Exception:
    """Draw runs in a worker, in what is left of the time."""
    parcel, design, names = of
    try:
        with time_limit(None if math.isinf(seconds) else seconds):
            system = System(parcel.opened(), design)
            watched = [system.property(name) for name in names]
            return list(seed_outcomes(system, watched, *drawn, Explorer(engine)))
    except (FencecheckError, TimeUp) as error:
        return error
