"""Read trace files: a saved trace, one in ITF, or a results file with the traces in it.

A document from a file may be anything; what lacks the shape of its schema is refused here or in
runs/trace_json.py, with the place that is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fencecheck.analysis.compare.changes import Baseline, baseline_of
from fencecheck.cli.files import slug
from fencecheck.errors import TraceError
from fencecheck.runs.checked_json import CheckedObject
from fencecheck.runs.itf.reading import is_itf, read_itf
from fencecheck.runs.trace import Trace
from fencecheck.runs.trace_json import SCHEMA as TRACE
from fencecheck.runs.trace_json import read_trace

RESULTS = "fencecheck/results/1"


def read_traces(path: Path, *, builtin_only: bool = False) -> list[tuple[str, Trace]]:
    """Return the traces of a file as (name, trace); the name serves for files made of them.

    A trace in ITF is run on its model, which is refused with ``builtin_only`` if it is a file.
    Raises TraceError where the file cannot be read or is neither a trace nor results.
    """
    document = _load(path)
    if is_itf(document):
        trace = read_itf(document, str(path), path.parent, builtin_only=builtin_only)
        return [(slug(path.name.removesuffix(".json").removesuffix(".itf")), trace)]
    documents = document if isinstance(document, list) else [document]
    schemas = [d.get("schema") if isinstance(d, dict) else None for d in documents]
    if schemas == [TRACE] and isinstance(document, dict):
        return [(slug(path.stem), read_trace(document, str(path), path.parent))]
    if schemas and all(schema == RESULTS for schema in schemas):
        found = [item for d in documents for item in _of_results(d, path)]
        if not found:
            raise TraceError(f"{path}: these results hold no trace")
        return found
    raise TraceError(
        f'{path}: its schema is {_named(schemas)}; it must be "{TRACE}" or "{RESULTS}"'
    )


def read_baseline(path: Path) -> Baseline:
    """Return what an earlier run said, from the JSON that --out saved or --format json printed.

    Raises TraceError where the file cannot be read or holds no results.
    """
    document = _load(path)
    documents = document if isinstance(document, list) else [document]
    schemas = [d.get("schema") if isinstance(d, dict) else None for d in documents]
    if not schemas or any(schema != RESULTS for schema in schemas):
        raise TraceError(
            f"{path}: these are no results: its schema is {_named(schemas)}, it must be "
            f'"{RESULTS}"; write them with fencecheck check ... --format json --out DIR'
        )
    return baseline_of([CheckedObject(d, str(path), RESULTS) for d in documents])


def _named(schemas: list[Any]) -> str:
    """Return the schemas that documents say they have, for an error."""
    seen = sorted({json.dumps(s)[:40] if s is not None else "none" for s in schemas})
    return ", ".join(seen) or "none"


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise TraceError(f"{path}: is not UTF-8 text; a trace is a JSON file") from None
    except RecursionError:
        raise TraceError(f"{path}: is nested too deeply for a trace") from None
    except json.JSONDecodeError as error:
        raise TraceError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except ValueError as error:  # a number of thousands of digits
        raise TraceError(f"{path}: a number in it cannot be read ({error})") from None


def _of_results(document: dict[str, Any], path: Path) -> Iterator[tuple[str, Trace]]:
    """Yield the traces of one object of results: of properties, questions and scripted orders."""
    results = CheckedObject(document, str(path), RESULTS)
    for variant in results.objects("variants", []):
        design = slug(variant.text("name"))
        if variant.fields.get("error") is not None:
            yield from _held(variant.inner("error"), f"{design}.model-error", path)
        for finding in variant.objects("properties", []):
            name = f"{design}.{slug(finding.text('name'))}"
            for holder in (finding, *finding.objects("others", [])):
                yield from _held(holder, name, path)
        for number, question in enumerate(variant.objects("questions", []), 1):
            yield from _held(question, f"{design}.reach-{number}", path)
    for cell in results.objects("scenarios", []):
        yield from _held(cell, f"{slug(cell.text('variant'))}.{slug(cell.text('scenario'))}", path)


def _held(holder: CheckedObject, name: str, path: Path) -> Iterator[tuple[str, Trace]]:
    if holder.fields.get("trace") is not None:
        yield name, read_trace(holder.fields["trace"], holder.inside("trace"), path.parent)
