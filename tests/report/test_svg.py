"""SVG: named and described, one group for each event, and no name of ours where people hover."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from fencecheck.report.formats import drawing
from fencecheck.runs.trace import Trace
from tests.report.pictures import NASTY, load_trace, nasty_trace

SVG = "{http://www.w3.org/2000/svg}"


def drawn(trace: Trace) -> ElementTree.Element:
    return ElementTree.fromstring(drawing(trace, "svg"))


def groups(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [g for g in root.iter(f"{SVG}g") if "event" in (g.get("class") or "").split()]


@pytest.mark.parametrize("name", ["3_events", "25_events"])
def test_each_event_is_one_group_in_order(name: str) -> None:
    """Its id, its class, its number and its words; interference and the breaking one are told."""
    trace = load_trace(name)
    found = groups(drawn(trace))
    numbers = list(range(1, len(trace.events) + 1))
    assert [g.get("id") for g in found] == [f"event-{n}" for n in numbers]
    assert [g.get("data-event") for g in found] == [str(n) for n in numbers]
    for group, event in zip(found, trace.events, strict=True):
        assert (group.findtext(f"{SVG}title") or "").endswith(f"{event.actor}: {event.label}")
        assert ("interference" in (group.get("class") or "")) == event.interference


def test_an_event_has_what_it_changed_and_the_arrows_that_end_in_it() -> None:
    """The last event of three: its box, the message it took, the change and the arrow to it."""
    last = groups(drawn(load_trace("3_events")))[-1]
    assert "broken" in (last.get("class") or "")
    texts = "".join(last.itertext())
    assert "human edit 1" in texts
    assert len(last.findall(f"{SVG}g[@class='edge']")) == 2
    assert len(last.findall(f"{SVG}g[@class='node']")) == 2


def test_the_drawing_is_named_and_described() -> None:
    """The first children are a title and the run in sentences."""
    root = drawn(load_trace("3_events"))
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert "no_lost_update breaks in 3 events" in (root[0].text or "")
    assert "1. client: dispatch s1" in (root[1].text or "")
    assert "no_lost_update broken at event 3" in (root[1].text or "")


def test_no_name_of_the_source_shows_on_hovering() -> None:
    """A lane is told by its name and what it is; lines, areas and cards by nothing."""
    root = drawn(load_trace("11_events"))
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    ours = re.compile(r"(lane|event|cell|life|cluster|legend|verdict|initial)_|->|trace$")
    assert [title for title in titles if ours.search(title)] == []
    assert "workspace: durable" in titles
    assert "client: acts" in titles


def test_special_characters_stay_texts() -> None:
    """In titles and in the description too."""
    root = drawn(nasty_trace())
    squeezed = " ".join(NASTY.split())
    assert squeezed in (root[1].text or "")
    assert any(squeezed in (g.findtext(f"{SVG}title") or "") for g in groups(root))


def test_a_way_on_is_of_a_class_of_its_own() -> None:
    """Its events are told apart from those of the run."""
    trace = load_trace("11_events")
    found = groups(drawn(replace(trace, events=trace.events[:5], onward=trace.events[5:])))
    assert ["onward" in (g.get("class") or "") for g in found] == [False] * 5 + [True] * 6
