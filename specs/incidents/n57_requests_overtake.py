"""A producer asks for an epoch; after a timeout its successor asks, and the newest epoch writes."""

from fencecheck.model import Each, Enum, Maybe, Model, Record, Version
from fencecheck.models.library import Mailbox

model = Model("requests_overtake", "Two requests for an epoch, served in either order")
model.bound("in_flight", 3, "requests on their way at once")
model.budget("timeouts", "requests that their producer gives up")
model.mechanism("wait", ("off", "on"), "off", "whether a request waits for the one before")
PRODUCER, producer, broker = Version("live"), model.actor("producer"), model.actor("broker")
asks = Mailbox("asks", Record("Ask", who=PRODUCER), "in_flight")
model.include(asks)
clock = model.actor("clock", "interference")
model.variable("at", Enum("asks", "waits", "told", "done", "fenced"), owner=producer)
model.variable("live", PRODUCER, owner=producer, doc="the producer that goes on")
model.variable("newest", Maybe(PRODUCER, "nobody"), owner=broker, doc="who has the newest epoch")


@producer.action(when=lambda s: s.at == "asks" and (s.wait == "off" or asks.none_left(s)))
def ask(s):
    """The live producer asks for an epoch."""
    asks.send(s, asks.message(who=s.live))
    s.at = "waits"


@clock.interference("timeouts", when=lambda s: s.at in ("waits", "told"))
def give_up(s):
    """The live producer gives up, and another takes its place."""
    s.live, s.at = s.live + 1, "asks"


@broker.action(ask=Each("asks", "who"))
def serve(s, ask):
    """The broker gives a producer the next epoch, above all before it."""
    asks.take(s, ask)
    s.newest, s.at = ask.who, "told" if ask.who == s.live else s.at


@producer.action(when=lambda s: s.at == "told")
def write(s):
    """The live producer writes, and is fenced if another has a newer epoch."""
    s.at = "done" if s.newest == s.live else "fenced"


@model.invariant()
def no_false_rejection(s):
    """The producer that is live is not fenced."""
    return s.at != "fenced"


@model.liveness()
def finishes(s):
    """The live producer's write is accepted in the end."""
    return s.at == "done"
