"""Two workers read a job, work with a time limit, and close it, or give it up when time is over."""

from fencecheck.model import Array, Enum, Index, Model
from fencecheck.models.library import Overrides, SkewedClock, StatusRow

model = Model("jobs", "A job with a time limit")
model.bound("workers", 2, "workers")
model.mechanism("check", ("off", "on"), "off", "whether closing compares what was read")
WORKER = Index("workers", "w", symmetric=True)
job = StatusRow("job", ("open", "done", "failed"), versioned=True)
clock = SkewedClock("time", WORKER, longest=1)
model.include(job, Overrides(job), clock)
worker = model.actor("worker")
model.variable("at", Array(WORKER, Enum("idle", "works", "over")), owner=worker)
model.variable("until", Array(WORKER, clock.Time), owner=worker)
model.variable("seen", Array(WORKER, job.Row), owner=worker)


@worker.action(w=WORKER, when=lambda s, w: s.at[w] == "idle" and s.job.status == "open")
def start(s, w):
    """A worker reads the job and sets its timer."""
    s.seen[w] = job.read(s)
    s.at[w] = "works"
    s.until[w] = s.time_now + 1
    clock.set(s, w, 1)


@worker.action(w=WORKER, when=lambda s, w: s.at[w] == "works")
def close(s, w):
    """A worker closes the job, which has failed where time is over."""
    late = clock.is_due(s, w)
    clock.clear(s, w)
    s.at[w] = "over"
    if s.check == "on" and not job.fits(s, s.seen[w]):
        return "refused"
    job.put(s, s.seen[w], "failed" if late else "done")
    return "closed"


model.goal = lambda s: s.job.status != "open"


@model.invariant(w=WORKER)
def in_time(s, w):
    """Nobody works on when its time is over."""
    return s.at[w] != "works" or s.time_now <= s.until[w]
