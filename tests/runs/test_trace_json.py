"""Traces come back from JSON as they were; what else a file holds is refused with its place."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencecheck.cli.inputs import read_traces
from fencecheck.errors import DesignError, ModelError, TraceError, UsageError
from fencecheck.model.files.loading import load_family
from fencecheck.report.formats import drawing
from fencecheck.report.words.orders import order_lines, violation_lines
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Trace
from fencecheck.runs.trace_json import read_trace, trace_object
from tests.runs.checked import check

BARE = {"fence": "none", "precondition": "off", "journal": "none"}
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 3, 1 << 70, 1.5, "", "x", "\ud800", [], [None], [[]], {}, {"a": 1}, [1, 2],
    "executor.apply", "client", 10**6,
)  # fmt: skip


def told() -> Trace:
    """Return a counterexample with messages, a loss and evidence."""
    result = check("fence", BARE, {"lost_replies": 1, "steps": 1})
    trace = result["at_most_once"].trace
    assert trace is not None
    return trace


TRACE = told()
MESSAGES = {"network.requests", "network.replies"}
DOCUMENT = json.loads(json.dumps(trace_object(TRACE)))


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value inside a JSON document."""
    items: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else []
    items = enumerate(value) if isinstance(value, list) else items
    for key, item in items:
        yield (*way, key)
        yield from places(item, (*way, key))


def documents() -> list[Any]:
    """Return a violation, a loop, and a run into a trap with a way on that goes round."""
    result = check("ledger", {"poison": "ack", "effect_key": "none"}, {"steps": 1})
    traces = (result["can_finish"].trace, result["finishes"].trace)
    told = [json.loads(json.dumps(trace_object(trace))) for trace in traces if trace is not None]
    assert told[0]["continuation"]["loop_start"] is not None
    assert told[1]["loop_start"] is not None
    return [DOCUMENT, *told]


def mutated(numbers: random.Random, documents: list[Any]) -> Any:
    """Return a document with one to three values replaced, left out or doubled."""
    document = copy.deepcopy(numbers.choice(documents))
    for _ in range(numbers.randint(1, 3)):
        ways = list(places(document))
        *way, key = numbers.choice(ways)
        holder = document
        for step in way:
            holder = holder[step]
        what = numbers.randrange(4)
        if what == 0:
            del holder[key]
        elif what == 1 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        else:
            holder[key] = copy.deepcopy(numbers.choice(ODD))
    return document


# -- both directions ----------------------------------------------------------------------------
def test_a_trace_comes_back_as_it_was() -> None:
    """Nothing is lost in a file: events, messages, evidence, what is silent."""
    assert read_trace(DOCUMENT, "x") == TRACE
    assert trace_object(read_trace(DOCUMENT, "x")) == DOCUMENT
    assert TRACE.violation is not None
    assert TRACE.violation.evidence
    assert TRACE.silent > MESSAGES


def test_what_older_traces_lack_is_filled_in() -> None:
    """Without the newer fields a trace is read, replays, and is drawn by the model's name."""
    document = copy.deepcopy(DOCUMENT)
    for key in ("model_name", "silent"):
        del document[key]
    del document["violation"]["evidence"]
    for event in document["events"]:
        del event["exact"]
        for sent in event["sends"]:
            del sent["back"]
    trace = read_trace(document, "x")
    assert (trace.name, trace.silent) == ("fence", MESSAGES)
    assert replay(load_family("fence"), trace).misfit is None


# -- anything else ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("way", "value", "words"),
    [
        (("title",), ["a"], "x: title is not text"),
        (("title",), {}, "x: title is not text"),
        (("events", 0, "takes"), [{"message": 7, "how": "lost"}], "message 7 is not in flight"),
        (("events", 0, "exact"), [], "x: events[0]: exact is not an object"),
        (("violation", "evidence"), [3], "x: violation.evidence[0]: is not an object"),
        (("bounds", "steps"), 1 << 80, "x: bounds: steps"),
        (("lanes", 1, "name"), "human", "x: lanes[1]: there is another lane human"),
    ],
)
def test_a_value_of_a_wrong_kind_is_named_with_its_place(
    way: tuple[Any, ...], value: Any, words: str
) -> None:
    """The message says where in the file, and what should stand there."""
    document = holder = copy.deepcopy(DOCUMENT)
    for step in way[:-1]:
        holder = holder[step]
    holder[way[-1]] = value
    with pytest.raises(TraceError) as error:
        read_trace(document, "x")
    assert words in str(error.value)


@pytest.mark.parametrize("schema", [["a"], {}, 3, None, "other"])
def test_a_schema_of_any_kind_is_refused_in_words(tmp_path: Path, schema: Any) -> None:
    """A list is no schema, and hashing it is no business of a reader."""
    path = tmp_path / "x.json"
    path.write_text(json.dumps({**DOCUMENT, "schema": schema}))
    with pytest.raises(TraceError, match="its schema is"):
        read_traces(path)


@pytest.mark.parametrize("seed", range(8))
def test_mutated_traces_are_read_or_refused_and_never_crash(tmp_path: Path, seed: int) -> None:
    """What is read can be told, drawn and replayed; the rest is a TraceError."""
    numbers, whole, path = random.Random(seed), documents(), tmp_path / "x.json"
    seen, places_named = 0, list[bool]()
    for _ in range(60):
        path.write_text(json.dumps(mutated(numbers, whole)))
        try:
            ((_, trace),) = read_traces(path)
        except TraceError as error:
            places_named.append(str(path) in str(error))
            continue
        seen += 1
        lines = order_lines(trace) + violation_lines(trace)
        "\n".join(lines).encode()
        for form in ("dot", "mermaid", "markdown", "json"):
            drawing(trace, form)
        bounds = {name: min(number, 2) for name, number in trace.bounds.items()}
        with suppress(DesignError, ModelError, UsageError):
            replay(load_family(trace.model), replace(trace, bounds=bounds))
    assert seen
    assert places_named
    assert all(places_named)


# -- models of one's own ------------------------------------------------------------------------
OWN = '''
from fencecheck.model import Int, Model

model = Model("counter", "It counts")
worker = model.actor("worker")
model.variable("n", Int(0, 3), owner=worker)


@worker.action(when=lambda s: s.n < 3)
def work(s):
    s.n += 1


@model.invariant()
def few(s):
    """It does not work twice."""
    return s.n < 2
'''


def test_a_saved_trace_of_ones_own_model_moves_with_its_folder(tmp_path: Path) -> None:
    """The path is relative to the file, so that both can be moved together."""
    there, here = tmp_path / "there", tmp_path / "here"
    (there / "models").mkdir(parents=True)
    (there / "out").mkdir()
    (there / "models" / "count.py").write_text(OWN)
    trace = check(str(there / "models" / "count.py"))["few"].trace
    assert trace is not None
    saved = drawing(trace, "json", folder=there / "out")
    (there / "out" / "few.json").write_bytes(saved)
    assert json.loads(saved)["model"] == "../models/count.py"
    there.rename(here)
    ((_, moved),) = read_traces(here / "out" / "few.json")
    assert Path(moved.model) == (here / "models" / "count.py").resolve()
    assert replay(load_family(moved.model), moved).misfit is None


def test_an_absolute_path_of_an_older_trace_still_loads(tmp_path: Path) -> None:
    """What names the whole path is taken at its word."""
    model = tmp_path / "count.py"
    model.write_text(OWN)
    trace = check(str(model))["few"].trace
    assert trace is not None
    (tmp_path / "out").mkdir()
    path = tmp_path / "out" / "few.json"
    path.write_text(json.dumps(trace_object(trace)))
    assert json.loads(path.read_text())["model"] == str(model.resolve())
    ((_, again),) = read_traces(path)
    assert Path(again.model) == model.resolve()


def test_pictures_name_the_model_and_not_its_path(tmp_path: Path) -> None:
    """Where a model lies on somebody's machine is nobody's business."""
    (tmp_path / "count.py").write_text(OWN)
    trace = check(str(tmp_path / "count.py"))["few"].trace
    assert trace is not None
    for form in ("dot", "mermaid", "markdown"):
        text = drawing(trace, form).decode()
        assert "model counter" in text
        assert "count.py" not in text
