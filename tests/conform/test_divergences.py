"""Divergences as traces: saved, replayed, driven again, drawn, and told in every format."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencecheck.analysis.driving.drive import Manner, drive_spec
from fencecheck.checking.results import Result
from fencecheck.cli.commands.check import whole
from fencecheck.conform import Adapter
from fencecheck.report.formats import drawing
from fencecheck.runs.replay import replay
from fencecheck.runs.trace import Observed, Trace
from fencecheck.runs.trace_json import read_trace, trace_object
from tests.conform.driving import OURS, divergences, driven, spec_of
from tests.conform.systems.letters import Letters, Miscounting, Silent

LETTERS = OURS / "letters.toml"


def result_of(kind: type[Adapter], **how: Any) -> Result:
    spec = spec_of(LETTERS, "at once")
    return drive_spec(spec, (kind.__name__, kind), Manner(**how))


@pytest.fixture(scope="module")
def trace() -> Trace:
    found = result_of(Miscounting)["conforms"].trace
    assert found is not None
    return found


def test_a_divergence_is_read_back_as_it_was_saved(trace: Trace) -> None:
    """With what was observed beside its last event."""
    assert trace.observed == Observed(
        "Miscounting", "taken", {"shelf.taken": ["letter 1"], "shelf.count": 0}, 0
    )
    again = read_trace(json.loads(json.dumps(trace_object(trace))), "trace.json")
    assert again.observed == trace.observed
    assert again.violation == trace.violation


def test_a_divergence_replays_as_long_as_model_and_observation_differ(trace: Trace) -> None:
    """What was observed must not be what the model does."""
    family = spec_of(LETTERS).family
    assert replay(family, trace).misfit is None
    assert trace.observed is not None
    right = replace(trace.observed, values={"shelf.count": 1})
    same = replay(family, replace(trace, observed=right))
    assert same.misfit == "what was observed of the implementation is what the model does"


def test_a_saved_divergence_is_driven_again(trace: Trace) -> None:
    """It is one of the same implementation, and none of another."""
    spec = spec_of(LETTERS, "at once")
    assert divergences(driven(spec, Miscounting, trace=trace))[0][:2] == (2, "receiver.take")
    assert driven(spec, Letters, trace=trace)["conforms"].verdict == "holds"


def test_what_runs_find_is_shrunk(trace: Trace) -> None:
    """To as few events as a shortest one has, with the same difference."""
    (found,) = divergences(driven(spec_of(LETTERS, "at once"), Miscounting, by="runs"))
    (again,) = divergences(driven(spec_of(LETTERS, "at once"), Miscounting, by="walks", seed=7))
    assert found[0] == again[0] == len(trace.events)


@pytest.mark.parametrize("form", ["dot", "mermaid", "markdown", "html"])
def test_a_divergence_is_drawn(trace: Trace, form: str) -> None:
    """With the two values that differ."""
    text = drawing(trace, form).decode()
    assert "diverges in 2 events" in text
    assert "shelf.count" in text


FORMS = {
    "text": ("holds         conforms  in every event order", "violated      conforms  1 event"),
    "markdown": ("driven in lockstep", "conforms"),
    "html": ("conforms", "conforms"),
    "csv": ("conformance,conforms,true,holds", "conformance,conforms,true,violated"),
    "junit": ('failures="0"', 'failures="1"'),
    "github": ("", "conforms"),
    "sarif": ('"results": []', "conforms"),
    "json": ('"by": "lockstep"', '"failure": null'),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_format_tells_what_came_of_it(form: str) -> None:
    """Of an implementation that conforms and of one that diverges."""
    for kind, words in zip((Letters, Silent), FORMS[form], strict=True):
        assert words in whole([result_of(kind)], form, quiet=False, array=False)


def test_what_a_limit_cuts_is_undetermined() -> None:
    """In every way of driving; the exit code is 3, and no word of a pass is said."""
    from fencecheck.explore.graph import Limits

    for by in ("lockstep", "runs"):
        found = result_of(Letters, by=by, limits=Limits(states=3))
        assert (found["conforms"].verdict, found.exit_code) == ("undetermined", 3)
        assert "cut by the limit on states" in whole([found], "text", quiet=False, array=False)


def test_a_trace_of_another_model_is_refused(tmp_path: Path, trace: Trace) -> None:
    """It says which model it is of."""
    with pytest.raises(Exception, match="the trace is of model other"):
        result_of(Letters, trace=replace(trace, name="other"))
