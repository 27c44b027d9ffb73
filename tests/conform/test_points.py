"""Code held at its points: in threads of this process, and in a process that is killed there."""

from __future__ import annotations

import ast
import os
import shutil
import sys
from pathlib import Path

import pytest

from fencecheck.conform import Killed, Process, Task, holding, point, points
from tests.conform.driving import ROOT

PROGRAM = """
import os, sys
from fencecheck.conform import holding, point
with holding(after=os.replace):
    for line in sys.stdin:
        draft = f"{sys.argv[1]}/draft"
        open(draft, "w").write(line)
        point("written")
        os.replace(draft, f"{sys.argv[1]}/file")
        print("done", flush=True)
"""


def two_points(told: list[str]) -> str:
    told.append("begun")
    point("one")
    told.append("going on")
    point("two")
    return "ended"


def test_a_task_goes_from_point_to_point() -> None:
    """Nothing of it runs before it is let go, or while it stands."""
    told: list[str] = []
    task = Task(two_points, told)
    assert told == []
    assert [task.on(), task.at, told[:]] == ["one", "one", ["begun"]]
    assert [task.on(), task.on(), task.result] == ["two", None, "ended"]
    with pytest.raises(RuntimeError, match="the task has ended"):
        task.on()


def test_two_tasks_take_turns() -> None:
    """Whose turn it is the test says."""
    told: list[str] = []
    first, second = Task(two_points, told), Task(two_points, told)
    first.to("one")
    second.end()
    assert first.end() == "ended"
    assert told == ["begun", "begun", "going on", "going on"]


def test_a_killed_task_is_no_crash() -> None:
    """What it raises passes ``except Exception``, and its ``finally`` clauses run."""
    told: list[str] = []

    def work() -> None:
        try:
            try:
                point("here")
            except Exception:
                told.append("swallowed")
        except Killed:
            told.append("killed")
            raise
        finally:
            told.append("cleaned up")

    task = Task(work)
    task.on()
    task.kill()
    assert task.done
    assert told == ["killed", "cleaned up"]


def test_what_a_task_raises_is_raised_where_it_is_let_go() -> None:
    """With its own type."""

    def work() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        Task(work).on()


def test_a_point_does_nothing_where_nobody_holds_it() -> None:
    """And holding makes one of a call only as long as it is in force."""
    point("nobody")
    before = shutil.copyfile
    with holding(after=shutil.copyfile) as name:
        assert name == "copyfile"
        assert shutil.copyfile is not before
    assert shutil.copyfile is before


def test_the_points_may_be_copied(tmp_path: Path) -> None:
    """The module is short, imports nothing of the package, and its copy is held as it is."""
    text = Path(points.__file__).read_text("utf-8")
    assert len(text.splitlines()) < 30
    imported = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)]
    assert imported == []
    scope: dict[str, object] = {}
    exec(text, scope)
    task = Task(scope["point"], "copied")  # type: ignore[arg-type]
    assert task.on() == "copied"
    task.kill()


def test_a_process_is_killed_at_a_point_and_started_anew(tmp_path: Path) -> None:
    """What it left on disk is all that is left of it."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = Process([sys.executable, "-c", PROGRAM, str(tmp_path)], env)
    try:
        assert process.ask("first") is None
        assert process.at == "written"
        assert process.on() is None
        assert process.at == "replace"
        assert process.on() == "done"
        process.ask("second")
        process.restart()
        assert (tmp_path / "file").read_text("utf-8") == "first\n"
        assert process.ask("third") is None
        assert process.end() == "done"
        assert (tmp_path / "file").read_text("utf-8") == "third\n"
    finally:
        process.kill()


def test_a_process_that_ends_is_told(tmp_path: Path) -> None:
    """With its command and its code."""
    process = Process([sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(EOFError, match="ended with 3"):
        process.on()
    process.kill()
