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

import inspect
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import networkx as nx

from fencecheck.model.declare import Action
from fencecheck.model.declaring.any_number import HowMany
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
    cut: int = 0
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    wrong: tuple[int, bool] | None = None
    found: Any = None  # the Graph

    def up_to_names(self, system: Any) -> dict[str, int]:
        """Return the counts of a search that keeps one state for all that differ in names.

        Which those are is asked of the system; that they can do the same is not taken for granted.
        """
        least, events = dict[State, int](), dict[State, set[int]]()
        for state, depth in self.found.depth.items():
            one = system.representative(state)
            least[one] = min(depth, least.get(one, depth))
            events.setdefault(one, set()).add(len(self.found.edges.get(state, ())))
        assert all(len(numbers) == 1 for numbers in events.values())
        return {
            "states": len(least),
            "transitions": sum(number for numbers in events.values() for number in numbers),
            "depth": max(least.values()),
            "cut": self.cut,
        }


# -- the search -----------------------------------------------------------------------------------
Edge = tuple[Action, tuple[Any, ...], State]


class Graph:
    """Everything that can happen, breadth first, and where the model goes wrong."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.wrong = machine, list[tuple[int, int, bool]]()
        self.failed: set[Any] = set()  # events in which an assertion fails
        declared = machine.family.declared.properties
        self.promises = [p for prop in declared for p in promises(prop, machine.sizes)]
        self.depth: dict[State, int] = dict.fromkeys(machine.initials, 0)
        self.edges: dict[State, list[Edge]] = {}
        self.quiet: set[State] = set()
        self.cut: set[State] = set()
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
        for prop in self.promises:
            if prop.kind not in ("transition", "deadlock"):
                prop.holds(view)
            if prop.trigger and prop.asks_states:
                prop.trigger(view)

    def _look_at_end(self, state: State) -> None:
        for prop in self.promises:
            if prop.kind == "deadlock":
                prop.holds(self.views[state])
                if prop.trigger:
                    prop.trigger(self.views[state])

    def _executed(self, state: State, action: Action, args: tuple[Any, ...]) -> State:
        try:
            after = self.machine.after(state, action, args)
        except AssertionError:
            self.failed.add((state, action.name, args))
            after = state
        before, then = self.views[state], self.machine.view(after)
        event = _named(action, args)
        for prop in self.promises:
            if prop.is_about(action.name):
                prop.holds(before, then, event)
            if prop.is_tested_by(action.name) and prop.trigger:
                prop.trigger(before, then, event)
        return after

    def is_cut(self, state: State) -> bool:
        """Tell whether a constraint keeps a state from being expanded."""
        declared = self.machine.family.declared.constraints
        return not all(c.within(self.views[state]) for c in declared)

    def _enabled(self, state: State) -> list[tuple[Action, tuple[Any, ...]]]:
        return [] if self.is_cut(state) else self.machine.enabled(state)

    def asked(self, prop: Any, state: State) -> bool:
        """Tell whether what a temporal property asks for is there, or may come after a cut."""
        return prop.holds(self.views[state]) or state in self.cut

    def _expanded(self, state: State) -> list[State]:
        events = self.depth[state]
        choices = self._try(1, events, False, self._enabled, state) or []
        edges, fresh = list[Edge](), list[State]()
        for action, args in choices:
            after = self._try(2, events + 1, True, self._executed, state, action, args)
            if after is not None:
                edges.append((action, args, after))
                if after not in self.depth:
                    self.depth[after] = events + 1
                    fresh.append(after)
        self.edges[state] = edges
        if self._try(1, events, False, self.is_cut, state):
            self.cut.add(state)
        elif all(action.budget is not None for action, _ in choices):
            self.quiet.add(state)
            self._try(1, events, False, self._look_at_end, state)
        return fresh


# -- what is promised -----------------------------------------------------------------------------
class Promise:
    """A property for one choice of its own parameters: functions of states and an event."""

    def __init__(self, prop: Any, values: dict[str, Any]) -> None:
        self.kind, self.events, self.values = prop.kind, prop.events, values
        self.trigger_on = getattr(prop, "trigger_on", None)
        self.states = 2 if prop.kind == "transition" else 1
        self.asks_states, self.trigger = False, None
        self.holds = self._with(prop.holds, self.states)
        if prop.trigger is not None:
            names = list(inspect.signature(prop.trigger).parameters)[1:]
            one = self.states == 1 or not names or names[0] in values
            self.asks_states = one and prop.kind != "deadlock"
            self.trigger = self._with(prop.trigger, 1 if one else 2)

    def _with(self, function: Any, states: int) -> Any:
        names = list(inspect.signature(function).parameters)[states:]

        def asked(*args: Any) -> bool:
            known = {**(args[states] if len(args) > states else {}), **self.values}
            return bool(function(*args[:states], *[known[name] for name in names]))

        return asked

    def is_about(self, event: str) -> bool:
        return self.kind == "transition" and (not self.events or event in self.events)

    def is_tested_by(self, event: str) -> bool:
        if self.kind != "transition" or self.asks_states:
            return False
        if self.trigger_on is None:
            return self.is_about(event)
        return not self.trigger_on or event in self.trigger_on

    def counts(self, action: Action, args: tuple[Any, ...]) -> bool:
        """Tell whether an event is one of those of a recurrence."""
        event = _named(action, args)
        same = all(event.get(name, value) == value for name, value in self.values.items())
        return action.name in self.events and same


def promises(prop: Any, sizes: Any) -> list[Promise]:
    """Return what a property promises, for each choice of its own parameters."""
    domains = [domain.resolve(sizes) for domain in prop.params.values()]
    ways = itertools.product(*([d.value(i) for i in range(d.count)] for d in domains))
    return [Promise(prop, dict(zip(prop.params, way, strict=True))) for way in ways]


def _named(action: Action, args: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(action.params, args, strict=True))


# -- verdicts -------------------------------------------------------------------------------------
def _safety(graph: Graph, prop: Any) -> Verdict:
    broken, tested = list[int](), False
    for state, depth in graph.depth.items():
        view = graph.views[state]
        if prop.kind == "transition":
            for action, args, after in graph.edges[state]:
                then, event = graph.views[after], _named(action, args)
                if prop.is_about(action.name) and not prop.holds(view, then, event):
                    broken.append(depth + 1)
                if prop.is_tested_by(action.name):
                    tested = tested or prop.trigger is None or prop.trigger(view, then, event)
            if prop.trigger and prop.asks_states:
                tested = tested or prop.trigger(view)
        elif prop.kind == "invariant" or state in graph.quiet:
            tested = tested or prop.trigger is None or prop.trigger(view)
            if not prop.holds(view):
                broken.append(depth)
    return Verdict(not broken, not broken and not tested, min(broken, default=None))


def _possibility(graph: Graph, prop: Any) -> Verdict:
    good = {s for s in graph.depth if graph.asked(prop, s)}
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
        hungry = {s for s in part if _classes(graph, s, "strong") - taken}
        if edges and hungry:
            parts += _fair_parts(graph, part - hungry)
        elif edges and always <= taken:
            parts.append((part, edges))
    return parts


def _classes(graph: Graph, state: State, *kinds: str) -> set[Any]:
    """Return the classes possible in a state to which fairness of these kinds is owed (or any)."""
    own = [(action, args) for action, args, _ in graph.edges[state] if action.budget is None]
    wanted = kinds or ("weak", "strong")
    return {graph.machine.fair_class(a, args) for a, args in own if a.fair in wanted}


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
    without = {s for s in graph.depth if not graph.asked(prop, s)}
    rest = {s for s in without if not _classes(graph, s)}
    ends = rest.union(*(part for part, _ in _fair_parts(graph, without)))
    starts = set(graph.machine.initials)
    if prop.kind == "leads_to":
        starts = {s for s in graph.depth if prop.trigger(graph.views[s])}
    stem = _stem(graph, starts, without, ends)
    tested = not without.isdisjoint(graph.machine.initials)
    vacuous = stem is None and _untested(graph, prop, tested)
    return Verdict(stem is None, vacuous, stem=stem if prop.kind == "liveness" else None)


def _recurrence(graph: Graph, prop: Any) -> Verdict:
    without = {s for s in graph.depth if not graph.asked(prop, s)}
    ends = set[State]()
    for part, edges in _fair_parts(graph, without):
        if any(prop.counts(action, args) for action, args, _ in edges):
            ends |= part
    stem = _stem(graph, set(graph.machine.initials), set(graph.depth), ends)
    happen = (event for edges in graph.edges.values() for event in edges)
    tested = any(prop.counts(action, args) for action, args, _ in happen)
    return Verdict(stem is None, stem is None and _untested(graph, prop, tested), stem=stem)


def _assertions(graph: Graph, prop: Any) -> Verdict:
    """Judge assertions: every event that has some puts them to the test."""
    broken = [graph.depth[state] + 1 for state, _, _ in graph.failed]
    events = (action.name for edges in graph.edges.values() for action, _, _ in edges)
    tested = not broken and any(name in prop.events for name in events)
    return Verdict(not broken, not broken and not tested, min(broken, default=None))


_JUDGES = {
    "invariant": _safety,
    "transition": _safety,
    "deadlock": _safety,
    "possibility": _possibility,
    "liveness": _avoided,
    "leads_to": _avoided,
    "recurrence": _recurrence,
}


def _all(verdicts: list[Verdict]) -> Verdict:
    """Return the verdict of several promises as one: one value that is tested is enough."""
    events = min((v.events for v in verdicts if v.events is not None), default=None)
    stem = min((v.stem for v in verdicts if v.stem is not None), default=None)
    holds = all(v.holds for v in verdicts)
    return Verdict(holds, holds and all(v.vacuous for v in verdicts), events, stem)


def truth_of(
    family: Family,
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, HowMany] | None = None,
) -> Truth:
    """Return what is true of a design, all properties judged."""
    graph = Graph(Machine(family, mechanisms, bounds))
    if graph.wrong:
        _, events, in_event = min(graph.wrong)
        return Truth(wrong=(events, in_event))
    verdicts = {
        p.name: _assertions(graph, p)
        if p.name == "assertions"
        else _all([_JUDGES[p.kind](graph, one) for one in promises(p, graph.machine.sizes)])
        for p in family.declared.properties
    }
    for verdict in verdicts.values():
        verdict.vacuous = verdict.holds and verdict.vacuous
    edges = sum(len(found) for found in graph.edges.values())
    depth = max(graph.depth.values())
    return Truth(len(graph.depth), edges, depth, len(graph.cut), verdicts, found=graph)


# -- beside an engine -----------------------------------------------------------------------------
def disagreements(
    family: Family,
    mechanisms: Mapping[str, Any] | None = None,
    bounds: Mapping[str, HowMany] | None = None,
    engine: Any = "auto",
) -> list[str]:
    """Return in what a check of a design with an engine differs from the truth."""
    from fencecheck.checking.check import check_design
    from fencecheck.checking.question import Options, Question
    from fencecheck.errors import StateError
    from fencecheck.model.system import System

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
        for name, right in truth.up_to_names(System(family, design)).items()
        if right != getattr(numbers, name)
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
