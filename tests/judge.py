"""The third judge: what is true of a model, by a plain search over its own Python functions.

It shares no code with the engines, with ``properties/``, with ``runs/``, nor with how a System
executes an event: it reads declarations (variables, actions, properties, domains), executes
guards and effects on copies that it makes itself, and decides everything by hand, with networkx
for strongly connected components.

``truth_of(family, mechanisms, bounds)`` returns a Truth: ``states``, ``transitions``, ``depth``,
and ``verdicts`` by the name of each property, a Verdict each. Where the model goes wrong,
``wrong`` is the least (events, in the last event) after which it does, and nothing else is said.
``disagreements(family, mechanisms, bounds, engine)`` checks the same design with an engine and
returns in which numbers and verdicts the two differ, as lines of text (empty: they agree).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import networkx as nx

from fencecheck.model.declare import Action
from fencecheck.model.family import Family
from tests.by_hand import Machine, State


@dataclass
class Verdict:
    """What is true of a property.

    ``events`` are the fewest after which a safety property or a possibility breaks; ``stem`` the
    fewest after which a behaviour that breaks liveness or recurrence is where it stays for ever.
    """

    holds: bool
    vacuous: bool = False
    events: int | None = None
    stem: int | None = None


@dataclass
class Truth:
    """What is true of one design of a model."""

    states: int = 0
    transitions: int = 0
    depth: int = 0
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    wrong: tuple[int, bool] | None = None


# -- the search -----------------------------------------------------------------------------------
Edge = tuple[Action, tuple[Any, ...], State]


class Graph:
    """Everything that can happen, breadth first, and where the model goes wrong."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.wrong = machine, list[tuple[int, int, bool]]()
        self.depth: dict[State, int] = dict.fromkeys(machine.initials, 0)
        self.edges: dict[State, list[Edge]] = {}
        self.quiet: set[State] = set()
        self.views: dict[State, SimpleNamespace] = {}
        level = machine.initials
        while level and not self.wrong:
            for state in level:
                self.views[state] = machine.view(state)
                self._try(0, self.depth[state], False, self._look_at_state, state)
            if not self.wrong:
                level = [after for state in level for after in self._expanded(state)]

    def _try(self, rank: int, events: int, in_event: bool, function: Any, *args: Any) -> Any:
        try:
            return function(*args)
        except Exception:
            self.wrong.append((rank, events, in_event))
            return None

    def _look_at_state(self, state: State) -> None:
        """Evaluate what is asked of every state, for the errors that it may raise."""
        view = self.views[state]
        for prop in self.machine.family.declared.properties:
            if prop.kind not in ("transition", "deadlock"):
                prop.holds(view)
            if prop.trigger is not None and _asks_states(prop):
                prop.trigger(view)

    def _look_at_end(self, state: State) -> None:
        for prop in self.machine.family.declared.properties:
            if prop.kind == "deadlock":
                prop.holds(self.views[state])
                if prop.trigger is not None:
                    prop.trigger(self.views[state])

    def _executed(self, state: State, action: Action, args: tuple[Any, ...]) -> State:
        after = self.machine.after(state, action, args)
        before, then = self.views[state], self.machine.view(after)
        for prop in self.machine.family.declared.properties:
            if _is_about(prop, action.name):
                prop.holds(before, then)
            if _is_tested_by(prop, action.name) and prop.trigger is not None:
                prop.trigger(before, then)
        return after

    def _expanded(self, state: State) -> list[State]:
        events = self.depth[state]
        choices = self._try(1, events, False, self.machine.enabled, state) or []
        edges, fresh = list[Edge](), list[State]()
        for action, args in choices:
            after = self._try(2, events + 1, True, self._executed, state, action, args)
            if after is not None:
                edges.append((action, args, after))
                if after not in self.depth:
                    self.depth[after] = events + 1
                    fresh.append(after)
        self.edges[state] = edges
        if all(action.budget is not None for action, _ in choices):
            self.quiet.add(state)
            self._try(1, events, False, self._look_at_end, state)
        return fresh


def _asks_states(prop: Any) -> bool:
    if prop.kind == "transition":
        return bool(prop.trigger.__code__.co_argcount == 1)
    return bool(prop.kind != "deadlock")


def _is_about(prop: Any, event: str) -> bool:
    return prop.kind == "transition" and (not prop.events or event in prop.events)


def _is_tested_by(prop: Any, event: str) -> bool:
    if prop.kind != "transition" or (prop.trigger is not None and _asks_states(prop)):
        return False
    if prop.trigger_on is None:
        return _is_about(prop, event)
    return not prop.trigger_on or event in prop.trigger_on


# -- verdicts -------------------------------------------------------------------------------------
def _safety(graph: Graph, prop: Any) -> Verdict:
    broken, tested = list[int](), False
    for state, depth in graph.depth.items():
        view = graph.views[state]
        if prop.kind == "transition":
            for action, _, after in graph.edges[state]:
                then = graph.views[after]
                if _is_about(prop, action.name) and not prop.holds(view, then):
                    broken.append(depth + 1)
                if _is_tested_by(prop, action.name):
                    tested = tested or prop.trigger is None or prop.trigger(view, then)
            if prop.trigger is not None and _asks_states(prop):
                tested = tested or prop.trigger(view)
        elif prop.kind == "invariant" or state in graph.quiet:
            tested = tested or prop.trigger is None or prop.trigger(view)
            if not prop.holds(view):
                broken.append(depth)
    return Verdict(not broken, not broken and not tested, min(broken, default=None))


def _possibility(graph: Graph, prop: Any) -> Verdict:
    good = {s for s in graph.depth if prop.holds(graph.views[s])}
    backwards = nx.DiGraph()
    backwards.add_nodes_from(graph.depth)
    for state, edges in graph.edges.items():
        own = [after for action, _, after in edges if action.budget is None]
        backwards.add_edges_from((after, state) for after in own)
    can = set(good)
    for state in good:
        can |= nx.descendants(backwards, state)
    trapped = [depth for state, depth in graph.depth.items() if state not in can]
    tested = len(good) < len(graph.depth)
    return Verdict(not trapped, _untested(graph, prop, tested), min(trapped, default=None))


def _untested(graph: Graph, prop: Any, tested: bool) -> bool:
    if prop.trigger is not None:
        tested = any(prop.trigger(view) for view in graph.views.values())
    return not tested


def _fair_parts(graph: Graph, states: set[State]) -> list[tuple[set[State], list[Edge]]]:
    """Return the components within ``states`` in which a fair behaviour can stay for ever."""
    inner = nx.MultiDiGraph()
    inner.add_nodes_from(states)
    inner.add_edges_from((s, t) for s in states for _, _, t in graph.edges[s] if t in states)
    parts = []
    for part in nx.strongly_connected_components(inner):
        edges = [e for s in part for e in graph.edges[s] if e[2] in part]
        taken = {graph.machine.fair_class(action, args) for action, args, _ in edges}
        always = set.intersection(*(_classes(graph, s) for s in part))
        if edges and always <= taken:
            parts.append((part, edges))
    return parts


def _classes(graph: Graph, state: State) -> set[Any]:
    own = [(action, args) for action, args, _ in graph.edges[state] if action.budget is None]
    return {graph.machine.fair_class(action, args) for action, args in own}


def _stem(graph: Graph, starts: set[State], within: set[State], ends: set[State]) -> int | None:
    """Return how many events lead from a start to an end within some states; None: none do."""
    level, seen, events = starts & within, set(starts & within), 0
    while level:
        if level & ends:
            return events
        after = {t for s in level for _, _, t in graph.edges[s]}
        level = (after & within) - seen
        seen |= level
        events += 1
    return None


def _avoided(graph: Graph, prop: Any) -> Verdict:
    """Judge liveness and leads-to: is there a fair behaviour that never comes to what they ask?"""
    without = {s for s in graph.depth if not prop.holds(graph.views[s])}
    ends = (graph.quiet & without).union(*(part for part, _ in _fair_parts(graph, without)))
    starts = set(graph.machine.initials)
    if prop.kind == "leads_to":
        starts = {s for s in graph.depth if prop.trigger(graph.views[s])}
    stem = _stem(graph, starts, without, ends)
    tested = not without.isdisjoint(graph.machine.initials)
    vacuous = stem is None and _untested(graph, prop, tested)
    return Verdict(stem is None, vacuous, stem=stem if prop.kind == "liveness" else None)


def _recurrence(graph: Graph, prop: Any) -> Verdict:
    without = {s for s in graph.depth if not prop.holds(graph.views[s])}
    ends = set[State]()
    for part, edges in _fair_parts(graph, without):
        if any(action.name in prop.events for action, _, _ in edges):
            ends |= part
    stem = _stem(graph, set(graph.machine.initials), set(graph.depth), ends)
    happen = {action.name for edges in graph.edges.values() for action, _, _ in edges}
    tested = bool(happen & set(prop.events))
    return Verdict(stem is None, stem is None and _untested(graph, prop, tested), stem=stem)


_JUDGES = {
    "invariant": _safety,
    "transition": _safety,
    "deadlock": _safety,
    "possibility": _possibility,
    "liveness": _avoided,
    "leads_to": _avoided,
    "recurrence": _recurrence,
}


def truth_of(
    family: Family,
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, int] | None = None,
) -> Truth:
    """Return what is true of a design, all properties judged."""
    graph = Graph(Machine(family, mechanisms, bounds))
    if graph.wrong:
        _, events, in_event = min(graph.wrong)
        return Truth(wrong=(events, in_event))
    verdicts = {p.name: _JUDGES[p.kind](graph, p) for p in family.declared.properties}
    for verdict in verdicts.values():
        verdict.vacuous = verdict.holds and verdict.vacuous
    edges = sum(len(found) for found in graph.edges.values())
    return Truth(len(graph.depth), edges, max(graph.depth.values()), verdicts)


# -- beside an engine -----------------------------------------------------------------------------
def disagreements(
    family: Family,
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, int] | None = None,
    engine: Any = "auto",
) -> list[str]:
    """Return in what a check of a design with an engine differs from the truth."""
    from fencecheck.checking.check import check_design
    from fencecheck.checking.question import Options, Question
    from fencecheck.errors import StateError

    truth, design = truth_of(family, mechanisms, bounds), family.design(mechanisms, bounds)
    question = Question(tuple(family.properties))
    try:
        found = check_design(family, design, question, Options(engine=engine))
    except StateError as error:
        told = len(error.trace.events)
        if truth.wrong is None:
            return [f"the engine says: {error}"]
        events, in_event = truth.wrong
        return [] if told == events - in_event else [f"goes wrong after {events}, told {told}"]
    if truth.wrong is not None:
        return [f"it goes wrong after {truth.wrong[0]} events, and the engine does not say so"]
    numbers = found.exploration
    lines = [
        f"{name}: {right}, the engine says {getattr(numbers, name)}"
        for name in ("states", "transitions", "depth")
        if (right := getattr(truth, name)) != getattr(numbers, name)
    ]
    for finding in found.findings:
        verdict = truth.verdicts[finding.name]
        right = ("holds" if verdict.holds else "violated", verdict.vacuous)
        said = (finding.verdict, finding.vacuous)
        if right != said:
            lines.append(f"{finding.name}: {right}, the engine says {said}")
        elif verdict.events is not None and finding.events != verdict.events:
            lines.append(f"{finding.name}: {verdict.events} events, not {finding.events}")
        elif verdict.stem is not None and finding.trace is not None:
            start = finding.trace.loop_start
            stem = finding.events if start is None else start
            if stem != verdict.stem:
                lines.append(f"{finding.name}: a stem of {verdict.stem} events, not {stem}")
    return lines
