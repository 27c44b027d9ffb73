"""What ``fencecheck init --conform`` writes: code for the model of ``init``, adapter, test."""

QUEUE = '''\
"""A queue with one job in SQLite, as its workers call it; and one whose reaper asks the wrong."""

import sqlite3


class Queue:
    def __init__(self):
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        self.db.execute("create table job (state, worker)")
        self.db.execute("insert into job values ('free', null)")

    def take(self, worker):
        """Look and take in one statement: of two workers one gets the job."""
        self.db.execute(
            "update job set state = 'taken', worker = ? where state = 'free'", (worker,)
        )

    def finish(self, worker):
        self.db.execute("update job set state = 'done', worker = null where worker = ?", (worker,))

    def free(self, alive):
        """Free the job where the worker that took it is not alive any more."""
        state, worker = self.job()
        if state == "taken" and worker not in alive:
            self.db.execute("update job set state = 'free', worker = null")

    def job(self):
        return self.db.execute("select state, worker from job").fetchone()


class TrustingQueue(Queue):
    def free(self, alive):
        """Whoever took the job is noted, so somebody must have it."""
        self.db.execute("update job set state = 'free' where state = 'taken' and worker is null")
'''

ADAPTER = '''\
"""The queue as jobs.py sees it; fencecheck drive jobs.toml --list says what it needs."""

from fencecheck.conform import Adapter, on

from job_queue import Queue, TrustingQueue


class Jobs(Adapter):
    queue = Queue

    def __init__(self):  # a fresh one for each run
        self.jobs = self.queue()
        self.running = []

    @on("worker.take")
    def take(self, worker):  # workers count from 1, as in traces
        self.jobs.take(worker)
        self.running.append(worker)

    @on("worker.finish")
    def finish(self, worker):
        self.jobs.finish(worker)
        self.running.remove(worker)

    @on("machine.crash")
    def crash(self, worker):
        self.running.remove(worker)

    @on("reaper.free")
    def free(self):
        self.jobs.free(self.running)

    def observe(self):  # what can be seen, under the names of traces
        state, _ = self.jobs.job()
        return {"queue.job": state}

    def close(self):
        self.jobs.db.close()


class TrustingJobs(Jobs):
    queue = TrustingQueue
'''

TEST = '''\
"""pytest drives the queue through every event order of its design."""

import fencecheck as fc
from fencecheck import conform

from adapter import Jobs, TrustingJobs

DESIGN = "take at once, with a reaper"


class TestJobs(conform.TestCase):
    adapter, spec, variant = Jobs, "jobs.toml", DESIGN


def test_a_reaper_that_trusts_its_notes_frees_nothing():
    found = fc.drive("jobs.toml", TrustingJobs, variant=DESIGN)["conforms"]
    assert [event.name for event in found.trace] == ["worker.take", "machine.crash", "reaper.free"]
    assert found.trace.says == "queue.job: free in the model, taken in the implementation."
'''

CONFORMANCE = {"job_queue.py": QUEUE, "adapter.py": ADAPTER, "test_jobs.py": TEST}
