"""The states behind representatives: a run with real numbers and names, followed along a graph.

A graph knows representatives. Several states have one, and which of its events is which of theirs
is told by what its numbers and names are in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fencecheck.model.representatives.renaming import Names
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, execute, possible


@dataclass(frozen=True)
class Behind:
    """A state, the representative that a graph has of it, and what that one's names are in it."""

    state: State
    representative: State
    names: Names

    def after(self, system: System, event: Event) -> tuple[Event, Behind]:
        """Return what an event of the representative is in the state, and where it leads."""
        if not system.representatives:
            return event, Behind(event.after, event.after, self.names)
        args = system.renamed_args(event.action, event.args, self.names)
        real = execute(system, self.state, event.action, args)
        representative, given = system.representatives.named(event.after)
        names = {
            key: {name: self.names[key][number] for number, name in numbers.items()}
            for key, numbers in given.items()
        }
        turned = system.representatives.turned(real.after, names)
        return real, Behind(real.after, representative, turned)

    def steps(self, system: System) -> Iterator[tuple[Event, Behind]]:
        """Yield what can happen, in the order of the representative's events."""
        for event in possible(system, self.representative):
            yield self.after(system, event)

    def along(self, system: System, events: Sequence[Event]) -> Behind:
        """Return where a run leads that begins here."""
        here = self
        for event in events:
            chosen = event.action, event.args
            here = next(to for e, to in here.steps(system) if (e.action, e.args) == chosen)
        return here


def behind(system: System, state: State) -> Behind:
    """Return a state as the first of a run, an initial one."""
    representative, given = system.representatives.named(state)
    names = {key: {name: n for n, name in numbers.items()} for key, numbers in given.items()}
    return Behind(state, representative, system.representatives.turned(state, names))
