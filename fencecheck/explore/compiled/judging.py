"""LevelJudge: what kernels note of the states of a level becomes what a search says of it.

A note is a row: the place of a state, then its flags (``KernelSigns.bits`` says which are whose).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.explore.compiled.kernel.compile import Kernel
from fencecheck.explore.compiled.kernel.plan import EFFECT_ERROR, GUARD_ERROR, STATE_ERROR
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.compiled.storage.needed import NeededStore
from fencecheck.explore.compiled.storage.store import Store
from fencecheck.explore.compiled.worker import Segment, Worker, in_chunks
from fencecheck.explore.graph import Broken, Search
from fencecheck.model.property import Property


def goes_wrong(notes: Ints) -> bool:
    """Tell whether one of the states noted goes wrong itself, and not an event that leaves it."""
    return bool((notes[:, 1] >> STATE_ERROR & 1).any())


class LevelJudge:
    """Judges the levels of one search; ``mask`` has the flags that are still of interest.

    ``numbers`` gives the numbers of states of a level from their places.
    """

    def __init__(
        self,
        search: Search,
        watched: Sequence[Property],
        kernel: Kernel,
        numbers: Callable[[int, Ints], Ints],
    ) -> None:
        self.search, self.signs, self.numbers = search, kernel.signs, numbers
        self.watched = {p.name: p for p in watched}
        self.mask = np.zeros(self.signs.flag_words, np.uint32)
        cut = [self.signs.cut] if self.signs.cut else []
        for word, bit in [*self.signs.bits.values(), *cut]:
            self.mask[word] |= np.uint32(1 << bit)
        for bit in (STATE_ERROR, GUARD_ERROR, EFFECT_ERROR):
            self.mask[0] |= np.uint32(1 << bit)
        self.seen = np.zeros(kernel.seen_words, np.uint32)

    def leave_out_broken(self) -> None:
        """Look no more for what is known to break, in a search that goes on from an earlier one."""
        for name in self.search.broken:
            word, bit = self.signs.bits[name]
            self.mask[word] &= ~np.uint32(1 << bit)

    def expanded(self, level: int, noted: list[Ints]) -> None:
        """Judge a level that was expanded by the notes on its states."""
        self._judge(level, noted, self.mask)
        if (cut := self.signs.cut) is not None:
            where, bit = 1 + cut[0], cut[1]
            self.search.cut += sum(int((notes[:, where] >> bit & 1).sum()) for notes in noted)

    def note_seen(self, seen: Any) -> None:
        """Note which triggers and which events occurred in what was expanded so far."""
        if np.array_equal(seen, self.seen):
            return
        signs, self.seen = self.signs, seen
        self._note_triggers(seen)
        for pair, (word, bit) in signs.held.items():
            if int(seen[word]) >> bit & 1:
                self.search.held_back.add(pair)
        for number, action in enumerate(signs.actions):
            word, bit = divmod(number, 32)
            if int(seen[signs.flag_words + word]) >> bit & 1:
                self.search.happened.add(action)

    def _noted_of_states(self, flags: npt.NDArray[np.uint32], first: int) -> Ints:
        """Return the notes on states from place ``first`` on that will not be expanded."""
        rows = flags.reshape(-1, self.signs.flag_words) & self._of_states() & self.mask
        hits = np.flatnonzero(rows.any(axis=1))
        return np.column_stack([hits + first, rows[hits].astype(np.int64)]).astype(np.int64)

    def noted_unexpanded(
        self, worker: Worker, store: Store | NeededStore, segments: Iterable[Segment]
    ) -> tuple[list[Ints], npt.NDArray[np.uint32]]:
        """Return notes on states that will not be expanded, and the triggers met while noting."""
        words, noted, before = self.signs.flag_words, list[Ints](), worker.seen.copy()
        for first, count in in_chunks(segments).tolist():
            worker.judge(store, first, count)
            noted.append(self._noted_of_states(worker.flags[: count * words], first))
        seen = worker.seen[:words].copy()
        worker.seen[:] = before
        return noted, seen

    def border(self, level: int, noted: list[Ints], seen: npt.NDArray[np.uint32]) -> None:
        """Judge a level that will not be expanded; ``seen`` are the triggers met while noting."""
        self._judge(level, noted, self._of_states() & self.mask)
        triggers = np.zeros_like(self.mask)
        for name, (word, bit) in self.signs.bits.items():
            prop = self.watched[name]
            if prop.of_states or prop.triggered_by_states:
                triggers[word] |= np.uint32(1 << bit)
        self._note_triggers(seen & triggers)

    def _of_states(self) -> npt.NDArray[np.uint32]:
        """Return the flags that a state has by itself, whether it is expanded or not."""
        only = np.zeros_like(self.mask)
        only[0] |= np.uint32(1 << STATE_ERROR)
        for name, (word, bit) in self.signs.bits.items():
            if self.watched[name].of_states:
                only[word] |= np.uint32(1 << bit)
        return only

    def _judge(self, level: int, noted: list[Ints], mask: npt.NDArray[np.uint32]) -> None:
        if not noted:
            return
        notes, search = np.concatenate(noted), self.search
        for name, (word, bit) in self.signs.bits.items():
            if mask[word] >> np.uint32(bit) & np.uint32(1):
                places = notes[(notes[:, 1 + word] >> bit & 1) == 1, 0]
                if len(places):
                    in_event = self.watched[name].of_events
                    search.broken[name] = self._broken(level, places, in_event)
                    self.mask[word] &= ~np.uint32(1 << bit)
        # what goes wrong in a state is nearer than what goes wrong in an event that leaves it
        for bit, in_event in ((STATE_ERROR, False), (GUARD_ERROR, False), (EFFECT_ERROR, True)):
            places = notes[(notes[:, 1] & int(mask[0]) & 1 << bit) != 0, 0]
            if len(places) and search.failure is None:
                search.failure = self._broken(level, places, in_event)

    def _broken(self, level: int, places: Ints, in_event: bool) -> Broken:
        return Broken(level + in_event, sorted(self.numbers(level, places).tolist()), in_event)

    def _note_triggers(self, seen: Any) -> None:
        for name, (word, bit) in self.signs.bits.items():
            if int(seen[word]) >> bit & 1:
                self.search.triggered.add(name)
