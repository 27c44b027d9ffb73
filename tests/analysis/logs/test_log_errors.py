"""Mistakes in logs: one small file each, and what is said of it. None of them ever passes.

``python -m tests.analysis.logs.test_log_errors`` writes the texts anew, to be read over.
"""

import re
from pathlib import Path

import pytest

from fencecheck.errors import FencecheckError
from fencecheck.runs.logged.log import LogError
from fencecheck.runs.logged.mapping import read_map
from fencecheck.runs.logged.reader import load_reader
from fencecheck.runs.logged.reading import LogReading
from tests.analysis.logs.walks import conformed, spec_of

FOLDER = Path(__file__).parent / "errors"
LOGS = sorted([*FOLDER.glob("*.jsonl"), *FOLDER.glob("*.json")])
MAPS = sorted(FOLDER.glob("*.toml"))


def take(path: Path) -> None:
    """Read a map, or hold a log against a design."""
    if path.suffix == ".toml":
        read_map(path)
    else:
        conformed(spec_of("designs/step_fence"), [path])


def said_of(path: Path) -> str:
    """What a log or map is refused with; fails where it is not."""
    with pytest.raises(FencecheckError) as raised:
        take(path)
    assert raised.value.exit_code == 2
    return str(raised.value).replace(path.as_posix(), path.name) + "\n"


@pytest.mark.parametrize("path", [*LOGS, *MAPS], ids=lambda p: p.name)
def test_a_mistake_is_named(path: Path) -> None:
    """With the line, what was seen, and the nearest that the model has."""
    assert said_of(path) == path.with_name(f"{path.name}.txt").read_text("utf-8")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(LogError, match=r"nowhere\.jsonl: cannot be read"):
        conformed(spec_of("designs/step_fence"), [Path("nowhere.jsonl")])


def test_mistakes_of_all_files_are_told_at_once() -> None:
    """Before anything runs."""
    paths = [FOLDER / "not_json.jsonl", FOLDER / "no_process.jsonl", FOLDER / "empty.jsonl"]
    with pytest.raises(LogError) as raised:
        conformed(spec_of("designs/step_fence"), paths)
    told = str(raised.value)
    assert all(path.name in told for path in paths)


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("reader", "write FILE.py:FUNCTION"),
        ("nowhere.py:read", "there is no file nowhere.py"),
        (f"{Path(__file__).as_posix()}:said_off", 'did you mean "said_of"'),
    ],
)
def test_a_reader_that_is_none(reference: str, said: str) -> None:
    with pytest.raises(LogError, match=re.escape(said)):
        load_reader(reference)


@pytest.mark.parametrize(
    ("reader", "said"),
    [
        (lambda record: record["nothing"], "the reader raises KeyError: 'nothing'"),
        (lambda record: 7, "the reader returns 7; write a dictionary, or None"),
        (lambda record: None, "none of its records (2) is an event for the reader"),
    ],
)
def test_what_a_reader_does_wrong(reader: object, said: str) -> None:
    """A log of which it makes no event is refused as well."""
    path = FOLDER / "circle.jsonl"
    with pytest.raises(LogError, match=re.escape(said)):
        conformed(spec_of("designs/step_fence"), [path], None, LogReading(reader=reader))  # type: ignore[arg-type]


if __name__ == "__main__":
    for file in (*LOGS, *MAPS):
        file.with_name(f"{file.name}.txt").write_text(said_of(file), "utf-8")
