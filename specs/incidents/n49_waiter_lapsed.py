"""A queue for a lock: each client has a place in it for as long as its lease lasts."""

from fencecheck.model import Array, Enum, Index, Model
from fencecheck.models.library import Lock

model = Model("waiter_lapsed", "A queue of two clients for a lock")
model.budget("expiries", "leases that lapse while their client waits")
model.mechanism("revision", ("ignored", "compared"), "ignored", "whether a write shows its place")
CLIENT = Index(2, "c")
lock = Lock("lock", CLIENT)
model.include(lock)
client, clock = model.actor("client"), model.actor("clock", "interference")
model.variable("at", Array(CLIENT, Enum("asks", "waits", "lapsed", "writes", "done")), owner=client)


@client.action(c=CLIENT, when=lambda s, c: s.at[c] == "asks")
def acquire(s, c):
    """A client gets the lock, or a place in the queue."""
    s.at[c] = "writes" if lock.is_free(s) else "waits"
    if lock.is_free(s):
        lock.take(s, c)


@clock.interference("expiries", c=CLIENT, when=lambda s, c: s.at[c] == "waits")
def expire(s, c):
    """The lease of one that waits lapses, and its place is gone, which it does not notice."""
    s.at[c] = "lapsed"


@client.action(c=CLIENT, when=lambda s, c: s.at[c] in ("waits", "lapsed") and lock.is_free(s))
def wake(s, c):
    """One that waits is told that it holds the lock, also where its lease has lapsed."""
    lock.take(s, c)
    if s.at[c] == "lapsed":
        lock.lapse(s)
    s.at[c] = "writes"


@client.action(c=CLIENT, when=lambda s, c: s.at[c] == "writes")
def write(s, c):
    """A client writes and lets go; one that is refused asks again."""
    s.at[c] = "asks" if s.revision == "compared" and not lock.holds(s, c) else "done"
    if s.at[c] == "done":
        lock.act(s, c)
    lock.release(s, c)


@model.liveness()
def finishes(s):
    """The writes of both are accepted in the end."""
    return all(at == "done" for at in s.at)
