"""A trace in any one of the formats that show one, as the bytes of its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fencecheck.report.words.visible import visible
from fencecheck.runs.trace import Trace

if TYPE_CHECKING:
    from fencecheck.report.picture.render import Renderer

PICTURES = ("svg", "png", "pdf")
ENDINGS = {"mermaid": "mmd", "markdown": "md", "itf": "itf.json"}
FORMATS = (*PICTURES, "html", "dot", "mermaid", "markdown", "itf")


def drawing(
    trace: Trace, form: str, tool: Renderer | None = None, folder: Path | None = None
) -> bytes:
    """Return a trace in one of FORMATS, or as ``json``, for a file in ``folder``.

    Raises RenderError where a picture is asked for and the machine has nothing that draws it.
    """
    if form == "json":
        from fencecheck.report.results.json import trace_json

        return trace_json(trace, folder).encode()
    if form == "itf":
        from fencecheck.report.words.visible import json_text
        from fencecheck.runs.itf.writing import itf_object

        return json_text(itf_object(trace, folder)).encode()
    if form == "mermaid":
        from fencecheck.report.picture.mermaid import trace_to_mermaid

        return visible(trace_to_mermaid(trace)).encode()
    if form == "markdown":
        from fencecheck.report.results.markdown import trace_to_markdown

        return visible(trace_to_markdown(trace)).encode()
    if form == "html":
        from fencecheck.report.page.page import trace_page

        return trace_page(trace).encode()
    from fencecheck.report.picture.dot import trace_to_dot

    source = visible(trace_to_dot(trace))
    if form == "dot":
        return source.encode()
    from fencecheck.report.picture.render import render

    drawn = render(source, form, tool)
    if form != "svg":
        return drawn
    from fencecheck.report.picture.svg import finished_svg

    return finished_svg(drawn.decode(), trace).encode()
