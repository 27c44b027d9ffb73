"""A producer asks for an epoch; after a timeout its successor asks, and the newest epoch writes."""

from fencecheck.model import Each, Enum, Index, Model, Record
from fencecheck.models.library import Lock, Mailbox

model = Model("requests_overtake", "Two requests for an epoch, served in either order")
model.budget("timeouts", "requests that their producer gives up")
model.mechanism("wait", ("off", "on"), "off", "whether a request waits for the one before")
PRODUCER = Index(lambda k: k.timeouts + 1, "p")
asks, epoch = Mailbox("asks", Record("Ask", who=PRODUCER), capacity=3), Lock("epoch", PRODUCER)
model.include(asks, epoch)
producer, broker = model.actor("producer"), model.actor("broker")
clock = model.actor("clock", "interference")
model.variable("at", Enum("asks", "waits", "done", "fenced"), owner=producer)
model.variable("live", PRODUCER, owner=producer, doc="the producer that goes on")


@producer.action(when=lambda s: s.at == "asks" and (s.wait == "off" or asks.none_left(s)))
def ask(s):
    """The live producer asks for an epoch."""
    asks.send(s, asks.message(who=s.live))
    s.at = "waits"


@clock.interference("timeouts", when=lambda s: s.at == "waits")
def give_up(s):
    """The live producer gives up, and another takes its place."""
    s.live += 1
    s.at = "asks"


@broker.action(ask=Each("asks", "who"))
def serve(s, ask):
    """The broker gives a producer the next epoch, above all before it."""
    asks.take(s, ask)
    epoch.take(s, ask.who)


@producer.action(when=lambda s: s.at == "waits" and epoch.believes(s, s.live))
def write(s):
    """The live producer writes, and is fenced if another has a newer epoch."""
    s.at = "done" if epoch.holds(s, s.live) else "fenced"


@model.invariant()
def no_false_rejection(s):
    """The producer that is live is not fenced."""
    return s.at != "fenced"


@model.liveness()
def finishes(s):
    """The live producer's write is accepted in the end."""
    return s.at == "done"
