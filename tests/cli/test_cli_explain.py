"""``fencecheck explain``: its sections, its files, its options, its exit codes."""

from __future__ import annotations

import json

from tests.cli.conftest import WITHOUT_PROPERTIES


def test_explain_tells_what_breaks_and_what_repairs(run, bare):
    """The least interference, an event order with a verdict, and the minimal sets."""
    result = run("explain", bare, "--part", "adversaries", "--part", "designs", "--part", "orders")
    assert result.exit_code == 1
    for words in (
        "The least interference that breaks it",
        "The least changes that make it sound",
        "Event orders and the verdict each calls for",
        "Verdict: ",
        "Minimal sets of mechanisms",
    ):
        assert words in result.output
    assert "Larger bounds" not in result.output


def test_a_sound_design_exits_0(run, sound):
    """Nothing breaks, every design has a verdict, and each mechanism is switched off in turn."""
    result = run("explain", sound, "--part", "adversaries", "--part", "designs", "--part", "guards")
    assert result.exit_code == 0
    assert "Every required property holds at these bounds." in result.output
    assert "What each mechanism of this design is needed for" in result.output
    assert "reaper on → off breaks" in " ".join(result.output.split())


def test_larger_bounds_take_the_time_that_is_given(run, sound):
    """The last part goes on until the time is up, and says so."""
    result = run("explain", sound, "--part", "bounds", "--timeout", "2s")
    assert "Larger bounds" in result.output
    assert result.exit_code == 0


def test_a_cut_search_exits_3_and_says_so(run, sound):
    """A limit on states leaves the explanation undetermined; there is no pass word."""
    result = run(
        "explain", sound, "--max-states", "2", "--part", "designs", "--part", "adversaries"
    )
    assert result.exit_code == 3
    assert "undetermined" in result.output
    assert "holds at these bounds" not in result.output


def test_json_is_one_object_for_one_file_and_an_array_for_a_folder(run, bare):
    """As for check: the shape does not depend on what is found."""
    parts = ("--part", "adversaries", "--format", "json")
    told = json.loads(run("explain", bare, *parts).stdout)
    assert told["schema"] == "fencecheck/explanation/1"
    several = json.loads(run("explain", bare.parent, *parts).stdout)
    assert isinstance(several, list)


def test_out_writes_each_order_with_its_diagram_and_its_answer(run, bare, tmp_path):
    """The explanation, and trace and DOT of each order and of what the sound design does."""
    result = run("explain", bare, "--part", "orders", "--out", "found", "--quiet")
    assert result.exit_code == 1
    folder = tmp_path / "found"
    assert (folder / "explanation.txt").is_file()
    orders = sorted(p.name for p in (folder / "bare").glob("*.json"))
    assert orders
    assert any(name.endswith(".answer.json") for name in orders)
    for name in orders:
        assert (folder / "bare" / name).with_suffix(".dot").is_file()
    assert run("replay", folder / "bare" / orders[0]).exit_code == 0


def test_a_kept_switch_is_not_chosen(run, bare):
    """What cannot be chosen stands apart and is in no minimal set."""
    result = run("explain", bare, "--part", "designs", "--keep", "reaper")
    assert "as they are: reaper off" in result.output
    assert "reaper on" not in result.output


def test_unknown_names_are_usage_errors_with_the_nearest_match(run, bare):
    """A switch, a variant or a part that is not there is exit 2 before anything runs."""
    kept = run("explain", bare, "--keep", "reeper")
    assert kept.exit_code == 2
    assert 'did you mean "reaper"?' in kept.output + kept.stderr
    assert run("explain", bare, "--variant", "nobody").exit_code == 2
    assert run("explain", bare, "--part", "everything").exit_code == 2
    assert run("explain").exit_code == 2
    assert run("explain", bare, "--checkpoint", "saved").exit_code == 2


def test_a_model_that_goes_wrong_is_exit_2(run, wrong):
    """An error of the model is no verdict."""
    assert run("explain", wrong, "--part", "adversaries").exit_code == 2


def test_the_parts_of_the_command_are_those_of_the_analysis():
    """The command line lists them without loading the analysis."""
    from fencecheck.analysis.explain import explain as analysis
    from fencecheck.cli.commands import explain as command

    assert command.explain_command.name == "explain"
    from fencecheck.cli.commands.explain import PARTS, SECONDS

    assert (PARTS, SECONDS) == (analysis.PARTS, analysis.SECONDS)


def test_where_nothing_is_required_no_design_is_called_sound(run, tmp_path):
    """Not of a model without properties, nor where all of them are only reported."""
    (tmp_path / "bare.py").write_text(WITHOUT_PROPERTIES)
    (tmp_path / "bare.toml").write_text('model = "bare.py"\n')
    told = run("explain", "bare.toml")
    assert told.exit_code == 3
    assert "undetermined: no property was checked" in told.stdout
    reported = '[properties]\nrequire = []\nreport = ["no_lost_update"]\n'
    (tmp_path / "reported.toml").write_text('model = "fence"\n' + reported)
    other = run("explain", "reported.toml")
    assert "Nothing within the bounds breaks no_lost_update." in other.stdout
    for result in (told, other):
        assert "No property is required of it." in result.stdout
        assert "sound" not in result.stdout
        assert "everything holds" not in result.stdout
