"""A queue whose leases run out: tokens without a largest one, fresh contents, alike workers."""

from fencecheck.model import (
    Array,
    Bag,
    Bool,
    Count,
    Each,
    Enum,
    Fresh,
    Index,
    Maybe,
    Model,
    Record,
    Version,
)

model = Model("tokens", "A queue with leases and tokens")
model.bound("workers", 2, "workers that do the job")
model.mechanism("fencing", ("off", "on"), "off", "whether the store refuses an older token")

WORKER = Index("workers", "w", symmetric=True)
TOKEN = Version("newest")
CONTENT = Fresh("contents")
Write = Record("Write", worker=WORKER, token=TOKEN, content=CONTENT)

queue = model.actor("queue")
worker = model.actor("worker")
store = model.store("store")
model.variable("newest", TOKEN, owner=queue)
model.variable("contents", CONTENT, owner=worker)
model.variable("holder", Maybe(WORKER, "nobody"), owner=queue)
model.variable("at", Array(WORKER, Enum("idle", "works")), owner=worker)
model.variable("token", Array(WORKER, Maybe(TOKEN, "none")), owner=worker)
model.messages("writes", Bag(Write, 2))
model.variable("last", TOKEN, owner=store)
model.variable("stored", CONTENT, owner=store)
model.variable("given", Count(2), owner=queue)
model.ghost("overwritten", Bool())


@queue.action(w=WORKER, when=lambda s, w: s.holder is None and s.at[w] == "idle")
def lease(s, w):
    """The queue hands the job to a worker."""
    s.newest += 1
    s.holder = w
    s.at[w] = "works"
    s.token[w] = s.newest
    s.given += 1


@queue.action(when=lambda s: s.holder is not None, fair="none")
def expire(s):
    """The lease runs out; its holder does not notice."""
    s.holder = None


@worker.action(w=WORKER, when=lambda s, w: s.at[w] == "works" and len(s.writes) < 2)
def write(s, w):
    """A worker sends what it has made, and gives up its lease if it has one."""
    s.contents += 1
    if s.token[w] is not None:
        s.writes.add(Write(worker=w, token=s.token[w], content=s.contents))
    s.at[w] = "idle"
    s.token[w] = None
    if s.holder == w:
        s.holder = None


@worker.action(m=Each("writes", "worker", "token"))
def arrive(s, m):
    """A write arrives at the store."""
    s.writes.remove(m)
    if s.fencing == "on" and m.token < s.last:
        return "refused"
    s.overwritten = m.token < s.last
    s.last = m.token
    s.stored = m.content
    return "stored"


@model.invariant(trigger=lambda s: s.last == s.newest)
def newest_stays(s):
    """No write of an older lease replaces one of a newer lease."""
    return not s.overwritten


@model.transition("worker.arrive")
def contents_are_new(before, after):
    """What is stored changes with each write that is stored."""
    return before.stored != after.stored or before.last == after.last


@model.liveness()
def given_twice(s):
    """The job is handed out twice in the end."""
    return s.given >= 2
