"""The records of a log's files: JSON objects with their places, and what cannot be read of them.

A file of JSON lines has one a line, one in OTLP one for each span and each event of a span. A
``.json`` file in another shape is refused: what it may be is said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fencecheck.runs.itf.reading import is_itf
from fencecheck.runs.logged.otlp import is_otlp, otlp_records

Placed = tuple[dict[str, Any], str]


def read_records(path: Path) -> tuple[list[Placed], bool, list[str]]:
    """Return the records of a file, whether it is one in OTLP, and what is wrong with it."""
    shown = path.as_posix()
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        return [], False, [f"{shown}: cannot be read ({error.strerror or error})"]
    except UnicodeDecodeError:
        return [], False, [f"{shown}: is not UTF-8 text; a log is JSON, one event a line"]
    if not text.strip():
        return [], False, [f"{shown}: is empty; a log of nothing is explained by everything"]
    whole = _whole(text) if path.suffix == ".json" else None
    if whole is not None and not (is_otlp(whole) or is_itf(whole)):
        return [], False, [f"{shown}: {_expected(whole)}"]
    found, problems = list[Placed](), list[str]()
    lines = [(shown, whole)] if whole is not None else list(_lines(text, shown, problems))
    otlp = any(is_otlp(document) for _, document in lines)
    for place, document in lines:
        if is_otlp(document):
            found += otlp_records(document, place, problems)
        elif isinstance(document, dict):
            found.append((document, place))
        else:
            problems.append(f"{place}: is not an object; write one event a line")
    return found, otlp, problems


def _whole(text: str) -> Any:
    """Return the document that a text is as a whole, None where it is none, or is JSON lines."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _lines(text: str, shown: str, problems: list[str]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{shown}:{number}"
        try:
            yield place, json.loads(line)
        except json.JSONDecodeError as error:
            problems.append(f"{place}:{error.colno}: not JSON: {error.msg}")
        except (ValueError, RecursionError) as error:
            problems.append(f"{place}: cannot be read ({error})")


def _expected(whole: Any) -> str:
    what = "a list" if isinstance(whole, list) else "no log"
    return (
        f"is {what}; a log is JSON lines (.jsonl), a trace in ITF (.itf.json), or OTLP with "
        '"resourceSpans" (.json)'
    )
