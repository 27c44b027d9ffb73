"""An executor of fenced steps in plain Python, the client and the planner around it, its adapter.

The workspace and the journal are durable, the executor's process is not. Each part is small, so
that a defect is one method of one class (defects.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fencecheck.conform import Adapter, on

APPLIED, REPLAYED, STALE, MISFIT = "applied", "replayed", "stale_rev", "pre_hash"


@dataclass(frozen=True)
class Command:
    """A step as it is sent: of which plan, and what the workspace should be like."""

    step: int
    plan: int
    base: int | None
    pre: str


@dataclass(frozen=True)
class Answer:
    """What the executor says of a command."""

    step: int
    plan: int
    word: str


@dataclass
class Disk:
    """What survives the executor: a file with its revision, and the keys of work done."""

    rev: int = 0
    content: str = "original"
    keys: list[Any] = field(default_factory=list)

    def write(self, content: str) -> None:
        self.content = content
        self.rev += 1

    def record(self, key: Any) -> None:
        if key not in self.keys:
            self.keys.append(key)
            self.keys.sort(key=repr)


class Executor:
    """Asks the journal, compares revision and hash, writes and records in one go, then answers."""

    def __init__(self, disk: Disk, journal: bool = True) -> None:
        self.disk, self.journal = disk, journal
        self.answer: Answer | None = None

    def execute(self, command: Command) -> str:
        word = self.decide(command)
        if word == APPLIED:
            self.apply(command)
        if word == REPLAYED:
            self.replay(command)
        self.answer = Answer(command.step, command.plan, word)
        return word

    def decide(self, command: Command) -> str:
        if self.is_recorded(command):
            return REPLAYED
        return self.check(command)

    def check(self, command: Command) -> str:
        if not self.fits_revision(command):
            return STALE
        return APPLIED if self.fits_content(command) else MISFIT

    def key(self, command: Command) -> Any:
        return command.step

    def is_recorded(self, command: Command) -> bool:
        return self.journal and self.key(command) in self.disk.keys

    def fits_revision(self, command: Command) -> bool:
        return command.base == self.disk.rev

    def fits_content(self, command: Command) -> bool:
        return command.pre == self.disk.content

    def apply(self, command: Command) -> None:
        self.disk.write(f"s{command.step}")
        if self.journal:
            self.disk.record(self.key(command))

    def replay(self, command: Command) -> None:
        """The stored result is the answer."""

    def reply(self) -> tuple[Answer, str]:
        answer, self.answer = self.answer, None
        assert answer is not None
        return answer, answer.word

    def restart(self) -> None:
        self.answer = None


class Planner:
    """Plans every step that is not done: what each should find where the plan goes well."""

    def __init__(self, disk: Disk, steps: int) -> None:
        self.disk, self.plan = disk, 0
        self.base = 0
        self.pre: dict[int, str] = {}
        self.make(range(1, steps + 1))

    def make(self, steps: Any) -> None:
        self.base = self.disk.rev
        expected = self.disk.content
        for step in steps:
            self.pre[step] = expected
            expected = self.leaves(step)

    def leaves(self, step: int) -> str:
        return f"s{step}"

    def again(self, steps: list[int]) -> None:
        self.plan += 1
        self.make(steps)


class Client:
    """Sends the steps one after another, remembers what it sent, and hears of the newest plan."""

    def __init__(self, planner: Planner, steps: int) -> None:
        self.planner = planner
        self.view = dict.fromkeys(range(1, steps + 1), "todo")
        self.sent: dict[int, Command] = {}

    def command(self, step: int) -> Command:
        planner = self.planner
        return Command(step, planner.plan, self.base(), planner.pre[step])

    def base(self) -> int | None:
        return self.planner.disk.rev

    def dispatch(self, step: int) -> Command:
        self.view[step] = "sent"
        self.sent[step] = self.command(step)
        return self.sent[step]

    def retry(self, step: int) -> Command:
        return self.sent[step]

    def receive(self, answer: Answer) -> None:
        if self.believes(answer) and self.view[answer.step] == "sent":
            good = answer.word in (APPLIED, REPLAYED)
            self.view[answer.step] = "done" if good else "rejected"
            self.sent.pop(answer.step)

    def believes(self, answer: Answer) -> bool:
        return answer.plan == self.planner.plan

    def start_over(self) -> list[int]:
        todo = [step for step, view in self.view.items() if view != "done"]
        for step in todo:
            self.view[step] = "todo"
            self.sent.pop(step, None)
        return todo


class Steps(Adapter):
    """The adapter of all of these: which parts there are says a subclass."""

    disk: type[Disk] = Disk
    executor: type[Executor] = Executor
    planner: type[Planner] = Planner
    client: type[Client] = Client
    journal = True

    def __init__(self) -> None:
        steps = self.design["steps"]
        self.workspace = self.disk()
        self.plans = self.planner(self.workspace, steps)
        self.sender = self.client(self.plans, steps)
        self.process = self.executor(self.workspace, self.journal)
        self.edits = 0

    @on("planner.replan")
    def replan(self) -> None:
        self.plans.again(self.sender.start_over())

    @on("client.dispatch")
    def dispatch(self, step: int) -> None:
        self.post(self.sender.dispatch(step))

    @on("client.retry")
    def retry(self, step: int) -> None:
        self.post(self.sender.retry(step))

    @on("client.receive")
    def receive(self, answer: Answer) -> str:
        self.sender.receive(answer)
        return answer.word

    @on("executor.apply", "executor.replay", "executor.reject")
    def execute(self, command: Command) -> str | None:
        return self.process.execute(command)

    @on("executor.reply")
    def reply(self, step: int) -> str:
        answer, word = self.process.reply()
        self.post(answer)
        return word

    @on("substrate.preempt")
    def preempt(self) -> None:
        self.process.restart()

    @on("human.edit")
    def edit(self, file: int) -> None:
        self.edits += 1
        self.workspace.write(f"human edit {self.edits}")

    def observe(self) -> dict[str, Any]:
        views = {f"client.view[{step}]": view for step, view in self.sender.view.items()}
        seen = {"workspace.rev": self.workspace.rev, "workspace.content[1]": self.workspace.content}
        return {**views, **seen}


class StepFence(Steps):
    """Stamped as it is dispatched, no journal."""

    journal = False


class StepFenceJournal(Steps):
    """Stamped as it is dispatched, and a journal keyed by the step."""
