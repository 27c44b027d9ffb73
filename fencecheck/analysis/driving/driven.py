"""What came out of driving: how, how far, what never happened, and where it diverged."""

from __future__ import annotations

from dataclasses import dataclass, field

from fencecheck.analysis.driving.divergences import Divergences
from fencecheck.analysis.driving.survey import Outcome
from fencecheck.runs.event import Event
from fencecheck.runs.logged.fitting import frozen
from fencecheck.runs.told.observed import as_observed
from fencecheck.runs.told.teller import Teller


@dataclass
class Driven:
    """The numbers of driving one design.

    ``pairs`` are states of the model with states of the implementation, in lockstep; ``runs`` are
    event orders from a fresh adapter. ``reached`` are the events and outcomes that happened.
    ``targets`` is what the runs were to cover, ``covered`` how much of it was. ``stopped_by`` is
    the limit that was reached before an answer.
    """

    divergences: Divergences = field(default_factory=Divergences)
    reached: dict[Outcome, None] = field(default_factory=dict)
    pairs: int = 0
    runs: int = 0
    depth: int = 0
    targets: int = 0
    covered: int = 0
    stopped_by: str | None = None

    def take(self, other: Driven) -> None:
        """Take in what came of the runs that follow."""
        for divergence in other.divergences.found.values():
            self.divergences.add(divergence)
        self.reached |= other.reached
        self.runs += other.runs
        self.depth = max(self.depth, other.depth)
        self.stopped_by = other.stopped_by or self.stopped_by

    def reach(self, teller: Teller, event: Event) -> None:
        """Note that an event happened, with its outcome."""
        outcome = frozen(as_observed(teller.outcome(event)))
        self.reached[teller.system.actions[event.action].name, outcome] = None
