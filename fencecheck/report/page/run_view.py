"""A run as a page tells it: its picture, its events in words, its state after each event, its end.

In: a trace and the name of its place. Out: texts and plain values; parts.html lays them out, and
page.js steps through them. Nothing is escaped here but the picture: templates do that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from fencecheck.model.wording.templates import value_text
from fencecheck.report.page.lanes_svg import lanes_svg
from fencecheck.report.picture.lanes import layout_trace
from fencecheck.report.picture.panel import legend_words
from fencecheck.report.words.orders import event_details, event_line
from fencecheck.report.words.trace_words import (
    ONWARD,
    bounds_text,
    evidence_texts,
    headline,
    initial_values,
    loop_text,
    not_tried_text,
    split_variable,
    violation_heading,
)
from fencecheck.report.words.visible import one_line, visible
from fencecheck.runs.trace import Trace

BUDGETS = "budget"


@dataclass(frozen=True)
class EventView:
    """One event in words; ``before`` is what stands above it where a loop or a way on begins."""

    number: int
    words: str
    interference: bool
    details: tuple[str, ...]
    before: str = ""


@dataclass(frozen=True)
class EndView:
    """What is wrong at the end: after which event, the values that disagree, what was read."""

    event: int
    heading: str
    says: str
    compare: tuple[tuple[str, str], ...]
    differ: bool
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class RunView:
    """A run: ``verdict`` is the trace's, ``design`` and ``name`` say whose it is and what it shows.

    ``legend`` has the kinds of what the picture shows, each with what it means; ``steps`` is what
    the page's script steps through (see ``steps_of``).
    """

    anchor: str
    design: str
    name: str
    verdict: str
    headline: str
    meaning: str
    scope: tuple[str, ...]
    picture: Markup
    legend: tuple[tuple[str, str], ...]
    initial: tuple[str, ...]
    events: tuple[EventView, ...]
    after: str
    end: EndView | None
    steps: dict[str, Any]


def view_run(trace: Trace, anchor: str) -> RunView:
    """Return a trace as the page tells it, at the place ``anchor``."""
    initial = [
        one_line(f"{lane}.{name} {value}")
        for lane, values in initial_values(trace).items()
        for name, value in values
    ]
    picture = layout_trace(trace)
    return RunView(
        anchor,
        trace.variant or "",
        trace.shows.name,
        trace.verdict,
        one_line(headline(trace)),
        one_line(trace.shows.meaning),
        tuple(filter(None, (one_line(bounds_text(trace)), not_tried_text(trace)))),
        lanes_svg(trace, picture, anchor),
        legend_words(picture),
        tuple(initial),
        tuple(_events(trace)),
        loop_text(trace) or "",
        _end(trace),
        steps_of(trace),
    )


def _events(trace: Trace) -> list[EventView]:
    told = []
    for number, event in enumerate(trace.all_events, 1):
        before = "from here on, again and again:" if number - 1 == trace.loop_start else ""
        if number == len(trace.events) + 1:
            before = ONWARD
        details = tuple(one_line(text) for text in event_details(trace, event))
        words = one_line(event_line(event))
        told.append(EventView(number, words, event.interference, details, before))
    return told


def _end(trace: Trace) -> EndView | None:
    found = trace.violation
    if found is None:
        return None
    pairs = tuple((value_text(words), value_text(value)) for words, value in found.compare)
    differ = len(pairs) > 1 and pairs[0][1] != pairs[1][1]
    said, read = value_text(found.says), tuple(map(one_line, evidence_texts(trace)))
    return EndView(found.event, one_line(violation_heading(trace)), said, pairs, differ, read)


def steps_of(trace: Trace) -> dict[str, Any]:
    """Return what the states of a run are made of, as plain values for JSON.

    ``variables`` are all that are known, each with its ``lane``, its ``name``, whether it is a
    ``ghost``, whether the property ``read`` it at the end, whether it is ``plain`` to show (what
    never changes or is told by arrows is not), and its ``value`` at the start. ``changes`` has an
    object for each event: by the place of a variable among them, its value after the event.
    """
    first: dict[str, Any] = dict(trace.initial)
    ghosts: set[str] = set()
    for event in trace.all_events:
        ghosts |= event.ghosts.keys()
        for name, change in {**event.changes, **event.ghosts}.items():
            first.setdefault(name, change.before)
    read = _read(trace, first, ghosts)
    order = {lane.name: place for place, lane in enumerate(trace.lanes)}
    names = sorted(first, key=lambda name: order.get(split_variable(name)[0], len(order)))
    places = {name: str(place) for place, name in enumerate(names)}
    told = [{**event.changes, **event.ghosts} for event in trace.all_events]
    moved = {name for changes in told for name in changes}
    variables = [
        {
            "lane": one_line(split_variable(name)[0]),
            "name": one_line(split_variable(name)[1]),
            "ghost": name in ghosts,
            "read": name in read,
            "plain": name in read or (name in moved and name not in trace.silent),
            "value": _value(first[name]),
        }
        for name in names
    ]
    changes = [{places[n]: _value(change.after) for n, change in c.items()} for c in told]
    return {"variables": variables, "changes": changes}


def _value(value: Any) -> str:
    """Return a value in words that act on nothing: the script shows them as they are."""
    return visible(value_text(value))


def _read(trace: Trace, first: dict[str, Any], ghosts: set[str]) -> set[str]:
    """Return the variables that the property read; a field that it read stands for its variable.

    What it read and no event changed is added to ``first`` and, of ghosts, to ``ghosts``.
    """
    read: set[str] = set()
    for reading in trace.violation.evidence if trace.violation else ():
        holder = next((n for n in first if reading.variable.startswith(f"{n}.")), None)
        name = reading.variable if reading.variable in first else holder or reading.variable
        if name not in first:
            first[name] = reading.before
        if reading.ghost and name == reading.variable:
            ghosts.add(name)
        read.add(name)
    return read
