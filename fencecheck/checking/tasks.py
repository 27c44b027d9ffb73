"""Tasks: many small searches in the processes of a cluster, designs to check and seeds to draw.

Each is a task of Ray's. Results come in the order in which they were asked for and are those of
one process. A task whose worker dies is done again, a few times.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from fencecheck.checking.check import check_design, not_searched
from fencecheck.checking.judge import Deadline, Judge, Judgement, JudgeTask
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.errors import ClusterError, FencecheckError
from fencecheck.explore import interrupt
from fencecheck.explore.cluster.connection import cluster_address, connected, refuse_without_ray
from fencecheck.explore.cluster.parcel import Parcel, parcel_of
from fencecheck.explore.engine import EngineName, Explorer
from fencecheck.explore.graph import Search
from fencecheck.explore.random_runs import SeedOutcomes, seed_outcomes
from fencecheck.model.family import Design, Family
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_left, time_limit

_AGAIN = 3  # times that a task is done again whose worker died
_GLANCE = 0.1  # seconds between looks for an interrupt and at the clock
_BATCH = 1 << 16  # seeds of a task
_DESIGNS = 16  # designs of a lattice that a task judges
_AHEAD = 4  # tasks of a kind for each core that are under way


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
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, ray.exceptions.RayError):
                return None
            raise error.as_instanceof_cause() from None
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

        Raises TimeUp as one process does.
        """
        of = parcel_of(system.family), system.design, list(properties)
        seeds, length = drawn

        def given() -> Iterator[tuple[Any, ...]]:
            for start in range(seeds.start, seeds.stop, _BATCH):
                part = range(start, min(start + _BATCH, seeds.stop)), length
                yield of, part, options.engine, time_left()

        yield from self._in_order(_drawn, given())

    def judged(
        self,
        family: Family,
        of: JudgeTask,
        designs: Sequence[Design],
        left: Callable[[], float],
    ) -> Iterator[Judgement]:
        """Yield judgements of designs in their order, while seconds are ``left``."""
        parcel = parcel_of(family)

        def given() -> Iterator[tuple[Any, ...]]:
            for start in range(0, len(designs), _DESIGNS):
                if left() <= 0:
                    return
                yield parcel, of, list(designs[start : start + _DESIGNS]), left()

        yield from self._in_order(_judged, given())

    # -- whatever else ----------------------------------------------------------------------------
    def each(
        self, function: Callable[..., Any], given: Iterator[tuple[Any, ...]], *, hurried: bool
    ) -> Iterator[Any]:
        """Yield what a function yields of each arguments given, in their order (question.py)."""
        yield from self._in_order(function, given, 1 if hurried else _AHEAD)

    def _in_order(
        self, function: Callable[..., Any], given: Iterator[Any], each: int = _AHEAD
    ) -> Iterator[Any]:
        """Yield what tasks yield, ``each`` for a core ahead of what is asked for.

        What a task returns in place of a list is an error, and raised. After an interrupt no more
        comes.
        """
        ray = connected(self.address)
        task = ray.remote(num_cpus=1, max_retries=_AGAIN)(function)
        ahead, waiting = each * int(ray.cluster_resources().get("CPU", 1)), deque[Any]()
        try:
            while not interrupt.heard():
                more = itertools.islice(given, ahead - len(waiting))
                waiting.extend(task.remote(*args) for args in more)
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
                        "they worked on a part; use fewer, or search without --cluster"
                    )
                yield from found
        finally:
            self._give_up(ray, waiting)

    def _give_up(self, ray: Any, results: Iterable[Any]) -> None:
        """Have tasks not begun that nobody waits for; unless all is to end, others go on.

        Through Ray's client only if all is to end: a cancel that fails there ends the connection.
        """
        if interrupt.heard() or not self.address.startswith("ray://"):
            with contextlib.suppress(ConnectionError):
                for result in results:
                    ray.cancel(result, force=interrupt.heard())

    # -- one design -----------------------------------------------------------------------------
    def explorer(self, options: Options) -> Explorer:
        """Return what explores one design in all the processes together."""
        from fencecheck.explore.cluster.search import ClusterExplorer

        alone = replace(options, elsewhere=None).explorer()
        asked = options.predicates.reach, options.predicates.invariants
        return ClusterExplorer(alone.engine, alone.resources, address=self.address, questions=asked)


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


def _judged(
    parcel: Parcel, of: JudgeTask, designs: list[Design], seconds: float
) -> list[Judgement] | FencecheckError:
    """Judge designs in a worker, in what is left of the time; return what there was time for."""
    try:
        judge = _judge(parcel, of)
        judge.deadline = Deadline.after(seconds)
        return list(judge.sound_each(designs))
    except FencecheckError as error:
        return error


@functools.lru_cache(maxsize=8)
def _judge(parcel: Parcel, of: JudgeTask) -> Judge:
    """Return the judge of a worker that all tasks share which ask for the same."""
    return Judge(parcel.opened(), of.names, dict(of.capacity), of.options)
