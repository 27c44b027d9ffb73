"""--format github and sarif as a build server runs them: places, the step's summary, exit codes."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def unmet(queue):
    """Return a spec of which one expectation is not met, on its thirteenth line."""
    queue.write_text(queue.read_text().replace("events = 6", "events = 5"))
    return queue


@pytest.mark.parametrize("command", ["check", "compare"])
def test_an_annotation_stands_at_the_line_of_the_expectation(run, unmet, command):
    result = run(command, "jobs.toml", "--format", "github", "--quiet")
    assert result.exit_code == 1
    assert result.stdout.startswith(
        "::error file=jobs.toml,line=13,title=look%2C then take%3A one_run%3A violated in 6 events"
    )


def test_files_are_named_from_the_root_of_the_repository(run, unmet, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path.parent))
    result = run("check", "jobs.toml", "--format", "github")
    assert f"file={tmp_path.name}/jobs.toml," in result.stdout


def test_the_summary_of_a_step_gets_the_table_behind_what_is_there(
    run, unmet, tmp_path, monkeypatch
):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    run("check", "jobs.toml", "--format", "github")
    text = summary.read_text()
    assert text.startswith("before\n| `jobs.toml` | one run | no stuck |")
    run("check", "jobs.toml")
    assert summary.read_text() == text  # other formats leave it alone


def test_a_summary_that_cannot_be_written_changes_no_verdict(run, queue, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    result = run("check", "jobs.toml", "--format", "github")
    assert result.exit_code == 0
    assert "no summary" in result.stderr


def test_sarif_is_one_document_whose_exit_code_is_the_program_s(run, unmet, sound, tmp_path):
    result = run("check", ".", "--format", "sarif", "--out", "found")
    (only,) = json.loads(result.stdout)["runs"]
    assert only["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    (found,) = only["results"]
    assert found["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "jobs.toml"},
        "region": {"startLine": 13},
    }
    assert (tmp_path / "found" / "results.sarif").read_text() == result.stdout
    assert run("check", ".", "--format", "sarif", "--out", "found").exit_code == 1  # it is ours


@pytest.mark.parametrize("form", ["github", "sarif"])
def test_a_cut_search_reads_as_no_success(run, sound, form):
    result = run("check", "sound.toml", "--max-states", 5, "--format", form)
    assert result.exit_code == 3
    assert "undetermined" in result.stdout
    for word in ("holds", "pass", "as expected"):
        assert word not in result.stdout.lower()


@pytest.mark.parametrize("command", ["check", "compare"])
def test_specs_that_cannot_be_read_are_annotated_too(run, queue, tmp_path, monkeypatch, command):
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    queue.write_text(queue.read_text().replace("crashes = 1", "crashs = 1"))
    queue.with_name("more.toml").write_text('model = "x\n')
    result = run(command, ".", "--format", "github")
    assert result.exit_code == 2
    first, second = result.stdout.splitlines()
    assert first.startswith("::error file=jobs.toml,title=nothing was checked::bounds.crashs: ")
    assert second.startswith("::error file=more.toml,title=nothing was checked::")
    assert "crashs" in result.stderr
    assert summary.read_text().startswith("**error: nothing was checked**")
    assert "crashs" in summary.read_text()
    assert run(command, ".").stdout == ""
