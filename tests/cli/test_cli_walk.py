"""fencecheck walk: choosing events by number, going back, saving, and the end of the input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fencecheck.cli import main

TOUR = str(Path(__file__).parents[2] / "specs/tour.toml")
SAVED = Path(__file__).parents[2] / "specs/regressions/no_fence_lost_update.json"
WRONG = """
from fencecheck.model import Int, Model

model = Model("wrong", "Too far")
model.variable("n", Int(0, 1))


@model.actor("a").action()
def go(s):
    s.n += 1


@model.invariant()
def low(s):
    '''It stays below 1.'''
    return s.n < 1
"""


def walk(*commands: str, spec: str = TOUR, options: tuple[str, ...] = ()) -> Result:
    """Run the command with these lines as its input, and no more."""
    lines = "".join(command + "\n" for command in commands)
    return CliRunner().invoke(main, ["walk", spec, *options], input=lines)


def test_events_are_chosen_by_number() -> None:
    """What an event changed, what is in flight, what breaks, and what can happen next."""
    result = walk("1", "1", "1", "q")
    assert result.exit_code == 0
    text = result.stdout
    assert "  1  human.edit(1)  edit file 1  (interference)" in text
    assert "after event 1, human: edit file 1  (interference)" in text
    assert "workspace.rev 0 → 1" in text
    assert "network.requests: s1" in text
    assert "no_lost_update breaks here: s1 replaced human edit 1" in text
    assert "fresh_apply breaks here: s1 was stamped with base 0" in text


def test_the_end_of_the_input_ends_the_walk() -> None:
    """A pipe without a last q is no error, nor is an empty one."""
    assert walk("1").exit_code == 0
    assert walk().exit_code == 0


def test_undo_and_restart_go_back() -> None:
    """After an undo the event can be chosen again; a restart is the initial state."""
    last = walk("2", "u").stdout.rstrip().splitlines()
    assert last[-3:] == walk().stdout.rstrip().splitlines()[-3:]
    assert "there is nothing to undo" in walk("u").stdout
    assert walk("1", "1", "r").stdout.rstrip().splitlines()[-2:] == last[-2:]


def test_what_the_properties_say_is_of_this_run() -> None:
    """Broken ones with the event; nothing is said to hold, least of all what is about all runs."""
    text = walk("1", "1", "1", "p").stdout
    assert "no_lost_update         broke at event 3" in text
    assert "at_most_once           not broken on this run" in text
    assert "finishes               says nothing of one run" in text
    assert "holds" not in text


def test_every_variable_is_shown_on_demand() -> None:
    """Ghosts are marked as such."""
    text = walk("a").stdout
    assert "workspace.rev: 0" in text
    assert "workspace.effect_in[1]: no  (ghost)" in text


@pytest.mark.parametrize(
    ("commands", "verdict"), [(("2", "1"), "witness"), (("1", "1", "1"), "violated")]
)
def test_a_run_is_saved_as_a_trace(tmp_path: Path, commands: tuple[str, ...], verdict: str) -> None:
    """A trace that replays: a witness, or of the property that its last event breaks."""
    path = tmp_path / "run.json"
    assert f"wrote {path}" in walk(*commands, f"s {path}").stdout
    told = json.loads(path.read_text())
    assert told["verdict"] == verdict
    assert len(told["events"]) == len(commands)
    assert CliRunner().invoke(main, ["replay", str(path)]).exit_code == 0


def test_mistakes_are_said_and_the_walk_goes_on(tmp_path: Path) -> None:
    """A number that is none of those shown, a word that is no command, somebody else's file."""
    other = tmp_path / "mine.json"
    other.write_text("{}")
    text = walk("7", "0", "what", "s", f"s {other}", "1").stdout
    assert "7 is not one of 1 to 2" in text
    assert "0 is not one of 1 to 2" in text
    assert '"what" is no command' in text
    assert "write s FILE.json" in text
    assert "did not write this file" in text
    assert "after event 1" in text
    assert other.read_text() == "{}"


def test_the_variant_is_chosen_by_name() -> None:
    """The first by default; a name that is none of them is said."""
    text = walk("2", "1", options=("--variant", "step fence")).stdout
    assert text.startswith("step fence\n")
    assert "sends message 1 (s1 base 0" in text
    result = walk(options=("--variant", "step fense"))
    assert result.exit_code == 2
    assert 'did you mean "step fence"?' in result.output


def test_a_model_that_goes_wrong_stays_where_it_was(tmp_path: Path) -> None:
    """The event is marked before it is chosen; choosing it says why, and the run goes on."""
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "wrong.toml").write_text('model = "wrong.py"\n')
    text = walk("1", "1", "p", spec=str(tmp_path / "wrong.toml")).stdout
    assert "goes wrong: n is 2, which is not 0 to 1" in text
    assert "low breaks here" in text
    assert "low  broke at event 1" in text
    assert "after event 2" not in text


def test_nothing_can_happen_at_the_end(tmp_path: Path) -> None:
    """A run that is over says so; a number is then refused."""
    model = WRONG.replace("action()", "action(when=lambda s: s.n == 0)")
    (tmp_path / "end.py").write_text(model)
    (tmp_path / "end.toml").write_text('model = "end.py"\n')
    text = walk("1", "1", spec=str(tmp_path / "end.toml")).stdout
    assert "nothing can happen any more" in text
    assert text.rstrip().endswith("nothing can happen")


def test_a_saved_run_is_followed_and_left_anywhere() -> None:
    """Its next event is marked; another may be chosen, and an undo goes back to it."""
    text = walk("n 9", "u", "why executor.apply", "r", "2", "n", "u", "n", spec=str(SAVED)).stdout
    start, rest = text.split("after event 1", 1)
    marked = [line for line in start.splitlines() if line.startswith("→")]
    assert len(marked) == 1
    assert "the saved run ends here: no_lost_update broken at event 3; s1 replaced" in rest
    assert "the saved run is over" in rest
    assert "executor.apply(1) is possible" in rest
    assert len(json.loads(SAVED.read_text())["events"]) == 3


def test_a_run_that_left_the_saved_one_says_so(tmp_path: Path) -> None:
    """It is saved as the run that it is; n goes on only along the saved one."""
    path = tmp_path / "other.json"
    text = walk("n", "1", "n", "u", "n 2", f"s {path}", "n x", spec=str(SAVED)).stdout
    first = json.loads(SAVED.read_text())["events"][0]["event"]
    told = json.loads(path.read_text())["events"]
    assert told[0]["event"] == first
    assert "write n, or n and how many events" in text
    assert (
        "the saved run was left; u goes back to it"
        in walk("n", "2", "n", spec=str(SAVED)).stdout + text
    )


def test_a_trace_that_no_longer_fits_is_followed_as_far_as_it_does(tmp_path: Path) -> None:
    """Where and why is said, and the exit code is 1."""
    told = json.loads(SAVED.read_text())
    told["events"][1]["args"] = told["events"][1]["exact"] = {"file": 2}
    told["events"][1]["event"] = "human.edit"
    path = tmp_path / "old.json"
    path.write_text(json.dumps(told))
    result = walk("n 9", spec=str(path))
    assert result.exit_code == 1
    assert "does not replay: event 2" in result.output
    assert "after event 1" in result.output
    assert "after event 2" not in result.output


def test_a_trace_has_its_own_design() -> None:
    """What would change it is refused, and so is a file in which there are several or none."""
    assert (
        "a trace has its own design" in walk(spec=str(SAVED), options=("--bound", "edits=2")).output
    )
    result = walk(spec=str(SAVED), options=("--property", "at_most_once"))
    assert result.exit_code == 2
    assert "there is no such trace; choose one with --property and --variant" in result.output


def test_the_part_of_a_guard_that_is_false_is_told() -> None:
    """With its line and the values in it; a mistake is said, and the walk goes on."""
    text = walk("why client.receive", "why client.retry(1)", "why", "why nobody").stdout
    assert "client.receive is not possible: there is nothing in replies" in text
    assert 's.view[step] == "sent" is false: s.view[step] is todo; step is s1' in text
    assert "write why EVENT" in text
    assert "(did you mean client.retry?)" in walk("why retry", spec=str(SAVED)).stdout


def test_what_commands_there_are_fits_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start, when asked, and behind a mistake."""
    monkeypatch.setenv("COLUMNS", "80")
    text = walk("h", "x").stdout
    words = " ".join(text.split())
    assert words.count("q: quit") == 3
    assert '"x" is no command; a number' in words
    assert max(map(len, text.splitlines())) <= 80
