"""A bounded queue between a producer and a consumer: sequences, and parts shared by two models.

``lossy`` includes the same part as ``model`` and adds nothing but another goal.
"""

from fencecheck.model import Index, Int, Model, Part, Record, Seq

channel = Part("channel")
channel.bound("items", 2, "items to be sent")
channel.budget("losses", "items that get lost at the head of the queue")
ITEM = Index("items", "item ")
Entry = Record("Entry", item=ITEM, copy=Int(0, 1))

producer = channel.actor("producer")
consumer = channel.actor("consumer")
line = channel.actor("line", "interference")
channel.variable("queue", Seq(Entry, 2), owner="line")
channel.variable("sent", Int(0, lambda k: k.items), owner=producer)
channel.variable("taken", Int(-1, lambda k: k.items - 1), owner=consumer, doc="the newest item")


@producer.action(copy=Int(0, 1), when=lambda s, copy: s.sent < s.items and len(s.queue) < 2)
def put(s, copy):
    """The producer appends the next item."""
    s.queue.append(Entry(item=s.sent, copy=copy))
    s.sent += 1


@consumer.action(when=lambda s: len(s.queue) > 0)
def take(s):
    """The consumer takes the oldest item."""
    s.taken = s.queue.pop(0).item


@line.interference("losses", when=lambda s: len(s.queue) > 0)
def lose(s):
    """The oldest item gets lost."""
    s.queue.pop(0)


@channel.transition("consumer.take")
def in_order(before, after):
    """Items are taken in the order in which they were put."""
    return after.taken > before.taken


model = Model("queue", "A queue")
model.include(channel)


@model.deadlock()
def all_taken(s):
    """At the end the newest item has been taken."""
    return s.taken == s.items - 1


lossy = Model("lossy", "The same queue, content with less")
lossy.include(channel, channel)


@lossy.deadlock()
def all_sent(s):
    """At the end everything has been sent."""
    return s.sent == s.items
