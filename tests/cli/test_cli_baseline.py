"""--baseline: only what changed since an earlier run is told, and what got worse exits 1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def earlier(run, queue, sound, bare):
    """Return the results of all three specs as they are."""
    run("check", ".", "--format", "json", "--out", "saved", "--quiet")
    return queue.with_name("saved") / "results.json"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_nothing_changed_is_one_line_and_what_was_broken_before_fails_nothing(run, earlier):
    result = run("check", ".", "--baseline", earlier)
    assert result.exit_code == 0
    assert result.stdout == f"0 changes since {earlier}; violated now: 5 verdicts\n"


@pytest.mark.parametrize("command", ["check", "compare"])
def test_a_cell_that_held_and_is_violated_is_a_regression_with_its_order(
    run, earlier, sound, command
):
    change(sound, 'reaper = "on"', 'reaper = "off"')
    result = run(command, "sound.toml", "--baseline", earlier)
    assert result.exit_code == 1
    assert "  sound: reaper: on → off  (design)\n" in result.stdout
    assert "  sound: no_stuck: holds → violated in 2 events  (regression)\n" in result.stdout
    assert "    1. worker: take w1\n" in result.stdout
    assert "one_run" not in result.stdout
    assert result.stdout.splitlines()[-1].startswith("4 changes since ")


def test_a_regression_fails_although_the_spec_now_expects_it(run, earlier, sound):
    change(sound, 'reaper = "on"', 'reaper = "off"')
    sound.write_text(sound.read_text() + '[expect]\nno_stuck = "violated"\n')
    assert run("check", "sound.toml").exit_code == 0
    assert run("check", "sound.toml", "--baseline", earlier).exit_code == 1


def test_a_repair_is_told_and_fails_nothing(run, earlier, bare, sound):
    bare.write_text(sound.read_text())
    result = run("check", "bare.toml", "--baseline", earlier)
    assert result.exit_code == 0
    assert "bare: one_run: violated in 6 events → holds\n" in result.stdout
    assert "regression" not in result.stdout


def test_orders_of_another_length_are_told(run, earlier, bare):
    told = json.loads(earlier.read_text())
    (document,) = [d for d in told if d["spec"] == "bare.toml"]
    for cell, events in zip(document["variants"][0]["properties"], (9, 1), strict=True):
        cell["events"] = events
    earlier.write_text(json.dumps(told))
    result = run("check", "bare.toml", "--baseline", earlier)
    assert result.exit_code == 0
    assert "one_run: violated in 9 events → violated in 6 events  (shorter)" in result.stdout
    assert "no_stuck: violated in 1 event → violated in 3 events  (longer)" in result.stdout


def test_an_expected_number_of_events_that_is_missed_is_a_regression(run, earlier, queue):
    told = json.loads(earlier.read_text())
    (document,) = [d for d in told if d["spec"] == "jobs.toml"]
    document["variants"][0]["properties"][0]["events"] = 5
    earlier.write_text(json.dumps(told))
    change(queue, "events = 6", "events = 5")
    result = run("check", "jobs.toml", "--baseline", earlier)
    assert result.exit_code == 1
    assert (
        "one_run: violated in 5 events → violated in 6 events  (regression; expected: "
        in result.stdout
    )
    assert "violated in 5 events)" in result.stdout


def test_what_came_is_judged_as_ever_and_what_went_is_told(run, earlier, queue):
    change(queue, 'name = "take at once"\n', 'name = "at once"\n')
    result = run("check", "jobs.toml", "--baseline", earlier)
    assert result.exit_code == 0
    assert "at once: no_stuck: not checked → violated in 2 events  (came)" in result.stdout
    assert "take at once: no_stuck: violated in 2 events → not checked  (went)" in result.stdout
    assert "the spec: 1 design → not checked" in result.stdout
    change(queue, 'no_stuck = { verdict = "violated", events = 2 }', "")
    assert run("check", "jobs.toml", "--baseline", earlier).exit_code == 1


def test_a_cut_search_is_undetermined_whatever_was_known(run, earlier):
    result = run("check", "sound.toml", "--baseline", earlier, "--max-states", 5)
    assert result.exit_code == 3
    assert "sound: one_run: holds → undetermined" in result.stdout
    assert "undetermined now: 2 verdicts" in result.stdout.splitlines()[-1]
    run("check", "sound.toml", "--max-states", 5, "--format", "json", "--out", "cut", "--quiet")
    again = run(
        "check", "sound.toml", "--max-states", 5, "--baseline", "cut/results.json", "--quiet"
    )
    assert again.exit_code == 3
    assert again.stdout == "0 changes since cut/results.json; undetermined now: 2 verdicts\n"


def test_a_model_that_goes_wrong_outranks_everything(run, earlier, wrong):
    result = run("check", ".", "--baseline", earlier)
    assert result.exit_code == 2
    assert "n is 3" in result.stdout
    assert "1 model wrong" in result.stdout


@pytest.mark.parametrize("form", ["json", "markdown", "github"])
def test_other_formats_tell_the_regression_too(run, earlier, sound, form, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    change(sound, 'reaper = "on"', 'reaper = "off"')
    result = run("check", "sound.toml", "--baseline", earlier, "--format", form)
    assert result.exit_code == 1
    if form == "json":
        told = json.loads(result.stdout)
        assert (told["schema"], told["exit_code"]) == ("fencecheck/changes/1", 1)
        (worse,) = [c for c in told["changes"] if c["regression"]]
        assert (worse["name"], worse["before"], len(worse["trace"]["events"])) == (
            "no_stuck", "holds", 2,
        )  # fmt: skip
    elif form == "markdown":
        assert "**`sound.toml`: sound: no\\_stuck: holds → violated in 2 events" in result.stdout
        assert result.stdout.count("```mermaid") == 1
    else:
        head, _, message = result.stdout.splitlines()[0].removeprefix("::").partition("::")
        assert head.startswith("error file=sound.toml,line=1,title=sound%3A no_stuck%3A holds")
        assert "%0A1. worker: take w1%0A" in message
        assert "1 regression" in (tmp_path / "summary.md").read_text()


@pytest.mark.parametrize("form", ["csv", "junit", "sarif"])
def test_a_format_that_tells_no_changes_says_so_before_anything_runs(run, earlier, form):
    result = run("check", "sound.toml", "--baseline", earlier, "--format", form)
    assert result.exit_code == 2
    assert f"--format {form} does not tell changes" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "these are no results: its schema is none"),
        ('{"schema": "fencecheck/trace/1"}', 'its schema is "fencecheck/trace/1", it must be'),
        ('{"schema": "fencecheck/results/9"}', 'its schema is "fencecheck/results/9"'),
        ("{", "not JSON"),
        ('{"schema": "fencecheck/results/1"}', 'has no "model"'),
        (
            '{"schema": "fencecheck/results/1", "model": "m", "variants": [{"name": "a", '
            '"mechanisms": {}, "bounds": {}, "properties": [{"name": "p", "verdict": "fine"}]}]}',
            "verdict is not one of holds, violated, undetermined",
        ),
    ],
)
def test_a_baseline_that_is_none_exits_2(run, sound, tmp_path, text, said):
    (tmp_path / "old.json").write_text(text)
    result = run("check", "sound.toml", "--baseline", "old.json")
    assert result.exit_code == 2
    assert "old.json" in result.stderr
    assert said in result.stderr


@pytest.mark.parametrize("command", ["check", "compare"])
def test_a_baseline_of_other_specs_passes_nothing(run, earlier, sound, bare, command, tmp_path):
    """Whether of another spec, or of the same ones under other paths."""
    run("check", "bare.toml", "--format", "json", "--out", "bare", "--quiet")
    other = run(command, "sound.toml", "--baseline", "bare/results.json")
    assert other.exit_code == 2
    assert "nothing in it was checked now; it holds bare.toml: specs are the same" in other.stderr
    moved = run(command, tmp_path, "--baseline", earlier)
    assert moved.exit_code == 2
    assert "it holds bare.toml, jobs.toml, sound.toml" in moved.stderr
