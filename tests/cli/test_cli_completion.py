"""Completion in shells: values of options from what the line names, in one word or in three."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fencecheck.cli import main

TOUR = str(Path(__file__).parents[2] / "specs/tour.toml")


def completed(line: str, shell: str = "bash", at: int | None = None) -> list[str]:
    """Return what completes the last word of a line (or word ``at``), as the shell is told."""
    words = line.split(" ")
    place = len(words) - 1 if at is None else at
    env = {
        "_FENCECHECK_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": words[place] if shell == "fish" else str(place),
    }
    result = CliRunner().invoke(main, [], env=env, prog_name="fencecheck")
    assert result.exit_code == 0
    return [line for line in result.stdout.splitlines() if line]


def test_a_switch_is_completed_by_name_and_then_by_value() -> None:
    """Several names with their signs; one that is left with its values."""
    names = completed(f"fencecheck check {TOUR} --set re")
    assert {"plain,retention=", "plain,retry=", "plain,replan="} <= set(names)
    values = completed(f"fencecheck check {TOUR} --set fen")
    assert values == ["plain,fence=none", "plain,fence=plan", "plain,fence=step"]


@pytest.mark.parametrize(
    ("typed", "left"),
    [("fence = st", ["plain,step"]), ("fence =", ["plain,none", "plain,plan", "plain,step"])],
)
def test_bash_takes_a_pair_for_three_words(typed: str, left: list[str]) -> None:
    """What replaces the last of them is the value alone."""
    assert completed(f"fencecheck check {TOUR} --set {typed}") == left


def test_other_shells_take_a_pair_for_one_word() -> None:
    """They are given the whole of it, with what the switch means."""
    told = completed(f"fencecheck check {TOUR} --set fence=st", "zsh")
    assert told[:2] == ["plain", "fence=step"]
    assert len(told[2]) > 3
    fish = completed(f"fencecheck check {TOUR} --set fence=st", "fish")
    assert fish[0].startswith("plain,fence=step")


def test_bounds_offer_numbers_and_budgets_any() -> None:
    """A size has its default, and one more."""
    assert completed(f"fencecheck compare {TOUR} --bound edits = a") == ["plain,any"]
    assert completed(f"fencecheck compare {TOUR} --bound files") == [
        "plain,files=1",
        "plain,files=2",
    ]


def test_properties_are_those_of_the_model_on_the_line(queue: Path) -> None:
    """Of one's own too, wherever on the line it is named; else those that ship."""
    assert completed(f"fencecheck check {queue} --property o") == ["plain,one_run"]
    assert completed(f"fencecheck check --property o {queue}", at=3) == ["plain,one_run"]
    assert completed(f"fencecheck check {queue.parent} --property o") == ["plain,one_run"]
    assert "plain,one_effect" in completed("fencecheck check --property o")


def test_models_that_must_not_be_run_are_not(queue: Path) -> None:
    """The option that refuses them counts here too, and what cannot be read is nothing."""
    assert completed(f"fencecheck check --builtin-models-only {queue} --property o") == []
    assert completed("fencecheck check nowhere.py --property o") == []


def test_models_are_completed_by_name_and_lists_by_their_models() -> None:
    """``list`` takes names of families; a file is left to the shell."""
    assert completed("fencecheck list le") == ["plain,ledger", "file,le"]
    assert completed("fencecheck list ledger --layout --set leas")[0] == "plain,lease=none"
    assert completed("fencecheck check spec") == ["file,spec"]


SEARCHES = ("check", "compare", "explain", "fuzz", "draw", "drill")
SOME = {  # what is searched there is searched otherwise
    "conform": {"--max-states", "--timeout"},
    "drive": {"--max-states", "--timeout", "--max-memory"},
    "crosscheck": {"--max-states", "--timeout", "--max-memory", "--engine", "--threads"},
}


@pytest.mark.parametrize("command", main.commands)
def test_options_of_searches_stand_in_a_group_of_their_own(command: str) -> None:
    """And only where there is a search: no command lists an option that does nothing there."""
    text = CliRunner().invoke(main, [command, "--help"]).stdout
    options, _, searches = text.partition("\nOptions:\n")[2].partition("\nSearch options:\n")
    lines = [line for line in (options + searches).splitlines() if line.startswith("  ")]
    assert all(line.startswith(("  -", "   ")) for line in lines)  # no argument among them
    names = ("--max-states", "--timeout", "--max-memory", "--engine", "--threads")
    there = set(names) if command in SEARCHES else SOME.get(command, set())
    assert {name for name in names if f"  {name} " in searches} == there
    assert not any(f"  {name} " in options for name in (*names, "--spill", "--checkpoint"))
    saved = command in SEARCHES and command not in ("explain", "drill")
    assert ("  --checkpoint" in searches) == saved
