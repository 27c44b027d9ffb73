"""Messages of a run: numbers for what travels in the bags that a model declares as messages.

Takes the events of a run one by one; gives what each sends, takes and copies. A message is lost
where its event does nothing but take it out, by interference.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass
from typing import Any

from fencecheck.model.declare import Each
from fencecheck.model.domains import order_of
from fencecheck.model.system import System
from fencecheck.runs.event import Event
from fencecheck.runs.trace import Copied, Sent, Taken


@dataclass(frozen=True)
class Mail:
    """What one event does with messages."""

    sends: tuple[Sent, ...]
    takes: tuple[Taken, ...]
    copies: tuple[Copied, ...]


class PostOffice:
    """Numbers the messages of a run from the bags they travel in.

    Without ``labels`` it says nothing of what is sent but the number, which takes less time.
    """

    def __init__(self, system: System, domains: list[Any], *, labels: bool = True) -> None:
        self.system, self.domains, self.labels = system, domains, labels
        self.bags = [i for i, v in enumerate(system.variables) if v.messages]
        told = enumerate(system.variables)
        self._told = [i for i, v in told if not (v.budget or v.ghost)]
        self.travelling: dict[tuple[int, Any], list[int]] = {}
        self.last = 0

    def copy(self) -> PostOffice:
        """Return an office that knows the same messages, and goes its own way from here."""
        other = copy.copy(self)
        other.travelling = {place: list(numbers) for place, numbers in self.travelling.items()}
        return other

    def number(self, variable: str, message: Any) -> int | None:
        """Return the number of the message that is taken first of those that look like one.

        None where ``variable`` holds no messages.
        """
        place = self.system.place[variable]
        return self.travelling[place, message][0] if place in self.bags else None

    def sends(self, event: Event) -> int:
        """Return how many messages an event puts in flight, wherever the run is."""
        changed = [bag for bag in self.bags if event.before[bag] != event.after[bag]]
        if not changed:
            return 0
        office = copy.copy(self)
        office.travelling = {}
        for bag in changed:
            for message in event.before[bag]:
                office._push(bag, message)
        return len(office.event(event).sends)

    def only_moves(self, event: Event) -> bool:
        """Tell whether interference did nothing but take messages out of flight, or copy them."""
        if not self.system.actions[event.action].interference:
            return False
        return all(
            place in self.bags and set(event.after[place]) <= set(event.before[place])
            for place in self._changed(event)
        )

    def event(self, event: Event) -> Mail:
        """Return what an event sends, takes and copies."""
        sends, takes, copies = list[Sent](), list[Taken](), list[Copied]()
        lost = self._only_takes(event)
        for bag in self.bags:
            if event.before[bag] == event.after[bag]:
                continue
            old: Counter[Any] = Counter(event.before[bag])
            new: Counter[Any] = Counter(event.after[bag])
            order = order_of(self.domains[bag].element)
            gone = sorted((old - new).elements(), key=order)
            come = sorted((new - old).elements(), key=order)
            chosen = self._chosen(event, bag)
            if gone and come and not chosen:
                gone, come = self._altered(bag, gone, come)
            takes += [Taken(self._pop(bag, message), lost) for message in gone]
            for message in come:
                original = list(self.travelling.get((bag, message), []))
                number = self._push(bag, message)
                sends.append(self._sent(bag, message, number))
                if original and message in chosen:
                    copies.append(Copied(number, original[0]))
        return Mail(tuple(sends), tuple(takes), tuple(copies))

    def _chosen(self, event: Event, bag: int) -> list[Any]:
        """Return the messages of a bag that an event is about."""
        params = self.system.actions[event.action].params.values()
        return [
            value
            for param, value in zip(params, event.args, strict=True)
            if isinstance(param, Each) and param.variable == self.system.names[bag]
        ]

    def _only_takes(self, event: Event) -> bool:
        """Tell whether interference took messages away and nothing came of them."""
        if not self.system.actions[event.action].interference:
            return False
        return all(
            i in self.bags and not Counter(event.after[i]) - Counter(event.before[i])
            for i in self._changed(event)
        )

    def _changed(self, event: Event) -> list[int]:
        """Return the places of what an event changed, but for budgets and ghosts."""
        return [place for place in self._told if event.before[place] != event.after[place]]

    def _altered(self, bag: int, gone: list[Any], come: list[Any]) -> tuple[list[Any], list[Any]]:
        """Match messages that were only marked (a generation ended) and keep their numbers."""
        element = self.domains[bag].element
        for old in list(gone):
            same = [m for m in come if element.show(m) == element.show(old)]
            if same:
                number = self._pop(bag, old)
                gone.remove(old)
                come.remove(same[0])
                self.travelling.setdefault((bag, same[0]), []).append(number)
        return gone, come

    def _pop(self, bag: int, message: Any) -> int:
        return self.travelling[bag, message].pop(0)

    def _push(self, bag: int, message: Any) -> int:
        self.last += 1
        self.travelling.setdefault((bag, message), []).append(self.last)
        return self.last

    def _sent(self, bag: int, message: Any, number: int) -> Sent:
        element, declared = self.domains[bag].element, self.system.variables[bag]
        kind = str(getattr(element, "name", "message")).lower()
        label = str(element.show(message)) if self.labels else ""
        return Sent(number, label, kind, declared.back)
