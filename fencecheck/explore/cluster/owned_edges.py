"""The edges of one owner's states: each by its class, and by whose state it leads to, and where.

A state is told by its owner and its place in that owner's log. Owners expand their states once
more, by the kernel that tells the classes of edges apart; who owns a successor says its place.
Then each tells the others which of its edges lead to them, so that edges are known at both ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.errors import InternalError
from fencecheck.explore.cluster.dealing import Dealing
from fencecheck.explore.compiled import loop
from fencecheck.explore.compiled.loops import slots
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.compiled.second_pass import edge_kernel, index_of
from fencecheck.explore.compiled.storage.packing import Packing, Words
from fencecheck.explore.compiled.storage.store import Store
from fencecheck.explore.compiled.worker import worker_of
from fencecheck.explore.edges import LastingTruth, holds_in
from fencecheck.model.system import System
from fencecheck.runs.fairness import Classes

Flags = npt.NDArray[np.uint8]
Places = npt.NDArray[np.uint32]
OWN, LASTING, ANY = 1, 2, 4  # kinds of edges, as bits: by system events; that may be taken for ever
EDGE_BYTES, STATE_BYTES = 40, 100  # that both directions take while they are made


@dataclass(frozen=True)
class Ends:
    """Whose state each edge is about, and where it is, beside the edge's kind."""

    offsets: Ints
    owners: npt.NDArray[np.uint16]
    places: Places
    kinds: Flags

    def of(self, states: npt.NDArray[Any]) -> tuple[Ints, Ints]:
        """Return the edges of some states, by number, and which of these states each is of."""
        first = self.offsets[states]
        many = self.offsets[states.astype(np.int64) + 1] - first
        before = np.cumsum(many) - many
        which = np.repeat(np.arange(len(states)), many)
        return np.arange(len(which)) + np.repeat(first - before, many), which

    def degrees(self, kind: int) -> npt.NDArray[np.int32]:
        """Return how many edges of a kind each state has."""
        found = np.concatenate([[0], np.cumsum((self.kinds & kind) > 0)])[self.offsets]
        return np.diff(found).astype(np.int32)


class OwnedEdges:
    """Edges of the states in a store. ``out`` are those that leave them, ``into`` the others.

    ``labels`` are of those that leave. ``marks`` has the bits of the lasting ``truths`` of each
    state, and behind them of the classes ``held`` back there by a bound.
    """

    out: Ends
    into: Ends
    labels: npt.NDArray[np.uint16]
    marks: npt.NDArray[np.uint32]

    def __init__(
        self,
        of: tuple[System, Packing, Sequence[LastingTruth]],
        store: Store,
        dealing: Dealing,
        number: int,
    ) -> None:
        system, packing, truths = of
        self.store, self.dealing, self.number = store, dealing, number
        self.count, self.width = store.count, packing.words
        self.classes, self.truths = Classes(system), len(truths)
        kernel = edge_kernel(packing, self.classes, truths)
        self.held, self._flag_words = kernel.signs.classes, kernel.signs.flag_words
        self._worker = worker_of(system, kernel)
        self._kinds = np.empty(slots.LONGEST * kernel.cases + 64, np.uint16)
        self._log = store.read(0, self.count)
        self._index = index_of(self._log, self.count, self.width)
        self._degrees, self._labels = list[Ints](), list[npt.NDArray[np.uint16]]()
        self._marks = list[npt.NDArray[np.uint32]]()
        self._targets = list[tuple[npt.NDArray[np.uint16], Places]]()

    # -- making them ----------------------------------------------------------------------------
    def expanded(self, first: int, end: int) -> list[Words]:
        """Expand states; return what others are asked to find of the successors, for each."""
        chunks = range(first, end, slots.CHUNK)
        found = np.concatenate([self._of_chunk(at, min(slots.CHUNK, end - at)) for at in chunks])
        homes = self.dealing.of(found).astype(np.uint16)
        places, here = np.zeros(len(found), np.uint32), homes == self.number
        places[here] = self.places_of(found[here])
        self._targets.append((homes, places))
        owners = range(self.dealing.owners)
        return [found[homes == i] if i != self.number else found[:0] for i in owners]

    def _of_chunk(self, at: int, count: int) -> Words:
        worker = self._worker
        made = worker.judge(self.store, at, count, worker.buffers_with(self._kinds))
        ends = worker.offsets[: count + 1].astype(np.int64)
        self._degrees.append(ends[1:] - ends[:-1])
        self._labels.append(self._kinds[:made].copy())
        marks = worker.flags[: count * self._flag_words]
        self._marks.append(marks.reshape(count, self._flag_words).copy())
        return worker.out[: made * self.width].reshape(made, self.width).copy()

    def places_of(self, states: Words) -> Places:
        """Return where states of its own are in its log."""
        found = np.empty(len(states), np.uint32)
        flat = np.ascontiguousarray(states).reshape(-1)
        index, many = self._index, len(states)
        if loop.find_states(self._log, index, len(index), self.width, flat, many, found) < many:
            raise InternalError("a successor is not among the states of the search")
        return found

    def note(self, piece: int, answers: Sequence[Places]) -> None:
        """Note where the successors of a piece are, by what each owner says."""
        homes, places = self._targets[piece]
        for number, answer in enumerate(answers):
            if number != self.number:
                places[homes == number] = answer

    def end(self) -> list[npt.NDArray[np.uint32]]:
        """Put the edges together that leave its states; return for each owner what leads to it.

        Rows are places there, places here, and kinds.
        """
        offsets = np.zeros(self.count + 1, np.int64)
        offsets[1:] = np.cumsum(np.concatenate([np.empty(0, np.int64), *self._degrees]))
        self.labels = np.concatenate([np.empty(0, np.uint16), *self._labels])
        self.marks = np.concatenate([np.empty((0, self._flag_words), np.uint32), *self._marks])
        owners = np.concatenate([np.empty(0, np.uint16), *(homes for homes, _ in self._targets)])
        places = np.concatenate([np.empty(0, np.uint32), *(where for _, where in self._targets)])
        own, lasting = np.array(self.classes.own()), np.array(self.classes.lasting())
        kinds = (OWN * own + LASTING * lasting + ANY).astype(np.uint8)[self.labels]
        self.out = Ends(offsets, owners, places, kinds)
        del self._log, self._index, self._degrees, self._labels, self._marks, self._targets
        sources = np.repeat(np.arange(self.count, dtype=np.uint32), np.diff(offsets))
        rows = np.stack([places, sources, kinds.astype(np.uint32)])
        return [rows[:, owners == number] for number in range(self.dealing.owners)]

    def turn(self, led: Sequence[npt.NDArray[np.uint32]]) -> None:
        """Put the edges together that lead to its states, from what each owner told of its own."""
        targets = np.concatenate([rows[0] for rows in led])
        order = np.argsort(targets, kind="stable")
        offsets = np.zeros(self.count + 1, np.int64)
        offsets[1:] = np.cumsum(np.bincount(targets, minlength=self.count))
        owners = np.repeat(np.arange(len(led), dtype=np.uint16), [rows.shape[1] for rows in led])
        places = np.concatenate([rows[1] for rows in led])[order]
        kinds = np.concatenate([rows[2] for rows in led]).astype(np.uint8)[order]
        self.into = Ends(offsets, owners[order], places, kinds)

    # -- what holds -----------------------------------------------------------------------------
    def holds(self, truth: int) -> npt.NDArray[np.bool_]:
        """Return in which states a truth holds."""
        return holds_in(self.marks, truth).astype(np.bool_)

    def any_held(self, owed: bool) -> npt.NDArray[np.bool_]:
        """Return where a bound holds back an event of the system, or one that is ``owed``."""
        found = np.zeros(self.count, np.bool_)
        for at, label in enumerate(self.held):
            if not owed or self.classes.owed()[label]:
                found |= self.holds(self.truths + at)
        return found

    def resting(self) -> npt.NDArray[np.bool_]:
        """Return the states in which nothing has to happen."""
        owed = np.array(self.classes.owed())[self.labels]
        many = np.concatenate([[0], np.cumsum(owed)])[self.out.offsets]
        found: npt.NDArray[np.bool_] = (np.diff(many) == 0) & ~self.any_held(owed=True)
        return found
