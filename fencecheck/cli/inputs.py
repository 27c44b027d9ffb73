"""Read trace files: a saved trace, or a results file with the traces in it.

A document from a file may be anything; what lacks the shape of its schema is refused here with
the place that is wrong, so that no renderer or replay meets it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fencecheck.cli.files import slug
from fencecheck.errors import TraceError

TRACE, RESULTS = "fencecheck/trace/1", "fencecheck/results/1"
Trace = dict[str, Any]

_HEAD: dict[str, type | tuple[type, ...]] = {
    "model": str,
    "mechanisms": dict,
    "bounds": dict,
    "verdict": str,
    "lanes": list,
    "initial": dict,
    "relevant": list,
    "events": list,
}
_EVENT: dict[str, type | tuple[type, ...]] = {
    "event": str,
    "actor": str,
    "interference": bool,
    "args": dict,
    "sends": list,
    "takes": list,
    "changes": dict,
}
_PROPERTY: dict[str, type | tuple[type, ...]] = {"name": str, "kind": str}
_VIOLATION: dict[str, type | tuple[type, ...]] = {"event": int, "compare": list}
VERDICTS = ("violated", "error", "witness")
KINDS = ("interference", "system", "store")
_OPTIONAL = {"property": None, "violation": None, "loop_start": None, "title": ""}
_EVENT_OPTIONAL: dict[str, Any] = {
    "outcome": None,
    "label": "",
    "quiet": False,
    "copies": [],
    "ghosts": {},
    "remark": None,
}


def read_traces(path: Path) -> list[tuple[str, Trace]]:
    """Return the traces of a file as (name, trace); the name serves for files made of them.

    Raises TraceError where the file cannot be read or is neither a trace nor results.
    """
    document = _load(path)
    documents = document if isinstance(document, list) else [document]
    schemas = {d.get("schema") if isinstance(d, dict) else None for d in documents}
    if schemas == {TRACE} and isinstance(document, dict):
        return [(slug(path.stem), check_trace(document, str(path)))]
    if schemas == {RESULTS}:
        found = [item for d in documents for item in _of_results(d, str(path))]
        if not found:
            raise TraceError(f"{path}: these results hold no trace")
        return found
    seen = ", ".join(sorted(f'"{s}"' if s else "none" for s in schemas)) or "none"
    raise TraceError(f'{path}: its schema is {seen}; it must be "{TRACE}" or "{RESULTS}"')


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise TraceError(f"{path}: is not UTF-8 text; a trace is a JSON file") from None
    except RecursionError:
        raise TraceError(f"{path}: is nested too deeply for a trace") from None
    except json.JSONDecodeError as error:
        raise TraceError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None


def _of_results(document: dict[str, Any], path: str) -> Iterator[tuple[str, Trace]]:
    for i, variant in enumerate(_listed(document, "variants", path)):
        place = f"{path}: variants[{i}]"
        fault = variant.get("error") if isinstance(variant, dict) else None
        if isinstance(fault, dict) and fault.get("trace") is not None:
            trace = check_trace(fault["trace"], f"{place}.error.trace")
            yield f"{slug(str(variant.get('name')))}.model-error", trace
        for j, found in enumerate(_listed(variant, "properties", place)):
            if isinstance(found, dict) and found.get("trace") is not None:
                trace = check_trace(found["trace"], f"{place}.properties[{j}].trace")
                name = f"{slug(str(variant.get('name')))}.{slug(str(found.get('name')))}"
                yield name, trace
            others = found.get("others", []) if isinstance(found, dict) else []
            for k, other in enumerate(others if isinstance(others, list) else []):
                told = other.get("trace") if isinstance(other, dict) else None
                trace = check_trace(told, f"{place}.properties[{j}].others[{k}].trace")
                yield f"{slug(str(variant.get('name')))}.{slug(str(found.get('name')))}", trace
        for j, found in enumerate(_listed(variant, "questions", place)):
            if isinstance(found, dict) and found.get("trace") is not None:
                trace = check_trace(found["trace"], f"{place}.questions[{j}].trace")
                yield f"{slug(str(variant.get('name')))}.reach-{j + 1}", trace
    for k, cell in enumerate(_listed(document, "scenarios", path)):
        if isinstance(cell, dict) and cell.get("trace") is not None:
            trace = check_trace(cell["trace"], f"{path}: scenarios[{k}].trace")
            yield f"{slug(str(cell.get('variant')))}.{slug(str(cell.get('scenario')))}", trace


def _listed(document: Any, key: str, place: str) -> list[Any]:
    listed = document.get(key, []) if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise TraceError(f"{place}: {key} is not a list")
    return listed


def check_trace(document: Any, place: str) -> Trace:
    """Return a trace with every key that renderers read; raise TraceError with the wrong place."""
    _check(document, _HEAD, place)
    trace = {**_OPTIONAL, **document}
    if document["verdict"] not in VERDICTS:
        raise TraceError(f"{place}: verdict is not one of {', '.join(VERDICTS)}")
    if trace["verdict"] == "violated":
        _check(trace["property"], _PROPERTY, f"{place}: property")
    for key, shape in (("property", _PROPERTY), ("violation", _VIOLATION)):
        if trace[key] is not None:
            _check(trace[key], shape, f"{place}: {key}")
    trace["events"] = [
        _event(event, f"{place}: events[{i}]") for i, event in enumerate(trace["events"])
    ]
    for i, lane in enumerate(trace["lanes"]):
        _check(lane, {"name": str, "kind": str}, f"{place}: lanes[{i}]")
        if lane["kind"] not in KINDS:
            raise TraceError(f"{place}: lanes[{i}]: kind is not one of {', '.join(KINDS)}")
    if not all(isinstance(name, str) for name in trace["relevant"]):
        raise TraceError(f"{place}: relevant: each must be the name of a variable")
    lanes = {lane["name"] for lane in trace["lanes"]}
    for i, event in enumerate(trace["events"]):
        if event["actor"] not in lanes:
            raise TraceError(f"{place}: events[{i}]: actor {event['actor']!r} is not among lanes")
    if trace["violation"] is not None:
        _pairs(trace["violation"]["compare"], f"{place}: violation.compare")
        trace["violation"] = {"says": "", **trace["violation"]}
    if trace["property"] is not None:
        trace["property"] = {"meaning": "", **trace["property"]}
        _check(trace["property"], {"meaning": str}, f"{place}: property")
    start = trace["loop_start"]
    if start is not None and not (isinstance(start, int) and 0 <= start <= len(trace["events"])):
        raise TraceError(f"{place}: loop_start {start!r} is not the number of an event")
    return trace


def _event(event: Any, place: str) -> dict[str, Any]:
    _check(event, _EVENT, place)
    told = {**_EVENT_OPTIONAL, **event}
    _check(told, {"label": str, "copies": list, "remark": (str, type(None))}, place)
    for i, sent in enumerate(told["sends"]):
        _check(sent, {"message": int, "label": str, "kind": str}, f"{place}.sends[{i}]")
    for i, taken in enumerate(told["takes"]):
        _check(taken, {"message": int, "how": str}, f"{place}.takes[{i}]")
    for i, copy in enumerate(told["copies"]):
        _check(copy, {"message": int, "of": int}, f"{place}.copies[{i}]")
    _pairs(list(told["changes"].values()), f"{place}.changes")
    return told


def _pairs(items: list[Any], place: str) -> None:
    if not all(isinstance(item, list) and len(item) == 2 for item in items):
        raise TraceError(f"{place}: each must be a list of two values")


def _check(document: Any, shape: dict[str, Any], place: str) -> None:
    if not isinstance(document, dict):
        raise TraceError(f"{place}: is not an object of {TRACE}")
    for key, kind in shape.items():
        if key not in document:
            raise TraceError(f'{place}: has no "{key}"; is it a {TRACE} document?')
        if not isinstance(document[key], kind):
            name: dict[Any, str] = {
                dict: "an object",
                list: "a list",
                str: "text",
                bool: "true or false",
                (str, type(None)): "text",
            }
            raise TraceError(f"{place}: {key} is not {name.get(kind, 'a whole number')}")
