"""A lock with a queue: each client has a place in it for as long as its lease lasts."""

from fencecheck.model import Array, Bool, Enum, Index, Model

model = Model("waiter_lapsed", "A queue for a lock whose waiters can lapse")
model.bound("clients", 2, "clients that want to write, once each")
model.budget("expiries", "leases that lapse while their client waits")
model.mechanism("revision", ("ignored", "compared"), "ignored", "whether a write shows its place")
CLIENT = Index("clients", "c")
client, clock = model.actor("client"), model.actor("clock", "interference")
PHASE = Enum("asks", "waits", "holds", "done")
model.variable("phase", Array(CLIENT, PHASE), owner=client)
model.variable("place", Array(CLIENT, Bool()), owner=model.store("lock"), doc="who is in the queue")


def is_next(s, c):
    return not any(s.place[o] and o != c for o in range(s.clients))


@client.action(c=CLIENT, when=lambda s, c: s.phase[c] == "asks")
def acquire(s, c):
    """A client gets a place, which is the lock if nobody else has one."""
    s.place[c] = True
    s.phase[c] = "holds" if is_next(s, c) else "waits"


@clock.interference("expiries", c=CLIENT, when=lambda s, c: s.phase[c] == "waits" and s.place[c])
def expire(s, c):
    """The lease of one that waits lapses, and its place is gone."""
    s.place[c] = False


@client.action(c=CLIENT, when=lambda s, c: s.phase[c] == "waits" and is_next(s, c))
def wake(s, c):
    """One that waits finds nobody before it and believes that it holds the lock."""
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
    """Every client's write is accepted in the end."""
    return all(phase == "done" for phase in s.phase)
