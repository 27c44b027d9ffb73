"""fencecheck fuzz: seeds, formats, saved orders, exit codes."""

from __future__ import annotations

import json

from tests.cli.conftest import WITHOUT_PROPERTIES


def test_rates_and_a_shrunk_order_are_shown(run, bare):
    """Each property has its rate, its exhaustive verdict, and what it shrank to."""
    result = run("fuzz", bare, "--seeds", 60)
    assert result.exit_code == 1
    assert "of 60 seeds" in result.stdout
    assert "exhaustive check complete" in result.stdout
    assert "shrunk to" in result.stdout
    assert "proves nothing" in result.stdout


def test_a_sound_design_exits_with_0(run, sound):
    """Nothing breaks, and the complete search says that everything holds."""
    assert run("fuzz", sound, "--seeds", 40).exit_code == 0


def test_a_cut_search_exits_with_3(run, sound):
    """Breaking in no seed is no pass."""
    assert run("fuzz", sound, "--seeds", 40, "--max-states", 2).exit_code == 3


def test_json_has_seeds_and_both_verdicts(run, bare):
    """One object for one spec, with the shrunk trace and the exhaustive finding."""
    told = json.loads(run("fuzz", bare, "--seeds", 30, "--format", "json").stdout)
    assert told["schema"] == "fencecheck/fuzz/1"
    assert told["seeds"] == {"first": 1, "count": 30, "length": 100}
    found = [p for p in told["variants"][0]["properties"] if p["broke"]]
    assert found
    assert all(p["exhaustive"]["verdict"] == "violated" for p in found)
    assert all(len(p["trace"]["events"]) == p["shrunk"] for p in found)


def test_a_saved_order_replays(run, bare, tmp_path):
    """--save writes the one order that is chosen; replay follows it."""
    told = json.loads(run("fuzz", bare, "--seeds", 30, "--format", "json").stdout)
    names = [p["name"] for p in told["variants"][0]["properties"] if p["broke"]]
    path = tmp_path / "kept" / "found.json"
    result = run("fuzz", bare, "--seeds", 30, "--property", names[0], "--save", path)
    assert f"fencecheck replay {path}" in result.stderr
    assert json.loads(path.read_text())["found_by"].startswith("seed ")
    assert run("replay", path).exit_code == 0


def test_save_needs_one_order(run, bare, sound, tmp_path):
    """Several orders, none, or a name that is no JSON file: said, and nothing is written."""
    path = tmp_path / "found.json"
    several = run("fuzz", bare, "--seeds", 60, "--save", path)
    assert several.exit_code == 2
    assert "choose one with --variant and --property" in several.stderr
    assert "nothing broke" in run("fuzz", sound, "--seeds", 9, "--save", path).stderr
    assert ".json" in run("fuzz", bare, "--seeds", 9, "--save", "found.txt").stderr
    assert not path.exists()


def test_an_unknown_variant_is_named(run, queue):
    """The nearest one is offered."""
    result = run("fuzz", queue, "--variant", "take at onse, with a reaper")
    assert result.exit_code == 2
    assert 'did you mean "take at once, with a reaper"?' in result.stderr


def test_a_model_without_properties_is_undetermined(run, tmp_path):
    """As `check` says: that nothing was checked is no pass."""
    (tmp_path / "bare.py").write_text(WITHOUT_PROPERTIES)
    (tmp_path / "bare.toml").write_text('model = "bare.py"\n')
    result = run("fuzz", "bare.toml")
    assert "undetermined: no property was checked" in result.stdout
    assert result.exit_code == run("check", "bare.toml").exit_code == 3
