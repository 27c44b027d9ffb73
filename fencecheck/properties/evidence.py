"""Evidence: how a property breaks, as a run and what the run ends in."""

from __future__ import annotations

from dataclasses import dataclass

from fencecheck.model.system import State
from fencecheck.runs.event import Event


@dataclass(frozen=True)
class Evidence:
    """How a temporal property breaks. ``loop_start`` is the number of events of the stem.

    Without a loop the run ends in a state that no system event leaves, or in which none of them
    has to happen (``rests``), or enters a
    trap of ``trap`` states that the system cannot leave, or of more if they are not ``whole``; then
    ``onward`` is one way on in it, of which the events after ``onward_loop`` repeat for ever.
    ``start`` is the initial state of the run, where that may be another than the first.
    """

    events: list[Event]
    loop_start: int | None = None
    trap: int | None = None
    whole: bool = True
    onward: tuple[Event, ...] = ()
    onward_loop: int | None = None
    rests: bool = False
    usual: bool = True
    start: State | None = None

    @property
    def stem(self) -> int:
        """Return how many events lead to where it breaks for good."""
        return len(self.events) if self.loop_start is None else self.loop_start


def evidence_in_words(evidence: Evidence, says: str) -> str:
    """Return what a run that breaks a temporal property ends in, after the model's own words."""
    if evidence.trap is not None:
        if evidence.trap == 1:
            return f"{says} From the last state the system cannot go on, and it is not there."
        return (
            f"{says} From the last state the system's own events lead to "
            f"{'' if evidence.whole else 'at least '}{evidence.trap} states, "
            "and none of them is such a state."
        )
    count = len(evidence.events)
    if evidence.loop_start is None:
        more = "nothing more has to happen" if evidence.rests else "the system can do nothing more"
        return f"{says} After event {count} {more}."
    first = evidence.loop_start + 1
    span = f"Event {first} repeats" if first == count else f"Events {first} to {count} repeat"
    if not evidence.usual:
        return f"{says} {span} for ever, and what has to happen is not left out."
    return f"{says} {span} for ever, and no other event is always possible and left out."
