"""Twenty executors with one defect each; the right one is in executors.py.

Each is a class of adapters with one part replaced. ``LENGTHS`` says in how many events it diverges
from step fence + journal, None where it conforms within the bounds of the tour.
"""

from __future__ import annotations

from typing import Any

from tests.conform.systems.executors import (
    APPLIED,
    MISFIT,
    REPLAYED,
    STALE,
    Answer,
    Client,
    Command,
    Disk,
    Executor,
    Planner,
    StepFenceJournal,
)


class InMemory(Executor):
    def restart(self) -> None:
        super().restart()
        self.disk.keys.clear()


class KeyWithBase(Executor):
    def key(self, command: Command) -> Any:
        return command.step, command.base


class KeyFirst(Executor):
    def check(self, command: Command) -> str:
        self.disk.record(self.key(command))
        return super().check(command)


class HashFirst(Executor):
    def check(self, command: Command) -> str:
        if not self.fits_content(command):
            return MISFIT
        return APPLIED if self.fits_revision(command) else STALE


class NoHash(Executor):
    def fits_content(self, command: Command) -> bool:
        return True


class NoRevision(Executor):
    def fits_revision(self, command: Command) -> bool:
        return True


class ReplayWrites(Executor):
    def replay(self, command: Command) -> None:
        self.disk.content = f"s{command.step}"


class ReplayMovesRevision(Executor):
    def replay(self, command: Command) -> None:
        self.disk.rev += 1


class RevisionFirst(Executor):
    def decide(self, command: Command) -> str:
        return super().decide(command) if self.fits_revision(command) else STALE


class OneKey(Disk):
    def record(self, key: Any) -> None:
        self.keys = [key]


class OneBehind(Executor):
    def fits_revision(self, command: Command) -> bool:
        assert command.base is not None
        return command.base in (self.disk.rev, self.disk.rev - 1)


class ReadOnce(Executor):
    """It keeps the journal it found as it began, and reads it no more after a restart."""

    forgot = False

    def is_recorded(self, command: Command) -> bool:
        return not self.forgot and super().is_recorded(command)

    def restart(self) -> None:
        super().restart()
        self.forgot = True


class RejectionKept(Executor):
    """A command that it rejected once is answered as known."""

    def __init__(self, disk: Disk, journal: bool = True) -> None:
        super().__init__(disk, journal)
        self.rejected: list[Command] = []

    def decide(self, command: Command) -> str:
        if command in self.rejected:
            return REPLAYED
        word = super().decide(command)
        if word in (STALE, MISFIT):
            self.rejected.append(command)
        return word


class Restamping(Client):
    def retry(self, step: int) -> Command:
        self.sent[step] = self.command(step)
        return self.sent[step]


class Believing(Client):
    def believes(self, answer: Answer) -> bool:
        return True


class EachAlone(Planner):
    """A plan that takes every step for the first."""

    def leaves(self, step: int) -> str:
        return self.disk.content


class LateWrite(Executor):
    """The write is in a buffer until the answer is out."""

    def __init__(self, disk: Disk, journal: bool = True) -> None:
        super().__init__(disk, journal)
        self.durable = disk.rev, disk.content

    def apply(self, command: Command) -> None:
        self.durable = self.disk.rev, self.disk.content
        super().apply(command)

    def reply(self) -> tuple[Answer, str]:
        self.durable = self.disk.rev, self.disk.content
        return super().reply()

    def restart(self) -> None:
        if self.answer is not None and self.answer.word == APPLIED:
            self.disk.rev, self.disk.content = self.durable
        super().restart()


class LateKey(Executor):
    """The key is in a buffer until the answer is out."""

    def reply(self) -> tuple[Answer, str]:
        assert self.answer is not None
        if self.answer.word == APPLIED:
            self.disk.record(self.answer.step)
        return super().reply()

    def apply(self, command: Command) -> None:
        self.disk.write(f"s{command.step}")


class FutureBase(Executor):
    def fits_revision(self, command: Command) -> bool:
        assert command.base is not None
        return command.base >= self.disk.rev


class OnlyAtFirst(Executor):
    def fits_revision(self, command: Command) -> bool:
        return self.disk.rev >= 3 or super().fits_revision(command)


def with_part(**parts: Any) -> type[StepFenceJournal]:
    """Return the right adapter with one part replaced."""
    ((_, part),) = parts.items()
    return type(f"{part.__name__}Adapter", (StepFenceJournal,), {**parts, "__module__": __name__})


DEFECTS: dict[str, tuple[type[StepFenceJournal], int | None]] = {
    "journal in memory": (with_part(executor=InMemory), 5),
    "key with base": (with_part(executor=KeyWithBase), 11),
    "key before the checks": (with_part(executor=KeyFirst), 6),
    "hash asked first": (with_part(executor=HashFirst), 3),
    "no hash": (with_part(executor=NoHash), 3),
    "no revision": (with_part(executor=NoRevision), 3),
    "replay writes": (with_part(executor=ReplayWrites), 6),
    "replay moves the revision": (with_part(executor=ReplayMovesRevision), 5),
    "revision before journal": (with_part(executor=RevisionFirst), 5),
    "one key kept": (with_part(disk=OneKey), 9),
    "base one behind accepted": (with_part(executor=OneBehind), 3),
    "journal not read after a restart": (with_part(executor=ReadOnce), 5),
    "second rejection answered as replayed": (with_part(executor=RejectionKept), 6),
    "retry stamped anew": (with_part(client=Restamping), 6),
    "old replies believed": (with_part(client=Believing), 11),
    "plan without its own steps": (with_part(planner=EachAlone), 6),
    "write flushed with the reply": (with_part(executor=LateWrite), 3),
    "key flushed with the reply": (with_part(executor=LateKey), 5),
    "a future base accepted": (with_part(executor=FutureBase), None),
    "no comparison from revision 3 on": (with_part(executor=OnlyAtFirst), None),
}
