"""A node computes until when it holds a lock, and stores that; it may be paused in between."""

from fencecheck.model import Array, Bool, Enum, Index, Maybe, Model

model = Model("expired_when_stored", "A lock that ends at a time computed before it is stored")
model.bound("nodes", 2, "nodes that want the lock, once each")
model.budget("pauses", "pauses longer than the lock lasts")
model.mechanism("until", ("computed_before", "at_the_store"), "computed_before", "when it ends")
NODE = Index("nodes", "n")
node, world = model.actor("node"), model.actor("world", "interference")
lock = model.store("lock")
model.variable("phase", Array(NODE, Enum("asks", "stores", "holds", "done")), owner=node)
model.variable("late", Array(NODE, Bool()), owner=node, doc="whether what it computed has passed")
model.variable("holder", Maybe(NODE, "nobody"), owner=lock, doc="whose lock has not ended")


@node.action(n=NODE, when=lambda s, n: s.phase[n] == "asks" and s.holder is None)
def compute(s, n):
    """A node finds no lock and computes until when it will hold one."""
    s.late[n] = False
    s.phase[n] = "stores"


@world.interference("pauses", n=NODE, when=lambda s, n: s.phase[n] == "stores")
def pause(s, n):
    """The node is paused, and the time that it computed passes."""
    s.late[n] = True


@node.action(n=NODE, when=lambda s, n: s.phase[n] == "stores")
def store(s, n):
    """The node stores its lock, unless there is one; one that has ended keeps nobody out."""
    s.phase[n] = "holds" if s.holder is None else "asks"
    if s.holder is None and (s.until == "at_the_store" or not s.late[n]):
        s.holder = n


@node.action(n=NODE, when=lambda s, n: s.phase[n] == "holds")
def release(s, n):
    """The node is done and gives back its lock."""
    s.phase[n] = "done"
    s.holder = None if s.holder == n else s.holder


@model.invariant()
def single_owner(s):
    """At most one node believes that it holds the lock."""
    return sum(1 for phase in s.phase if phase == "holds") <= 1


@model.liveness()
def finishes(s):
    """Every node has had the lock in the end."""
    return all(phase == "done" for phase in s.phase)
