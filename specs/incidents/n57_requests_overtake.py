"""A producer asks for an epoch; after a timeout its successor asks, and the newest epoch writes."""

from fencecheck.model import Each, Enum, Index, Model, Set

model = Model("requests_overtake", "Two requests for an epoch, served in either order")
model.budget("timeouts", "requests that their producer gives up")
model.mechanism("wait", ("off", "on"), "off", "whether a request waits for the one before")
PRODUCER = Index(lambda k: k.timeouts + 1, "p")
producer, broker = model.actor("producer"), model.actor("broker")
clock = model.actor("clock", "interference")
model.variable("phase", Enum("asks", "waits", "writes", "done", "fenced"), owner=producer)
model.variable("live", PRODUCER, owner=producer, doc="the producer that goes on")
model.variable("requests", Set(PRODUCER), owner=broker, doc="whose requests are under way")
model.variable("newest", PRODUCER, owner=broker, doc="whose epoch is the newest")


@producer.action(when=lambda s: s.phase == "asks" and (s.wait == "off" or len(s.requests) == 0))
def ask(s):
    """The live producer asks for an epoch."""
    s.requests.add(s.live)
    s.phase = "waits"


@clock.interference("timeouts", when=lambda s: s.phase == "waits")
def give_up(s):
    """The live producer gives up, and another takes its place."""
    s.live += 1
    s.phase = "asks"


@broker.action(by=Each("requests"))
def serve(s, by):
    """The broker gives a producer the next epoch, above all before it."""
    s.requests.discard(by)
    s.newest = by
    s.phase = "writes" if by == s.live else s.phase


@producer.action(when=lambda s: s.phase == "writes")
def write(s):
    """The live producer writes, and is fenced if another has a newer epoch."""
    s.phase = "done" if s.newest == s.live else "fenced"


@model.invariant()
def no_false_rejection(s):
    """The producer that is live is not fenced."""
    return s.phase != "fenced"


@model.liveness()
def finishes(s):
    """The live producer's write is accepted in the end."""
    return s.phase == "done"
