"""No message names the same file twice on a line, whoever says it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.test_cli_model_faults import FAULTS, MODEL

BAD = Path(__file__).parents[1] / "spec_errors"
STALLING = """
[[scenario]]
name = "one"
order = ["A.up(1)", "A.up(1)", "A.up(1)", "A.up(1)"]
ask = "A"
"""
ENCODINGS = {
    "Latin-1": "# caf\xe9\n".encode("latin-1"),
    "a declared encoding": b"# -*- coding: latin-1 -*-\n",
    "no Python": b"\n)\n",
    "a crash": b"\n1 // 0\n",
    "no model": b"\nx = 1\n",
    "an import that is not there": b"\nimport nothing_like_it\n",
}


def named_twice(text: str) -> list[str]:
    """Return the lines in which the name of a file stands in two places before what is said."""
    found = []
    for line in text.splitlines():
        places = re.findall(r"(?:^|(?<=: ))([^\s:]+\.(?:toml|py))(?=:)", line)
        found += [line] if len(set(places)) != len(places) else []
    return found


def test_the_judge_of_these_tests_sees_a_repeated_name() -> None:
    assert named_twice("error: x.toml: model: m.py: m.py: line 2: no")
    assert named_twice("error: x.toml: x.toml: no")
    assert not named_twice("error: x.toml: model: m.py:2: no (m.py:3)")


@pytest.fixture
def model(run, tmp_path):
    """Return what writes a spec and its model, named from the folder of ``run``."""

    def write(content, more=""):
        (tmp_path / "m.py").write_bytes(content if isinstance(content, bytes) else content.encode())
        (tmp_path / "x.toml").write_text(f'model = "m.py"\n{more}')
        return "x.toml"

    return write


@pytest.mark.parametrize("command", ["check", "compare", "explain", "draw"])
def test_bad_specs(run, tmp_path, command):
    """Every spec with a mistake that is kept for the messages."""
    shutil.copytree(BAD, tmp_path / "bad")
    for path in sorted((tmp_path / "bad").glob("*.toml")):
        result = run(command, f"bad/{path.name}")
        assert result.exit_code == 2
        assert not named_twice(result.output)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("beside", [False, True])
def test_models_that_cannot_be_read(run, model, tmp_path, name, beside):
    """The model's file itself, and one that it imports."""
    (tmp_path / "other.py").write_bytes(ENCODINGS[name])
    given = b"import other\n" if beside else ENCODINGS[name]
    for argument in (model(given), "m.py"):
        command = "check" if argument == "x.toml" else "list"
        result = run(command, argument)
        assert result.exit_code == 2
        assert "m.py" in result.stderr or "other.py" in result.stderr
        assert not named_twice(result.output)


@pytest.mark.parametrize("name", FAULTS)
def test_models_that_go_wrong(run, model, name):
    """Every kind of fault that the tests of models know."""
    old, new, command, _ = FAULTS[name]
    result = run(command, model(MODEL.replace(old, new)))
    assert result.exit_code == 2
    assert not named_twice(result.output)


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_an_order_that_cannot_be_followed(run, model, form):
    """The spec is named once on stderr, and once by the outcome itself."""
    spec = model(MODEL, STALLING)
    result = run("compare", spec, "--format", form)
    assert result.exit_code == 2
    assert "is not possible here" in result.output
    assert not named_twice(result.output)
    assert "x.toml: scenario" not in result.stdout
