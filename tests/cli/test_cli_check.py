"""``fencecheck check``: exit codes, formats, several specs, errors that name the nearest match."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

FORMATS = ["text", "json", "markdown", "csv", "junit"]


def test_a_spec_that_comes_out_as_expected_exits_0(run, queue):
    result = run("check", "jobs.toml")
    assert result.exit_code == 0
    assert "violated      one_run   6 events; as expected" in result.stdout
    assert result.stdout.endswith("6 verdicts, each as expected\n")
    assert result.stderr == ""


def test_everything_holds_exits_0(run, sound):
    result = run("check", "sound.toml")
    assert result.exit_code == 0
    assert "every required property holds within these bounds" in result.stdout


def test_a_violation_exits_1_with_the_event_order(run, bare):
    result = run("check", "bare.toml")
    assert result.exit_code == 1
    assert "1. worker: look w1" in result.stdout
    assert "3. machine: crash w1  (interference)" in result.stdout
    assert result.stdout.endswith("2 required properties violated\n")


def test_an_unmet_expectation_exits_1(run, queue):
    queue.write_text(queue.read_text().replace("events = 6", "events = 5"))
    result = run("check", "jobs.toml")
    assert result.exit_code == 1
    assert "not as expected: violated in 5 events" in result.stdout


def test_what_is_only_reported_never_fails(run, bare):
    bare.write_text(bare.read_text() + '[properties]\nrequire = []\nreport = ["one_run"]\n')
    result = run("check", "bare.toml")
    assert result.exit_code == 0
    assert "6 events; reported, not required" in result.stdout


@pytest.mark.parametrize("form", FORMATS)
def test_a_cut_search_exits_3_and_is_undetermined_in_every_format(run, tmp_path, form):
    (tmp_path / "big.toml").write_text(
        'model = "fence"\n[mechanisms]\njournal = "atomic"\n'
        "[bounds]\nedits = 1\nlost_replies = 1\nduplicates = 1\n"
    )
    result = run("check", "big.toml", "--max-states", 100, "--format", form)
    assert result.exit_code == 3
    assert "undetermined" in result.stdout
    for word in ("holds", "pass", "success", "as expected"):
        assert word not in result.stdout.lower()


def test_a_cut_search_still_shows_the_violation_it_found(run, bare):
    result = run("check", "bare.toml", "--max-states", 15)
    assert result.exit_code == 1
    assert "violated      no_stuck  3 events" in result.stdout
    assert "undetermined  one_run" in result.stdout
    assert "cut by the limit on states (--max-states)" in result.stdout


def test_a_search_cut_by_time_is_undetermined(run, tmp_path):
    (tmp_path / "long.toml").write_text(
        'model = "fence"\n[bounds]\nsteps = 3\nedits = 2\nlost_replies = 2\npreemptions = 2\n'
    )
    args = ("--timeout", "0.05s", "--property", "journal_append_only")
    result = run("check", "long.toml", *args)
    assert result.exit_code == 3
    assert "cut by the limit on time (--timeout)" in result.stdout


def test_json_is_what_stdout_holds(run, queue):
    told = json.loads(run("check", "jobs.toml", "--format", "json").stdout)
    assert told["schema"] == "fencecheck/results/1"
    assert told["spec"] == "jobs.toml"
    assert told["variants"][0]["name"] == "look, then take"
    found = told["variants"][0]["properties"][0]
    assert (found["name"], found["verdict"], found["events"]) == ("one_run", "violated", 6)
    assert found["trace"]["events"][0]["event"] == "worker.look"


def test_json_of_several_specs_is_an_array(run, queue, bare):
    told = json.loads(run("check", "jobs.toml", "bare.toml", "--format", "json").stdout)
    assert [t["spec"] for t in told] == ["jobs.toml", "bare.toml"]
    assert isinstance(json.loads(run("check", ".", "--format", "json").stdout), list)


def test_csv_has_every_verdict(run, queue):
    rows = list(csv.DictReader(io.StringIO(run("check", "jobs.toml", "--format", "csv").stdout)))
    assert [(r["property"], r["verdict"], r["events"]) for r in rows[:2]] == [
        ("one_run", "violated", "6"),
        ("no_stuck", "violated", "3"),
    ]


def test_junit_fails_where_the_exit_code_does(run, queue, bare):
    good = ET.fromstring(run("check", "jobs.toml", "--format", "junit").stdout.encode())
    bad = ET.fromstring(run("check", "bare.toml", "--format", "junit").stdout.encode())
    assert (good.get("failures"), good.get("errors")) == ("0", "0")
    assert bad.get("failures") == "2"


def test_markdown_has_a_diagram_of_each_violation(run, bare):
    assert run("check", "bare.toml", "--format", "markdown").stdout.count("```mermaid") == 2


def test_quiet_keeps_the_verdicts_only(run, bare):
    result = run("check", "bare.toml", "--quiet")
    assert "violated      one_run   6 events" in result.stdout
    assert "worker: look" not in result.stdout


def test_all_specs_are_read_before_anything_runs(run, queue):
    queue.with_name("zz.toml").write_text('model = "jobs.py"\n[mechanisms]\nclam = "split"\n')
    result = run("check", "jobs.toml", "zz.toml")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert 'did you mean "claim"?' in result.stderr


def test_1_outranks_3_and_2_outranks_1(run, bare, sound, wrong):
    cut = sound.with_name("cut.toml")
    cut.write_text(sound.read_text())
    assert run("check", "sound.toml", "--max-states", 5).exit_code == 3
    assert run("check", "sound.toml", "bare.toml", "--max-states", 15).exit_code == 1
    assert run("check", "cut.toml", "bare.toml", "wrong.toml").exit_code == 2


def test_a_model_that_goes_wrong_exits_2_and_other_specs_get_their_verdicts(run, wrong, bare):
    result = run("check", "wrong.toml", "bare.toml")
    assert result.exit_code == 2
    assert (
        result.stdout.count('variant "wrong": model wrong goes wrong in counter.count: n is 3') == 1
    )
    assert "wrong.py:" in result.stdout
    assert result.stderr == ""
    assert "violated      one_run" in result.stdout


@pytest.mark.parametrize("form", ["json", "markdown", "csv", "junit"])
def test_every_format_tells_of_a_model_that_goes_wrong(run, wrong, form):
    result = run("check", "wrong.toml", "--format", form)
    assert result.exit_code == 2
    assert "n is 3" in result.stdout


def test_set_and_bound_and_property_reach_the_search(run, bare):
    args = ("--set", "claim=atomic", "--bound", "crashes=0", "--property", "one_run")
    result = run("check", "bare.toml", *args)
    assert result.exit_code == 0
    assert "no_stuck" not in result.stdout
    assert "design: claim atomic, reaper off" in result.stdout


@pytest.mark.parametrize(
    ("args", "near"),
    [
        (("--set", "clam=split"), "claim"),
        (("--set", "claim=splitt"), "split"),
        (("--bound", "wokers=3"), "workers"),
        (("--property", "onerun"), "one_run"),
    ],
)
def test_mistyped_names_exit_2_with_the_nearest_match(run, bare, args, near):
    result = run("check", "bare.toml", *args)
    assert result.exit_code == 2
    assert f'did you mean "{near}"?' in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--set", "claim"), "write SWITCH=VALUE"),
        (("--set", "=split"), "write SWITCH=VALUE"),
        (("--bound", "workers=many"), "many is neither a whole number nor any"),
        (("--timeout", "soon"), "write 90s, 10m or 1h30m"),
        (("--timeout", "0"), "no search fits into that"),
        (("--max-states", "0"), "--max-states"),
        (("--format", "xml"), "--format"),
        (("--fromat", "json"), "--fromat"),
    ],
)
def test_options_that_make_no_sense_exit_2(run, bare, args, words):
    result = run("check", "bare.toml", *args)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_missing_spec_exits_2(run, queue):
    result = run("check", "jobz.toml")
    assert result.exit_code == 2
    assert "jobz.toml: there is no such file or folder" in result.stderr


def test_no_spec_at_all_exits_2(run):
    assert run("check").exit_code == 2


def test_a_model_of_ones_own_can_be_refused(run, bare):
    result = run("check", "bare.toml", "--builtin-models-only")
    assert result.exit_code == 2
    assert "jobs.py" in result.stderr


def test_nothing_is_written_without_out(run, bare, tmp_path):
    before = sorted(tmp_path.iterdir())
    run("check", "bare.toml")
    assert [p for p in sorted(tmp_path.iterdir()) if p.name != "__pycache__"] == before


def test_out_gets_the_results_and_the_counterexamples(run, bare, tmp_path):
    result = run("check", "bare.toml", "--format", "json", "--out", "found")
    found = tmp_path / "found"
    printed = result.stdout.replace(str(tmp_path), "..")  # a saved model's path is relative
    assert (found / "results.json").read_text() == printed
    trace = json.loads(next((found / "bare").glob("*.one_run.json")).read_text())
    assert trace["schema"] == "fencecheck/trace/1"
    assert {p.suffix for p in (found / "bare").iterdir()} == {".json", ".dot", ".svg", ".png"}
    assert "wrote found/results.json and 8 files beside it" in result.stderr


def test_the_trace_to_a_model_that_goes_wrong_is_saved_and_drawn(run, wrong, tmp_path):
    run("check", "wrong.toml", "--out", "found")
    names = sorted(p.name for p in (tmp_path / "found" / "wrong").iterdir())
    assert names == [f"wrong.model-error.{e}" for e in ("dot", "json", "png", "svg")]


def test_memory_that_runs_out_is_undetermined(run, bare, monkeypatch):
    def full(spec, options):
        raise MemoryError

    monkeypatch.setattr("fencecheck.checking.check.check_spec", full)
    result = run("check", "bare.toml")
    assert result.exit_code == 3
    assert "undetermined" in result.stderr


def test_specs_that_cannot_be_read_are_messages(run, bare, tmp_path):
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.toml").write_text("model = ")
    result = run("check", "bytes.toml", "empty", "broken.toml")
    assert result.exit_code == 2
    for name in ("bytes.toml", "empty", "broken.toml"):
        assert name in result.stderr
