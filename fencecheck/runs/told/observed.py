"""What an implementation did in an event, beside what the model says of it.

Takes an event of a model, the state after it in which nothing is forgotten, and what was observed;
gives the differences, in order: of the call, its outcome, the messages, the values. It calls no
implementation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencecheck.model.system import State
from fencecheck.model.wording.templates import value_text
from fencecheck.runs.event import Event
from fencecheck.runs.told.messages import PostOffice
from fencecheck.runs.told.teller import Teller
from fencecheck.runs.trace import Observed

_KEPT = 100_000  # states of which is remembered what people see
_TOLD = 3  # differences that are put side by side
RETURNS = "the call"
OUTCOME = "the outcome"
POSTS = "the messages put in flight"


@dataclass(frozen=True)
class Difference:
    """One thing in which an implementation differs: what the model has, and what was seen.

    ``of`` is the name of a value, or which part of the event it is.
    """

    of: str
    model: Any
    seen: Any

    @property
    def says(self) -> str:
        """Return it as a sentence without its full stop."""
        if self.of == RETURNS:
            return f"the implementation {self.seen}"
        model, seen = value_text(self.model), value_text(self.seen)
        return f"{self.of}: {model} in the model, {seen} in the implementation"

    @property
    def compare(self) -> tuple[tuple[str, Any], tuple[str, Any]]:
        """Return the two values with what they are."""
        return (f"{self.of}, in the model", self.model), (f"{self.of}, as observed", self.seen)


def as_observed(value: Any) -> Any:
    """Return a value as traces hold it: a scalar, or a list of such; what is neither as text."""
    if value is None or type(value) in (str, int, bool, float):
        return value
    if isinstance(value, set | frozenset):
        return sorted(map(as_observed, value), key=repr)
    if isinstance(value, list | tuple):
        return [as_observed(item) for item in value]
    for kind in (bool, int, str, float):
        if isinstance(value, kind):
            return kind(value)
    return repr(value)


class Comparison:
    """What may be observed of one system, and how it is compared."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        values = teller.values(teller.system.initial)
        self.unseen = {n: v for n, (_, _, v) in values.items() if v.ghost or v.budget}
        self.names = tuple(name for name in values if name not in self.unseen)
        self._unordered = teller.unordered()
        self._states: dict[tuple[State, frozenset[str]], dict[str, Any]] = {}
        self._shown: dict[tuple[str, Any], Any] = {}  # by name and raw value, which are few

    def shown(self, state: State, names: Collection[str] | None = None) -> dict[str, Any]:
        """Return the values of a state by name, as people read them; only some where named."""
        wanted, found = self.names if names is None else names, dict[str, Any]()
        for (name, part, raw), _ in self.teller.pieces(state):
            if name in wanted:
                if (name, raw) not in self._shown:
                    self._shown[name, raw] = as_observed(part.show(raw))
                found[name] = self._shown[name, raw]
        return found

    def of_values(self, state: State, values: Mapping[str, Any]) -> list[Difference]:
        """Return in which values a state differs from what was observed of it."""
        known = state, frozenset(values)
        if known not in self._states:
            if len(self._states) > _KEPT:
                self._states.clear()
            self._states[known] = self.shown(state, values)
        shown = self._states[known]
        return [
            Difference(name, shown.get(name), seen)
            for name, seen in values.items()
            if name not in shown or not self._fits(name, shown[name], seen)
        ]

    def _fits(self, name: str, model: Any, seen: Any) -> bool:
        if name in self._unordered and isinstance(seen, list):
            model, seen = sorted(model, key=repr), sorted(seen, key=repr)
        return bool(model == seen and isinstance(model, bool) == isinstance(seen, bool))

    def of_event(
        self, concrete: Event, sends: int, observed: Observed, *, moves: bool = False
    ) -> list[Difference]:
        """Return in what an event differs from what was observed of it.

        ``sends`` are the messages that it puts in flight; ``moves``: the network's own doing, which
        nobody was called for.
        """
        if observed.failure is not None:
            return [Difference(RETURNS, "returns", observed.failure)]
        found = []
        outcome = as_observed(self.teller.outcome(concrete))
        if not moves and outcome != observed.outcome:
            found.append(Difference(OUTCOME, outcome, observed.outcome))
        if not moves and sends != observed.posts:
            found.append(Difference(POSTS, sends, observed.posts))
        return found + self.of_values(concrete.after, observed.values)


def differences_of(
    teller: Teller, events: Sequence[Event], concrete: Sequence[Event], observed: Observed
) -> list[Difference]:
    """Return in what the last event of a run differs from what was observed of it.

    ``concrete`` are the same events when nothing is forgotten. Of a run without events it is the
    initial state that is compared.
    """
    comparison, office, sends = Comparison(teller), PostOffice(teller.system, teller.domains), 0
    if not events:
        if observed.failure is not None:
            return [Difference(RETURNS, "returns", observed.failure)]
        return comparison.of_values(teller.system.initial, observed.values)
    for event in events:
        sends = len(office.event(event).sends)
    moves = observed.posts is None and observed.failure is None
    return comparison.of_event(concrete[-1], sends, observed, moves=moves)


def in_sentences(differences: Sequence[Difference]) -> tuple[str, tuple[tuple[str, Any], ...]]:
    """Return what differs in words, and the values that are put side by side."""
    says = "; ".join(difference.says for difference in differences)
    pairs = [pair for difference in differences[:_TOLD] for pair in difference.compare]
    return says, tuple(pairs)
