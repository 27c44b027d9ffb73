"""Adapters of the program over a folder: a real process, held at its points, killed by SIGKILL."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fencecheck.conform import Process, on
from tests.conform.systems.disk_program import Workspace
from tests.conform.systems.executors import Answer, Client, Command, Planner, Steps

PROGRAM = Path(__file__).with_name("disk_program.py")
ROOT = Path(__file__).parents[3]


class Folder:
    """What planner, client and human see of the folder."""

    def __init__(self, place: Path) -> None:
        self.workspace = Workspace(place)
        self.workspace.create("original")

    @property
    def rev(self) -> int:
        return self.workspace.head()[0]

    @property
    def content(self) -> str:
        return self.workspace.head()[1]

    def write(self, content: str) -> None:
        self.workspace.write(content)


class DiskSteps(Steps):
    """The executor is a program; its journal is what the class says."""

    kept = "atomic"

    def __init__(self) -> None:
        self.place = tempfile.TemporaryDirectory()
        self.workspace = Folder(Path(self.place.name))  # type: ignore[assignment]
        self.plans = Planner(self.workspace, self.design["steps"])
        self.sender = Client(self.plans, self.design["steps"])
        self.program = Process([sys.executable, str(PROGRAM), self.place.name, self.kept])
        self.edits = 0

    def ask(self, **request: Any) -> str | None:
        return self.program.ask(json.dumps(request))

    @on("executor.apply", "executor.replay", "executor.reject")
    def execute(self, command: Command) -> str | None:
        line = self.ask(do="execute", **asdict(command))
        word: str = json.loads(self.program.end() if line is None else line)
        return word

    @on("executor.reply")
    def reply(self, step: int) -> str:
        line = self.ask(do="reply")
        assert line is not None
        answer = Answer(**json.loads(line))
        self.post(answer)
        return answer.word

    @on("substrate.preempt")
    def preempt(self) -> None:
        self.program.restart()

    def close(self) -> None:
        self.program.kill()
        self.place.cleanup()


class SplitSteps(DiskSteps):
    """Held after its checks, and after its write."""

    kept = "separate"

    @on("executor.check", "executor.replay", "executor.reject")
    def execute(self, command: Command) -> str | None:
        line = self.ask(do="execute", **asdict(command))
        if line is None:
            assert self.program.at == "checked"
            return None
        word: str = json.loads(line)
        return word

    @on("executor.write")
    def write(self, step: int) -> str:
        line = self.program.on()
        if line is None:
            assert self.program.at == "written"
        return "applied"

    @on("executor.journal")
    def record(self, step: int) -> None:
        self.program.end()

    @on("executor.reply")
    def reply(self, step: int) -> str:
        if self.program.at is not None:
            self.program.end()
        return super().reply(step)


class NoJournal(SplitSteps):
    kept = "none"


class Renaming(SplitSteps):
    kept = "rename"
