"""What is supposed of the runs of a command: which events no log has, and how much interference.

Sizes are those of the design. Each budget is what a run shows and, where nobody logs such
interference and the design has a budget for it, so much more: what a spec gives no budget never
happens there. Systems of one command share their shapes and, for equal budgets, all
that was worked out of their states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from fencecheck.analysis.explaining.search import Addition, Allowance
from fencecheck.analysis.explaining.successors import Successors
from fencecheck.errors import DesignError
from fencecheck.model.family import Design, Family
from fencecheck.model.system import System
from fencecheck.runs.logged.log import LoggedRun, Logging
from fencecheck.runs.logged.names import Vocabulary

CAPS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22)
MOST_REMEMBERED = 300_000  # states of which successors are kept from run to run


@dataclass(frozen=True)
class MissingEvents:
    """How many events that are usually logged may not be: a number, or a share of the log's."""

    number: int = 0
    percent: float = 0.0

    def of(self, run: LoggedRun) -> int:
        """Return how many events of a run may be missing."""
        return max(self.number, round(len(run.events) * self.percent / 100))


Amounts = tuple[tuple[str, int], ...]  # of budgets, by their names


@dataclass(frozen=True)
class Supposing:
    """How much may be supposed that is not in a log."""

    unlogged: int = 2
    missing: MissingEvents = MissingEvents()


class LogSetting:
    """One design and the runs of a command; makes the systems in which they are explained."""

    def __init__(
        self,
        family: Family,
        design: Design,
        runs: Sequence[LoggedRun],
        logging: Logging,
        supposing: Supposing,
    ) -> None:
        self.family, self.design, self.supposing = family, design, supposing
        self.budgets = [b.name for b in family.declared.bounds if b.budget]
        self.tried = {name for name in self.budgets if design.bounds[name] != 0}
        self.states = any(run.start is not None for run in runs)
        self.free = self._free(runs, logging)
        shown = [self._shown(run) for run in runs]
        more = supposing.unlogged + 1 + max((supposing.missing.of(run) for run in runs), default=0)
        most = {b: _rounded(max((s[b] for s in shown), default=0) + more) for b in self.budgets}
        self._capacity = Design(design.mechanisms, {**design.bounds, **most})
        self._known: dict[tuple[int, ...], Successors] = {}
        self._remembered: dict[tuple[Amounts, Amounts], dict[str, int]] = {}

    @property
    def unlogged_names(self) -> tuple[str, ...]:
        """Return the events that no log is expected to have."""
        actions = [self.family.declared.actions[number] for number in sorted(self.free)]
        return tuple(a.name for a in actions if a.budget is None or a.budget in self.tried)

    def _free(self, runs: Sequence[LoggedRun], logging: Logging) -> frozenset[int]:
        """Return the events that no log has: those of actors that log nothing, and hidden ones."""
        actions = self.family.declared.actions
        names = {event.name for run in runs for event in run.events if event.name is not None}
        if logging.produced is not None:
            logged = {a.name for a in actions if a.name in logging.produced}
        elif self.states:
            logged = {a.name for a in actions}
        else:
            actors = {action.actor for action in actions if action.name in names}
            logged = {action.name for action in actions if action.actor in actors}
        hidden = logging.hidden
        return frozenset(
            number
            for number, action in enumerate(actions)
            if action.name not in logged or action.name in hidden or action.actor in hidden
        )

    def _shown(self, run: LoggedRun) -> dict[str, int]:
        """Return how much of each budget a run shows; an event without a name may be of each."""
        budget_of = {action.name: action.budget for action in self.family.declared.actions}
        unnamed = sum(event.name is None for event in run.events)
        used = [budget_of.get(event.name) for event in run.events if event.name is not None]
        return {b: used.count(b) + unnamed * (b in self.tried) for b in self.budgets}

    def known(self, run: LoggedRun, addition: Addition | None = None) -> Successors:
        """Return the states in which a run is explained, with room for an addition.

        Raises DesignError where the model refuses as much interference as the run shows.
        """
        shown, actions = self._shown(run), self.family.declared.actions
        free = {budget for b in self.free if (budget := actions[b].budget) in self.tried}
        added = {a.budget for a in actions if addition is not None and a.name == addition.kind}
        missing = self.supposing.missing.of(run)
        wanted = {
            b: n
            + (self.supposing.unlogged if b in free else 0)
            + (missing if b in self.tried or n else 0)
            + (b in added)
            for b, n in shown.items()
        }
        bounds = self._accepted(shown, wanted)
        key = tuple(bounds[b] for b in self.budgets)
        found = self._known.get(key)
        if found is None or len(found) > MOST_REMEMBERED:
            design = Design(self.design.mechanisms, {**self.design.bounds, **bounds})
            found = self._known[key] = Successors(System(self.family, design, self._capacity))
        return found

    def _accepted(self, shown: dict[str, int], wanted: dict[str, int]) -> Mapping[str, int]:
        """Return the budgets wanted but for those that the model's rules refuse."""
        key = tuple(shown.items()), tuple(wanted.items())
        if key not in self._remembered:
            self._remembered[key] = self._chosen(shown, wanted)
        return self._remembered[key]

    def _chosen(self, shown: dict[str, int], wanted: dict[str, int]) -> dict[str, int]:
        if self._is_accepted(wanted):
            return wanted
        chosen = dict(shown)
        self.family.design(self.design.mechanisms, {**self.design.bounds, **chosen})
        for budget, number in wanted.items():
            more = {**chosen, budget: number}
            if self._is_accepted(more):
                chosen = more
        return chosen

    def _is_accepted(self, budgets: dict[str, int]) -> bool:
        with suppress(DesignError):
            self.family.design(self.design.mechanisms, {**self.design.bounds, **budgets})
            return True
        return False

    def stages(self, run: LoggedRun, known: Successors) -> Iterator[Allowance]:
        """Yield what may be supposed, a little more each time, up to all that may be."""
        actions, bounds = self.family.declared.actions, known.system.design.bounds
        budgets = {budget for n in self.free if (budget := actions[n].budget) is not None}
        missing = self.supposing.missing.of(run)
        total = missing + sum(n for b in budgets if isinstance(n := bounds[b], int))
        for cap in CAPS:
            if cap < total:
                yield Allowance(self.free, missing, cap)
        yield Allowance(self.free, missing)


def _rounded(number: int) -> int:
    """Return a number from which on shapes are made anew: not for each log another."""
    return -(-number // 4) * 4


def vocabulary(family: Family, design: Design) -> Vocabulary:
    """Return what the logs of a design can name."""
    return Vocabulary(System(family, design))
