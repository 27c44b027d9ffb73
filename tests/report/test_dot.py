"""DOT source: golden files, the same text every time, and texts that stay texts."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from fencecheck.report.picture.dot import trace_to_dot
from fencecheck.report.picture.render import Renderer, _find_pure, render
from tests.report.pictures import NAMES, NASTY, check_golden, load_trace, nasty_trace


@pytest.mark.parametrize("name", NAMES)
def test_dot_is_golden(name: str) -> None:
    """The source of each trace written by hand is as committed (how to rewrite: pictures.py)."""
    check_golden(f"{name}.dot", trace_to_dot(load_trace(name)))


def test_dot_is_the_same_every_time() -> None:
    """Two runs over fresh copies of a trace give the same text."""
    assert trace_to_dot(load_trace("25_events")) == trace_to_dot(load_trace("25_events"))


def test_special_characters_reach_the_picture_as_they_are() -> None:
    """A label full of markup comes out of the renderer as the text it was."""
    path = _find_pure()
    assert path is not None
    svg = render(trace_to_dot(nasty_trace()), "svg", Renderer("pure", "", ("svg",), path)).decode()
    shown = html.unescape(" ".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg)))
    squeezed = re.sub(r"\s", "", shown)
    assert re.sub(r"\s", "", NASTY) in squeezed
    for part in ("a<b>&", '"q"|{x}', "\\N", "\\\\", "漢字"):
        assert part in squeezed


def test_control_characters_do_not_reach_the_source() -> None:
    """An escape sequence in a label would make the SVG unreadable."""
    trace = load_trace("3_events")
    first = replace(trace.events[0], label="dispatch\x1b[31m\x00s1")
    source = trace_to_dot(replace(trace, events=(first, *trace.events[1:])))
    assert "\x1b" not in source
    assert "\x00" not in source
    assert "dispatch" in source
