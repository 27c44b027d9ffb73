"""A lock with a queue: each client has a place in it for as long as its lease lasts."""

from fencecheck.model import Array, Bool, Enum, Index, Model

model = Model("waiter_lapsed", "A queue of two clients for a lock")
model.budget("expiries", "leases that lapse while their client waits")
model.mechanism("revision", ("ignored", "compared"), "ignored", "whether a write shows its place")
CLIENT = Index(2, "c")
client, clock = model.actor("client"), model.actor("clock", "interference")
PHASE = Enum("asks", "waits", "holds", "done")
model.variable("phase", Array(CLIENT, PHASE), owner=client)
model.variable("place", Array(CLIENT, Bool()), owner=model.store("lock"), doc="who is in the queue")


@client.action(c=CLIENT, when=lambda s, c: s.phase[c] == "asks")
def acquire(s, c):
    """A client gets a place, which is the lock if the other has none."""
    s.place[c] = True
    s.phase[c] = "waits" if s.place[1 - c] else "holds"


@clock.interference("expiries", c=CLIENT, when=lambda s, c: s.phase[c] == "waits" and s.place[c])
def expire(s, c):
    """The lease of one that waits lapses, and its place is gone."""
    s.place[c] = False


@client.action(c=CLIENT, when=lambda s, c: s.phase[c] == "waits" and not s.place[1 - c])
def wake(s, c):
    """One that waits finds the other gone and believes that it holds the lock."""
    s.phase[c] = "holds"


@client.action(c=CLIENT, when=lambda s, c: s.phase[c] == "holds")
def write(s, c):
    """A client writes and gives its place back; a refused one asks again."""
    s.phase[c] = "asks" if s.revision == "compared" and not s.place[c] else "done"
    s.place[c] = False


@model.transition("client.write")
def single_owner(before, after, c):
    """A write is only accepted from the owner of the lock."""
    return after.phase[c] != "done" or before.place[c]


@model.liveness()
def finishes(s):
    """The writes of both are accepted in the end."""
    return all(phase == "done" for phase in s.phase)
