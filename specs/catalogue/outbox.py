"""A service stores an order and tells others of it; a relay publishes what the outbox holds."""

from fencecheck.model import Bool, Count, Enum, Int, Model

model = Model("outbox", "A service that stores and tells")
model.budget("crashes", "times the service or the relay vanishes at its work")
model.budget("rollbacks", "times the store does not take the order")
model.mechanism("outbox", ("off", "on"), "off", "whether the message is stored with the order")
model.mechanism("first", ("store", "publish"), "store", "what is done first without an outbox")
model.mechanism("inbox", ("off", "on"), "off", "whether a reader keeps the id with its effect")
service, relay, reader = model.actor("service"), model.actor("relay"), model.actor("reader")
substrate, store = model.actor("substrate", "interference"), model.actor("store", "interference")
model.variable("step", Enum("begins", "half", "waits", "sent", "done", "failed"), owner=service)
model.variable("stored", Bool(), owner=store, doc="whether the order is stored")
model.variable("copies", Int(0, 2), owner=reader, doc="copies of the message on their way")
model.variable("effects", Count(2), owner=reader)


@service.action(when=lambda s: s.step == "begins")
def begin(s):
    """The service stores the order, with its message if there is an outbox; or publishes first."""
    s.step = "waits" if s.outbox == "on" else "half"
    s.stored = s.outbox == "on" or s.first == "store"
    s.copies = 0 if s.stored else 1


@service.action(when=lambda s: s.step == "half")
def go_on(s):
    """The service does the other one of the two."""
    s.copies += 1 if s.stored else 0
    s.step, s.stored = "done", True


@store.interference("rollbacks", when=lambda s: s.step in ("begins", "half") and not s.stored)
def roll_back(s):
    """The store does not take the order, and the service gives up."""
    s.step = "failed"


@relay.action(when=lambda s: s.step == "waits")
def publish(s):
    """The relay publishes the message."""
    s.step, s.copies = "sent", s.copies + 1


@relay.action(when=lambda s: s.step == "sent")
def mark(s):
    """The relay takes the message out of the outbox."""
    s.step = "done"


@reader.action(when=lambda s: s.copies > 0)
def read(s):
    """The reader gets a copy, and acts on it unless it knows the id."""
    s.copies -= 1
    s.effects += 1 if s.inbox == "off" or s.effects == 0 else 0


@substrate.interference("crashes", when=lambda s: s.step in ("half", "sent") and s.copies < 2)
def crash(s):
    """The service gives up where it was, or the relay forgets that it has published.

    While two copies are on their way it can as well come later.
    """
    s.step = "failed" if s.step == "half" else "waits"


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
    return s.step == "failed" or (s.step == "done" and s.effects > 0)
