"""Possibility and liveness over a complete state graph, with evidence.

Possibility (AG EF by the system's own events): a path into a state from which the goal cannot
be reached, with the size of the trap. Liveness under fairness, class by class: a lasso, or a path
to a state in which nothing more has to happen. No loop holds interference. Stems are shortest;
loops meet the obligations of fairness one after another and need not be. Which of several is shown
follows the order of events by name and arguments, never the numbering of states.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cutting import check_cut
from fencecheck.explore.graph import Broken, Search, StateGraph
from fencecheck.explore.interrupt import heard
from fencecheck.explore.machine import available, resident
from fencecheck.explore.shortest import shortest_run, start_of
from fencecheck.explore.watch import lasting_truths
from fencecheck.model.property import Liveness, Possibility, Property, Recurrence
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, time_left, time_limit
from fencecheck.properties.evidence import Evidence
from fencecheck.properties.path import Flags, NumberedGraph, Path
from fencecheck.properties.stems import NeededStems, Stems, StemsLeftOpen
from fencecheck.runs.event import Event
from fencecheck.runs.run import beyond, way_on
from fencecheck.runs.told.behind import behind

_EDGE_BYTES, _STATE_BYTES = 10, 120  # of these arrays and of graph_algorithms.py
_ALWAYS = 100_000  # states whose edges fit beside what a process takes anyway


def room_for(search: Search, memory: int | None) -> bool:
    """Tell whether the edges of a complete graph, and walks over them, fit the memory allowed.

    ``memory`` is what the process may take in all; None is what the machine has free.
    """
    return fits(search.count, search.transitions, memory)


def fits(states: int, edges: int, memory: int | None) -> bool:
    """Tell the same of so many states with so many edges."""
    needed = _EDGE_BYTES * edges + _STATE_BYTES * states
    room = available() if memory is None else memory - resident()
    return states < _ALWAYS or needed <= room


class _Behaviour(NamedTuple):
    """Fair behaviours: from ``starts`` within ``live`` into ``ends``, and there for ever.

    They stay in a ``fair`` component, or rest where there is none, and take a ``must`` for ever.
    """

    starts: Flags
    live: Flags
    ends: Flags
    component: npt.NDArray[np.int64]
    fair: Flags
    must: frozenset[int] | set[int] = frozenset()


class TemporalJudge(NumberedGraph):
    """Judges the temporal properties of one complete graph.

    ``properties`` are those that were watched in the search. A limit on time that is in force when
    the judge is made holds for all that it judges.
    """

    def __init__(self, system: System, graph: StateGraph, properties: Sequence[Property]) -> None:
        truths = lasting_truths(properties)
        self.bits = {(t.name, t.instance, str(t.part)): bit for bit, t in enumerate(truths)}
        self.initials = graph.search.levels[1]
        super().__init__(system, graph, truths)
        self.until = time.monotonic() + time_left()
        self._judged: dict[str, Evidence | None] = {}

    def settles(self, prop: Property) -> bool:
        """Tell whether the graph says how a property breaks, or that it holds.

        A graph of all states does, and so does any for a possibility. A graph of needed states
        leaves it open where finding the stem would take too long (stems.py). Where judging is cut
        ``judge`` says so again.
        """
        try:
            self.judge(prop)
        except StemsLeftOpen:
            return False
        except TimeUp:
            return True
        except KeyboardInterrupt:
            if not heard():
                raise
        return True

    def judge(self, prop: Property) -> Evidence | None:
        """Return how a property breaks, or None where it holds.

        Of what it promises for several values, the one is shown whose evidence has the shortest
        stem, and the first of those. Raises TimeUp where time is up before that is known,
        KeyboardInterrupt where one was heard, StemsLeftOpen where the graph leaves it open.
        """
        if prop.name not in self._judged:
            with time_limit(self.until - time.monotonic()):
                check_cut()
                promised = range(len(prop.each()))
                found = [one for i in promised if (one := self._judge_one(prop, i)) is not None]
            least = min(found, key=lambda evidence: evidence.stem, default=None)
            self._judged[prop.name] = least
        return self._judged[prop.name]

    def ends(self, prop: Property, instance: int) -> list[int]:
        """Return the states in which a behaviour that breaks it may stay for ever, or end."""
        found: list[int] = np.flatnonzero(self._behaviour(prop, instance).ends).tolist()
        return found

    def _judge_one(self, prop: Property, instance: int) -> Evidence | None:
        if isinstance(prop, Possibility):
            trapped = self._trapped(prop, instance)
            return None if trapped is None else self._into_trap(prop, trapped)
        return self._lasso(self._behaviour(prop, instance))

    def _behaviour(self, prop: Property, instance: int) -> _Behaviour:
        """Return the behaviours that break a property of what happens for ever."""
        holds = self._truth(prop, instance, "holds")
        if isinstance(prop, Recurrence):
            return self._recurrence(self._labels_of(prop, instance), holds)
        starts = np.zeros_like(holds)
        if isinstance(prop, Liveness):
            starts[: self.initials] = 1
        else:
            starts = self._truth(prop, instance, "trigger")
        return self._avoidance(starts, (holds == 0).astype(np.uint8))

    def _truth(self, prop: Property, instance: int, part: str) -> Flags:
        return self.edges.holds(self.bits[prop.name, instance, part])

    def triggered(self, prop: Property) -> bool:
        """Tell whether a property was put to the test: by its trigger, or as its class says.

        One value of those for which it is promised is enough.
        """
        return any(self._triggered_one(prop, i) for i in range(len(prop.each())))

    def _triggered_one(self, prop: Property, instance: int) -> bool:
        if prop.trigger is not None:
            return bool(self._truth(prop, instance, "trigger").any())
        if isinstance(prop, Recurrence):
            return bool(np.isin(self.edges.labels, list(self._labels_of(prop, instance))).any())
        missing = self._truth(prop, instance, "holds") == 0
        return bool((missing[: self.initials] if isinstance(prop, Liveness) else missing).any())

    def _labels_of(self, prop: Property, instance: int) -> set[int]:
        values = prop.each()[instance].values
        return {label for event in prop.events for label in self.classes.labels_of(event, values)}

    # -- possibility ----------------------------------------------------------------------------
    def _trapped(self, prop: Property, instance: int) -> Broken | None:
        """Return the nearest states from which the system's own events do not lead to the goal."""
        good = self._truth(prop, instance, "holds")
        for held in self.edges.held.values():
            good |= held
        self.walks.reach(*self.backwards(self.own), good)
        trapped = np.flatnonzero(good == 0)
        if not len(trapped):
            return None
        levels = self.graph.search.levels
        depth = int(np.searchsorted(levels, trapped[0], side="right")) - 1
        return Broken(depth, trapped[trapped < levels[depth + 1]].tolist(), in_event=False)

    def _into_trap(self, prop: Property, broken: Broken) -> Evidence:
        """Return the canonical run into the nearest states from which there is no way out."""
        events = shortest_run(self.system, self.graph, broken, prop)
        start = start_of(self.system, self.graph, broken, events)
        system = self.system.starting(start)
        onward, loop = way_on(system, events)
        trap, whole = beyond(system, events)
        return Evidence(
            events,
            trap=len(trap),
            whole=whole,
            onward=tuple(onward),
            onward_loop=loop,
            start=start,
        )

    # -- liveness -------------------------------------------------------------------------------
    def _avoidance(self, starts: Flags, live: Flags) -> _Behaviour:
        """Return the fair behaviours that stay in ``live`` for ever from a start."""
        component, fair = self._fair(live)
        ends = self._resting() & live
        inside = component >= 0
        ends[inside] |= fair[component[inside]]
        return _Behaviour(starts & live, live, ends, component, fair)

    def _recurrence(self, must: set[int], excuse: Flags) -> _Behaviour:
        """Return the fair behaviours with one of these classes for ever that avoid what excuses it.

        What it avoids is taken out before components are looked for: a component may pass through
        an excusing state and have a fair cycle that does not.
        """
        component, fair = self._fair((excuse == 0).astype(np.uint8))
        wanted = np.zeros_like(self.own)
        wanted[list(must)] = 1
        if len(fair):
            edges = self.lasting
            fair &= self.walks.inner_edges(
                edges.offsets, edges.targets, edges.labels, component, wanted, len(fair)
            )
        live = np.ones_like(excuse)
        ends = np.zeros_like(live)
        inside = component >= 0
        ends[inside] = fair[component[inside]]
        starts = np.zeros_like(live)
        starts[: self.initials] = 1
        return _Behaviour(starts, live, ends, component, fair, must)

    def _fair(self, live: Flags) -> tuple[npt.NDArray[np.int64], Flags]:
        """Return the component of each state that lies on a cycle within ``live``, and fairness.

        Where a class that is owed strong fairness is possible in a component that never takes it,
        a fair behaviour stays away from there: these states are taken out, and what is left is
        looked through again (as for Streett's acceptance: Emerson and Lei, 1987).
        """
        edges = self.lasting
        while True:
            component, fair = self._weakly_fair(live)
            if not self.strong.any() or not len(fair):
                return component, fair
            starved = self.walks.starved_states(
                edges.offsets, edges.targets, edges.labels, component, len(fair), self.strong
            )
            for label in self._held_and_owed():
                if self.strong[label]:
                    without = np.append(self._taken(label, component, len(fair)) == 0, False)
                    starved |= self.edges.held[label] & without[component]
            if not starved.any():
                return component, fair
            live = live & (starved == 0)

    def _weakly_fair(self, live: Flags) -> tuple[npt.NDArray[np.int64], Flags]:
        """Return components and fairness where every class is owed no more than weak fairness."""
        edges, walks = self.lasting, self.walks
        component, count = walks.components(edges.offsets, edges.targets, live)
        every = np.ones_like(self.own)
        cyclic = walks.inner_edges(
            edges.offsets, edges.targets, edges.labels, component, every, count
        )
        numbers = np.cumsum(cyclic, dtype=np.int64) - 1
        numbers[cyclic == 0] = -1
        inside = component >= 0
        component[inside] = numbers[component[inside]]
        kept = int(cyclic.sum())
        fair = walks.fair_components(
            edges.offsets, edges.targets, edges.labels, component, kept, self.owed
        )
        for label in self._held_and_owed():
            fair &= self._excused(label, component, kept)
        return component, fair

    def _held_and_owed(self) -> list[int]:
        return [label for label in self.edges.held if self.owed[label]]

    def _taken(self, label: int, component: npt.NDArray[np.int64], count: int) -> Flags:
        """Return which components take a class inside."""
        edges, found = self.lasting, np.zeros(count, np.uint8)
        hits = np.flatnonzero(edges.labels == label)
        homes = component[np.searchsorted(edges.offsets, hits, side="right") - 1]
        found[homes[(homes >= 0) & (homes == component[edges.targets[hits]])]] = 1
        return found

    def _excused(self, label: int, component: npt.NDArray[np.int64], count: int) -> Flags:
        """Return which components excuse a class that is possible too where it is held back."""
        edges, possible = self.edges, self.edges.held[label].copy()
        hits = np.flatnonzero(edges.labels == label)
        possible[np.searchsorted(edges.offsets, hits, side="right") - 1] = 1
        excused = self._taken(label, component, count)
        excused[component[(component >= 0) & (possible == 0)]] = 1
        return excused

    def _resting(self) -> Flags:
        """Return the states in which a fair behaviour may end: nothing there has to happen."""
        rest: Flags = self.walks.quiet_states(self.edges.offsets, self.edges.labels, self.owed)
        for label in self._held_and_owed():
            rest &= self.edges.held[label] == 0
        return rest

    def _stems(self, behaviour: _Behaviour) -> Stems:
        """Return the ways into the ends of a behaviour."""
        ends, kind = behaviour.ends, Stems
        if self.graph.search.dominance:
            # a state is an end, or none, whatever is left of budgets
            of_rests = np.zeros(len(ends), np.uint8)
            of_rests[self.rests[ends == 1]] = 1
            ends, kind = of_rests[self.rests], NeededStems
        distance = self.walks.distances(*self.backwards(), behaviour.live, ends)
        return kind(self, behaviour.live, distance)

    def _lasso(self, behaviour: _Behaviour) -> Evidence | None:
        """Return a stem by way of a start into ``ends``, and a loop there."""
        if not (behaviour.ends.any() and behaviour.starts.any()):
            return None
        stems = self._stems(behaviour)
        found = self._start(stems, np.flatnonzero(behaviour.starts & (stems.distance >= 0)))
        if found is None:
            return None
        number, stem = found
        begins = start_of(self.system, self.graph, Broken(0, [number], in_event=False), stem)
        path = Path(self, number, (begins, stem))
        stems.follow(path)
        start, component = len(path.events), behaviour.component
        path.go_on_from(self._home(behaviour, path.number))
        if component[path.number] < 0 or not behaviour.fair[component[path.number]]:
            own = self.walks.quiet_states(self.edges.offsets, self.edges.labels, self.own)
            return Evidence(path.events, rests=not own[path.number], start=begins)
        self._loop(path, (component == component[path.number]).astype(np.uint8), behaviour.must)
        usual = all(action.fair == "weak" for action in self.system.actions)
        return Evidence(path.events, loop_start=start, usual=usual, start=begins)

    def _start(self, stems: Stems, useful: Any) -> tuple[int, list[Event]] | None:
        """Return the start to show, and the canonical run to it; None if none has a way to an end.

        That is the initial state with the shortest way, or else the nearest of the others.
        """
        initial = useful[useful < self.initials].tolist()
        ways = [(far, n) for n in initial if (far := stems.length(n)) is not None]
        if ways:
            least = min(far for far, _ in ways)
            return self._first_of([n for far, n in ways if far == least]), []
        useful = useful[useful >= self.initials]
        while len(useful):
            number, stem = self._nearest(useful)
            if stems.length(number) is not None:
                return number, stem
            useful = useful[useful != number]
        return None

    def _first_of(self, initial: list[int]) -> int:
        """Return the initial state that is shown of some, whatever their numbers."""
        begins = start_of(self.system, self.graph, Broken(0, initial, in_event=False), [])
        state = self.system.representative(begins)
        return next(n for n in initial if self.graph.state(n) == state)

    def _nearest(self, useful: Any) -> tuple[int, list[Event]]:
        """Return the nearest of some states, no initial ones, and the canonical run to it."""
        levels = self.graph.search.levels
        depth = int(np.searchsorted(levels, useful[0], side="right")) - 1
        nearest = useful[useful < levels[depth + 1]].tolist()
        stem = shortest_run(self.system, self.graph, Broken(depth, nearest, in_event=False), None)
        start = behind(self.system, stem[0].before).along(self.system, stem)
        return next(n for n in nearest if self.graph.state(n) == start.representative), stem

    def _home(self, behaviour: _Behaviour, number: int) -> int:
        """Return the state of the same rest around which all of a fair component is kept.

        In a graph of needed states less of it may be kept for a state of which less is left. Where
        there is no such component it is the state itself.
        """
        if not self.graph.search.dominance:
            return number
        component = behaviour.component
        fair = np.append(behaviour.fair, 0)[component] == 1
        same = np.flatnonzero((self.rests == self.rests[number]) & fair)
        sizes = np.bincount(component[component >= 0])
        return max(same.tolist(), key=lambda n: int(sizes[component[n]]), default=number)

    def _loop(self, path: Path, member: Flags, must: frozenset[int] | set[int]) -> None:
        """Extend a path by a loop that excuses every fairness class and takes a ``must`` edge."""
        start, first = path.number, len(path.events)
        path.for_ever = True
        home = np.zeros_like(member)
        home[start] = 1
        edges = self.edges
        if must:
            path.take_one_of(member, must)
        for label in sorted(np.flatnonzero(self.owed).tolist(), key=self.classes.key):
            if self.strong[label] and path.can_take(member, label):
                if label not in path.labels[first:]:
                    path.take_one_of(member, {label})
            elif not path.excuses(int(label), first):
                goals = self.walks.excusing_states(
                    edges.offsets, edges.targets, edges.labels, member, label
                )
                if label in edges.held:
                    goals &= (edges.held[label] == 0) | path.taking(member, {label})
                path.towards(goals, member)
                if not path.disabled(int(label)):
                    path.take_one_of(member, {int(label)})
        if len(path.events) == first:
            path.step(member, None)
        path.towards(home, member)
        path.close(first)
