"""Which events of a log are next where its explanations end, and why the model has none of them.

Takes all ends of the longest explained part; gives, for each event that is next in its process,
what the model has instead of its outcome or values, or which part of its guard is false, and what
whoever acts may do there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fencecheck.analysis.explaining.evidence import refused_run
from fencecheck.analysis.explaining.search import (
    Cost,
    Explained,
    Reached,
    SearchNode,
    parts_of_event,
)
from fencecheck.analysis.explaining.successors import NextEvent, Successors
from fencecheck.checking.logged import BlockedEvent, Counted
from fencecheck.model.forgetting import remembering
from fencecheck.model.system import Args
from fencecheck.model.wording.templates import value_text
from fencecheck.runs.guards.why_not import no_such_event, reasons_against
from fencecheck.runs.logged.fitting import Fitting
from fencecheck.runs.logged.log import LoggedEvent, Stand
from fencecheck.runs.logged.order import RunOrder
from fencecheck.runs.trace import Origin, Trace

COMES_BEFORE = "comes before it"  # as why_not.py says it
READ = re.compile(r"( is (?:true|false)): .*", re.DOTALL)
# a line of a model, from the folder of the models that ship, or by its file's name
PLACE = re.compile(r"(?<!\S)(?:[^\s:]*?/)??((?:models/)[^\s:]+\.py:\d+|[^\s:/]+\.py:\d+)")
MOST = 4  # different reasons, or things to do instead, that are told of one event


class Blocked:
    """The ends of the longest explained part of a run, and what is next there."""

    def __init__(self, known: Successors, order: RunOrder, found: Explained) -> None:
        self.known, self.order, self.found = known, order, found
        self.fitting = Fitting(known.vocabulary.loose)
        self._next: dict[str, tuple[LoggedEvent, list[SearchNode]]] = {}
        for node in found.ends:
            for _, event in order.next_events(node.places):
                self._next.setdefault(event.place, (event, []))[1].append(node)

    def events(self) -> tuple[BlockedEvent, ...]:
        """Return each event that is next somewhere, in the order of the log."""
        places = [event.place for event in self.order.run.events]
        return tuple(self._told(*self._next[place]) for place in places if place in self._next)

    def _told(self, event: LoggedEvent, nodes: Sequence[SearchNode]) -> BlockedEvent:
        reasons, instead = Counter[str](), Counter[str]()
        states = {node.state: node for node in nodes}
        for node in states.values():
            reasons.update(set(self._reasons(event, node)))
            instead.update(set(self._instead(event, node.state)))
        return BlockedEvent(
            event.words,
            event.process,
            event.place,
            len(states),
            _counted(reasons),
            _counted(instead),
        )

    # -- why ------------------------------------------------------------------------------------
    def _reasons(self, event: LoggedEvent, node: SearchNode) -> Iterator[str]:
        """Yield what a state has in place of what the log says, else why it has no such event."""
        if event.name is None:
            return
        same = [way for way in self.known.ways(node.state) if self._is_meant(way, event, node)]
        for way in same:
            yield from self._differences(way, event, node)
        if not same:
            yield from self._guards(event, node)

    def _is_meant(self, way: NextEvent, event: LoggedEvent, node: SearchNode) -> bool:
        """Tell whether a way is an event of that name with those arguments."""
        if way.seen.name != event.name:
            return False
        fields = {**way.seen.fields(), **way.seen.args}
        bound = dict(node.bound)
        return all(
            fields.get(name) == value
            for name, told in event.args.items()
            if (value := bound.get(told.name) if isinstance(told, Stand) else told) is not None
        )

    def _differences(self, way: NextEvent, event: LoggedEvent, node: SearchNode) -> Iterator[str]:
        """Yield each part of a logged event that is another in the model."""
        values, fields = way.seen.values(), {**way.seen.fields(), **way.seen.args}
        for part in parts_of_event(event):
            others = [other for other in parts_of_event(event) if other != part]
            if self._fits_but(way, event, node, others):
                continue
            kind, _, name = part.partition(".")
            if kind == "outcome":
                yield f"{way.words}, where the log says {value_text(event.outcome)}"
                continue
            now = values[name][0] if kind == "after" else fields.get(name)
            told = (event.after if kind == "after" else event.args)[name]
            when = " after it" if kind == "after" else ""
            said = _stand_words(told, node) if isinstance(told, Stand) else value_text(told)
            yield f"{name} is {value_text(now)}{when}, where the log says {said}"

    def _fits_but(
        self, way: NextEvent, event: LoggedEvent, node: SearchNode, open_: Sequence[str]
    ) -> bool:
        """Tell whether a way fits a logged event of which some parts are left open."""
        kept = LoggedEvent(
            event.place,
            event.process,
            event.name,
            {n: v for n, v in event.args.items() if f"args.{n}" not in open_},
            **({} if "outcome" in open_ else {"outcome": event.outcome}),
            after={n: v for n, v in event.after.items() if f"after.{n}" not in open_},
        )
        return self.fitting.fit(way.seen, kept, node.bound) is not None

    def _guards(self, event: LoggedEvent, node: SearchNode) -> Iterator[str]:
        """Yield what keeps the events of that name and those arguments from happening."""
        system, state = self.known.system, self.known.concrete(node.state)
        for number, action in enumerate(system.actions):
            if action.name != event.name:
                continue
            found = [
                args for args in self._choices(number, node) if self._named(number, args, event)
            ]
            if not found:
                yield no_such_event(system, state, number, event.words)
            for args in found:
                told = [line.strip() for line in reasons_against(system, state, number, args)]
                if told:  # what decides stands last, behind the functions that lead there
                    head = [told[0]] if COMES_BEFORE in told[0] and len(told) > 1 else []
                    yield PLACE.sub(r"\1", ": ".join([*head, told[-1]]))

    def _choices(self, number: int, node: SearchNode) -> list[Args]:
        with remembering():
            return self.known.system.arguments(number, self.known.concrete(node.state))

    def _named(self, number: int, args: Args, event: LoggedEvent) -> bool:
        shown = self.known.system.shown_args(number, args)
        return all(
            shown[name] == told
            for name, told in event.args.items()
            if name in shown and not isinstance(told, Stand)
        )

    # -- what else ------------------------------------------------------------------------------
    def _instead(self, event: LoggedEvent, state: int) -> Iterator[str]:
        """Yield what the model allows whoever acts in a state."""
        action = self.known.vocabulary.actions.get(event.name or "")
        for way in self.known.ways(state):
            if action is None or way.seen.name.partition(".")[0] == action.actor:
                remark = self.known.teller.remark(way.shown)
                yield way.words + (f" ({value_text(remark)})" if remark else "")

    # -- the run that is shown ------------------------------------------------------------------
    def trace(self, origin: Origin) -> Trace:
        """Return the run to the end that is nearest to having its next event, and that event."""
        least = min(reached.cost[0] for reached in self.found.ends.values())
        best: tuple[tuple[int, Cost], SearchNode, Reached, LoggedEvent] | None = None
        for node, reached in self.found.ends.items():
            if reached.cost[0] != least:
                continue
            for _, event in self.order.next_events(node.places):
                rank = (self._distance(event, node), reached.cost)
                if best is None or rank < best[0]:
                    best = rank, node, reached, event
        assert best is not None, "a level that is not the last one has something next"
        _, node, reached, event = best
        why = next(self._reasons(event, node), "it is not possible there")
        allowed = list(dict.fromkeys(self._instead(event, node.state)))
        return refused_run(self.known, (node, reached.moves), event, origin, (why, allowed))

    def _distance(self, event: LoggedEvent, node: SearchNode) -> int:
        """Return how far a state is from having an event: 0 but for one part of it."""
        ways = self.known.ways(node.state)
        for way in ways:
            if any(
                self.fitting.fit(way.seen, event, node.bound, part) is not None
                for part in parts_of_event(event)
            ):
                return 0
        action = self.known.vocabulary.actions.get(event.name or "")
        for way in ways:
            same = action is not None and way.seen.name.partition(".")[0] == action.actor
            if same and all(event.args.get(n, v) == v for n, v in way.seen.args.items()):
                return 1
        return 2


def _stand_words(told: Stand, node: SearchNode) -> str:
    """Return what a name stands for by now, or that another name has that value."""
    held = dict(node.bound).get(told.name)
    if held is not None:
        return f"{told.name}, which stands for {value_text(held)}"
    return f"{told.name}, which is none of {', '.join(name for name, _ in node.bound)}"


def _counted(told: Counter[str]) -> tuple[Counted, ...]:
    """Return the most frequent texts, those of equal number in the order of the alphabet.

    Texts that differ only in the values that a guard read are one.
    """
    texts, first = Counter[str](), dict[str, str]()
    for text, many in sorted(told.items()):
        key = READ.sub(r"\1", text)
        first.setdefault(key, text)
        texts[first[key]] += many
    ordered = sorted(texts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Counted(text, many) for text, many in ordered[:MOST])
