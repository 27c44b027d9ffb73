"""Many specs at once: a line each, details of what is not as it should be, totals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

LINE = "jobs.toml: 6 verdicts, each as expected"


def without_seconds(text: str) -> str:
    return re.sub(r"\d+\.\d s", "S s", text)


def test_a_folder_in_which_all_is_as_expected_prints_a_line_a_spec(run, queue):
    result = run("check", ".")
    assert result.exit_code == 0
    assert without_seconds(result.stdout).splitlines() == [
        LINE,
        "1 spec, 6 verdicts: 6 as expected; S s",
    ]
    assert result.stderr == ""


def test_what_is_not_as_expected_is_told_in_full_and_nothing_else_is(run, queue):
    queue.write_text(queue.read_text().replace("events = 6", "events = 5"))
    result = run("check", ".")
    assert result.exit_code == 1
    assert "jobs.toml: 1 of 6 verdicts not as expected" in result.stdout
    assert "violated      one_run  6 events; not as expected: violated in 5 events" in result.stdout
    assert "1. worker: look w1" in result.stdout
    assert "no_stuck" not in result.stdout
    assert "take at once" not in result.stdout
    assert "1 spec, 6 verdicts: 5 as expected, 1 not as expected;" in result.stdout.splitlines()[-1]
    assert "worker: look" not in run("check", ".", "--quiet").stdout


def test_verbose_prints_all_of_each_spec_and_the_totals(run, queue, sound):
    result = run("check", ".", "--verbose")
    assert result.exit_code == 0
    assert "violated      one_run   6 events; as expected" in result.stdout
    assert "every required property holds within these bounds" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("2 specs, 8 verdicts: 8 as expected; ")


def test_one_file_is_told_as_ever(run, queue):
    assert "totals" not in run("check", "jobs.toml").stdout
    assert run("check", "jobs.toml").stdout.endswith("\n6 verdicts, each as expected\n")


def test_a_cut_search_in_a_folder_is_undetermined_on_every_line(run, sound):
    sound.with_name("jobs.toml").unlink()
    result = run("check", ".", "--max-states", 5)
    assert result.exit_code == 3
    lines = result.stdout.splitlines()
    assert lines[0].startswith("sound.toml: undetermined: 2 of 2 verdicts")
    assert lines[-1].startswith("1 spec, 2 verdicts: 2 undetermined; ")
    for word in ("holds", "pass", "success", "as expected"):
        assert word not in result.stdout


def test_a_model_that_goes_wrong_is_counted_and_told(run, wrong):
    result = run("check", ".")
    assert result.exit_code == 2
    assert "n is 3" in result.stdout
    assert "1 model wrong" in result.stdout.splitlines()[-1]
    assert "as expected" not in result.stdout


def test_what_strict_objects_to_is_told_of_a_folder_too(run, sound):
    sound.with_name("jobs.toml").unlink()
    sound.write_text(sound.read_text().replace("crashes = 1", "crashes = 0"))
    result = run("check", ".", "--strict")
    assert result.exit_code == 1
    assert "strict: 1 never enabled" in result.stdout.splitlines()[0]
    assert "never enabled: reaper.free" in result.stdout
    assert "1 never put to the test (--strict)" in result.stdout.splitlines()[-1]


def test_questions_are_answered_of_each_spec_of_a_folder(run, queue):
    result = run("check", ".", "--reach", "runs == 1")
    assert "reached" in result.stdout


def test_toml_files_without_a_model_are_passed_over_in_a_folder_and_counted(run, queue, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "inner.toml").write_text('model = "no such"\n')
    result = run("check", ".")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == LINE
    assert result.stdout.endswith("; passed over: 1 TOML file without a model\n")
    assert len(json.loads(run("check", ".", "--format", "json").stdout)) == 1


def test_a_toml_file_without_a_model_is_an_error_where_it_is_named(run, queue, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    result = run("check", "pyproject.toml")
    assert result.exit_code == 2
    assert "model: it is missing" in result.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.toml", 'modle = "jobs.py"\n'), ("a.fence.toml", "[bounds]\n"), ("a.toml", "model = \n")],
)
def test_a_spec_that_misspells_its_model_is_not_passed_over(run, queue, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    result = run("check", ".")
    assert result.exit_code == 2
    assert name in result.stderr


def test_a_folder_of_other_toml_files_holds_no_spec(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    result = run("check", ".")
    assert result.exit_code == 2
    assert "there is no *.toml that names a model below this folder" in result.stderr


def test_without_a_spec_the_specs_of_the_folder_are_checked(run, queue, tmp_path):
    (tmp_path / "specs").mkdir()
    inner = tmp_path / "specs" / "inner.toml"
    inner.write_text(queue.read_text().replace('"jobs.py"', '"../jobs.py"'))
    queue.rename(tmp_path / "mine.fence.toml")
    result = run("check")
    assert result.exit_code == 0
    names = [line.split(":")[0] for line in result.stdout.splitlines()[:-1]]
    assert names == ["mine.fence.toml", "specs/inner.toml"]


def test_without_a_spec_what_init_wrote_is_checked(run, tmp_path, monkeypatch):
    assert run("init", "mine").exit_code == 0
    monkeypatch.chdir(tmp_path / "mine")
    Path("pyproject.toml").write_text("[project]\n")
    result = run("check")
    assert result.exit_code == 0
    assert result.stdout.startswith("jobs.toml: 6 verdicts, each as expected\n")


def test_without_a_spec_and_without_any_here_that_is_said(run, tmp_path):
    Path("pyproject.toml").write_text("[project]\n")
    result = run("check")
    assert result.exit_code == 2
    assert "no *.fence.toml, no folder specs/, no *.toml that names a model" in result.stderr
