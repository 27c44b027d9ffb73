"""What is asked of a design, and how to search for the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

from fencecheck.explore.engine import EngineName, Explorer, Spent
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources, Tick
from fencecheck.runs.trace import Origin
from fencecheck.spec.values import Expectation

if TYPE_CHECKING:
    from fencecheck.checking.judge import Judgement, JudgeTask
    from fencecheck.checking.results import VariantResult
    from fencecheck.explore.random_runs import SeedOutcomes
    from fencecheck.model.family import Design, Family
    from fencecheck.model.system import System


@dataclass(frozen=True)
class Predicates:
    """Questions in predicates (model/ask/predicates.py); ``alone``: nothing else is checked."""

    reach: tuple[str, ...] = ()
    invariants: tuple[str, ...] = ()
    alone: bool = True

    @property
    def texts(self) -> tuple[str, ...]:
        """Return every question."""
        return self.reach + self.invariants


class Elsewhere(Protocol):
    """Other processes that check designs; tasks.py has those of a cluster."""

    def begin(
        self, family: Family, design: Design, question: Question, options: Options
    ) -> Callable[[], VariantResult]:
        """Have a design checked, and return what waits for the result.

        That raises what ``check_design`` raises.
        """
        ...

    def keep(self, question: Question, wait: Callable[[], VariantResult]) -> None:
        """Keep what waits for an answer until the question is asked."""
        ...

    def kept(self, question: Question) -> Callable[[], VariantResult] | None:
        """Return what waits for the answer to a question, once, if it is kept."""
        ...

    def judged(
        self,
        family: Family,
        of: JudgeTask,
        designs: Sequence[Design],
        left: Callable[[], float],
    ) -> Iterator[Judgement]:
        """Yield judgements of designs in their order, while seconds are ``left``."""
        ...

    def explorer(self, options: Options) -> Explorer:
        """Return what explores one design in all the processes together."""
        ...

    def seeds(
        self, system: System, properties: Sequence[str], drawn: tuple[range, int], options: Options
    ) -> Iterator[SeedOutcomes]:
        """Yield what random runs of some seeds, of so many events at most, gave, in their order."""
        ...

    def each(
        self, function: Callable[..., Any], given: Iterator[tuple[Any, ...]], *, hurried: bool
    ) -> Iterator[Any]:
        """Yield what a function yields of each arguments given, in their order.

        It is called in another process, and returns a list, or an error, which is raised. Where it
        is ``hurried`` arguments are asked for only as a process is free for them. After an
        interrupt no more comes.
        """
        ...


def cluster_at(address: str | None) -> Elsewhere | None:
    """Return the cluster at an address, None for none; nothing of it is loaded without."""
    if address is None:
        return None
    from fencecheck.checking.tasks import Cluster

    return Cluster(address)


@dataclass(frozen=True)
class Options:
    """How to search. ``threads`` and what follows are for the compiled engine.

    ``spill`` is a folder for memory-mapped files, ``checkpoint`` one to resume from, ``progress``
    is told now and then how far the search has come. ``coverage`` counts events with any engine
    (the reference engine always does), and so does ``strict``, which makes a failure of what was
    never put to the test. With ``exact`` every state is counted; without, a large space is searched
    under dominance where its counts are not asked for (explore/dominance.py). ``elsewhere`` are
    other processes to search in, always exactly. ``spent`` is what searches under these options
    have taken so far.
    """

    limits: Limits = Limits()
    engine: EngineName = "auto"
    threads: int = 1
    spill: Path | None = None
    checkpoint: Path | None = None
    progress: Callable[[Tick], None] | None = None
    coverage: bool = False
    strict: bool = False
    exact: bool = False
    predicates: Predicates = field(default_factory=Predicates)
    elsewhere: Elsewhere | None = None
    spent: Spent = field(default_factory=WeakKeyDictionary, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs to search likewise: not what was spent in this one."""
        return {**vars(self), "spent": {}}

    def explorer(self, *, shared: bool = False) -> Explorer:
        """Return what explores; ``shared``: many searches of one kernel, which save nothing."""
        if self.elsewhere is not None and not shared:
            return self.elsewhere.explorer(self)
        checkpoint = None if shared else self.checkpoint
        resources = Resources(self.threads, self.spill, checkpoint, progress=self.progress)
        return Explorer(self.engine, resources, shared, self.spent)


@dataclass(frozen=True)
class Question:
    """What is asked of one design: which properties, which are required, what is expected."""

    required: tuple[str, ...]
    reported: tuple[str, ...] = ()
    expect: Mapping[str, Expectation] = field(default_factory=dict)
    origin: Origin = Origin()

    @property
    def names(self) -> list[str]:
        """Return every property asked for."""
        return [*self.required, *self.reported]
