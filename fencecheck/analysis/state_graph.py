"""The state graph of a design, or a part of it, as a networkx graph for other tools.

Takes a system, the states to begin with and how far to go from them; gives a MultiDiGraph whose
nodes are states in breadth-first order, with what people read of each, and whose edges are events.
A graph of more states than are asked for is refused: a picture of thousands shows nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fencecheck.errors import UsageError
from fencecheck.explore.cutting import check_cut
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.model.wording.templates import value_text
from fencecheck.runs.event import Event, is_quiet, possible
from fencecheck.runs.told.teller import Teller


@dataclass(frozen=True)
class Extent:
    """Which part is wanted: states up to ``depth`` events away (None: all), ``limit`` at most."""

    limit: int
    depth: int | None = None


@dataclass
class Unfolding:
    """The states found so far, by their representatives, and the events between them."""

    system: System
    numbers: dict[State, int] = field(default_factory=dict)
    edges: list[tuple[int, Event, int]] = field(default_factory=list)

    def unfold(self, seeds: Sequence[State], extent: Extent) -> None:
        """Find what lies around some states; raises UsageError where that is too much."""
        for seed in seeds:
            self._number(seed, extent)
        frontier, depth = list(self.numbers), 0
        while frontier:
            found: list[State] = []
            for state in frontier:
                check_cut()
                for event in possible(self.system, state):
                    self._follow(state, event, found, extent, last=depth == extent.depth)
            frontier, depth = found, depth + 1

    def _follow(
        self, state: State, event: Event, found: list[State], extent: Extent, *, last: bool
    ) -> None:
        """Add an event; from the last states only what leads back to states that are there."""
        after = self.system.representative(event.after)
        if after not in self.numbers:
            if last:
                return
            self._number(after, extent)
            found.append(after)
        self.edges.append((self.numbers[state], event, self.numbers[after]))

    def _number(self, state: State, extent: Extent) -> None:
        representative = self.system.representative(state)
        self.numbers.setdefault(representative, len(self.numbers))
        if len(self.numbers) > extent.limit:
            raise UsageError(
                f"there are more than {extent.limit:,} states: export the part around a trace "
                "(--around TRACE.json --depth N) or the first levels (--depth N), take smaller "
                "bounds (--bound NAME=N), or allow more with --limit N"
            )


def state_graph(
    system: System, properties: Sequence[Property], extent: Extent, run: Sequence[Event] = ()
) -> Any:
    """Return the graph of a system, or around a ``run`` of it, as a networkx MultiDiGraph.

    A node has ``number`` (from 0), ``initial``, ``on_trace``, ``breaks`` (names of those of the
    ``properties`` that are false there) and each variable as people name and read it; an edge has
    ``event``, ``interference``, ``on_trace`` and ``breaks``.
    """
    from networkx import MultiDiGraph

    seeds = [run[0].before, *(event.after for event in run)] if run else list(system.initials)
    unfolding = Unfolding(system)
    unfolding.unfold(seeds, extent)
    known = system.representative
    on_run = {known(state) for state in seeds} if run else set()
    steps = {(known(e.before), e.action, known(e.after)) for e in run}
    beginnings, teller, graph = set(system.beginnings), Teller(system), MultiDiGraph()
    states = list(unfolding.numbers)
    for state, number in unfolding.numbers.items():
        told = {name: value_text(shown) for name, (shown, _, _) in teller.values(state).items()}
        graph.add_node(
            number, number=number, initial=state in beginnings, on_trace=state in on_run,
            breaks=", ".join(_broken_in(system, state, properties)), **told,
        )  # fmt: skip
    for source, event, target in unfolding.edges:
        graph.add_edge(
            source, target, event=_named(system, event),
            interference=system.actions[event.action].interference,
            on_trace=(states[source], event.action, states[target]) in steps,
            breaks=", ".join(_broken_by(system, event, properties)),
        )  # fmt: skip
    return graph


def _named(system: System, event: Event) -> str:
    shown = ", ".join(map(str, system.shown_args(event.action, event.args).values()))
    name = system.actions[event.action].name
    return f"{name}({shown})" if shown else name


def _broken_in(system: System, state: State, properties: Sequence[Property]) -> list[str]:
    """Return which properties of states are false in a state; of ends where it is one."""
    view, quiet = system.view(state), is_quiet(system, state)
    return [
        prop.name
        for prop in properties
        if not prop.evaluate_state(view) or (quiet and not prop.evaluate_end(view))
    ]


def _broken_by(system: System, event: Event, properties: Sequence[Property]) -> list[str]:
    action, views = system.actions[event.action], (event.before, event.after)
    before, after = map(system.view, views)
    return [p.name for p in properties if not p.evaluate_event(action, event.args, before, after)]
