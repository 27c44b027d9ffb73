"""A small real system: an intent ledger in SQLite, and a sink of effects over HTTP on loopback.

A scheduler hands one step to two workers. A worker records its intent in the ledger, lets the
effect show at the sink, records that, and acknowledges; it may be killed between any two of these,
its lease may expire while it lives, its acknowledgement may be lost, and an operator may edit the
payload. Who does what next is drawn by a seed. Everybody writes a log of its own; the sink logs
effects where they happen. Nobody logs who was killed, nor what was lost.
"""

import hashlib
import http.client
import json
import random
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

Line = dict[str, Any]


@dataclass(frozen=True)
class Built:
    """How the system is built; the names and values are those of the model's switches."""

    replay: str = "on"
    on_drift: str = "reject"
    effect_key: str = "step"
    look: str = "atomic"


class Journal:
    """The logs of one run: lines by process, with identifiers to name causes by."""

    def __init__(self, run: int) -> None:
        self.run, self.lines = run, list[Line]()

    def write(self, process: str, event: str, args: Line, causes: list[str], **more: Any) -> str:
        name = f"{process}-{len(self.lines)}"
        head: Line = {"process": process, "run": str(self.run), "id": name, "causes": causes}
        self.lines.append({**head, "event": event, "args": args, **more})
        return name


def digest(payload: str) -> Line:
    """A payload as a log has it: only ever compared with itself."""
    return {"as": hashlib.sha256(payload.encode()).hexdigest()[:12]}


class Sink:
    """Shows effects, over HTTP; may know calls again by their key."""

    def __init__(self, built: Built) -> None:
        self.built, self.effects, self.first = built, 0, ""
        self.keys: set[str] = set()
        self.journal: Journal | None = None

    def call(self, told: Line) -> Line:
        key = {"none": "", "step": "1", "step+payload": f"1 {told['payload']}"}
        own = key[self.built.effect_key]
        known = bool(own) and own in self.keys
        if not known:
            self.effects += 1
            self.first = self.first or told["payload"]
            self.keys.add(own)
        assert self.journal is not None
        after = {"sink.effects[1]": self.effects if self.effects < 2 else "2 or more"}
        name = self.journal.write(
            "sink",
            "worker.deduped" if known else "worker.effect",
            {"step": 1, "worker": told["worker"]},
            [told["cause"]],
            outcome="deduped" if known else "applied",
            after={**after, "sink.shown[1]": digest(self.first)},
        )
        return {"id": name}


@contextmanager
def served(sink: Sink) -> Iterator[int]:
    """Serve a sink on a port of the loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps(sink.call(told)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def post(port: int, told: Line) -> Line:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("POST", "/effects", json.dumps(told))
        found: Line = json.loads(connection.getresponse().read())
        return found
    finally:
        connection.close()


class Ledger:
    """One row for the step: the payload of its first intent, and whether that is committed."""

    def __init__(self, path: Path) -> None:
        self.database = sqlite3.connect(path)
        self.database.execute("create table if not exists rows (state text, payload text)")

    def row(self) -> tuple[str, str] | None:
        found: tuple[str, str] | None = self.database.execute("select * from rows").fetchone()
        return found

    def intend(self, payload: str) -> None:
        with self.database:
            self.database.execute("insert into rows values ('intent', ?)", (payload,))

    def commit(self) -> None:
        with self.database:
            self.database.execute("update rows set state = 'committed'")

    def close(self) -> None:
        self.database.close()


@dataclass
class Scheduler:
    """Whose step it is, as the scheduler believes; ``newest`` counts its assignments."""

    status: str = "open"
    payload: str = "first"
    leased: str = "unleased"
    newest: int = 0
    last: str = ""
    workers: dict[int, tuple[int, Iterator[None]]] = field(default_factory=dict)

    def close(self, how: str) -> None:
        if self.status == "open":
            self.status, self.leased = how, "unleased"

    @property
    def has_owner(self) -> bool:
        return any(number == self.newest for number, _ in self.workers.values())


class OneRun:
    """One run of the system; ``draw`` decides who is next and what goes wrong."""

    def __init__(self, built: Built, folder: Path, port: int, journal: Journal, seed: int) -> None:
        self.built, self.path, self.port, self.journal = built, folder / f"{seed}.db", port, journal
        self.draw = random.Random(seed)
        self.scheduler = Scheduler()
        self.left = {"kill": 1, "expire": 1, "edit": 1, "lose": 1}

    def go(self) -> None:
        for _ in range(60):
            ways = [*self._own(), *self._wrong()]
            if not ways:
                break
            self.draw.choice(ways)()
        self.scheduler.workers.clear()

    def _own(self) -> Iterator[Any]:
        scheduler = self.scheduler
        idle = [worker for worker in (1, 2) if worker not in scheduler.workers]
        if scheduler.status == "open" and scheduler.leased == "unleased" and idle:
            yield lambda: self._assign(self.draw.choice(idle))
        lost = scheduler.leased == "leased" and not scheduler.has_owner
        if scheduler.leased == "expired" or lost:
            yield self._requeue
        for worker in scheduler.workers:
            yield from [lambda worker=worker: self._step(worker)] * 3

    def _wrong(self) -> Iterator[Any]:
        scheduler = self.scheduler
        if self.left["kill"] and scheduler.workers:
            yield self._kill
        if self.left["expire"] and scheduler.leased == "leased" and scheduler.has_owner:
            yield self._expire
        if self.left["edit"] and scheduler.status == "open":
            yield self._edit

    def _log(self, event: str, args: Line, **more: Any) -> None:
        process = "operator" if event.startswith("operator") else "scheduler"
        before = [self.scheduler.last] if self.scheduler.last else []
        self.scheduler.last = self.journal.write(process, event, args, before, **more)

    def _assign(self, worker: int) -> None:
        scheduler = self.scheduler
        scheduler.newest, scheduler.leased = scheduler.newest + 1, "leased"
        self._log("scheduler.assign", {"step": 1, "worker": worker})
        work = self._work(worker, scheduler.newest, scheduler.payload, scheduler.last)
        next(work)
        scheduler.workers[worker] = (scheduler.newest, work)

    def _requeue(self) -> None:
        self.scheduler.leased = "unleased"
        self._log("scheduler.requeue", {"step": 1})

    def _step(self, worker: int) -> None:
        if next(self.scheduler.workers[worker][1], "over") == "over":
            del self.scheduler.workers[worker]

    def _kill(self) -> None:
        self.left["kill"] -= 1
        worker = self.draw.choice(sorted(self.scheduler.workers))
        _, work = self.scheduler.workers.pop(worker)
        work.close()  # type: ignore[attr-defined]

    def _expire(self) -> None:
        self.left["expire"] -= 1
        self.scheduler.leased = "expired"
        self._log("clock.expire_lease", {"step": 1})

    def _edit(self) -> None:
        self.left["edit"] -= 1
        self.scheduler.payload = "edited"
        payload = {"scheduler.payload[1]": digest("edited")}
        self._log("operator.edit_payload", {"step": 1}, after=payload)

    # -- a worker -------------------------------------------------------------------------------
    def _work(self, worker: int, number: int, payload: str, cause: str) -> Iterator[None]:
        """What a worker does with the step, from one point where it can be killed to the next."""
        ledger = Ledger(self.path)
        name, args = f"worker-{worker}", {"step": 1, "worker": worker}

        def log(event: str, outcome: str | None, process: str = name) -> None:
            nonlocal cause
            cause = self.journal.write(process, event, args, [cause], outcome=outcome)

        try:
            yield
            told = self._committed(ledger) and self.built.replay == "on"
            if not (told and self.built.look == "atomic"):
                row = ledger.row()
                drifted = row is not None and row[1] != payload
                if drifted and not (told and self.built.look == "split"):
                    if self.built.on_drift == "reject":
                        if number == self.scheduler.newest:
                            self.scheduler.close("rejected")
                        log("worker.reject_drift", "rejected: intent_hash")
                        return
                    assert row is not None
                    payload = row[1]
                    log("worker.intend", "pinned")
                else:
                    if row is None:
                        ledger.intend(payload)
                    log("worker.intend", None)
                yield
                if self.built.look == "atomic":
                    told = self._committed(ledger) and self.built.replay == "on"
            if told:
                log("worker.replay", "replayed")
            else:
                call = {"worker": worker, "payload": payload, "cause": cause}
                cause = post(self.port, call)["id"]
                yield
                ledger.commit()
                log("worker.commit", None)
            yield
            if self.left["lose"] and self.draw.random() < 0.3:
                self.left["lose"] -= 1
                return
            self.scheduler.close("done")
            log("worker.ack", None)
        finally:
            ledger.close()

    def _committed(self, ledger: Ledger) -> bool:
        row = ledger.row()
        return row is not None and row[0] == "committed"


def logs_of(built: Built, folder: Path, seeds: range) -> list[Path]:
    """Run the system once for each seed; return its log files, one for each process."""
    lines: list[Line] = []
    for seed in seeds:
        sink = Sink(built)
        sink.journal = Journal(seed)
        with served(sink) as port:
            OneRun(built, folder, port, sink.journal, seed).go()
        lines += sink.journal.lines
    paths = []
    for process in sorted({line["process"] for line in lines}):
        path = folder / f"{process}.jsonl"
        own = [line for line in lines if line["process"] == process]
        path.write_text("".join(f"{json.dumps(line)}\n" for line in own), "utf-8")
        paths.append(path)
    return paths
