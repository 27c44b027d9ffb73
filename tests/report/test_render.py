"""Renderers: pictures without anything on PATH, and errors that say what to do."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from fencecheck.errors import FencecheckError
from fencecheck.report.picture import render as module
from fencecheck.report.picture.render import RenderError, render, renderer

ROOT = Path(__file__).parents[2]
DOT = 'digraph { a [pos="36,36" shape=box width=1 height=1] }'

DRAW = """
import json, sys
from fencecheck.runs.trace_json import read_trace
from pathlib import Path
from fencecheck.report.picture.dot import trace_to_dot
from fencecheck.report.picture.render import render, renderer
assert renderer().name == "graphviz-pure", renderer()
source = trace_to_dot(read_trace(json.loads(Path(sys.argv[1]).read_text("utf-8")), "trace"))
for kind in ("png", "svg"):
    Path(sys.argv[2], "trace." + kind).write_bytes(render(source, kind))
"""


def test_pictures_need_nothing_from_the_environment(tmp_path: Path) -> None:
    """With an empty environment the wheel's executable draws a crisp PNG and an SVG."""
    trace = Path(__file__).parent / "traces" / "3_events.json"
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{DRAW}"
    # An empty PATH keeps a system's Graphviz out; Windows cannot start Python without its root.
    env = {"PATH": "", **{k: os.environ[k] for k in ("SYSTEMROOT",) if k in os.environ}}
    command = [sys.executable, "-X", "utf8", "-c", script, str(trace), str(tmp_path)]
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    png, svg = (tmp_path / "trace.png").read_bytes(), (tmp_path / "trace.svg").read_text("utf-8")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert svg.startswith("<?xml")
    assert "<svg" in svg
    assert "human edit 1" in svg
    width = float(svg.split('<svg width="')[1].split("pt")[0])
    assert struct.unpack(">I", png[16:20])[0] == pytest.approx(2 * width, abs=4)


def test_svg_names_other_fonts_to_fall_back_on() -> None:
    """A viewer without Arial is told which families come next."""
    svg = render(DOT, "svg").decode()
    assert "Arial,Helvetica,sans-serif" not in svg
    svg = render(DOT.replace("[pos", '[fontname="Arial" pos'), "svg").decode()
    assert 'font-family="Arial,Helvetica,sans-serif"' in svg


def test_the_wheel_draws_no_pdf_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the format, what can be had, and what to install."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RenderError, match=r"has no pdf.*svg.*neato"):
        render(DOT, "pdf")


def test_an_unknown_format_is_an_error() -> None:
    """The error lists the formats there are."""
    with pytest.raises(RenderError, match='"gif" is not one of svg, png, pdf'):
        render(DOT, "gif")


def test_no_renderer_names_what_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is a FencecheckError that says where it looked and what to install."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(module, "_pure_folders", lambda: [Path("/nowhere/bin")])
    with pytest.raises(FencecheckError, match=r"neato and dot.*nowhere.*pip install graphviz-pure"):
        renderer()


def test_broken_source_reports_the_renderers_words() -> None:
    """A syntax error in the source is passed on, with the name of the renderer."""
    with pytest.raises(RenderError, match=r"graphviz.*failed: .*syntax error"):
        render("digraph {", "svg")


def test_the_renderer_describes_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What doctor shows: name, version and formats."""
    monkeypatch.setenv("PATH", "")
    tool = renderer()
    assert (tool.name, tool.formats) == ("graphviz-pure", ("svg", "png"))
    assert tool.version[0].isdigit()
