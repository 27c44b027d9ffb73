"""fencecheck conform: exit codes, formats, what is written, what is refused."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.analysis.logs.walks import SPECS, spec_of, walk_lines, write_log

DESIGN = SPECS / "designs" / "step_fence_journal.toml"
DISPATCH = {"process": "client", "event": "client.dispatch", "args": {"step": 1}}
APPLY = {"process": "client", "event": "executor.apply", "args": {"step": 1}}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    lines = walk_lines(spec_of("designs/step_fence_journal"), 3)
    return write_log(tmp_path_factory.mktemp("logs") / "good.jsonl", lines)


@pytest.fixture
def bad(tmp_path):
    return write_log(tmp_path / "bad.jsonl", [APPLY, DISPATCH])


def test_an_explained_log_exits_with_0(run, good):
    """A line for the run, what is supposed, in how many states it may have ended, totals."""
    result = run("conform", DESIGN, good)
    assert result.exit_code == 0
    assert f"holds         {good}: 22 events; supposed: " in result.stdout
    assert "it ended in the one state of the model that the log allows" in result.stdout
    assert "1 run, each explained" in result.stdout


def test_one_that_is_not_exits_with_1_and_is_saved(run, good, bad, tmp_path):
    """The event is named; the saved runs replay: with the refused event, and without."""
    result = run("conform", DESIGN, good, bad, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "executor.apply(step=1)" in result.stdout
    assert "1 of 2 runs not explained" in result.stdout
    saved = sorted((tmp_path / "out").rglob("*.json"))
    assert len(saved) == 2
    told = run("replay", *saved)
    assert told.exit_code == 0
    assert "the model has not what is logged as event 1" in told.stdout
    assert run("draw", saved[0], "--format", "mermaid", "--out", tmp_path).exit_code == 0


def test_a_saved_run_that_the_model_has_after_all_does_not_replay(run, bad, tmp_path):
    """Whoever edits a trace so that the log's event is possible hears of it."""
    run("conform", DESIGN, bad, "--out", tmp_path / "out", "--quiet")
    (path,) = (tmp_path / "out").rglob("*.json")
    trace = json.loads(path.read_text())
    trace["events"][-1]["refused"] |= {"event": "client.dispatch", "args": {"step": 1}}
    path.write_text(json.dumps(trace))
    result = run("replay", path)
    assert result.exit_code == 1
    assert "the model has it, though the log's was refused" in result.stdout
    trace["events"][-1]["refused"]["evnt"] = "x"
    path.write_text(json.dumps(trace))
    assert run("replay", path).exit_code == 2


@pytest.mark.parametrize("form", ["json", "markdown", "html", "csv", "junit", "github", "sarif"])
def test_every_format_says_that_it_is_not_explained(run, bad, form):
    """And none of them takes a search that was cut for a pass."""
    result = run("conform", DESIGN, bad, "--format", form)
    assert result.exit_code == 1
    assert "explained" in result.stdout
    assert "violated" in result.stdout
    cut = run("conform", DESIGN, bad, "--format", form, "--max-states", 1)
    assert cut.exit_code == 3
    assert "undetermined" in cut.stdout


def test_json_has_what_is_told_of_each_run(run, bad):
    told = json.loads(run("conform", DESIGN, bad, "--format", "json").stdout)
    assert told["schema"] == "fencecheck/results/1"
    (variant,) = told["variants"]
    assert variant["properties"][0]["name"] == "explained"
    (logged,) = variant["logs"]["runs"]
    assert logged["explained"] == 0
    assert logged["blocked"][0]["event"] == "executor.apply(step=1)"
    assert logged["trace"]["events"][-1]["refused"]["event"] == "executor.apply"


def test_junit_fails_the_case_of_the_run(run, good, bad):
    suites = ET.fromstring(run("conform", DESIGN, good, bad, "--format", "junit").stdout)
    assert (suites.get("failures"), suites.get("errors")) == ("1", "0")


def test_what_never_happened_fails_with_strict(run, good, tmp_path):
    """Of a log with everything in it nothing does."""
    assert run("conform", DESIGN, good, "--strict").exit_code == 0
    log = write_log(tmp_path / "run.jsonl", [DISPATCH])
    assert run("conform", DESIGN, log).exit_code == 0
    result = run("conform", DESIGN, log, "--strict")
    assert result.exit_code == 1
    assert "in no run: " in result.stdout
    assert "never happened" in result.stdout


def test_a_property_that_is_named_is_required_of_what_happened(run, tmp_path):
    """Otherwise it is only reported."""
    lines = [
        DISPATCH,
        {"process": "client", "event": "human.edit", "args": {"file": 1}},
        APPLY,
    ]
    log = write_log(tmp_path / "run.jsonl", lines)
    spec = SPECS / "designs" / "no_fence.toml"
    told = run("conform", spec, log)
    assert told.exit_code == 0
    assert "no_lost_update: no explanation keeps it" in told.stdout
    assert run("conform", spec, log, "--property", "no_lost_update").exit_code == 1
    assert run("conform", spec, log, "--property", "at_most_once").exit_code == 0


def test_options_that_make_no_sense(run, good, tmp_path):
    """Said with what to write instead; nothing runs."""
    for args, said in (
        (("--missing", "many"), "write 3 or 10%"),
        (("--clock-skew", "soon"), "write 50ms, 2s or 1m"),
        (("--variant", "step fense"), "is not one of"),
        (("--hidden", "network.lose"), "is not one of"),
        (("--map", "none.toml"), "cannot be read"),
        (("--map", "m.toml", "--reader", "r.py:read"), "one of them"),
        (("--reader", "r.py:read", "--builtin-models-only"), "refuses to run it"),
    ):
        result = run("conform", DESIGN, good, *args)
        assert result.exit_code == 2, args
        assert said in result.stderr, args
    empty = Path(tmp_path / "empty.jsonl")
    empty.write_text("\n")
    result = run("conform", DESIGN, good, empty)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is empty" in result.stderr
