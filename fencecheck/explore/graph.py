"""StateGraph: what an exploration found, the same whichever engine made it.

States are numbered in breadth-first order; the states of one depth are a level. A search that
was cut says by what; the states it did not expand are its last level and never count as
deadlocks. ``broken`` holds, for each property, the first depth at which it breaks and the states
there, from which shortest.py chooses the counterexample.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cutting import check_cut
from fencecheck.explore.edges import TRUTHS_IN_A_WORD, EdgeArrays, LastingTruth
from fencecheck.model.property import Property
from fencecheck.model.system import State, System
from fencecheck.model.time_limit import time_left
from fencecheck.runs.event import execute, is_quiet
from fencecheck.runs.fairness import Classes

Edge = tuple[int, tuple[Any, ...], int]
_GLANCE = 1_024  # states between two looks at the clock


@dataclass(frozen=True)
class Limits:
    """Where a search stops: distinct states, bytes of memory, seconds (None: no limit).

    With ``dominance`` it keeps only the states that are needed (dominance.py). With ``broken`` it
    also stops, as ``broken``, at the end of the level in which one of these properties breaks: for
    whoever asks only whether all of them hold.
    """

    states: int | None = None
    memory: int | None = None
    seconds: float | None = None
    broken: frozenset[str] = frozenset()
    dominance: bool = False

    def deadline(self) -> float:
        """Return the monotonic time at which the search must stop.

        A limit on the time for the whole question (model/time_limit.py) holds too.
        """
        own = float("inf") if self.seconds is None else self.seconds
        return time.monotonic() + min(own, time_left())


@dataclass
class Broken:
    """Where something first goes wrong: after how many events, and from which states.

    For what breaks in an event (``in_event``) these are the states before it, one level up.
    """

    events: int
    states: list[int]
    in_event: bool


@dataclass
class Search:
    """The outcome of an exploration that does not depend on how states are kept.

    ``levels[d]`` is the number of the first state of depth d; the last entry is the count.
    Under ``dominance`` these are the states that are needed by what is left of the budgets
    ``spent``, and edges to others lead to what covers them (dominance.py). ``cut`` is how many
    states a constraint of the model kept from being expanded. ``happened`` are the actions of all
    edges; ``held_back`` are pairs of an action that was ever held back and the bound that did.
    ``failure`` is set where the model itself went wrong (StateError). ``warnings`` are what people
    should know of a search although it changes no verdict.
    """

    levels: list[int] = field(default_factory=lambda: [0, 1])
    transitions: int = 0
    complete: bool = False
    stopped_by: str | None = None
    cut: int = 0
    broken: dict[str, Broken] = field(default_factory=dict)
    triggered: set[str] = field(default_factory=set)
    happened: set[int] = field(default_factory=set)
    held_back: set[tuple[int, str]] = field(default_factory=set)
    failure: Broken | None = None
    engine: str = "reference"
    threads: int = 1
    seconds: float = 0.0
    spent: tuple[str, ...] = ()
    warnings: list[str] = field(default_factory=list)

    @property
    def dominance(self) -> bool:
        """Tell whether states that are not needed were left out."""
        return bool(self.spent)

    @property
    def count(self) -> int:
        """Return the number of distinct states."""
        return self.levels[-1]

    @property
    def depth(self) -> int:
        """Return the depth of the deepest state found, in events."""
        return len(self.levels) - 2


class StateGraph(Protocol):
    """A search with its states and edges: all that is known of them outside of ``explore``."""

    search: Search

    def state(self, number: int) -> State:
        """Return state ``number`` in breadth-first order."""
        ...

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        ...

    def out_edges(self, number: int) -> list[Edge]:
        """Return the edges of an expanded state, in the order of its events."""
        ...

    def edge_arrays(self, truths: Sequence[LastingTruth]) -> EdgeArrays:
        """Return all edges of a complete graph, and which ``truths`` hold in its states.

        The truths are those that were watched (watch.py), in that order.
        Raises TimeUp or KeyboardInterrupt where it is cut (cutting.py).
        """
        ...

    def rests(self) -> npt.NDArray[np.int64]:
        """Return for each state a number that it shares with those of the same rest.

        These differ in nothing but what is left of the budgets by which the search left states out.
        """
        ...

    def left_in(self, level: int, budgets: Sequence[str]) -> npt.NDArray[np.int64]:
        """Return what is left of budgets with a number (columns) in the states of a level (rows).

        The states are in the order of their numbers.
        """
        ...

    def event_counts(self) -> npt.NDArray[np.int64]:
        """Return how many edges of each action (columns) lead to each depth (rows)."""
        ...

    def breaking(self, prop: Property, level: int) -> list[int]:
        """Return the states of an expanded level at which a watched property of safety breaks.

        For a property of events: the states out of which an event breaks it. Ascending.
        """
        ...


def expanded_levels(graph: StateGraph) -> int:
    """Return how many levels were expanded: of a search that was cut, all but the last."""
    return len(graph.search.levels) - (1 if graph.search.complete else 2)


@dataclass
class MemoryGraph:
    """A StateGraph of Python objects, as the reference engine makes it.

    ``marks`` has, for each state, the truths that the watch's temporal properties need, as bits.
    ``held`` are the events that a bound held back, each with its state.
    """

    system: System
    search: Search = field(default_factory=Search)
    states: list[State] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    held: list[tuple[int, int, tuple[Any, ...]]] = field(default_factory=list)

    def state(self, number: int) -> State:
        """Return state ``number`` in breadth-first order."""
        return self.states[number]

    def sources(self, level: int, targets: set[int]) -> list[int]:
        """Return the states of ``level`` from which an event leads into ``targets``, ascending."""
        first, last = self.search.levels[level], self.search.levels[level + 1]
        return [
            source
            for source in range(first, min(last, len(self.edges)))
            if any(target in targets for _, _, target in self.edges[source])
        ]

    def out_edges(self, number: int) -> list[Edge]:
        """Return the edges of an expanded state, in the order of its events."""
        return self.edges[number] if number < len(self.edges) else []

    def _all_edges(self) -> Iterator[Edge]:
        for number, edges in enumerate(self.edges):
            if number % _GLANCE == 0:
                check_cut()
            yield from edges

    def edge_arrays(self, truths: Sequence[LastingTruth]) -> EdgeArrays:
        """Return all edges of a complete graph, and which ``truths`` hold in its states."""
        classes = Classes(self.system)
        offsets = np.zeros(len(self.states) + 1, np.int64)
        offsets[1:] = np.cumsum([len(edges) for edges in self.edges])
        targets = np.fromiter((target for _, _, target in self._all_edges()), np.uint32)
        labels = np.fromiter(
            (classes.label(action, args) for action, args, _ in self._all_edges()), np.uint16
        )
        words = 1 + max(0, len(truths) - 1) // TRUTHS_IN_A_WORD
        marks = np.zeros((len(self.states), words), np.uint32)
        for word in range(words):
            marks[:, word] = [m >> TRUTHS_IN_A_WORD * word & 0xFFFFFFFF for m in self.marks]
        return EdgeArrays(offsets, targets, labels, marks, classes, self._held(classes))

    def _held(self, classes: Classes) -> dict[int, npt.NDArray[np.uint8]]:
        found = dict[int, npt.NDArray[np.uint8]]()
        for number, action, args in self.held:
            if not self.system.actions[action].interference:
                where = np.zeros(len(self.states), np.uint8)
                found.setdefault(classes.label(action, args), where)[number] = 1
        return found

    def rests(self) -> npt.NDArray[np.int64]:
        """Return for each state a number that it shares with those of the same rest."""
        names, spent = self.system.names, self.search.spent
        places, numbers = [i for i, n in enumerate(names) if n not in spent], dict[State, int]()
        rests = (tuple([state[i] for i in places]) for state in self.states)
        return np.fromiter((numbers.setdefault(rest, len(numbers)) for rest in rests), np.int64)

    def left_in(self, level: int, budgets: Sequence[str]) -> npt.NDArray[np.int64]:
        """Return what is left of budgets (columns) in the states of a level (rows)."""
        states = self.states[slice(*self.search.levels[level : level + 2])]
        left = np.zeros((len(states), len(budgets)), np.int64)
        for column, name in enumerate(budgets):
            place = self.system.place[name]
            left[:, column] = [state[place] for state in states]
        return left

    def event_counts(self) -> npt.NDArray[np.int64]:
        """Return how many edges of each action (columns) lead to each depth (rows)."""
        counts = np.zeros((self.search.depth + 2, len(self.system.actions)), np.int64)
        for depth, (first, last) in enumerate(itertools.pairwise(self.search.levels)):
            for action, _, _ in itertools.chain.from_iterable(self.edges[first:last]):
                counts[depth + 1, action] += 1
        return counts

    def breaking(self, prop: Property, level: int) -> list[int]:
        """Return the states of an expanded level at which a watched property breaks, ascending."""
        first, last = self.search.levels[level : level + 2]
        return [number for number in range(first, last) if self._breaks(prop, number)]

    def _breaks(self, prop: Property, number: int) -> bool:
        system = self.system
        view = system.view(self.states[number])
        quiet = is_quiet(system, self.states[number])
        if not prop.evaluate_state(view) or (quiet and not prop.evaluate_end(view)):
            return True
        return not all(
            prop.evaluate_event(system.actions[action], args, view, system.view(after))
            for action, args, after in self._afters(number)
        )

    def _afters(self, number: int) -> Iterator[tuple[int, tuple[Any, ...], State]]:
        """Yield the events of a state with the very states that they lead to."""
        system = self.system
        for action, args, target in self.edges[number]:
            if system.representatives:
                yield action, args, execute(system, self.states[number], action, args).after
            else:
                yield action, args, self.states[target]
