"""The README tells the truth: its outputs are what the program prints, its commands exist."""

import re
import shlex

import pytest
from click.testing import CliRunner

from fencecheck.cli import main
from tests.refresh_readme import README, ROOT, outdated

TEXT = README.read_text()
COMMANDS = sorted(set(re.findall(r"^    (?:\.venv/bin/)?(fencecheck .+?)(?:   .*)?$", TEXT, re.M)))


def test_outputs_and_the_sample_are_what_the_program_makes() -> None:
    assert [str(p.relative_to(ROOT)) for p in outdated()] == [], "run tests/refresh_readme.py"


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_in_it_exists_with_its_options(line: str) -> None:
    _, command, *rest = shlex.split(line)
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    for option in (word for word in rest if word.startswith("--")):
        assert option in result.output


@pytest.mark.parametrize("words", re.findall(r"^\| `(.+?)` \|", TEXT, re.M))
def test_every_command_of_its_table_exists(words: str) -> None:
    command = words.split()[0].strip("`")
    if command in main.commands:
        output = CliRunner().invoke(main, [command, "--help"]).output
        assert all(option in output for option in re.findall(r"--[a-z-]+", words))


def test_paths_it_names_exist() -> None:
    for path in re.findall(r"(?:specs|tests|reports)/[\w./*-]+", TEXT):
        assert list(ROOT.glob(path.rstrip("/."))), path
