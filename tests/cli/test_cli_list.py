"""``fencecheck list``, ``init`` and ``doctor``."""

import json

import pytest

from fencecheck import __version__


def test_list_shows_all_that_a_spec_can_name(run, queue):
    text = run("list", "jobs.py").stdout
    assert "claim = [split] | atomic" in text
    assert "workers = 2" in text
    assert "times a worker vanishes with the job" in text
    assert "one_run (invariant)\n        The job is run at most once." in text
    assert "worker.take(w)" in text
    assert text.index("system events") < text.index("interference\n") < text.index("machine.crash")


def test_list_without_a_model_shows_the_families_and_the_specs_that_ship(run):
    text = run("list").stdout
    assert "fence: Steps of a plan against a workspace" in text
    assert "tour.toml" in text
    assert "step fence + journal" in text


def test_list_of_an_unknown_model_names_the_nearest(run):
    result = run("list", "fense")
    assert result.exit_code == 2
    assert 'did you mean "fence"?' in result.stderr


def test_the_layout_counts_bits_and_from_one(run, queue):
    lines = run("list", "--layout", "jobs.py", "--bound", "workers=3").stdout.splitlines()
    assert lines[0] == "jobs: a state takes 10 bits in 6 fields"
    assert lines[3].split() == ["phase[1]", "2", "0..2"]
    assert lines[-1].split() == ["runs", "2", "0..2", "ghost"]


def test_the_layout_names_who_reads_a_budget(run):
    given = ("--bound", "edits=1", "--bound", "duplicates=1", "--set", "attempts=3")
    lines = run("list", "--layout", "ledger", *given).stdout.splitlines()
    told = {line.split()[0]: " ".join(line.split()[3:]) for line in lines}
    assert told["edits"] == "spent only"
    assert told["duplicates"] == "read by the effect of scheduler.assign"
    assert told["lost_acks"] == ""


def test_the_schema_is_json_and_knows_the_switches(run):
    told = json.loads(run("list", "fence", "--schema").stdout)
    assert "fence" in told["properties"]["mechanisms"]["properties"]
    both = json.loads(run("list", "fence", "ledger", "--schema").stdout)
    assert {"fence", "ledger"} <= set(both["$defs"])


def test_init_writes_a_start_that_runs(run, tmp_path):
    result = run("init", "mine")
    assert result.stdout.splitlines()[-1] == "next: fencecheck check mine/jobs.toml"
    assert run("check", "mine/jobs.toml").exit_code == 0
    assert run("list", "mine/jobs.py").exit_code == 0
    code = (tmp_path / "mine" / "jobs.py").read_text().splitlines()
    assert len([line for line in code if line.strip()]) < 65


def test_the_commands_of_its_readme_run(run, queue, tmp_path):
    text = (tmp_path / "README.md").read_text()
    lines = [line.strip() for line in text.splitlines() if line.startswith("    fencecheck")]
    commands = [line.split("  ")[0].split(" > ")[0].split()[1:] for line in lines]
    assert len(commands) == 6
    codes = [run(*command).exit_code for command in commands]
    assert all(code in (0, 1) for code in codes), list(zip(commands, codes, strict=True))


def test_init_names_a_schema_that_is_that_of_its_model(run, queue, tmp_path):
    first = queue.read_text().split("\n", 1)[0]
    assert first == "#:schema ./jobs.schema.json"
    assert (tmp_path / "jobs.schema.json").read_text() == run("list", "--schema", "jobs.py").stdout


@pytest.mark.parametrize(
    "name",
    ["jobs.py", "jobs.toml", "README.md", "jobs.schema.json", ".github/workflows/fencecheck.yml"],
)
def test_init_overwrites_nothing(run, tmp_path, name):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    result = run("init", ".")
    assert result.exit_code == 2
    assert f"{name}: exists already" in result.stderr
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [tmp_path / name]


def test_init_below_a_file_is_a_message(run, tmp_path):
    (tmp_path / "file").write_text("x")
    result = run("init", "file/below")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_doctor_says_what_there_is(run):
    lines = dict(line.split(maxsplit=1) for line in run("doctor").stdout.splitlines())
    assert lines["fencecheck"].startswith(__version__)
    assert {"python", "cores", "memory", "numba", "pictures"} <= set(lines)
    assert "svg" in lines["pictures"]


def test_doctor_without_a_renderer_says_what_to_install(run, monkeypatch):
    from fencecheck.report.picture import render

    monkeypatch.setattr(render, "_find_system", lambda: None)
    monkeypatch.setattr(render, "_find_pure", lambda: None)
    result = run("doctor")
    assert result.exit_code == 0
    assert "pip install graphviz-pure" in result.stdout


def test_version_and_help(run):
    assert run("--version").stdout == f"fencecheck {__version__}\n"
    assert run("-h").stdout == run("--help").stdout
    assert run("chekc").exit_code == 2
