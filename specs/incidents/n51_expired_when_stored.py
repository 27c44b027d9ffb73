"""A node computes until when it holds a lock, and stores that; it may be paused in between."""

from fencecheck.model import Array, Enum, Index, Model
from fencecheck.models.library import Lock

model = Model("expired_when_stored", "A lock that ends at a time computed before it is stored")
model.bound("nodes", 2, "nodes that want the lock, once each")
model.budget("pauses", "pauses longer than the lock lasts")
model.mechanism("until", ("computed_before", "at_the_store"), "computed_before", "when it ends")
NODE = Index("nodes", "n")
lock = Lock("lock", NODE)
model.include(lock)
node, world = model.actor("node"), model.actor("world", "interference")
model.variable("at", Array(NODE, Enum("asks", "stores", "late", "holds", "done")), owner=node)


@node.action(n=NODE, when=lambda s, n: s.at[n] == "asks" and lock.is_free(s))
def compute(s, n):
    """A node finds no lock and computes until when it will hold one."""
    s.at[n] = "stores"


@world.interference("pauses", n=NODE, when=lambda s, n: s.at[n] == "stores")
def pause(s, n):
    """The node is paused, and the time that it computed passes."""
    s.at[n] = "late"


@node.action(n=NODE, when=lambda s, n: s.at[n] in ("stores", "late") and lock.is_free(s))
def store(s, n):
    """The node stores its lock where there is none; one that has ended keeps nobody out."""
    lock.take(s, n)
    if s.until == "computed_before" and s.at[n] == "late":
        lock.lapse(s)
    s.at[n] = "holds"


@node.action(n=NODE, when=lambda s, n: s.at[n] == "holds")
def release(s, n):
    """The node is done and gives back its lock."""
    lock.release(s, n)
    s.at[n] = "done"


@model.invariant()
def single_owner(s):
    """At most one node takes itself for the holder of the lock."""
    return len(s.lock_believers) <= 1


@model.liveness()
def finishes(s):
    """Every node has had the lock in the end."""
    return all(at == "done" for at in s.at)
