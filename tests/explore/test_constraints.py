"""Constraints: states beyond them are visited and judged, never expanded, and are no ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fencecheck.cli import main
from fencecheck.cli.commands.list import family_lines
from fencecheck.errors import ModelError
from tests.judge import disagreements
from tests.models_for_tests import HEADER
from tests.properties.test_truth import checked, family_of

COUNT = (
    HEADER
    + '''
model = Model("count", "A number that goes up")
w = model.actor("w")
model.variable("n", Int(0, 100))


@w.action(when=lambda s: s.n < 100)
def up(s):
    s.n += 1


@w.action(when=lambda s: s.n % 7 == 3)
def jump(s):
    s.n += 20


@model.constraint()
def few(s):
    """The number stays small."""
    return s.n < 9 or 1 // (s.n - 200) == 0


@model.invariant()
def small(s):
    """The number is below 23."""
    return s.n < 23


@model.deadlock()
def stuck(s):
    """Something can always happen."""
    return False


@model.possibility()
def can_end(s):
    """It can come to 90."""
    return s.n == 90


@model.liveness()
def ends(s):
    """It comes to 100."""
    return s.n == 100


@model.leads_to(lambda s: s.n == 9)
def goes_on(s):
    """It goes on from 9."""
    return s.n > 9


@model.recurrence("w.up")
def stops(s):
    """It does not go up for ever."""
    return False
'''
)
ENGINES = ["reference", "compiled"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_state_beyond_is_judged_and_not_expanded(tmp_path: Path, engine: str) -> None:
    """What is safe is judged in it, what comes after it is not known, and it is no end."""
    family = family_of(tmp_path, COUNT)
    found = checked(family, engine)
    numbers = found.exploration
    assert (numbers.states, numbers.cut, numbers.complete) == (11, 2, True)
    verdicts = {f.name: (f.verdict, f.events) for f in found.findings}
    assert verdicts.pop("small") == ("violated", 4)
    assert set(verdicts.values()) == {("holds", None)}
    assert disagreements(family, None, None, engine) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_one_that_goes_wrong_is_told(tmp_path: Path, engine: str) -> None:
    """It is evaluated where the state would be expanded."""
    family = family_of(tmp_path, COUNT.replace("(s.n - 200)", "(s.n - 23)"))
    with pytest.raises(ModelError, match="ZeroDivisionError"):
        checked(family, engine)
    assert disagreements(family, None, None, engine) == []


def test_several_hold_together(tmp_path: Path) -> None:
    """A state is expanded where all of them are true."""
    text = COUNT + '\n\n@model.constraint()\ndef fewer(s):\n    """Fewer."""\n    return s.n < 4\n'
    for engine in ENGINES:
        found = checked(family_of(tmp_path, text), engine)
        assert (found.exploration.states, found.exploration.cut) == (6, 2)
        assert found.constraints == ("few", "fewer")


@pytest.mark.parametrize("form", ["text", "json", "markdown", "csv", "junit"])
def test_every_format_says_what_was_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """A verdict that holds holds within the constraint only."""
    monkeypatch.chdir(tmp_path)
    Path("count.py").write_text(COUNT, encoding="utf-8")
    Path("count.toml").write_text('model = "count.py"\ntitle = "Count"\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["check", "count.toml", "--format", form])
    if form == "json":
        told = json.loads(done.stdout)
        variant = (told[0] if isinstance(told, list) else told)["variants"][0]
        assert (variant["constraints"], variant["exploration"]["cut"]) == (["few"], 2)
    elif form == "csv":
        assert ",few,2,,,\n" in done.stdout
    elif form == "junit":
        assert 'name="within few" value="2 states not expanded"' in done.stdout
    else:
        assert "within few: 2 states not expanded" in done.stdout.lower()


def test_a_model_lists_its_constraints(tmp_path: Path) -> None:
    """With what they mean."""
    lines = [line.strip() for line in family_lines(family_of(tmp_path, COUNT), 80)]
    assert lines[lines.index("few") + 1] == "The number stays small."
