"""fencecheck check: coverage, strictness, and questions in predicates."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET


def test_coverage_is_a_table(run, queue):
    """How often each event occurred, how deep first, and what switches one off."""
    result = run("check", queue, "--coverage")
    assert result.exit_code == 0
    assert "transitions" in result.stdout
    assert "off: crashes 0" in run("check", queue, "--coverage", "--bound", "crashes=0").stdout
    assert "first" not in run("check", queue, "--quiet").stdout


def test_coverage_stands_in_every_format(run, sound):
    """JSON always has the counts of a small model; the others show them when asked."""
    told = json.loads(run("check", sound, "--format", "json", "--coverage").stdout)
    events = told["variants"][0]["coverage"]["events"]
    name = events[0]["event"]
    assert sum(event["transitions"] for event in events) > 0
    assert f"`{name}`" in run("check", sound, "--format", "markdown", "--coverage").stdout
    assert f"coverage,{name}" in run("check", sound, "--format", "csv", "--coverage").stdout
    root = ET.fromstring(run("check", sound, "--format", "junit", "--coverage").stdout.encode())
    assert f"coverage of {name}" in {p.get("name") for p in root.iter("property")}


def test_coverage_of_a_cut_search_is_of_a_part(run, sound):
    """Nothing is said to never occur by a search that was cut."""
    result = run("check", sound, "--coverage", "--max-states", 2)
    assert result.exit_code == 3
    assert "of the part that was explored" in result.stdout
    assert "never occurred" not in result.stdout


def test_strict_fails_on_what_was_never_put_to_the_test(run, sound, tmp_path):
    """A fault that never fires, and a switch without effect, are failures only when strict."""
    path = tmp_path / "alike.toml"
    path.write_text(
        'model = "jobs.py"\n[properties]\nrequire = []\nreport = ["one_run"]\n'
        '[[variant]]\nname = "a"\nmechanisms = { reaper = "off" }\n'
        '[[variant]]\nname = "b"\nmechanisms = { reaper = "on" }\n'
    )
    assert run("check", path).exit_code == 0
    result = run("check", path, "--strict")
    assert result.exit_code == 1
    assert 'made no difference: reaper (off, on) between "a" and "b"' in result.stdout
    assert "strict:" in result.stdout
    root = ET.fromstring(run("check", path, "--strict", "--format", "junit").stdout.encode())
    assert [c for c in root.iter("testcase") if c.find("failure") is not None]
    told = json.loads(run("check", path, "--format", "json").stdout)
    assert told["no_difference"] == [
        {"variants": ["a", "b"], "switches": {"reaper": ["off", "on"]}}
    ]


def test_a_question_is_answered(run, sound, tmp_path):
    """A witness with its event order, saved like a counterexample."""
    result = run("check", sound, "--reach", "crashes == 0", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert "reached" in result.stdout
    assert "interference" in result.stdout
    (saved,) = (tmp_path / "out").rglob("*.reach-1.json")
    assert run("replay", saved).exit_code == 0
    assert "is reached" in run("draw", saved, "--format", "markdown", "--out", "-").stdout


def test_an_invariant_decides_the_exit_code(run, sound):
    """Broken: 1; not found out: 3; wrong: 2 with its place."""
    assert run("check", sound, "--invariant", "crashes <= 1").exit_code == 0
    assert run("check", sound, "--invariant", "crashes == 1").exit_code == 1
    result = run("check", sound, "--reach", "crashes > 5", "--max-states", 2)
    assert (result.exit_code, "undetermined" in result.stdout) == (3, True)
    result = run("check", sound, "--invariant", "crash == 1")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[1:] == ["  crash == 1", "  ^^^^^"]


def test_several_counterexamples_are_shown_and_saved(run, bare, tmp_path):
    """Each has its own file; JSON has them beside the first."""
    result = run("check", bare, "--counterexamples", 3, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "another " in result.stdout
    saved = sorted(path.name for path in (tmp_path / "out").rglob("*.json"))
    assert any(name.endswith("-2.json") for name in saved)
    for path in (tmp_path / "out").rglob("*.json"):
        assert run("replay", path).exit_code == 0
    told = run("check", bare, "--counterexamples", 3, "--format", "json").stdout
    found = json.loads(told)["variants"][0]["properties"]
    assert any(prop["others"] for prop in found)
    (tmp_path / "all.json").write_text(told)
    assert run("replay", tmp_path / "all.json").exit_code == 0
