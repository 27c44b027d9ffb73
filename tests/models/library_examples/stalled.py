"""A client sends two values in order; the first stalls on its way and lands after the second."""

from fencecheck.model import Int, Model, Record
from fencecheck.models.library import Delay, Duplication, Loss, Queue

model = Model("stalled", "An update that stalls")
model.mechanism("fence", ("off", "on"), "off", "whether an older number is refused")
NUMBER = Int(0, 2)
puts = Queue("puts", Record("Put", number=NUMBER), capacity=3)
model.include(puts, Delay(puts), Loss(puts), Duplication(puts))
client = model.actor("client")
server = model.actor("server")
model.variable("sent", NUMBER, owner=client)
model.variable("value", NUMBER, owner=server)


@client.action(when=lambda s: s.sent < 2 and puts.has_room(s))
def put(s):
    """The client sends the next value."""
    s.sent += 1
    puts.send(s, puts.message(number=s.sent))


@server.action(when=lambda s: puts.waits(s))
def store(s):
    """What arrives is stored, unless it is older."""
    arrived = puts.take_first(s)
    if s.fence == "on" and arrived.number < s.value:
        return "refused"
    s.value = arrived.number
    return "stored"


@model.transition("server.store")
def forward(before, after):
    """No value goes back to an older one."""
    return after.value >= before.value


@model.deadlock()
def last_arrives(s):
    """The last value gets there."""
    return s.value == 2
