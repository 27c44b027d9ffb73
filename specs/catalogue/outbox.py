"""A service stores an order and tells others of it; a relay publishes what the outbox holds."""

from fencecheck.model import Bool, Enum, Int, Model

model = Model("outbox", "A service that stores and tells")
model.budget("crashes", "times the service or the relay vanishes at its work")
model.budget("rollbacks", "times the store does not take the order")
model.mechanism("outbox", ("off", "on"), "off", "whether the message is stored with the order")
model.mechanism(
    "first", ("store", "publish"), "store", "what a service without an outbox does first"
)
model.mechanism("inbox", ("off", "on"), "off", "whether a reader keeps the message's id with its effect")  # fmt: skip  # noqa: E501

service, relay, reader = model.actor("service"), model.actor("relay"), model.actor("reader")
substrate, store = model.actor("substrate", "interference"), model.actor("store", "interference")
model.variable("step", Enum("begins", "half", "done", "failed"), owner=service)
model.variable("stored", Bool(), owner=store, doc="whether the order is stored")
model.variable("waiting", Bool(), owner=store, doc="whether the outbox holds the message")
model.variable("published", Bool(), owner=relay, doc="published, and not yet marked as that")
model.variable("copies", Int(0, 2), owner=reader, doc="copies on their way")
model.variable("effects", Int(0, 2), owner=reader)


@service.action(when=lambda s: s.step == "begins")
def begin(s):
    """The service stores the order, with its message if there is an outbox; or publishes first."""
    s.step = "done" if s.outbox == "on" else "half"
    if s.outbox == "off" and s.first == "publish":
        s.copies += 1
    else:
        s.stored = True
        s.waiting = s.outbox == "on"


@service.action(when=lambda s: s.step == "half")
def go_on(s):
    """The service does the other one of the two."""
    s.step = "done"
    if s.first == "publish":
        s.stored = True
    else:
        s.copies += 1


@store.interference("rollbacks", when=lambda s: s.step == "begins" or (s.step == "half" and not s.stored))  # fmt: skip  # noqa: E501
def roll_back(s):
    """The store does not take the order, and the service gives up."""
    s.step = "failed"


@relay.action(when=lambda s: s.waiting and not s.published)
def publish(s):
    """The relay publishes the message."""
    s.copies += 1
    s.published = True


@relay.action(when=lambda s: s.published)
def mark(s):
    """The relay takes the message out of the outbox."""
    s.waiting = False
    s.published = False


@reader.action(when=lambda s: s.copies > 0)
def read(s):
    """The reader gets a copy, and acts on it unless it knows the id."""
    s.copies -= 1
    if s.inbox == "off" or s.effects == 0:
        s.effects += 1


@substrate.interference("crashes", when=lambda s: s.step == "half" or s.published)
def crash(s):
    """The service, or the relay, forgets where it was."""
    s.step = "failed" if s.step == "half" else s.step
    s.published = False


@model.deadlock(relevant=["stored", "effects"])
def told(s):
    """Where nothing more can happen, an order that is stored had its effect."""
    return not s.stored or s.effects > 0


@model.deadlock(relevant=["stored", "effects"])
def nothing_invented(s):
    """Where nothing more can happen, an effect has its order stored."""
    return s.stored or s.effects == 0


@model.invariant(relevant=["effects"])
def one_effect(s):
    """The reader acts once at most."""
    return s.effects <= 1


@model.liveness()
def finishes(s):
    """The order is stored and has had its effect, or was given up."""
    return s.step == "failed" or (s.step == "done" and s.effects > 0 and not s.waiting)
