"""The verdict that each event order calls for: reject, replay, compensate, accept, refuse.

Takes an event order that breaks a design and a sound design near it; follows the same order there
and reads off the run what the sound design does at the event at which the two part, or, where
they do not, at the end. The words are those that the model declares for its events (``verdict=``),
so that a verdict is what a design did and never what somebody says of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from fencecheck.analysis.compare.scenario import run_scenario
from fencecheck.analysis.explain.nearest_run import Followed, follow_nearest
from fencecheck.checking.judge import Deadline
from fencecheck.errors import ModelError
from fencecheck.model.family import Design
from fencecheck.model.ordinary import ask, noted
from fencecheck.model.system import State, System
from fencecheck.runs.event import Event, end_of, possible
from fencecheck.runs.replay import replay
from fencecheck.runs.telling import tell
from fencecheck.runs.trace import Origin, Trace, TracedEvent
from fencecheck.spec.values import Scenario, Spec, Variant

REFUSED = "refuse at admission"
_FAR = 2_000  # states that are looked through for what comes next


@dataclass(frozen=True)
class Response:
    """What a sound design does about an event order.

    ``verdict`` is the word for it, ``event`` the number and ``does`` the words of the event of
    ``trace`` that says so; ``instead_of`` the order's own event there, or "" at its end.
    """

    property: str
    design: Design
    verdict: str
    does: str
    event: int
    instead_of: str
    trace: Trace


def verdict_of(system: System, event: Event) -> str | None:
    """Return what an event says about a request or an effect, in a word; None for nothing.

    It is what the model declares. An outcome without a declared verdict stands for itself, but
    quiet events only carry on what another event said.
    """
    action = system.actions[event.action]
    if callable(action.verdict):
        views = system.view(event.before), system.view(event.after)
        said = ask(f"verdict of {action.name}", action.verdict, *views)
        return None if said is None else str(said)
    if action.verdict is not None:
        return action.verdict.replace("{why}", str(event.outcome).split(": ")[-1])
    if action.quiet or action.interference or event.outcome is None:
        return None
    return str(event.outcome)


def answer(
    system: System, order: Trace, origin: Origin, deadline: Deadline | None = None
) -> Response | None:
    """Return what a sound design does about an event order; None where it cannot be followed."""
    if all(system.family.has_refused(system.view(start)) for start in system.initials):
        run, place, verdict = list[Event](), 0, REFUSED
        first = 0 if order.events else None
        return _answer(system, (run, place, verdict), order, first, origin)
    followed = follow_nearest(system, order, deadline or Deadline())
    if followed is None:
        return None
    run, place, verdict = _said(system, followed)
    return _answer(system, (run, place, verdict), order, _beside(followed, place), origin)


def _said(system: System, followed: Followed) -> tuple[list[Event], int, str]:
    """Return the run up to the event that carries the verdict, its number, and the verdict."""
    events, ended = followed.events, followed.parts == len(followed.places)
    first = max(len(events) - 1, 0) if ended else _from(followed)
    for number in range(first, len(events)):
        verdict = verdict_of(system, events[number])
        if verdict is not None:
            return events[: number + 1], number + 1, verdict
    more = _until_said(system, end_of(system, events))
    run = [*events, *more]
    verdict = verdict_of(system, run[-1]) if run else None
    return run, len(run), verdict or "goes on"


def _beside(followed: Followed, place: int) -> int | None:
    """Return the place in the order of what the run's event ``place`` stands for.

    Where it stands for none, that of the event which was left out there; None where none was.
    """
    aligned = [(at, number) for at, number in enumerate(followed.places) if number is not None]
    for at, number in aligned:
        if number == place - 1:
            return at
    next_one = max((at for at, number in aligned if number < place - 1), default=-1) + 1
    left_out = next_one < len(followed.places) and followed.places[next_one] is None
    return next_one if left_out else None


def _from(followed: Followed) -> int:
    """Return the number of the first event of the run that is not as in the order."""
    before = [place for place in followed.places[: followed.parts] if place is not None]
    return before[-1] + 1 if before else 0


def _until_said(system: System, state: State) -> list[Event]:
    """Return the shortest way by system events to one that carries a verdict; else one event."""
    queue: deque[tuple[State, tuple[Event, ...]]] = deque([(state, ())])
    seen, first = {system.representative(state)}, list[Event]()
    while queue and len(seen) < _FAR:
        here, way = queue.popleft()
        for event in possible(system, here):
            if system.actions[event.action].interference:
                continue
            first = first or [event]
            if verdict_of(system, event) is not None:
                return [*way, event]
            after = system.representative(event.after)
            if after not in seen:
                seen.add(after)
                queue.append((event.after, (*way, event)))
    return first


def _answer(
    system: System,
    said: tuple[list[Event], int, str],
    order: Trace,
    beside: int | None,
    origin: Origin,
) -> Response:
    run, place, verdict = said
    trace = tell(system, run, None, origin)
    does = _in_words(trace.events[place - 1]) if place else "nothing is dispatched"
    instead = "" if beside is None else _in_words(order.events[beside])
    instead = "" if instead == does else instead
    return Response(order.shows.name, system.design, verdict, does, place, instead, trace)


def _in_words(event: TracedEvent) -> str:
    return f"{event.actor}: {event.label}"


def response_in_words(system: System, events: Sequence[Event], outcome: str) -> str:
    """Return what a scripted order is answered with, from its last interference on, in words."""
    if all(system.family.has_refused(system.view(start)) for start in system.initials):
        return REFUSED
    disturbed = [i for i, e in enumerate(events) if system.actions[e.action].interference]
    first = max(disturbed, default=len(events) - 1)
    said = [verdict_of(system, event) for event in events[max(first, 0) :]]
    return ", then ".join(dict.fromkeys(word for word in said if word)) or outcome


# -- the orders that a spec scripts -----------------------------------------------------------
@dataclass(frozen=True)
class Verdict:
    """What a scripted event order of a spec is answered with, in one word or two."""

    scenario: str
    variant: str
    verdict: str
    outcome: str
    note: str


def scripted_verdicts(
    spec: Spec, deadline: Deadline, wrong: Sequence[str] = ()
) -> tuple[list[Verdict], int]:
    """Return the verdicts, in order, and how many of them time did not allow.

    Variants that are ``wrong`` are left out; what goes wrong in others is noted as a fault.
    """
    variants = [variant for variant in spec.variants if variant.name not in wrong]
    runs = [(s, v) for s in spec.scenarios for v in variants if s.is_for(v)]
    found = list[Verdict]()
    for number, (scenario, variant) in enumerate(runs):
        if deadline.left() <= 0:
            return found, len(runs) - number
        try:
            found.append(_scripted(spec, variant, scenario))
        except ModelError as error:
            noted(error)
    return found, 0


def _scripted(spec: Spec, variant: Variant, scenario: Scenario) -> Verdict:
    """Return what a variant answers a scripted order with."""
    cell = run_scenario(spec, variant, scenario)
    design = Design(variant.design.mechanisms, dict(cell.trace.bounds))
    events = replay(spec.family, cell.trace).events
    words = response_in_words(System(spec.family, design), events, cell.outcome)
    return Verdict(scenario.name, variant.name, words, cell.outcome, scenario.note)
