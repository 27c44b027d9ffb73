"""``fencecheck drill``, the published drill in ``compare``, the chaos gate as a build sees it."""

import json

import pytest

from fencecheck.spec.files import builtin_spec


def test_the_drills_as_text(run):
    result = run("drill", "--quiet")
    assert result.exit_code == 0
    assert result.stderr == ""
    for words in (
        "any number of revocations",
        "Controls",
        "Recoveries",
        "Failure domains",
        "no recovery, after",
        "sink: effect",
    ):
        assert words in result.stdout


def test_the_drills_as_json_hold_their_traces(run):
    told = json.loads(run("drill", "--format", "json").stdout)
    assert told["schema"] == "fencecheck/drills/1"
    assert [len(told[key]) for key in ("controls", "recoveries", "domains")] == [6, 22, 5]
    assert all(row["absence"]["schema"] == "fencecheck/trace/1" for row in told["controls"])


def test_the_drills_as_markdown_are_three_tables(run):
    result = run("drill", "--format", "markdown")
    assert result.stdout.startswith("<!-- fencecheck/markdown/1 -->")
    assert result.stdout.count("\n| --- |") == 3


def test_the_drills_as_html_are_three_tables(run):
    result = run("drill", "--format", "html")
    assert result.stdout.count("<table>") == result.stdout.count("</table>") == 3
    assert "any number of edits and revocations" in result.stdout


def test_a_cut_drill_exits_3(run):
    result = run("drill", "--max-states", 4)
    assert result.exit_code == 3
    assert "undetermined" in result.stdout


def test_compare_shows_the_published_drill(run):
    path = builtin_spec("ledger/published_drill")
    result = run("compare", path, "--quiet", "--property", "one_effect")
    assert result.exit_code == 0
    assert "12 of 12 claimed outcomes came out as claimed" in result.stdout
    assert "applied twice" in result.stdout


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ((), 0),
        (("--set", "commit=separate", "--set", "effect_key=none"), 1),
        (("--set", "ledger=substrate", "--set", "effect_key=none"), 1),
        (("--set", "reaper=off"), 1),
        (("--max-states", "50"), 3),
    ],
    ids=str,
)
def test_the_chaos_gate_fails_a_build_unless_each_trial_shows_one_effect(run, changed, code):
    result = run("check", builtin_spec("chaos_gate"), *changed, "--quiet")
    assert result.exit_code == code


def test_a_model_without_drills_says_so(run):
    result = run("drill", "fence")
    assert result.exit_code == 2
    assert "model fence declares no drills" in result.stderr
