"""``fencecheck draw`` and ``fencecheck replay``: traces, specs, and files that are neither."""

import json

import pytest


@pytest.fixture
def trace(run, bare, tmp_path):
    """Return the path of a saved trace."""
    run("check", "bare.toml", "--format", "json", "--out", "saved")
    (path,) = (tmp_path / "saved" / "bare").glob("*.one_run.json")
    return path


@pytest.mark.parametrize(
    ("form", "start", "ending"),
    [
        ("svg", b"<?xml", "svg"),
        ("png", b"\x89PNG", "png"),
        ("dot", b"// fencecheck", "dot"),
        ("mermaid", b"sequenceDiagram", "mmd"),
        ("markdown", b"<!-- fencecheck", "md"),
        ("itf", b'{\n "#meta": {\n  "schema": "fencecheck/itf/1"', "itf.json"),
        ("html", b"<!DOCTYPE html>", "html"),
    ],
)
def test_a_saved_trace_is_drawn_in_every_format(run, trace, tmp_path, form, start, ending):
    result = run("draw", trace, "--format", form, "--out", "out")
    path = tmp_path / "out" / f"{trace.stem}.{ending}"
    assert result.exit_code == 0
    assert result.stdout == f"out/{trace.stem}.{ending}\n"
    assert path.read_bytes().startswith(start)


def test_one_diagram_goes_to_stdout_where_asked(run, trace, tmp_path):
    result = run("draw", trace, "--format", "mermaid", "--out", "-")
    assert result.stdout.startswith("sequenceDiagram\n")
    assert not (tmp_path / "reports").exists()


def test_several_diagrams_cannot_share_stdout(run, bare):
    result = run("draw", "bare.toml", "--out", "-")
    assert result.exit_code == 2
    assert "choose with --property, --variant and --format" in result.stderr


def test_the_counterexamples_of_a_spec_are_drawn(run, queue):
    result = run("draw", "jobs.toml", "--format", "dot")
    assert result.stdout.split() == [
        "reports/jobs/look-then-take.one_run.dot",
        "reports/jobs/look-then-take.no_stuck.dot",
        "reports/jobs/take-at-once.no_stuck.dot",
    ]


def test_property_and_variant_choose(run, queue):
    args = ("--variant", "take at once", "--property", "no_stuck", "--format", "dot")
    assert run("draw", "jobs.toml", *args).stdout == "reports/jobs/take-at-once.no_stuck.dot\n"


def test_results_hold_traces_too(run, trace):
    result = run("draw", "saved/results.json", "--property", "no_stuck", "--format", "dot")
    assert result.stdout.endswith(".no_stuck.dot\n")
    assert run("replay", "saved/results.json").stdout.count("replays:") == 2


@pytest.mark.parametrize("option", ["--variant", "--property"])
def test_a_mistyped_choice_exits_2_with_the_nearest_match(run, queue, option):
    near = {"--variant": "take at onse", "--property": "no_stuk"}[option]
    result = run("draw", "jobs.toml", option, near)
    assert result.exit_code == 2
    assert "did you mean" in result.stderr


def test_nothing_broken_is_nothing_to_draw(run, sound):
    result = run("draw", "sound.toml")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing breaks" in result.stderr


def test_nothing_drawn_of_a_cut_search_exits_3(run, sound):
    result = run("draw", "sound.toml", "--max-states", 5)
    assert result.exit_code == 3
    assert "cut before an answer" in result.stderr


def test_a_saved_trace_replays(run, trace):
    result = run("replay", trace)
    assert result.exit_code == 0
    assert result.stdout == f"{trace}: replays: 6 events; one_run is violated\n"


def test_a_trace_in_itf_replays_walks_and_is_drawn(run, trace, tmp_path):
    assert run("draw", trace, "--format", "itf", "--out", "out").exit_code == 0
    path = tmp_path / "out" / f"{trace.stem}.itf.json"
    result = run("replay", path)
    assert result.stdout == f"{path}: replays: 6 events; one_run is violated\n"
    drawn = run("draw", path, "--format", "mermaid", "--out", "-").stdout
    assert drawn == run("draw", trace, "--format", "mermaid", "--out", "-").stdout
    assert run("walk", path).exit_code == 0
    # a second time it is fencecheck's own file
    assert run("draw", trace, "--format", "itf", "--out", "out").exit_code == 0


def test_a_trace_in_itf_that_no_longer_fits_says_where_and_why(run, trace, tmp_path):
    run("draw", trace, "--format", "itf", "--out", "out")
    path = tmp_path / "out" / f"{trace.stem}.itf.json"
    told = json.loads(path.read_text())
    told["states"][2]["job"] = "done"
    path.write_text(json.dumps(told))
    result = run("replay", path, trace)
    assert result.exit_code == 1
    assert f"{path}: does not replay: event 2: job is free after it, the file says" in result.stdout
    assert "replays: 6 events" in result.stdout
    assert run("draw", path).exit_code == 2
    walked = run("walk", path, typed="n 9\n")  # as far as it fits, like any other trace
    assert walked.exit_code == 1
    assert f"{path}: does not replay: event 2" in walked.stderr
    assert "after event 1, " in walked.stdout
    assert "after event 2, " not in walked.stdout


@pytest.mark.parametrize("source", ["json", "itf"])
def test_itf_runs_no_model_that_must_not_be(run, trace, source):
    run("draw", trace, "--format", "itf", "--out", "out")
    path = trace if source == "json" else f"out/{trace.stem}.itf.json"
    result = run("draw", path, "--format", "itf", "--builtin-models-only", "--out", "more")
    assert result.exit_code == 2
    assert "--builtin-models-only" in result.stderr or ".py" in result.stderr


def test_a_trace_that_no_longer_fits_says_where_and_why(run, trace):
    told = json.loads(trace.read_text())
    told["events"][2]["args"] = {"w": 2}
    told["events"][1]["event"] = "worker.lok"
    trace.write_text(json.dumps(told))
    result = run("replay", trace)
    assert result.exit_code == 1
    assert "does not replay: event 2: the model has no event worker.lok" in result.stdout
    assert 'did you mean "worker.look"?' in result.stdout


def test_a_change_that_does_not_happen_is_a_misfit(run, trace):
    told = json.loads(trace.read_text())
    told["events"][0]["changes"] = {"worker.phase[1]": ["idle", "runs it"]}
    trace.write_text(json.dumps(told))
    result = run("replay", trace)
    assert result.exit_code == 1
    assert "event 1: worker.look(w=1): worker.phase[1] goes from idle to saw it" in result.stdout


def test_a_change_that_words_do_not_show_is_no_misfit(run, trace):
    told = json.loads(trace.read_text())
    told["events"][0]["changes"]["worker.phase[2]"] = ["idle", "idle"]
    trace.write_text(json.dumps(told))
    assert run("replay", trace).exit_code == 0


def test_a_changed_model_is_said(run, trace):
    told = json.loads(trace.read_text())
    told["model_hash"] = "0" * 16
    trace.write_text(json.dumps(told))
    result = run("replay", trace)
    assert result.exit_code == 0
    assert "model jobs has changed since" in result.stderr


def test_replay_can_refuse_models_of_ones_own(run, trace):
    assert run("replay", trace, "--builtin-models-only").exit_code == 2


@pytest.mark.parametrize("command", ["draw", "replay"])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[]", "its schema is none"),
        (b"7", "its schema is none"),
        (b'{"schema": "fencecheck/trace/2"}', 'its schema is "fencecheck/trace/2"'),
        (b'{"schema": "fencecheck/trace/1"}', 'has no "model"'),
        (b'{"schema": "fencecheck/results/1", "variants": []}', "hold no trace"),
        (b'{"schema": "fencecheck/results/1", "variants": 3}', "variants is not a list"),
    ],
)
def test_files_that_are_no_traces_exit_2(run, tmp_path, command, content, words):
    if content is not None:
        (tmp_path / "bad.json").write_bytes(content)
    result = run(command, "bad.json")
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t["events"][0].pop("actor"), 'events[0]: has no "actor"'),
        (lambda t: t["events"][0].update(sends=[3]), "sends[0]: is not an object"),
        (
            lambda t: t["events"][0].update(changes={"a": 1}),
            "changes: a is not a list of two values",
        ),
        (lambda t: t.update(lanes=[]), "is not among lanes"),
        (lambda t: t.update(loop_start=99), "loop_start 99"),
        (lambda t: t.update(violation={"event": 6}), 'violation: has no "compare"'),
        (lambda t: t.update(mechanisms=[]), "mechanisms is not an object"),
        (lambda t: t.update(property=None), "property is not an object"),
        (lambda t: t["property"].update(meaning=3), "meaning is not text"),
        (lambda t: t.update(verdict="broken"), "verdict is not one of"),
        (lambda t: t.update(relevant=[None]), "relevant[0] is not text"),
        (lambda t: t["lanes"][0].update(kind="x"), "lanes[0]: kind is not one of"),
        (lambda t: t["events"][0].update(label=True), "label is not text"),
        (lambda t: t["events"][0].update(remark=3), "remark is not text"),
        (lambda t: t["events"][0].update(copies=3), "copies is not a list"),
    ],
)
def test_a_trace_of_the_wrong_shape_names_the_place(run, trace, change, words):
    told = json.loads(trace.read_text())
    change(told)
    trace.write_text(json.dumps(told))
    for command in ("draw", "replay"):
        result = run(command, trace)
        assert result.exit_code == 2
        assert words in result.stderr


SCRIPTED = """
model = "fence"
[bounds]
edits = 1
[[variant]]
name = "no fence"
mechanisms = { fence = "none", precondition = "off" }
[[variant]]
name = "step fence"
[[scenario]]
name = "edited meanwhile"
order = ["client.dispatch(1)", "human.edit(1)"]
ask = "executor(1)"
"""


def test_a_scripted_order_is_drawn_for_each_variant(run, tmp_path):
    (tmp_path / "orders.toml").write_text(SCRIPTED)
    args = ("--scenario", "edited meanwhile", "--format", "mermaid", "--format", "svg")
    result = run("draw", "orders.toml", *args)
    assert result.exit_code == 0
    assert result.stdout.split() == [
        f"reports/orders/{variant}.edited-meanwhile.{ending}"
        for variant in ("no-fence", "step-fence")
        for ending in ("mmd", "svg")
    ]


def test_a_mistyped_scenario_names_the_nearest(run, bare, tmp_path):
    (tmp_path / "orders.toml").write_text(SCRIPTED)
    result = run("draw", "orders.toml", "--scenario", "edited meanwile")
    assert result.exit_code == 2
    assert 'did you mean "edited meanwhile"?' in result.stderr
    assert "no scripted order" in run("draw", "bare.toml", "--scenario", "any").stderr


AT_ONCE = '''
from fencecheck.model import Bool, Model

model = Model("at_once", "Broken from the start")
worker = model.actor("worker")
model.variable("idle", Bool(), True, owner=worker)
model.ghost("lost", Bool(), True, owner=worker)


@worker.action(when=lambda s: s.idle)
def work(s):
    s.idle = False


@model.invariant()
def nothing_lost(s):
    """Nothing is ever lost."""
    return not s.lost
'''


def test_a_counterexample_without_events_is_drawn_in_every_format(run, tmp_path):
    """What the initial state breaks has a picture as well: its verdict."""
    (tmp_path / "at_once.py").write_text(AT_ONCE)
    (tmp_path / "at_once.toml").write_text('model = "at_once.py"\n')
    forms = ("svg", "png", "dot", "mermaid", "markdown")
    options = [word for form in forms for word in ("--format", form)]
    result = run("draw", "at_once.toml", *options, "--out", "drawn")
    assert result.exit_code == 0
    files = [tmp_path / line for line in result.stdout.split()]
    assert len(files) == len(forms)
    for path in files:
        if path.suffix != ".png":
            assert "broken at the initial state" in path.read_text("utf-8"), path
    checked = run("check", "at_once.toml")
    assert "nothing_lost broken at the initial state" in checked.stdout
    assert run("compare", "at_once.toml", "--out", "compared").exit_code == 1
