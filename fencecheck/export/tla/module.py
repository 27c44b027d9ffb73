"""A model with one design as a module of TLA+: the text, what TLC is asked, what is not said.

Which variables never change is found by guessing that none does, writing the events that can
happen then, and taking the guess back for what they change, until nothing is taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from fencecheck.export.tla.events import WrittenEvent, current, room, truth_of, written_event
from fencecheck.export.tla.functions.calls import Body, Operator
from fencecheck.export.tla.promises import Promise, PromiseWriter
from fencecheck.export.tla.script import Script
from fencecheck.export.tla.starts import beginning, written_by_starts
from fencecheck.export.tla.syntax.building import both
from fencecheck.export.tla.syntax.scopes import apart_from
from fencecheck.export.tla.syntax.trees import TRUE, Tree
from fencecheck.model.system import System


@dataclass
class WrittenModel:
    """Everything that a module is printed from."""

    system: System
    script: Script
    events: list[WrittenEvent]
    impossible: list[str]
    within: Tree
    begins: Tree
    promises: list[Promise] = field(default_factory=list)
    room: Tree = TRUE

    @property
    def variables(self) -> list[str]:
        """Return the variables of the model that something changes, in order."""
        return [n for n in self.system.names if n not in self.script.constants]

    @property
    def operators(self) -> list[Operator]:
        """Return the operators that functions became, each before those that use it."""
        return list(self.script.operators.values())

    def with_names_apart(self) -> WrittenModel:
        """Return the same with no name bound where it has a meaning already."""
        names = self.script.names

        def apart(tree: Tree, *scope: str) -> Tree:
            return apart_from(tree, scope, names)

        for key, operator in self.script.operators.items():
            tree = apart(operator.tree, *operator.parameters)
            self.script.operators[key] = replace(operator, tree=tree)
        return replace(
            self,
            events=[event.with_names_apart(apart) for event in self.events],
            promises=[replace(p, tree=apart(p.tree)) for p in self.promises],
            begins=apart(self.begins),
            within=apart(self.within),
        )


def write_model(system: System, names: Iterable[str] | None = None) -> WrittenModel:
    """Return a system written out, with the properties that are named (None: all)."""
    constants = _first_guess(system)
    while True:
        script = Script(system, constants)
        events = [written_event(script, n, a) for n, a in enumerate(system.actions)]
        taken_back = script.written & set(constants)
        if len(constants) == len(system.names) and not taken_back:
            taken_back = {system.names[0]}  # a module has a variable
        if not taken_back:
            break
        constants = {n: v for n, v in constants.items() if n not in taken_back}
    possible = [event for event in events if event is not None]
    impossible = [a.name for a, event in zip(system.actions, events, strict=True) if event is None]
    within = _within(script)
    model = WrittenModel(system, script, possible, impossible, within, beginning(script))
    promising = PromiseWriter(script, possible, within)
    wanted = set(system.family.properties) if names is None else set(names)
    model.promises = [
        promising.promise(prop) for prop in system.family.declared.properties if prop.name in wanted
    ]
    model.room = room(script)
    return model


def _first_guess(system: System) -> dict[str, Any]:
    """Return the variables that begin with one value, which nothing may change."""
    first = system.initials[0]
    moved = written_by_starts(system) if len(system.initials) > 1 else set[str]()
    return {n: v for n, v in zip(system.names, first, strict=True) if n not in moved}


def _within(script: Script) -> Tree:
    """Return what the search stays within."""
    body = Body(script)
    view = current(script, body)
    constraints = script.system.family.declared.constraints
    return both(*(truth_of(body, c.within, [view]) for c in constraints)) if constraints else TRUE
