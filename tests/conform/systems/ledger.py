"""The second review's ledger over SQLite, the scheduler and two workers around it, its adapters.

An intent is recorded before the effect, the effect and its commit are one transaction, and the sink
deduplicates by step and payload.
"""

from __future__ import annotations

import sqlite3
from types import SimpleNamespace
from typing import Any

from fencecheck.conform import Adapter, Task, on, point

APPLIED, REPLAYED, DEDUPED, DRIFT = "applied", "replayed", "deduped", "rejected: intent_hash"


class Ledger:
    """Rows of intents and effects; ``execute`` is the call that a worker makes."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.db.execute("create table rows (step primary key, state, payload)")
        self.db.execute("create table effects (step, payload, primary key (step, payload))")

    def row(self, step: int) -> tuple[str, str] | None:
        found = self.db.execute("select state, payload from rows where step = ?", (step,))
        row: tuple[str, str] | None = found.fetchone()
        return row

    def is_committed(self, step: int) -> bool:
        row = self.row(step)
        return row is not None and row[0] == "committed"

    def intend(self, step: int, payload: str) -> bool:
        """Record an intent, the first counts; tell whether the payload is the one recorded."""
        self.db.execute("insert or ignore into rows values (?, 'intent', ?)", (step, payload))
        row = self.row(step)
        return row is not None and row[1] == payload

    def commit(self, step: int, payload: str) -> str:
        self.db.execute("begin immediate")
        shown = self.db.execute("insert or ignore into effects values (?, ?)", (step, payload))
        self.db.execute("update rows set state = 'committed' where step = ?", (step,))
        self.db.execute("commit")
        return APPLIED if shown.rowcount else DEDUPED

    def effects(self, step: int) -> int:
        count = self.db.execute("select count(*) from effects where step = ?", (step,))
        found: int = count.fetchone()[0]
        return found

    def execute(self, step: int, payload: str) -> str:
        """The whole call: the hash is asked first, then whether it is committed."""
        if not self.intend(step, payload):
            return DRIFT
        committed = self.is_committed(step)
        point("looked")
        if committed:
            return REPLAYED
        word = self.commit(step, payload)
        point("committed")
        return word


class Queue(Adapter):
    """The scheduler and its workers; how a worker goes on with a step says a subclass."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.status, self.payload, self.edits = "open", "original", 0
        self.leased, self.attempts = False, 0
        self.work: dict[int, Any] = dict.fromkeys(range(1, self.design["workers"] + 1))

    def arrive(self, worker: int, payload: str, attempt: int) -> None:
        self.work[worker] = SimpleNamespace(payload=payload, attempt=attempt, phase="assigned")

    def drop(self, worker: int) -> None:
        self.work[worker] = None

    @on("scheduler.assign")
    def assign(self, step: int, worker: int) -> None:
        self.attempts += 1
        self.leased = True
        self.arrive(worker, self.payload, self.attempts)

    @on("network.duplicate")
    def duplicate(self, assignment: Any, worker: int) -> None:
        self.arrive(worker, assignment.payload, assignment.token)

    @on("scheduler.requeue")
    def requeue(self, step: int) -> None:
        self.leased = False

    @on("operator.edit_payload")
    def edit(self, step: int) -> None:
        self.edits += 1
        self.payload = f"edit {self.edits}"

    @on("substrate.revoke")
    def revoke(self, worker: int) -> None:
        self.drop(worker)

    @on("network.lose_ack")
    def lose(self, step: int, worker: int) -> None:
        self.drop(worker)

    @on("worker.ack")
    def ack(self, step: int, worker: int) -> None:
        self.finish("done")
        self.drop(worker)

    def finish(self, how: str) -> None:
        if self.status == "open":
            self.status, self.leased = how, False

    def reject(self, worker: int) -> str:
        if self.work[worker].attempt == self.newest():
            self.finish("rejected")
        self.drop(worker)
        return DRIFT

    def newest(self) -> int:
        return self.attempts

    def observe(self) -> dict[str, Any]:
        row = self.ledger.row(1)
        return {
            "ledger.rows[1]": "no row" if row is None else " ".join(row),
            "sink.effects[1]": self.ledger.effects(1),
            "scheduler.status[1]": self.status,
            "scheduler.payload[1]": self.payload,
        }


class ByEvent(Queue):
    """Each call of the ledger is an event; whether it is committed is asked first."""

    @on("worker.replay", "worker.intend", "worker.reject_drift", "worker.effect", "worker.deduped")
    def go_on(self, step: int, worker: int) -> str | None:
        work = self.work[worker]
        if self.ledger.is_committed(step):
            return REPLAYED
        if work.phase == "assigned":
            work.phase = "intended"
            return None if self.ledger.intend(step, work.payload) else self.reject(worker)
        return self.ledger.commit(step, work.payload)


class Held(Queue):
    """``execute`` as it is, held after its look and after its commit."""

    def drop(self, worker: int) -> None:
        work = self.work[worker]
        if work is not None and getattr(work, "task", None) is not None:
            work.task.kill()
        super().drop(worker)

    def task(self, step: int, worker: int) -> Task:
        work = self.work[worker]
        if getattr(work, "task", None) is None:
            work.task = Task(self.ledger.execute, step, work.payload)
        task: Task = work.task
        return task

    @on("worker.intend", "worker.reject_drift")
    def look(self, step: int, worker: int) -> str | None:
        return None if self.task(step, worker).on() == "looked" else self.reject(worker)

    @on("worker.effect", "worker.deduped")
    def act(self, step: int, worker: int) -> str:
        task = self.task(step, worker)
        task.to("committed")
        result: str = task.end()
        return result

    @on("worker.replay")
    def again(self, step: int, worker: int) -> str:
        result: str = self.task(step, worker).end()
        return result

    def close(self) -> None:
        for worker in self.work:
            self.drop(worker)
        self.ledger.db.close()
