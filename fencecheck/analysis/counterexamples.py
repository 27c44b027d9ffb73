"""Further counterexamples of a property that differ in kind, not near copies of the first.

What a kind is stands in kinds.py. Further ones come first from other minimal adversaries, each
with its own shortest order; then from other orders of the design as it is, at the least number of
events and then at more. Each is minimal (nothing can be left out of it) and was replayed. Which
ones come does not depend on the engine or its threads.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fencecheck.analysis.explain.adversaries import minimal_adversaries
from fencecheck.analysis.kinds import Kind, Kinds, Run
from fencecheck.checking.findings import tell_evidence
from fencecheck.checking.judge import Judge
from fencecheck.checking.question import Options
from fencecheck.checking.results import Finding, Other, Result
from fencecheck.explore.graph import StateGraph, expanded_levels
from fencecheck.explore.shortest import interference_of
from fencecheck.explore.watch import Watch
from fencecheck.model.ask.questions import with_questions
from fencecheck.model.family import Design, Family
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.properties.evidence import Evidence
from fencecheck.runs.commuting import Key
from fencecheck.runs.event import Event, end_of, event_key
from fencecheck.runs.replay import replay
from fencecheck.runs.run import breaking
from fencecheck.runs.shrinking import is_minimal
from fencecheck.runs.told.behind import Behind, behind
from fencecheck.runs.trace import Origin, Trace
from fencecheck.spec.values import Spec

WIDE = 2_000  # states of a level on the way to a violation up to which orders are gone through
EACH = 4  # orders of different kinds that are kept for each state on the way


def add_counterexamples(spec: Spec, result: Result, options: Options, most: int) -> None:
    """Give each violated finding of a result up to ``most`` - 1 further counterexamples."""
    asked = options.predicates
    for variant, checked in zip(spec.variants, result.variants, strict=True):
        violated = [f for f in checked.findings if f.verdict == "violated" and f.trace]
        if violated and most > 1:
            origin = Origin(spec.path, variant.name, spec.title)
            family = with_questions(spec.family, variant.design, asked.reach, asked.invariants)
            _Search(family, variant.design, options, origin).add(violated, most - 1)


class _Search:
    """Looks for further counterexamples of one design."""

    def __init__(self, family: Family, design: Design, options: Options, origin: Origin) -> None:
        self.family, self.design, self.origin = family, design, origin
        self.options = replace(options, checkpoint=None)
        self.system = System(family, design)
        self.kinds = Kinds(self.system)

    def add(self, violated: list[Finding], more: int) -> None:
        """Add further counterexamples to the findings that are violated."""
        names = [finding.name for finding in violated]
        judge = Judge(self.family, names, self.design.bounds, self.options)
        breaking = {b.name: b for b in minimal_adversaries(judge, self.design, self.origin)}
        graph: StateGraph | None = None
        for finding in violated:
            assert finding.trace is not None
            first = self._replayed(finding.trace)
            seen = {self.kinds.whoever(first)}
            for adversary in breaking[finding.name].adversaries:
                if len(finding.others) < more:
                    events = self._replayed(adversary.trace)
                    faults = ", ".join(sorted(self.kinds.exact(events)[0])) or "no interference"
                    differs = f"another minimal adversary: {faults}"
                    self._add(finding, seen, events, (differs, adversary.trace))
            prop = self.system.property(finding.name)
            if len(finding.others) < more and not prop.temporal:
                if graph is None:
                    watched = Watch(self.system, names)
                    graph = judge.explorer.explore(self.system, watched, self.options.limits)
                self._add_orders(finding, (graph, prop), seen, more)

    def _add_orders(
        self, finding: Finding, where: tuple[StateGraph, Property], seen: set[Kind], more: int
    ) -> None:
        graph, prop = where
        for order in self._orders(graph, prop):
            if len(finding.others) == more:
                return
            kind = self.kinds.whoever(order)
            if kind not in seen and is_minimal(self.system, order, prop):
                document = tell_evidence(self.system, Evidence(list(order)), prop, self.origin)
                faults = ", ".join(sorted(kind[0])) or "no interference"
                self._add(finding, seen, order, (f"another event order, with {faults}", document))
            seen.add(kind)

    def _add(self, finding: Finding, seen: set[Kind], events: Run, told: tuple[str, Trace]) -> None:
        kind, (differs, trace) = self.kinds.whoever(events), told
        if kind not in seen:
            seen.add(kind)
            finding.others.append(Other(differs, len(events), trace))

    def _replayed(self, trace: Trace) -> Run:
        return tuple(replay(self.family, trace, self.system.capacity).events)

    # -- orders of the design as it is ----------------------------------------------------------
    def _orders(self, graph: StateGraph, prop: Property) -> Iterator[Run]:
        """Yield runs that break ``prop``: the shortest first, in the canonical order of runs.

        Levels are gone through as long as few enough states lie on the way to a violation.
        """
        for level in range(expanded_levels(graph)):
            states = graph.breaking(prop, level)
            if not states:
                continue
            path = [set(states)]
            for above in range(level - 1, -1, -1):
                if len(path[-1]) > WIDE:
                    return
                path.append(set(graph.sources(above, path[-1])))
            found: list[Run] = []
            for runs in self._runs(graph, path[::-1]):
                for events in runs:
                    found += self._endings(events, prop)
            yield from sorted(found, key=self._rank)

    def _runs(self, graph: StateGraph, path: list[set[int]]) -> list[list[Run]]:
        """Return for each state of the last level some runs to it, no two of one kind.

        There are as many of them for all states that have one representative.
        """
        starts = [behind(self.system, state) for state in self.system.initials]
        runs: list[tuple[Behind, list[Run]]] = [(start, [()]) for start in starts]
        for targets in path[1:]:
            wanted = {graph.state(number) for number in targets}
            found: dict[State, list[Run]] = {}
            ends: dict[State, Behind] = {}
            for here, known in runs:
                for event, to in here.steps(self.system):
                    if to.representative in wanted:
                        ends[to.state] = to
                        runs_there = found.setdefault(to.representative, [])
                        runs_there.extend((*run, event) for run in known)
            kept: dict[State, list[Run]] = {}
            for run in itertools.chain.from_iterable(map(self._different, found.values())):
                kept.setdefault(run[-1].after, []).append(run)
            runs = [(ends[state], known) for state, known in kept.items()]
        return [known for _, known in runs]

    def _different(self, runs: list[Run]) -> list[Run]:
        kept: dict[Kind, Run] = {}
        for events in sorted(runs, key=self._rank):
            kept.setdefault(self.kinds.exact(events), events)
            if len(kept) == EACH:
                break
        return list(kept.values())

    def _rank(self, events: Sequence[Event]) -> tuple[list[int], int, list[Key]]:
        """Return what decides between runs: interference, changes of actor, then names."""
        interference = [interference_of(self.system, event) for event in events]
        costs = [sum(each) for each in zip(*interference, strict=True)]
        actors = [self.system.actions[event.action].actor for event in events]
        changes = sum(a != b for a, b in itertools.pairwise(actors))
        return costs, changes, [event_key(self.system, e.action, e.args) for e in events]

    def _endings(self, events: Run, prop: Property) -> list[Run]:
        """Return a run as it is, or for a transition property with each event that breaks it."""
        if not prop.of_events:
            return [events]
        state = end_of(self.system, events)
        return [(*events, event) for event in breaking(self.system, state, prop)]
