"""An owner that also knows the edges of its states, and walks over them with the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cluster.owned_edges import ANY, OwnedEdges, Places
from fencecheck.explore.cluster.owner import PIECE, Owner
from fencecheck.explore.cluster.walks import (
    BackwardsWalk,
    Batch,
    Chosen,
    OwnedWalk,
    Trimming,
    WaysWalk,
)
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.compiled.storage.packing import Words
from fencecheck.explore.machine import resident
from fencecheck.explore.watch import lasting_truths


@dataclass(frozen=True)
class KeptStates:
    """States that are to be judged in one process: where they are, with all edges that leave them.

    ``degrees`` says how many edges each has; ``labels``, ``owners`` and ``places`` are of edges.
    ``marks`` are the bits of truths, and behind them those of the classes ``held`` back.
    """

    states: Ints
    degrees: Ints
    labels: npt.NDArray[np.uint16]
    owners: npt.NDArray[np.uint16]
    places: Places
    marks: npt.NDArray[np.uint32]
    held: tuple[int, ...]


class OwnerOfGraph(Owner):
    """One owner of a complete graph. Truths are numbers of lasting_truths (watch.py)."""

    edges: OwnedEdges
    walk: OwnedWalk
    distance: npt.NDArray[np.int32]
    kept: Chosen

    # -- edges ----------------------------------------------------------------------------------
    def has_room(self, needed: int) -> bool:
        """Tell whether so many bytes more fit the memory that it may take."""
        return resident() + needed <= self.task.memory

    def begin_edges(self) -> int:
        """Begin to make edges; return in how many pieces."""
        of = self.system, self.kernel.packing, lasting_truths(self.watched)
        self.edges = OwnedEdges(of, self.store, self.task.dealing, self.task.number)
        return -(-self.store.count // PIECE)

    def expand_edges(self, piece: int) -> list[Words]:
        """Expand a piece of its states; return the successors that each owner is to find."""
        first = piece * PIECE
        return self.edges.expanded(first, min(self.store.count, first + PIECE))

    def find(self, senders: list[int], *batches: Words) -> list[Places]:
        """Return for each owner where the successors that it sent are."""
        found = {i: self.edges.places_of(b) for i, b in zip(senders, batches, strict=True)}
        return [found.get(i, np.empty(0, np.uint32)) for i in range(self.task.dealing.owners)]

    def note_places(self, piece: int, *answers: Places) -> None:
        """Note where the successors of a piece are, by what each owner says."""
        self.edges.note(piece, answers)

    def end_edges(self) -> list[npt.NDArray[np.uint32]]:
        """Return for each owner the edges that lead there."""
        return self.edges.end()

    def turn_edges(self, *led: npt.NDArray[np.uint32]) -> int:
        """Take the edges that lead to its states; return how many leave them."""
        self.edges.turn(led)
        return len(self.edges.labels)

    def met(self) -> tuple[Any, Any, set[int]]:
        """Return which truths hold anywhere, which everywhere, as bits, and the labels of edges."""
        marks = self.edges.marks
        return (
            np.bitwise_or.reduce(marks, axis=0),
            np.bitwise_and.reduce(marks, axis=0),
            set(np.unique(self.edges.labels).tolist()),
        )

    # -- walks ----------------------------------------------------------------------------------
    def begin_backwards(
        self, kind: int, goal: int | None, avoided: int | None, ends: tuple[Ints, bool]
    ) -> int:
        """Begin to walk back; return how many states the first round has.

        By edges of a ``kind``, to where the truth ``goal`` holds or a bound holds anything back;
        without a goal to the places ``ends``, and to where a fair behaviour may rest if they say
        so. Ways stay where the truth ``avoided`` does not hold.
        """
        edges = self.edges
        within = np.ones(edges.count, np.bool_) if avoided is None else ~edges.holds(avoided)
        if goal is not None:
            chosen = edges.holds(goal) | edges.any_held(owed=False)
        else:
            places, rest = ends
            chosen = edges.resting() if rest else np.zeros(edges.count, np.bool_)
            chosen[places] = True
        walk = BackwardsWalk(edges, kind, within, chosen)
        self.walk, self.distance = walk, walk.distance
        return len(walk.fresh)

    def begin_trimming(self, avoided: int) -> int:
        """Begin to look for what may lie on a cycle where the truth ``avoided`` does not hold."""
        walk = Trimming(self.edges, ~self.edges.holds(avoided))
        self.walk, self.kept = walk, walk.left
        return len(walk.fresh)

    def begin_ways(self, starts: Ints) -> int:
        """Begin to keep what is on shortest ways on from ``starts``, by the last walk back."""
        walk = WaysWalk(self.edges, self.distance, starts)
        self.walk = walk
        return len(walk.fresh)

    def send(self) -> list[Batch]:
        """Return what its states of this round mean to each owner."""
        return self.walk.send()

    def take_sent(self, *batches: Batch) -> int:
        """Take what all owners sent; return how many states its next round has."""
        return self.walk.take(batches)

    def keep_met(self) -> None:
        """Keep what the last walk met too."""
        assert isinstance(self.walk, WaysWalk)
        self.kept = self.kept | self.walk.met

    # -- what came of a walk back ---------------------------------------------------------------
    def first_without(self) -> int | None:
        """Return the first level with a state from which there was no way."""
        found = np.flatnonzero(self.distance < 0)
        return self._level_of(int(found[0])) if len(found) else None

    def without(self, level: int) -> Ints:
        """Return the states of a level from which there was no way, by their places in it."""
        first, end = self.levels[level : level + 2]
        return np.flatnonzero(self.distance[first:end] < 0)

    def first_start(self, trigger: int | None) -> tuple[int, Ints, npt.NDArray[np.int32]] | None:
        """Return the first level with a start that has a way, those in it, and how long ways are.

        Starts are where a truth holds; without one they are the initial states.
        """
        if trigger is None:
            found = np.flatnonzero(self.distance[: self.levels[1]] >= 0)
        else:
            found = np.flatnonzero(self.edges.holds(trigger) & (self.distance >= 0))
        if not len(found):
            return None
        level = self._level_of(int(found[0]))
        found = found[found < self.levels[level + 1]]
        return level, found - self.levels[level], self.distance[found]

    def _level_of(self, place: int) -> int:
        return int(np.searchsorted(self.levels, place, side="right")) - 1

    # -- what is kept ---------------------------------------------------------------------------
    def kept_size(self) -> tuple[int, int]:
        """Return how many states are kept, and how many edges leave them."""
        return int(self.kept.sum()), int(self.edges.out.degrees(ANY)[self.kept].sum())

    def kept_states(self) -> KeptStates:
        """Return what is kept."""
        edges, states = self.edges, np.flatnonzero(self.kept)
        of, _ = edges.out.of(states)
        degrees = edges.out.offsets[states + 1] - edges.out.offsets[states]
        where = edges.out.owners[of], edges.out.places[of]
        return KeptStates(
            states, degrees, edges.labels[of], *where, edges.marks[states], edges.held
        )
