"""``fencecheck crosscheck``: what is printed, and the exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import WRONG
from tests.export.asking import the_peer


@pytest.fixture(autouse=True)
def spin() -> None:
    """Skip what asks a checker on a machine without one."""
    the_peer("spin")


def without_peers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Leave a machine without other checkers."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))


def with_spin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verifier: str) -> None:
    """Put a SPIN first whose verifier is this C program."""
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "spin").write_text(
        f"#!/bin/sh\necho 'SPIN 9'\ncat > pan.c <<'END'\n{verifier}\nEND\n"
    )
    (folder / "spin").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_a_spec_that_agrees_exits_0_and_says_what_was_compared(run, queue):
    """Every variant, the counts, and by name what was not compared."""
    result = run("crosscheck", "jobs.toml", "--with", "spin")
    assert result.exit_code == 0, result.output
    assert "jobs.toml\n  look, then take\n    spin " in result.stdout
    assert ": agrees: " in result.stdout
    assert "answers: " in result.stdout.splitlines()[-1]


def test_json_has_a_row_for_each_thing_that_was_compared(run, bare):
    """Both answers stand in it, and whether they are the same."""
    result = run("crosscheck", "bare.toml", "--with", "spin", "--format", "json")
    document = json.loads(result.stdout)
    assert document["schema"] == "fencecheck/crosscheck/1"
    (peer,) = document["specs"][0]["variants"][0]["peers"]
    assert (peer["peer"], peer["verdict"], peer["reason"]) == ("spin", "agrees", None)
    rows = {(row["part"], row["thing"], row["aspect"]) for row in peer["compared"]}
    assert ("counts", "states", "states") in rows
    assert all(row["agrees"] and row["ours"] == row["theirs"] for row in peer["compared"])
    assert {row["part"] for row in peer["compared"]} == {"counts", "properties"}


@pytest.mark.parametrize("part", ["counts", "properties"])
def test_a_part_can_be_asked_alone(run, bare, part):
    """--part leaves the other out."""
    result = run("crosscheck", "bare.toml", "--with", "spin", "--part", part, "--format", "json")
    (peer,) = json.loads(result.stdout)["specs"][0]["variants"][0]["peers"]
    assert {row["part"] for row in peer["compared"]} == {part}


def test_a_difference_exits_1_and_keeps_the_model(run, bare, tmp_path, monkeypatch):
    """A checker that counts one state too many is told, at the smallest bounds, with its files."""
    with_spin(
        monkeypatch, tmp_path,
        '#include <stdio.h>\nint main(void) { puts("1 states, stored\\n1 transitions"); }',
    )  # fmt: skip
    result = run("crosscheck", "bare.toml", "--with", "spin", "--part", "counts")
    assert result.exit_code == 1
    assert "spin 9: differs\n" in result.stdout
    assert "      states: ours " in result.stdout
    assert ", theirs 1\n" in result.stdout
    assert "      still so at " in result.stdout
    (model,) = tmp_path.glob("reports/bare/*.spin/model.pml")
    assert str(model.parent.relative_to(tmp_path)) in result.stdout


def test_a_checker_without_an_answer_exits_3(run, bare, tmp_path, monkeypatch):
    """What it said stands beside undetermined; nothing agrees."""
    with_spin(monkeypatch, tmp_path, "int main(void) { return 0; }")
    result = run("crosscheck", "bare.toml", "--with", "spin")
    assert result.exit_code == 3
    assert "undetermined: pan printed no number of states" in result.stdout
    assert "agrees" not in result.stdout


def test_without_any_checker_it_exits_3_and_says_what_to_install(run, bare, tmp_path, monkeypatch):
    """Nothing is downloaded."""
    without_peers(monkeypatch, tmp_path)
    result = run("crosscheck", "bare.toml")
    assert result.exit_code == 3
    assert "no other checker to ask: rumur needs Rumur and a C compiler" in result.stderr


def test_a_search_of_ours_that_is_cut_exits_3(run, bare):
    """A limit on either side leaves the answer open."""
    result = run("crosscheck", "bare.toml", "--with", "spin", "--max-states", 2)
    assert result.exit_code == 3
    assert "undetermined: our own search was not complete" in result.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bare.toml", "--with", "prism"), "--with prism: is not one of rumur, spin"),
        (("nowhere.toml",), "nowhere.toml"),
        ((), "Missing argument"),
    ],
)
def test_wrong_usage_exits_2(run, bare, args, said):
    """The place and what is allowed are named."""
    result = run("crosscheck", *args)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_model_that_goes_wrong_exits_2_though_both_say_so(run, tmp_path):
    """As with check, there is no answer about such a model."""
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "wrong.toml").write_text('model = "wrong.py"\n')
    result = run("crosscheck", "wrong.toml", "--with", "spin")
    assert result.exit_code == 2
    assert "spin" in result.stdout


def test_doctor_lists_the_checkers(run, tmp_path, monkeypatch):
    """With the version, or with what to install."""
    assert "\nspin " in run("doctor").stdout
    without_peers(monkeypatch, tmp_path)
    assert "none: crosscheck asks it with SPIN and a C compiler" in run("doctor").stdout
