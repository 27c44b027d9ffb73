"""Walks over a graph whose edges are with owners: one owner's part of each, level by level.

A walk goes by rounds: each owner sends the others what its states of the last round mean for
theirs, and takes what they send; it ends when no owner has a state for the next round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fencecheck.explore.cluster.owned_edges import ANY, LASTING, Ends, OwnedEdges, Places

Chosen = npt.NDArray[np.bool_]
Batch = tuple[npt.NDArray[Any], npt.NDArray[Any]]  # what two arrays mean, each walk says
_NOTHING = np.empty(0, np.uint32)


class OwnedWalk(Protocol):
    """One owner's part of a walk; ``fresh`` are its states of the last round, by place."""

    fresh: npt.NDArray[Any]

    def send(self) -> list[Batch]:
        """Return for each owner, itself among them, what the states of this round mean there."""
        ...

    def take(self, batches: Sequence[Batch]) -> int:
        """Take what all owners sent; return how many states the next round has."""
        ...


class BackwardsWalk:
    """How many edges of a kind a shortest way to a state of ``ends`` has, by levels of distance.

    Ways stay ``within``; ``distance`` is -1 for states from which there is none.
    """

    def __init__(self, edges: OwnedEdges, kind: int, within: Chosen, ends: Chosen) -> None:
        self.edges, self.kind, self.within = edges, kind, within
        self.distance = np.full(edges.count, -1, np.int32)
        self.fresh: npt.NDArray[Any] = np.flatnonzero(ends & within)
        self.distance[self.fresh], self.level = 0, 0

    def send(self) -> list[Batch]:
        """Return for each owner which of its states lead to those of this round."""
        self.level += 1
        _, sources = _beyond(self.edges.into, self.fresh, self.kind, self.edges.dealing.owners)
        return [(np.unique(places), _NOTHING) for places in sources]

    def take(self, batches: Sequence[Batch]) -> int:
        """Note which states are a step farther away."""
        found = [self._reached(places) for places, _ in batches]
        self.fresh = np.concatenate(found)
        return len(self.fresh)

    def _reached(self, places: Places) -> Places:
        fresh: Places = places[(self.distance[places] < 0) & self.within[places]]
        self.distance[fresh] = self.level
        return fresh


class Trimming:
    """Takes out of the states ``left`` those that lie on no cycle of edges that last.

    A state goes once it has no such edge from, or none to, a state that is left. What is left may
    lie between two cycles.
    """

    def __init__(self, edges: OwnedEdges, live: Chosen) -> None:
        self.edges = edges
        self.out, self.into = edges.out.degrees(LASTING), edges.into.degrees(LASTING)
        self.left = live & (self.out > 0) & (self.into > 0)
        self.fresh: npt.NDArray[Any] = np.flatnonzero(~self.left)

    def send(self) -> list[Batch]:
        """Return for each owner which of its states lost an edge out, and which one to them.

        Places are repeated for each edge.
        """
        many = self.edges.dealing.owners
        _, sources = _beyond(self.edges.into, self.fresh, LASTING, many)
        _, targets = _beyond(self.edges.out, self.fresh, LASTING, many)
        return list(zip(sources, targets, strict=True))

    def take(self, batches: Sequence[Batch]) -> int:
        """Take out the states that lost their last edge."""
        for sources, targets in batches:
            np.subtract.at(self.out, sources, 1)
            np.subtract.at(self.into, targets, 1)
        touched = np.unique(np.concatenate([places for batch in batches for places in batch]))
        gone = self.left[touched] & ((self.out[touched] == 0) | (self.into[touched] == 0))
        self.fresh = touched[gone]
        self.left[self.fresh] = False
        return len(self.fresh)


class WaysWalk:
    """The states ``met`` on shortest ways from ``starts`` to where ``distance`` is 0."""

    def __init__(
        self, edges: OwnedEdges, distance: npt.NDArray[np.int32], starts: npt.NDArray[Any]
    ) -> None:
        self.edges, self.distance = edges, distance
        self.met = np.zeros(edges.count, np.bool_)
        self.met[starts] = True
        self.fresh = starts

    def send(self) -> list[Batch]:
        """Return for each owner where the states of this round lead, and how far it must be."""
        edges = self.edges
        which, targets = _beyond(edges.out, self.fresh, ANY, edges.dealing.owners)
        far = self.distance[self.fresh]
        return [(t, far[w] - 1) for w, t in zip(which, targets, strict=True)]

    def take(self, batches: Sequence[Batch]) -> int:
        """Note which states are a step nearer."""
        found = [_NOTHING]
        for places, wanted in batches:
            nearer = (wanted >= 0) & (self.distance[places] == wanted)
            found.append(np.unique(places[nearer & ~self.met[places]]))
            self.met[found[-1]] = True
        self.fresh = np.concatenate(found)
        return len(self.fresh)


def _beyond(
    ends: Ends, states: npt.NDArray[Any], kind: int, owners: int
) -> tuple[list[npt.NDArray[Any]], list[Places]]:
    """Return for each owner the other ends of edges of a kind, and of which states each is."""
    edges, which = ends.of(states)
    fits = (ends.kinds[edges] & kind) > 0
    edges, which = edges[fits], which[fits]
    homes = ends.owners[edges]
    chosen = [homes == number for number in range(owners)]
    return [which[c] for c in chosen], [ends.places[edges[c]] for c in chosen]
