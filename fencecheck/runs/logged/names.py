"""The names in logs held against a model, and values that are told in ITF in its words.

Takes a system and runs; gives the runs as the search reads them, or a line for every name that
the model does not have, with the nearest that it has. What can be observed is what traces show:
neither ghosts nor budgets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fencecheck.errors import FencecheckError, nearest, not_among
from fencecheck.model.declare import Action, Variable
from fencecheck.model.system import System
from fencecheck.runs.itf.values import from_itf
from fencecheck.runs.logged.log import LoggedEvent, LoggedRun, Logging
from fencecheck.runs.logged.order import RunOrder
from fencecheck.runs.notation import nameable
from fencecheck.runs.told.teller import Teller


def can_be_seen(variable: Variable) -> bool:
    """Tell whether an implementation can show a variable: no ghost, no budget, nothing untold."""
    return variable.told and not (variable.ghost or variable.budget)


def _kept(variable: Variable) -> str:
    named = "a ghost" if variable.ghost else "a budget" if variable.budget else ""
    return named or "what the model counts for itself"


class Vocabulary:
    """What can be named in the logs of a system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.teller = Teller(system)
        self.actions: dict[str, Action] = {action.name: action for action in system.actions}
        self.actors = list(dict.fromkeys(action.actor for action in system.actions))
        values = self.teller.values(system.initial)
        self.seen = [n for n, (_, _, v) in values.items() if can_be_seen(v)]
        self.kept = {n: _kept(v) for n, (_, _, v) in values.items() if not can_be_seen(v)}
        self.place = {n: system.place[v.name] for n, (_, _, v) in values.items()}
        self.loose = self.teller.unordered()

    def wrong_logging(self, logging: Logging, where: str) -> list[str]:
        """Return what is hidden that the model does not have."""
        known = [*self.actors, *self.actions]
        return [
            f"{where}: hidden: {name!r} {not_among(name, known)}"
            for name in sorted(logging.hidden)
            if name not in known
        ]

    def read(self, run: LoggedRun) -> tuple[LoggedRun, list[str]]:
        """Return a run in the model's words, and every name in it that the model does not have."""
        problems: list[str] = []
        events = [self._read(event, problems) for event in run.events]
        start = None if run.start is None else self._state(run.start, run.name, problems)
        if not run.events:
            problems.append(f"{run.name}: has no event that model {self.system.family.name} knows")
        read = replace(run, events=tuple(events), start=start)
        return read, problems or RunOrder(read).problems

    def _read(self, event: LoggedEvent, problems: list[str]) -> LoggedEvent:
        for words in self._wrong(event):
            problems.append(f"{event.place}: {words}")
        if event.state is None:
            return event
        return replace(event, after=self._state(event.state, event.place, problems) or {})

    def _wrong(self, event: LoggedEvent) -> Iterable[str]:
        """Yield the names of an event that the model does not have."""
        if event.name is not None and event.name not in self.actions:
            names = list(self.actions)
            yield f"{event.name!r} {not_among(event.name, names)}"
        elif event.name is not None:
            known = nameable(self.system.family, self.actions[event.name])
            for name in event.args:
                if name not in known:
                    listed = ", ".join(known) or "none: it has no arguments"
                    yield f"args.{name}: {event.name} has {listed}{nearest(name, known)}"
        for name in event.after:
            if name not in self.seen:
                hint = nearest(name, self.seen)
                kept = f"is {self.kept[name]}; nobody can see it" if name in self.kept else ""
                yield f"after.{name}: {kept or f'is not one of {self._listed()}'}{hint}"

    def _listed(self) -> str:
        return ", ".join(self.seen)

    def _state(
        self, state: Mapping[str, Any], place: str, problems: list[str]
    ) -> dict[str, Any] | None:
        """Return what people can see of a state that is told in ITF, by its names."""
        system, found = self.system, dict[str, Any]()
        known = dict(zip(system.names, system.domains, strict=True))
        for name, told in state.items():
            if name not in known:
                problems.append(f"{place}: {name!r} {not_among(name, known)}")
                continue
            try:
                value = from_itf(known[name], told, f"{place}: {name}")
            except FencecheckError as error:
                problems.append(str(error))
                continue
            whole = list(system.initial)
            whole[system.place[name]] = value
            for words, (shown, _, variable) in self.teller.values(tuple(whole)).items():
                if variable.name == name and can_be_seen(variable):
                    found[words] = shown
        return found
