"""``fencecheck export``: files, part of a graph, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def trace(run, bare, tmp_path):
    """Return the path of a saved trace."""
    run("check", "bare.toml", "--format", "json", "--out", "saved")
    (path,) = (tmp_path / "saved" / "bare").glob("*.one_run.json")
    return path


@pytest.mark.parametrize(("form", "start"), [("dot", "// fencecheck"), ("graphml", "<graphml")])
def test_the_graph_is_written_under_the_name_of_spec_and_variant(run, queue, tmp_path, form, start):
    args = ("export", "jobs.toml", "--variant", "take at once", "--format", form)
    for _ in range(2):  # the second time it is fencecheck's own file
        result = run(*args)
        assert result.exit_code == 0
        assert result.stdout == f"reports/jobs/take-at-once.states.{form}\n"
    assert (tmp_path / f"reports/jobs/take-at-once.states.{form}").read_text().startswith(start)


def test_a_graph_goes_to_stdout_where_asked(run, bare, tmp_path):
    result = run("export", "bare.toml", "--out", "-")
    assert result.stdout.startswith("digraph states {")
    assert not (tmp_path / "reports").exists()


def test_too_many_states_exit_2_and_say_what_to_do(run, bare):
    result = run("export", "bare.toml", "--limit", 3)
    assert result.exit_code == 2
    assert 'bare.toml: variant "' in result.stderr
    assert "there are more than 3 states: export the part around a trace" in result.stderr
    assert run("export", "bare.toml", "--depth", 0, "--limit", 3).exit_code == 0


def test_around_a_trace_takes_its_variant(run, queue, trace):
    args = ("export", "jobs.toml", "--around", trace)
    assert run(*args).stdout == "reports/jobs/look-then-take.states.dot\n"
    result = run(*args, "--variant", "take at once")
    assert result.exit_code == 2
    assert "--around: the trace's design or bounds are not those of take at once" in result.stderr
    few = run(*args, "--depth", 0, "--out", "-").stdout
    assert few.count("peripheries=2") == 1
    assert few.count(" -> ") < run(*args, "--out", "-").stdout.count(" -> ")


def test_bounds_and_properties_are_laid_over_the_spec(run, bare):
    small = run("export", "bare.toml", "--bound", "crashes=0", "--out", "-").stdout
    assert small.count("\n") < run("export", "bare.toml", "--out", "-").stdout.count("\n")
    asked = run("export", "bare.toml", "--property", "one_run", "--out", "-").stdout
    assert "one_run" in asked
    assert "no_stuck" not in asked


def test_a_mistyped_variant_exits_2_with_the_nearest(run, queue):
    result = run("export", "jobs.toml", "--variant", "take at onse")
    assert result.exit_code == 2
    assert 'did you mean "take at once"' in result.stderr


def test_a_folder_of_specs_is_refused(run, bare):
    result = run("export", ".")
    assert result.exit_code == 2
    assert "name one spec" in result.stderr


def test_of_specs_that_are_read_together_the_named_one_is_meant(run, bare):
    spec = Path("bare.toml")
    spec.write_text('also = ["more.toml"]\n' + spec.read_text())
    Path("more.toml").write_text(Path("bare.toml").read_text())
    assert run("export", "bare.toml").exit_code == 0
    assert run("walk", "bare.toml", typed="q\n").exit_code == 0
