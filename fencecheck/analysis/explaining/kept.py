"""Properties of what happened: whether some explanation of a log keeps each of them.

Judged are truths of states and of events. Where the explanation that is shown breaks one, a
search for one that keeps it follows no event that breaks it.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.analysis.explaining.evidence import first_state, mark_unlogged
from fencecheck.analysis.explaining.search import Allowance, LogSearch, Move
from fencecheck.analysis.explaining.setting import LogSetting
from fencecheck.analysis.explaining.successors import NextEvent, Successors
from fencecheck.checking.logged import JudgedProperty
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.runs.event import MODEL_ERRORS
from fencecheck.runs.replay import told_and_replayed
from fencecheck.runs.told.failure import model_failure
from fencecheck.runs.trace import Origin, Trace


class Keeping:
    """Whether events and initial states keep one property; each is asked once."""

    def __init__(self, system: System, prop: Property) -> None:
        self.system, self.prop = system, prop
        self._ways: dict[int, bool] = {}
        self._held: list[NextEvent] = []

    def start(self, state: State) -> bool:
        """Tell whether a property holds in an initial state."""
        try:
            return self.prop.evaluate_state(self.system.view(state))
        except MODEL_ERRORS:
            raise model_failure(self.system, [], None, Origin(), [self.prop]) from None

    def way(self, way: NextEvent) -> bool:
        """Tell whether an event, and the state that it leads to, keep it."""
        known = self._ways.get(id(way))
        if known is None:
            known = self._ways[id(way)] = self._asked(way)
            self._held.append(way)  # so that no other gets its number
        return known

    def _asked(self, way: NextEvent) -> bool:
        system, event = self.system, way.event
        views = system.view(event.before), system.view(event.after)
        try:
            action = system.actions[event.action]
            kept = self.prop.evaluate_event(action, event.args, *views)
            return kept and self.prop.evaluate_state(views[1])
        except MODEL_ERRORS:
            failing = (event.action, event.args)
            raise model_failure(system, [], failing, Origin(), [self.prop]) from None


def judged_properties(
    setting: LogSetting,
    search: LogSearch,
    moves: Sequence[Move],
    names: Sequence[str],
    origin: Origin,
) -> tuple[JudgedProperty, ...]:
    """Return what explanations of a run say of each property that speaks of states or events."""
    known = search.known
    found = []
    for prop in known.system.properties(list(names)):
        if prop.temporal or prop.of_ends:
            continue
        keeping = Keeping(known.system, prop)
        broken = _first_broken(known, moves, keeping)
        kept = True if broken is None else _is_kept(setting, search, keeping)
        if kept:
            found.append(JudgedProperty(prop.name, prop.kind, "holds"))
        elif kept is None:
            found.append(JudgedProperty(prop.name, prop.kind, "undetermined"))
        else:
            system = known.system.starting(first_state(known, moves))
            trace = _trace(system, moves[:broken], prop, origin)
            found.append(JudgedProperty(prop.name, prop.kind, "violated", trace))
    return tuple(found)


def _first_broken(known: Successors, moves: Sequence[Move], keeping: Keeping) -> int | None:
    """Return after how many moves a property first breaks, None if it does not."""
    ways = [move.way for move in moves if move.way is not None]
    if not keeping.start(first_state(known, moves)):
        return 0
    return next((n for n, way in enumerate(ways, 1) if not keeping.way(way)), None)


def _is_kept(setting: LogSetting, search: LogSearch, keeping: Keeping) -> bool | None:
    """Tell whether some explanation keeps a property; None where a limit leaves that open."""

    def starts(number: int) -> bool:
        return keeping.start(search.known.state(number))

    for allowed in setting.stages(search.order.run, search.known):
        allowed = Allowance(
            allowed.free, allowed.missing, allowed.supposed, keeps=keeping.way, starts=starts
        )
        found = search.explain(allowed)
        if found.whole:
            return True
        if found.stopped_by:
            return None
    return False


def _trace(system: System, moves: Sequence[Move], prop: Property, origin: Origin) -> Trace:
    """Return the explanation up to where it breaks a property, as a counterexample."""
    events = [move.way.event for move in moves if move.way is not None]
    trace = told_and_replayed(system, events, prop, origin)
    return mark_unlogged(trace, moves)
