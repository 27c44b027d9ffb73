"""``fencecheck drive``: its options, its exit codes, what is told of a mistake."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

SYSTEMS = Path(__file__).parents[1] / "conform"


@pytest.fixture
def letters(tmp_path):
    for name in ("letters.py", "letters.toml"):
        shutil.copy(SYSTEMS / "specs" / name, tmp_path / name)
    shutil.copy(SYSTEMS / "systems" / "letters.py", tmp_path / "receiver.py")
    return tmp_path


def drive(run: Any, adapter: str = "receiver.py:Letters", *more: str) -> Any:
    return run("drive", "letters.toml", adapter, "--variant", "at once", *more)


@pytest.mark.parametrize(
    ("adapter", "more", "code"),
    [
        ("receiver.py:Letters", (), 0),
        ("receiver.py:Letters", ("--by", "runs", "--cover", "events", "--strict"), 0),
        ("receiver.py:Letters", ("--by", "walks", "--walks", "20", "--seed", "3"), 0),
        ("receiver.py:Miscounting", (), 1),
        ("receiver.py:Letters", ("--max-states", "3"), 3),
        ("receiver.py:Unpicklable", ("--by", "lockstep"), 2),
        ("receiver.py:Leters", (), 2),
        ("receiver.py", (), 2),
        ("gone.py:Letters", (), 2),
        ("no.such.module:Letters", (), 2),
    ],
)
def test_the_exit_code_is_that_of_the_contract(run, letters, adapter, more, code):
    result = drive(run, adapter, *more)
    assert result.exit_code == code, result.stderr
    assert "Traceback" not in result.stderr


def test_a_mistake_is_told_with_what_to_write(run, letters):
    assert 'did you mean "Letters"?' in drive(run, "receiver.py:Leters").stderr
    assert "write FILE.py:Class" in drive(run, "receiver.py").stderr
    (letters / "broken.py").write_text("1 / 0\n")
    said = drive(run, "broken.py:Letters").stderr
    assert "broken.py:Letters: cannot be loaded: ZeroDivisionError" in said
    assert "broken.py:1" in said


def test_a_divergence_is_saved_replayed_and_driven_again(run, letters):
    assert drive(run, "receiver.py:Miscounting", "--out", "out").exit_code == 1
    (trace,) = (letters / "out").rglob("*conforms*.json")
    replayed = run("replay", str(trace))
    assert (replayed.exit_code, "conforms is violated" in replayed.stdout) == (0, True)
    again = drive(run, "receiver.py:Miscounting", "--run", str(trace))
    assert again.exit_code == 1
    assert "driven along one saved run, 2 calls" in again.stdout
    assert drive(run, "receiver.py:Letters", "--run", str(trace)).exit_code == 0


def test_a_divergence_that_is_none_any_more_does_not_replay(run, letters):
    drive(run, "receiver.py:Miscounting", "--out", "out")
    (path,) = (letters / "out").rglob("*conforms*.json")
    trace = json.loads(path.read_text())
    trace["observed"]["values"]["shelf.count"] = 1
    path.write_text(json.dumps(trace))
    replayed = run("replay", str(path))
    assert replayed.exit_code == 1
    assert "what was observed of the implementation is what the model does" in replayed.stdout


def test_what_an_adapter_has_to_have_is_listed(run, letters):
    text = run("drive", "letters.toml", "--list", "--variant", "patient").stdout
    assert '@on("receiver.postpone") (message)  returns later; message: the object' in text
    assert "shelf.taken       empty  (in any order)" in text
    told = json.loads(run("drive", "letters.toml", "--list", "--format", "json").stdout)
    events = {event["event"]: event for event in told["variants"][0]["events"]}
    assert events["network.lose"]["needs_method"] is False
    assert events["sender.send"]["posts"] == [1]


def test_a_start_for_conformance_runs(run, tmp_path):
    result = run("init", ".", "--conform")
    assert result.exit_code == 0
    design = ("--variant", "take at once, with a reaper")
    assert run("drive", "jobs.toml", "adapter.py:Jobs", *design).exit_code == 0
    wrong = run("drive", "jobs.toml", "adapter.py:TrustingJobs", *design)
    assert wrong.exit_code == 1
    assert "conforms: a shortest event order, 3 events" in wrong.stdout
