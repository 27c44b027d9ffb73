"""The SVG of a swim-lane picture as pages use it: named, described, and one group for each event.

In: what a renderer made of the DOT source (dot.py), and the trace. Out: the same drawing with a
title and a description; all that an event shows (its box, its words, what it changed, the arrows
that end in it) is one group ``event-N`` of class ``event`` with its number in ``data-event``, so
that a page can step through the run. Hovering over a part names it in the words of the trace.
"""

from __future__ import annotations

import re
from html import escape, unescape

from fencecheck.report.words.orders import event_line
from fencecheck.report.words.trace_words import (
    broken_event,
    drawn_lanes,
    headline,
    loop_text,
    violation_heading,
)
from fencecheck.report.words.visible import visible
from fencecheck.runs.trace import Trace

_PART = re.compile(
    r'(?:<!-- [^\n]* -->\n)?<g id="[^"]*" class="(?P<kind>node|edge|cluster)">\n'
    r"<title>(?P<name>[^<]*)</title>\n(?P<content>.*?)</g>\n",
    re.DOTALL,
)
_EVENT = re.compile(r"(?:event|cell)_(\d+)")
_WORDS = {"system": "acts", "interference": "interference", "store": "durable"}
# what is drawn above what: areas, lines, events, then all other boxes
_AREA, _LINE, _RUN, _BOX = range(4)


def finished_svg(svg: str, trace: Trace) -> str:
    """Return a renderer's SVG with names, a description and a group for each event."""
    start = _PART.search(svg)
    if start is None:
        return _headed(svg, trace)
    parts: list[tuple[int, int, str]] = []
    events: dict[int, list[str]] = {}
    end = start.start()
    for part in _PART.finditer(svg, start.start()):
        kind, name, content = part["kind"], unescape(part["name"]), part["content"]
        end = part.end()
        number = _event_of(name)
        if number is not None:
            events.setdefault(number, []).append(f'<g class="{kind}">\n{content}</g>\n')
        else:
            parts.append((_level(kind), len(parts), _named(kind, name, content, trace)))
    for number, drawn in events.items():
        parts.append((_RUN, number, _event_group(number, drawn, trace)))
    body = "".join(text for _, _, text in sorted(parts))
    return _headed(svg[: start.start()] + body + svg[end:], trace)


def _level(kind: str) -> int:
    return {"cluster": _AREA, "edge": _LINE}.get(kind, _BOX)


def _event_of(name: str) -> int | None:
    """Return the number of the event that a part belongs to: an arrow to that in which it ends."""
    ends = name.split("->")
    for place in reversed(ends):
        found = _EVENT.match(place)
        if found:
            return int(found[1])
    return None


def _title(text: str) -> str:
    return f"<title>{escape(visible(' '.join(text.split())))}</title>\n"


def _named(kind: str, name: str, content: str, trace: Trace) -> str:
    """Return a part that is of no event; a lane's header is named, other names are ours alone."""
    found = re.fullmatch(r"lane_(\d+)", name)
    if found is None:
        return f'<g class="{kind}">\n{content}</g>\n'
    lane = drawn_lanes(trace)[int(found[1])]
    return f'<g class="lane">\n{_title(f"{lane.name}: {_WORDS[lane.kind]}")}{content}</g>\n'


def _event_group(number: int, drawn: list[str], trace: Trace) -> str:
    event = trace.all_events[number - 1]
    kinds = ["event"]
    kinds += ["interference"] if event.interference else []
    kinds += ["broken"] if broken_event(trace) == number else []
    kinds += ["onward"] if number > len(trace.events) else []
    head = f'<g id="event-{number}" class="{" ".join(kinds)}" data-event="{number}">\n'
    return f"{head}{_title(_line(number, trace))}{''.join(drawn)}</g>\n"


def _line(number: int, trace: Trace) -> str:
    return f"{number}. {event_line(trace.all_events[number - 1])}"


def _description(trace: Trace) -> str:
    """Return what the picture shows in sentences, for who cannot see it."""
    lines = [trace.shows.meaning]
    lines += [_line(number, trace) for number in range(1, len(trace.all_events) + 1)]
    lines.append(loop_text(trace) or "")
    if trace.violation is not None:
        lines.append(f"{violation_heading(trace)}: {trace.violation.says}")
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def _headed(svg: str, trace: Trace) -> str:
    """Return an SVG with the title and the description of the trace at its head."""
    text = f"{_title(headline(trace))}<desc>{escape(visible(_description(trace)))}</desc>\n"
    svg = re.sub(r"<title>trace</title>\n", "", svg, count=1)
    return re.sub(r"<svg [^>]*>\n", lambda found: found[0] + text, svg, count=1)
