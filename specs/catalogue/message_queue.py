"""One message is sent to a queue and worked off by two consumers."""

from fencecheck.model import Array, Bool, Enum, Index, Int, Model

model = Model("message_queue", "A queue with a visibility time-out")
model.budget("lost_replies", "answers of the queue that the producer does not hear")
model.budget("timeouts", "visibility time-outs that pass while a consumer works")
model.budget("crashes", "consumers that vanish")
model.budget("windows", "deduplication windows that pass")
model.mechanism("deduplication", ("off", "on"), "off", "whether a message sent again is left out")
model.mechanism("record", ("off", "on"), "off", "whether a consumer keeps its message's id with the effect")  # fmt: skip  # noqa: E501

CONSUMER, COPIES = Index(2, "c"), Int(0, 2)
producer, queue, consumer = model.actor("producer"), model.actor("queue"), model.actor("consumer")
network, clock = model.actor("network", "interference"), model.actor("clock", "interference")
substrate, sink = model.actor("substrate", "interference"), model.store("sink")
model.variable("sent", Enum("no", "unheard", "yes"), owner=producer)
model.variable("visible", COPIES, owner=queue, doc="copies that anyone may receive")
model.variable("known", Bool(), owner=queue, doc="whether the id is in the window")
model.variable("phase", Array(CONSUMER, Enum("idle", "holds", "worked", "gone")), owner=consumer)
model.variable("late", Array(CONSUMER, Bool()), owner=consumer, doc="its time-out has passed")
model.variable("effects", COPIES, owner=sink)
model.variable("recorded", Bool(), owner=sink)


@producer.action(when=lambda s: s.sent == "no")
def send(s):
    """The producer sends the message."""
    if s.deduplication == "off" or not s.known:
        s.visible += 1
    s.known = True
    s.sent = "unheard"


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


@consumer.action(c=CONSUMER, when=lambda s, c: s.visible > 0 and s.phase[c] == "idle")
def receive(s, c):
    """A consumer gets a copy, which nobody else sees for a while."""
    s.visible -= 1
    s.phase[c] = "holds"
    s.late[c] = False


@consumer.action(c=CONSUMER, when=lambda s, c: s.phase[c] == "holds")
def work(s, c):
    """A consumer lets the effect show, unless it is recorded."""
    s.phase[c] = "worked"
    if s.record == "on" and s.recorded:
        return "known"
    s.effects = min(s.effects + 1, 2)
    s.recorded = True


@consumer.action(c=CONSUMER, when=lambda s, c: s.phase[c] == "worked")
def delete(s, c):
    """A consumer deletes its copy; after its time-out the receipt is void."""
    s.phase[c] = "idle"


def is_out(s, c):
    return not s.late[c] and (s.phase[c] == "holds" or s.phase[c] == "worked")


@clock.interference("timeouts", c=CONSUMER, when=lambda s, c: is_out(s, c) and s.visible < 2)
def end_visibility(s, c):
    """The copy is visible again, and its consumer works on."""
    s.visible += 1
    s.late[c] = True


@substrate.interference("crashes", c=CONSUMER, when=lambda s, c: is_out(s, c))
def crash(s, c):
    """A consumer vanishes, and another comes."""
    s.phase[c] = "gone"


@queue.action(c=CONSUMER, when=lambda s, c: s.phase[c] == "gone")
def show_again(s, c):
    """The visibility time-out of a consumer that is gone passes."""
    s.visible += 1
    s.phase[c] = "idle"


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
    return s.effects > 0 and s.sent == "yes" and s.visible == 0
