"""In which order the events of a run may have happened.

The lines of one process are in order. What an event names as its causes came before it, and with
a limit on the skew of clocks what is further apart than that. Nothing else is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencecheck.runs.logged.log import LoggedEvent, LoggedRun

Places = tuple[int, ...]  # how many events of each process have happened


class RunOrder:
    """The processes of a run, and what must have happened before each event.

    ``chains`` are the events of each process in order, ``needs`` how many of each process come
    before an event; both by the number of the process.
    """

    def __init__(self, run: LoggedRun, skew: float | None = None) -> None:
        self.run = run
        self.processes = list(dict.fromkeys(event.process for event in run.events))
        number = {name: i for i, name in enumerate(self.processes)}
        self.chains: list[list[LoggedEvent]] = [[] for _ in self.processes]
        known: dict[str, tuple[int, int]] = {}
        for event in run.events:
            process = number[event.process]
            self.chains[process].append(event)
            if event.id is not None:
                known[event.id] = process, len(self.chains[process])
        self.problems: list[str] = []
        self.needs = [[self._needs(event, known) for event in chain] for chain in self.chains]
        if skew is not None:
            self._by_clocks(skew)
        if not self.problems:
            self._check_circles()
        self.count = len(run.events)

    @property
    def start(self) -> Places:
        """Return the places at which nothing has happened."""
        return (0,) * len(self.chains)

    def next_events(self, places: Places) -> list[tuple[int, LoggedEvent]]:
        """Return (process, event) of what may be next in each process."""
        return [
            (process, chain[at])
            for process, (chain, at) in enumerate(zip(self.chains, places, strict=True))
            if at < len(chain) and self._ready(self.needs[process][at], places)
        ]

    def _ready(self, needs: Sequence[int], places: Places) -> bool:
        return all(place >= need for place, need in zip(places, needs, strict=True))

    def _needs(self, event: LoggedEvent, known: dict[str, tuple[int, int]]) -> list[int]:
        needs = [0] * len(self.chains)
        for cause in event.causes:
            if cause not in known:
                self.problems.append(f"{event.place}: there is no event {cause!r} in this run")
                continue
            process, many = known[cause]
            needs[process] = max(needs[process], many)
        return needs

    def _by_clocks(self, skew: float) -> None:
        """Let an event come after what another process did more than ``skew`` seconds before."""
        for process, chain in enumerate(self.chains):
            for needs, event in zip(self.needs[process], chain, strict=True):
                for other, events in enumerate(self.chains):
                    if other != process and event.time is not None:
                        past = [
                            number
                            for number, earlier in enumerate(events, 1)
                            if earlier.time is not None and earlier.time + skew < event.time
                        ]
                        needs[other] = max([needs[other], *past])

    def _check_circles(self) -> None:
        """Note it where events come before each other."""
        places = list(self.start)
        while any(at < len(chain) for chain, at in zip(self.chains, places, strict=True)):
            ready = self.next_events(tuple(places))
            if not ready:
                stuck = [c[at] for c, at in zip(self.chains, places, strict=True) if at < len(c)]
                where = ", ".join(event.place for event in stuck)
                self.problems.append(f"{stuck[0].place}: each comes before the other: {where}")
                return
            for process, _ in ready:
                places[process] += 1
