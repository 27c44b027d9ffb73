"""Where two checkers differ, made small: the least bounds, and the state in which they part.

Takes a design of which a peer says something else; lowers its bounds one by one as long as they
differ, and has both print every event of the smallest. The first state, breadth first, out of
which one of them has an event that the other has not is where they part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fencecheck.analysis.crosscheck.crosscheck import (
    Crosschecked,
    FoundDifference,
    crosscheck_design,
)
from fencecheck.analysis.crosscheck.exported import ExportedDesign, export_design
from fencecheck.analysis.crosscheck.peer import (
    Events,
    Installed,
    Numbers,
    Peer,
    PeerFailed,
    PeerLimits,
)
from fencecheck.checking.question import Options
from fencecheck.errors import DesignError, ModelError
from fencecheck.explore.watch import Watch
from fencecheck.model.wording.templates import value_text
from fencecheck.runs.told.teller import Teller

MOST = 10_000  # states up to which every event is printed

_Asked = tuple[Peer, Installed]


def explained_difference(
    design: ExportedDesign,
    found: Crosschecked,
    asked: tuple[_Asked, Sequence[str]],
    given: tuple[Options, PeerLimits],
) -> FoundDifference:
    """Return where a design's answers first differ from those of a peer that has been ``asked``."""
    peer, _ = asked[0]
    small, checked = _smallest(design, found, asked, given)
    told = [*_still(checked), *_parting(small, peer, given)]
    return FoundDifference(dict(small.head.bounds), tuple(told), small.files(peer.language))


def _still(checked: Crosschecked) -> Iterator[str]:
    for row in checked.rows:
        if not row.agrees:
            yield f"there: {row.thing}, {row.aspect}: ours {row.ours}, theirs {row.theirs}"


def _smallest(
    design: ExportedDesign,
    found: Crosschecked,
    asked: tuple[_Asked, Sequence[str]],
    given: tuple[Options, PeerLimits],
) -> tuple[ExportedDesign, Crosschecked]:
    """Lower each bound as long as the answers differ."""
    options, limits = given
    for name in design.system.design.bounds:
        while True:
            lower = _lower(design, name, options)
            checked = crosscheck_design(lower, *asked, limits) if lower else None
            if lower is None or checked is None or not checked.differs:
                break
            design, found = lower, checked
    return design, found


def _lower(design: ExportedDesign, name: str, options: Options) -> ExportedDesign | None:
    """Return the design with one bound lowered by one; None where there is none."""
    family, chosen = design.system.family, design.system.design
    value = chosen.bounds[name]
    if not isinstance(value, int) or value <= 0:
        return None
    try:
        lower = family.design(chosen.mechanisms, {**chosen.bounds, name: value - 1})
        titles = (design.head.title, design.head.variant)
        return export_design(family, lower, design.names, options, titles)
    except (DesignError, ModelError):
        return None


def _parting(
    design: ExportedDesign, peer: Peer, given: tuple[Options, PeerLimits]
) -> Iterable[str]:
    """Return in words where both part, if that can be seen."""
    options, limits = given
    states = design.answers.states
    if states is None or states > MOST:
        return
    ours = _our_events(design, options)
    try:
        theirs = peer.events(design, limits)
    except PeerFailed as failed:
        yield f"its events cannot be told: {failed}"
        return
    for before, events in ours.items():
        found = theirs.get(before, Counter())
        if events != found:
            yield from _apart(design, before, (events, found))
            return
    yield "both have the same states and events: what differs is what is said of them"


def _our_events(design: ExportedDesign, options: Options) -> Events:
    """Return the events out of every state, breadth first, as numbers of the fields that vary."""
    system = design.system
    few = replace(options.limits, states=2 * MOST)
    graph = options.explorer().explore(system, Watch(system, []), few)
    numbers = [_varying(design, graph.state(i)) for i in range(graph.search.count)]
    return {
        numbers[i]: Counter(
            (system.actions[action].name, numbers[target])
            for action, _, target in graph.out_edges(i)
        )
        for i in range(graph.search.count)
    }


def _varying(design: ExportedDesign, state: tuple[object, ...]) -> Numbers:
    layout = design.system.lowered.layout
    pairs = zip(layout.fields, layout.numbers(state), strict=True)
    return tuple(number for field, number in pairs if field.low < field.high)


def _apart(
    design: ExportedDesign,
    before: Numbers,
    events: tuple[Counter[tuple[str, Numbers]], Counter[tuple[str, Numbers]]],
) -> Iterator[str]:
    """Yield the state in which both part, and what only one of them has happen there."""
    ours, theirs = events
    here = _told(design, before)
    yield "they part in the state " + ", ".join(f"{n} = {value}" for n, value in here.items())
    for whose, only in (("ours", ours - theirs), ("theirs", theirs - ours)):
        for (event, after), times in sorted(only.items()):
            there = _told(design, after)
            changes = [f"{n} = {there[n]}" for n in there if there[n] != here.get(n)]
            often = f" {times} times" if times > 1 else ""
            yield f"only {whose}: {event}{often}, to {', '.join(changes) or 'the same state'}"


def _told(design: ExportedDesign, numbers: Numbers) -> dict[str, str]:
    """Return a state as people read it; as its numbers where it is none of the model."""
    system = design.system
    fields, rest = system.lowered.layout.fields, iter(numbers)
    whole = [next(rest) if field.low < field.high else field.low for field in fields]
    try:
        state = system.lowered.layout.state(whole)
        shown = Teller(system).values(state)
        return {name: value_text(value) for name, (value, _, _) in shown.items()}
    except (LookupError, ValueError, TypeError):
        return {field.path: str(number) for field, number in zip(fields, whole, strict=True)}
