"""The choice of engine, for every command: which engine explores, up to which limits.

In: a System, what to watch, the limits; the engine that was asked for. Out: a StateGraph. ``auto``
begins with the reference engine and goes over to the compiled one after some hundreds of states
where the kernel is kept from earlier (at once where that engine is loaded), else when a space turns
out to be large, or when searches that could have shared one kernel have taken so long that making
it pays. No result depends on the choice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field, replace
from typing import Literal
from weakref import WeakKeyDictionary

from fencecheck.explore import interrupt
from fencecheck.explore.dominance import spent_budgets
from fencecheck.explore.graph import Limits, StateGraph
from fencecheck.explore.machine import address_room
from fencecheck.explore.reference import explore
from fencecheck.explore.resources import Resources, Tick
from fencecheck.explore.watch import Watch
from fencecheck.model.lower.lowered import Lowered
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp

EngineName = Literal["auto", "reference", "compiled"]
_Asked = tuple[System, Watch, Limits]
_Engine = Callable[[System, Watch, Limits], StateGraph]
SMALL = 8_000  # states that ``auto`` leaves to the reference engine
FEW = 256  # states expanded after which ``auto`` asks whether the kernel is kept
AGAIN = 0  # the same, where the compiled engine was loaded before
NODES = 20  # nodes of a model for which drafting takes as long as expanding one state, about
PATIENCE = 5e-4  # seconds that making kernels takes for each node of a model, about

_ENGINE = "fencecheck.explore.compiled.engine"
LIBRARIES = 192 << 20  # bytes of addresses that the compiled engine's libraries take, about


Spent = MutableMapping[Lowered, float]


@dataclass
class Explorer:
    """Explores with one choice of engine; ``shared`` says that its searches share one kernel.

    ``spent`` are the seconds that the reference engine took for systems of each lowering.
    """

    engine: EngineName = "auto"
    resources: Resources = field(default_factory=Resources)
    shared: bool = False
    spent: Spent = field(default_factory=WeakKeyDictionary)
    _has_kernel: bool = False

    def explore(self, system: System, watch: Watch, limits: Limits) -> StateGraph:
        """Explore every state reachable from the initial one, up to ``limits``.

        Where these ask for dominance, a space of SMALL states is explored exactly all the same, and
        so is one that is kept in files.
        """
        if not limits.dominance:
            return self._explore(system, watch, limits)
        exact, within = replace(limits, dominance=False), min(SMALL, limits.states or SMALL)
        in_files = self.resources.spill or self.resources.checkpoint
        if in_files or within == limits.states or not spent_budgets(system, watch):
            return self._explore(system, watch, exact)
        graph = self._explore(system, watch, replace(exact, states=within))
        if graph.search.stopped_by != "states":
            return graph
        engine = self._by_reference if self.engine == "reference" else self._by_kernel
        return self._beyond(graph, engine, (system, watch, limits))

    def _explore(self, system: System, watch: Watch, limits: Limits) -> StateGraph:
        """Explore every state."""
        if self.engine == "compiled" or self._has_kernel or self._pays(system, limits):
            return self._by_kernel(system, watch, limits)
        own = limits if self.engine == "reference" else self._small(system, limits)
        # where memory is short, the engine that needs least of it goes as far as it did
        ask = self.engine == "auto" and limits.memory is None
        leaving = _Leaving(system, watch) if ask else None
        graph = explore(system, watch, own, self.resources.progress, leaving)
        search = graph.search
        self.spent[system.lowered] = self.spent.get(system.lowered, 0.0) + search.seconds
        if (
            search.stopped_by == "left"
            or (search.stopped_by == "states" and own.states != limits.states)
            or (search.stopped_by == "time" and own.seconds != limits.seconds)
        ):
            return self._beyond(graph, self._by_kernel, (system, watch, limits))
        return graph

    def _beyond(self, graph: StateGraph, engine: _Engine, what: _Asked) -> StateGraph:
        """Explore again with an engine that goes farther; what was found stands where it cannot."""
        (system, watch, limits), search = what, graph.search
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(0.0, limits.seconds - search.seconds))
        try:
            return _farther(graph, engine(system, watch, limits))
        except TimeUp:
            search.stopped_by = "time"
        except KeyboardInterrupt:
            if not interrupt.heard():
                raise
            search.stopped_by = "interrupt"
        return graph

    def _by_reference(self, system: System, watch: Watch, limits: Limits) -> StateGraph:
        return explore(system, watch, limits, self.resources.progress)

    def _small(self, system: System, limits: Limits) -> Limits:
        """Return the limits of the reference engine, which may be nearer than those given."""
        states, seconds = limits.states, limits.seconds
        if states is None or states > SMALL:
            states = SMALL
        if self.shared:
            left = max(0.0, self._patience(system))
            seconds = left if seconds is None else min(seconds, left)
        return replace(limits, states=states, seconds=seconds)

    def _pays(self, system: System, limits: Limits) -> bool:
        """Return whether searches before this one have taken as long as making a kernel does."""
        known = self.engine == "auto" and limits.memory is None and system.lowered in self.spent
        return known and self._patience(system) < 0

    def _patience(self, system: System) -> float:
        """Return how many seconds more the reference engine may take for systems of a lowering."""
        return PATIENCE * system.lowered.size - self.spent.get(system.lowered, 0.0)

    def _by_kernel(self, system: System, watch: Watch, limits: Limits) -> StateGraph:
        try:
            _look_for_room()
            from fencecheck.explore.compiled.engine import explore_compiled
        except (MemoryError, OSError, ImportError) as error:
            if not isinstance(error, MemoryError) and address_room() is None:
                raise
            return _initial_only(system, watch, str(error))
        if self.resources.progress is not None:
            self.resources.progress(Tick(compiling=True))
        self._has_kernel = self.shared
        try:
            return explore_compiled(system, watch, limits, self.resources)
        except MemoryError as error:
            return _initial_only(system, watch, str(error))


class _Leaving:
    """Whether to leave a search to the compiled engine: asked now and then, answered once."""

    def __init__(self, system: System, watch: Watch) -> None:
        self.system, self.watch = system, watch
        self.answer: bool | None = None

    def __call__(self, expanded: int) -> bool:
        """Return whether the kernel is kept, once so much is done that asking costs little."""
        few = AGAIN if _ENGINE in sys.modules else FEW
        if not self.system.lowered.name:
            few = max(few, self.system.lowered.size // NODES)
        if expanded < few:
            return False
        if self.answer is None:
            self.answer = _is_made(self.system, self.watch)
        return self.answer


def _is_made(system: System, watch: Watch) -> bool:
    """Return whether the compiled engine can start at once; where it does not fit it cannot."""
    try:
        _look_for_room()
        from fencecheck.explore.compiled.kernel.compile import kernel_is_made

        return kernel_is_made(system, watch.properties)
    except (MemoryError, OSError, ImportError):
        return False


def _look_for_room() -> None:
    """Raise MemoryError where a limit on addresses leaves no room for the engine's libraries.

    It is not left to a try: what half of them leaves is too little to tell anything.
    """
    space = address_room()
    if space is not None and space < LIBRARIES and "llvmlite" not in sys.modules:
        raise MemoryError(f"its libraries need {LIBRARIES >> 20} MiB of addresses")


def _farther(small: StateGraph, large: StateGraph) -> StateGraph:
    """Return the second graph, or the first if the second was cut before it came as far."""
    cut = large.search.stopped_by in ("time", "memory", "interrupt")
    if not cut or large.search.count >= small.search.count:
        return large
    small.search.stopped_by = large.search.stopped_by
    small.search.warnings += large.search.warnings
    return small


def _initial_only(system: System, watch: Watch, why: str) -> StateGraph:
    """Return the search that explores nothing, since not even its engine fits the memory."""
    graph = explore(system, watch, Limits(states=1))
    search = graph.search
    search.engine = "compiled"
    if search.failure is None:
        search.stopped_by, search.complete = "memory", False
    search.warnings.append(f"the memory allowed does not hold the compiled engine ({why})")
    return graph
