"""A trace in any one of the formats that show one, as the bytes of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fencecheck.report.words.visible import visible

if TYPE_CHECKING:
    from fencecheck.report.picture.render import Renderer

Trace = dict[str, Any]
PICTURES = ("svg", "png", "pdf")
ENDINGS = {"mermaid": "mmd", "markdown": "md"}
FORMATS = (*PICTURES, "dot", "mermaid", "markdown")


def drawable(trace: Trace) -> Trace:
    """Return a trace that every renderer takes: a run that shows no property gets a name."""
    if trace.get("property"):
        return trace
    name = "the event that goes wrong" if trace["verdict"] == "error" else "the end of the order"
    return {**trace, "property": {"name": name, "kind": "reach", "meaning": ""}}


def drawing(trace: Trace, form: str, tool: Renderer | None = None) -> bytes:
    """Return a trace in one of FORMATS, or as ``json``.

    Raises RenderError where a picture is asked for and the machine has nothing that draws it.
    """
    if form == "json":
        from fencecheck.report.results.json import trace_json

        return trace_json(trace).encode()
    trace = drawable(trace)
    if form == "mermaid":
        from fencecheck.report.picture.mermaid import trace_to_mermaid

        return visible(trace_to_mermaid(trace)).encode()
    if form == "markdown":
        from fencecheck.report.results.markdown import trace_to_markdown

        return visible(trace_to_markdown(trace)).encode()
    from fencecheck.report.picture.dot import trace_to_dot

    source = visible(trace_to_dot(trace))
    if form == "dot":
        return source.encode()
    from fencecheck.report.picture.render import render

    return render(source, form, tool)
