"""Drives owners of a complete graph: they make their edges, and walk over them in rounds.

States are named by owner and place in its log; what number that is ``OwnedPlaces`` knows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fencecheck.errors import InternalError
from fencecheck.explore.cluster.owned_edges import ANY, EDGE_BYTES, OWN, STATE_BYTES
from fencecheck.explore.cluster.owners import Owners
from fencecheck.explore.compiled.packed_states import Ints
from fencecheck.explore.cutting import MemoryUp, check_cut
from fencecheck.explore.graph import Search

_TICK = 0.1  # seconds between looks at the clock while owners work
_AHEAD = 3  # pieces that are expanded before it is waited for the first of them


class OwnedPlaces:
    """Numbers of states, by level and in a level by owner, and where owners have them.

    ``shares[level]`` is how many states of a level each owner has.
    """

    def __init__(self, levels: Sequence[int], shares: Sequence[Sequence[int]]) -> None:
        counts = np.array(shares, np.int64)
        self.owners = counts.shape[1]
        nothing = np.zeros((1, self.owners), np.int64)
        self._places = np.concatenate([nothing, np.cumsum(counts, axis=0)])
        self._numbers = np.array(levels[: len(counts)])[:, None] + np.cumsum(counts, axis=1)
        self._numbers -= counts
        self.counts = self._places[-1]

    def firsts(self, level: int) -> list[int]:
        """Return the number of the first state of each owner in a level."""
        found: list[int] = self._numbers[level].tolist()
        return found

    def numbers(self, owner: int, places: npt.NDArray[Any]) -> Ints:
        """Return the numbers of states of an owner."""
        level = np.searchsorted(self._places[:, owner], places, side="right") - 1
        found: Ints = places - self._places[level, owner] + self._numbers[level, owner]
        return found

    def places(self, numbers: Iterable[int]) -> list[Ints]:
        """Return where each owner has those of some states that are its own."""
        wanted, firsts = np.array(sorted(numbers), np.int64), self._numbers.reshape(-1)
        at = np.searchsorted(firsts, wanted, side="right") - 1
        level, owner = np.divmod(at, self.owners)
        places = wanted - firsts[at] + self._places[level, owner]
        return [places[owner == number] for number in range(self.owners)]


class EdgeDriver:
    """Has the owners of a search do what needs its edges, which they make when first asked."""

    def __init__(self, owners: Owners, search: Search, places: OwnedPlaces) -> None:
        self.owners, self.search, self.places = owners, search, places
        self._made = False

    def make(self) -> None:
        """Have edges made; raises MemoryUp where an owner has no room for its own."""
        if self._made:
            return
        search, owners = self.search, self.owners
        needed = [
            int(n * (STATE_BYTES + EDGE_BYTES * search.transitions / search.count))
            for n in self.places.counts
        ]
        calls = [owners.begin(i, "has_room", n) for i, n in enumerate(needed)]
        if not all(owners.got(calls)):
            raise MemoryUp
        self._expand(owners.all("begin_edges"))
        led = [owners.begin(i, "end_edges", several=owners.number) for i in range(owners.number)]
        total = sum(self.exchanged("turn_edges", led))
        if total != search.transitions:
            raise InternalError(
                f"the search saw {search.transitions} transitions, its owners {total} edges; "
                "this is a bug of fencecheck: please report it"
            )
        self._made = True

    def _expand(self, pieces: Sequence[int]) -> None:
        owners, under_way = self.owners, list[Any]()
        for piece in range(max(pieces)):
            busy = [i for i, many in enumerate(pieces) if many > piece]
            asked = {i: owners.begin(i, "expand_edges", piece, several=owners.number) for i in busy}
            found = [
                owners.begin(t, "find", busy, *(asked[i][t] for i in busy), several=owners.number)
                for t in range(owners.number)
            ]
            under_way.append([
                owners.begin(i, "note_places", piece, *(answer[i] for answer in found))
                for i in busy
            ])  # fmt: skip
            if len(under_way) > _AHEAD:
                self._wait(under_way.pop(0))
        for calls in under_way:
            self._wait(calls)

    def exchanged(self, method: str, sent: Sequence[Sequence[Any]]) -> list[int]:
        """Have every owner take what each sent to it; return what they say."""
        return list(self._wait([
            self.owners.begin(t, method, *(batches[t] for batches in sent))
            for t in range(self.owners.number)
        ]))  # fmt: skip

    def _wait(self, calls: list[Any]) -> Any:
        """Return what calls give; raises TimeUp or KeyboardInterrupt where they are cut."""
        check_cut()
        while not self.owners.done(calls, _TICK):
            check_cut()
        return self.owners.got(calls)

    def walk(self, method: str, *args: Any) -> None:
        """Begin a walk alike at every owner, and go on until no owner has a state left."""
        self.make()
        self._go_on(self.owners.all(method, *args))

    def walk_from(
        self, method: str, before: Sequence[Any], chosen: Sequence[tuple[Any, ...]]
    ) -> None:
        """Begin a walk with what is ``chosen`` for each owner, behind what is said to all."""
        self.make()
        calls = [self.owners.begin(i, method, *before, *own) for i, own in enumerate(chosen)]
        self._go_on(self._wait(calls))

    def _go_on(self, fresh: Sequence[int]) -> None:
        owners = self.owners
        while any(fresh):
            sent = [owners.begin(i, "send", several=owners.number) for i in range(owners.number)]
            fresh = self.exchanged("take_sent", sent)

    # -- what is asked --------------------------------------------------------------------------
    def trapped(self, goal: int) -> tuple[int, list[int]] | None:
        """Return the first level with states from which own events never lead to a truth."""
        nothing = np.empty(0, np.int64), False
        self.walk("begin_backwards", OWN, goal, None, nothing)
        levels = [level for level in self.owners.all("first_without") if level is not None]
        if not levels:
            return None
        found = self.owners.all("without", min(levels))
        return min(levels), self._in_level(min(levels), found)

    def nearest_starts(
        self, ends: Sequence[int], avoided: int | None, trigger: int | None
    ) -> list[int]:
        """Return the nearest starts that have a way to ``ends`` (PartedGraph)."""
        rest = avoided is not None
        chosen = [((places, rest),) for places in self.places.places(ends)]
        self.walk_from("begin_backwards", (ANY, None, avoided), chosen)
        found = self.owners.all("first_start", trigger)
        levels = [one[0] for one in found if one is not None]
        if not levels:
            return []
        level, nothing = min(levels), (np.empty(0, np.int64), np.empty(0, np.int32))
        there = [one[1:] if one is not None and one[0] == level else nothing for one in found]
        least = min(far.min() for _, far in there if len(far))
        if level == 0:
            return self._in_level(0, [places[far == least] for places, far in there])
        return self._in_level(level, [places for places, _ in there])

    def _in_level(self, level: int, places: Sequence[Ints]) -> list[int]:
        firsts = self.places.firsts(level)
        found = [first + own for first, own in zip(firsts, places, strict=True)]
        return sorted(itertools.chain.from_iterable(one.tolist() for one in found))
