"""The flights of messages in a trace: which event sent each, which took, lost or copied it.

In: a trace. Out: hops, each from one event to a later one, or to none where the message is in
flight when the trace ends. A message that was copied on its way makes two hops, through the event
that copied it, so that the copy forks there.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from fencecheck.runs.trace import Trace


@dataclass(frozen=True)
class Hop:
    """One leg of a message between two events, numbered from 1; only the first has a `label`."""

    message: int
    kind: str
    back: bool
    label: str
    source: int
    target: int | None
    lost: bool
    copy: bool

    @property
    def name(self) -> str:
        return f"message_{self.message}_from_{self.source}"


def _endings(trace: Trace) -> dict[int, tuple[int, bool]]:
    """Return, per message, the event that ended its flight and whether it was lost there."""
    return {
        take.message: (number, take.lost)
        for number, event in enumerate(trace.all_events, 1)
        for take in event.takes
    }


def _forks(trace: Trace) -> dict[int, list[int]]:
    """Return, per message, the events that copied it, in order."""
    forks: dict[int, list[int]] = {}
    for number, event in enumerate(trace.all_events, 1):
        for original in sorted({copy.of for copy in event.copies}):
            forks.setdefault(original, []).append(number)
    return forks


def message_hops(trace: Trace) -> list[Hop]:
    """Return all hops, by source event and then message number."""
    endings, forks = _endings(trace), _forks(trace)
    hops: list[Hop] = []
    for number, event in enumerate(trace.all_events, 1):
        copies = {copy.message for copy in event.copies}
        for sent in event.sends:
            message, copy = sent.message, sent.message in copies
            target, lost = endings.get(message, (None, False))
            stops: list[int | None] = [number, *forks.get(message, []), target]
            label: str = " ".join(str(sent.label).split())
            for source, end in itertools.pairwise(stops):
                assert source is not None
                final = end == target
                way, gone = (sent.kind, sent.back), lost and final
                hops.append(Hop(message, *way, label, source, end, gone, copy))
                label = ""
    return sorted(hops, key=lambda hop: (hop.source, hop.message))


def hop_direction(hop: Hop, trace: Trace, lane_index: dict[str, int]) -> int:
    """Return 1 for a hop that leaves its box to the right, -1 for one to the left.

    A message that nothing took leaves towards the lane where others of its kind were taken, and
    without such others it goes right, and left if it is one that goes back.
    """
    actors: list[Any] = [lane_index[event.actor] for event in trace.all_events]
    here = actors[hop.source - 1]
    if hop.target is not None:
        return -1 if actors[hop.target - 1] < here else 1
    kinds = {sent.message: sent.kind for event in trace.all_events for sent in event.sends}
    for number, event in enumerate(trace.all_events):
        taken = {kinds.get(take.message) for take in event.takes if not take.lost}
        if hop.kind in taken and actors[number] != here:
            return -1 if actors[number] < here else 1
    return -1 if hop.back else 1
