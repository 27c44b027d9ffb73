"""One message is sent to a queue and worked off by two consumers."""

from visibility import CONSUMER, clock, consumer, visibility

from fencecheck.model import Bool, Count, Enum, Model

model = Model("message_queue", "A queue with a visibility time-out")
model.include(visibility)
model.budget("lost_replies", "answers of the queue that the producer does not hear")
model.budget("windows", "deduplication windows that pass")
model.mechanism("deduplication", ("off", "on"), "off", "whether a message sent again is left out")
model.mechanism("record", ("off", "on"), "off", "whether the id is kept with the effect")
producer, network = model.actor("producer"), model.actor("network", "interference")
sink = model.store("sink")
model.variable("sent", Enum("no", "unheard", "yes"), owner=producer)
model.variable("known", Bool(), owner="queue", doc="whether the id is in the window")
model.variable("effects", Count(2), owner=sink)
model.variable("recorded", Bool(), owner=sink)


@producer.action(when=lambda s: s.sent == "no")
def send(s):
    """The producer sends the message."""
    if s.deduplication == "off" or not s.known:
        s.visible.add(0)
    s.known, s.sent = True, "unheard"


@producer.action(when=lambda s: s.sent == "unheard")
def hear(s):
    """The producer hears that it is in."""
    s.sent = "yes"


@network.interference("lost_replies", when=lambda s: s.sent == "unheard")
def lose_reply(s):
    """The producer hears nothing, and sends again."""
    s.sent = "no"


@clock.interference("windows", when=lambda s: s.known)
def end_window(s):
    """The queue forgets the id."""
    s.known = False


@consumer.action(c=CONSUMER, when=lambda s, c: s.phase[c] == "holds")
def work(s, c):
    """A consumer lets the effect show, unless it is recorded."""
    s.phase[c] = "worked"
    if s.record == "on" and s.recorded:
        return "known"
    s.effects += 1
    s.recorded = True


@model.invariant(relevant=["effects"])
def one_effect(s):
    """The message has one effect at most."""
    return s.effects <= 1


@model.deadlock()
def nothing_lost(s):
    """Where nothing more can happen, the message had its effect."""
    return s.effects > 0 and s.sent == "yes"


@model.liveness()
def finishes(s):
    """The message is worked off."""
    return s.effects > 0 and s.sent == "yes" and len(s.visible) == 0
