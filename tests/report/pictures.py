"""What the tests of the pictures share: the traces written by hand, and golden files.

Golden files are compared byte for byte. After a change that is meant, write them anew with
    FENCECHECK_WRITE_GOLDEN=1 python -m pytest tests/report
and read the difference before committing it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from fencecheck.runs.trace import Trace
from fencecheck.runs.trace_json import read_trace

HERE = Path(__file__).parent
NAMES = ("3_events", "11_events", "25_events")
# One text with everything that HTML-like labels, DOT strings and Mermaid give a meaning to.
NASTY = 'a<b>&"q"|{x}\\N \\\\ # ; : %% end é→漢字'


def load_document(name: str) -> dict[str, Any]:
    """Return one of the traces written by hand as JSON, fresh for each caller."""
    document: dict[str, Any] = json.loads((HERE / "traces" / f"{name}.json").read_text("utf-8"))
    return document


def traced(document: dict[str, Any]) -> Trace:
    """Return the trace of a JSON object."""
    return read_trace(document, "trace")


def load_trace(name: str) -> Trace:
    """Return one of the traces written by hand."""
    return traced(load_document(name))


def nasty_document() -> dict[str, Any]:
    """Return a trace in which every text that a picture shows holds special characters."""
    trace = load_document("3_events")
    trace["title"] = trace["property"]["meaning"] = trace["violation"]["says"] = NASTY
    trace["violation"]["compare"] = [[NASTY, NASTY], [NASTY, "original"]]
    read = [{"variable": f"a.{NASTY}[{i}]", "before": NASTY, "after": i} for i in range(12)]
    trace["violation"]["evidence"] = read
    trace["lanes"][0]["name"] = NASTY
    trace["initial"]["workspace.rev"] = NASTY
    for event in trace["events"]:
        event["label"], event["remark"] = NASTY, NASTY
        event["actor"] = NASTY if event["actor"] == "human" else event["actor"]
        for sent in event["sends"]:
            sent["label"] = NASTY
        event["changes"] = {key: [NASTY, NASTY + "!"] for key in event["changes"]}
    return trace


def nasty_trace() -> Trace:
    """Return the trace of special characters."""
    return traced(nasty_document())


def check_golden(name: str, text: str) -> None:
    """Compare a text with its golden file, or write the file where the environment asks for it."""
    path = HERE / "golden" / name
    if os.environ.get("FENCECHECK_WRITE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8"), f"{path} differs; see the docstring of pictures.py"
