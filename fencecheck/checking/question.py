"""What is asked of a design, and how to search for the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from fencecheck.explore.engine import EngineName, Explorer, Spent
from fencecheck.explore.graph import Limits
from fencecheck.explore.resources import Resources, Tick
from fencecheck.runs.trace import Origin
from fencecheck.spec.values import Expectation

if TYPE_CHECKING:
    pass


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


@dataclass(frozen=True)
class Options:
    """How to search. ``threads`` and what follows are for the compiled engine.

    ``spill`` is a folder for memory-mapped files, ``checkpoint`` one to resume from, ``progress``
    is told now and then how far the search has come. ``coverage`` counts events with any engine
    (the reference engine always does), and so does ``strict``, which makes a failure of what was
    never put to the test. ``spent`` is what searches under these options have taken so far.
    """

    limits: Limits = Limits()
    engine: EngineName = "auto"
    threads: int = 1
    spill: Path | None = None
    checkpoint: Path | None = None
    progress: Callable[[Tick], None] | None = None
    coverage: bool = False
    strict: bool = False
    predicates: Predicates = field(default_factory=Predicates)
    spent: Spent = field(default_factory=WeakKeyDictionary, repr=False, compare=False)

    def explorer(self, *, shared: bool = False) -> Explorer:
        """Return what explores; ``shared``: many searches of one kernel, which save nothing."""
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
