"""Part `outbox`: messages written down in one transaction with what they tell, and sent later."""

from fencecheck.model import Part, Set
from fencecheck.models.library.messages.fifo import Queue
from fencecheck.models.library.messages.mailbox import Mailbox


class Outbox(Part):
    """Keys of which a message is to be sent by a box whose messages have one field, ``key``.

    A relay sends each, and marks it afterwards, so that one that it sent can be sent again.
    """

    to: Mailbox | Queue
    sent: str

    def __init__(self, name, key, to):
        super().__init__(name, f"{name}, to be sent by a relay")
        self.to = to
        self.include(to)
        self.variable(name, Set(key), owner=self.store(name))
        self.sent = self.variable(f"{name}_sent", Set(key), owner=name)
        relay = self.actor("relay")
        relay.action(key=key, when=self.may_send, name=f"send_{name}")(self.send)
        relay.action(key=key, when=self.is_sent, name=f"mark_{name}")(self.mark)
        self.named(f"{name}_all_sent", self.deadlock(relevant=[name])(self.none_waits))

    def record(self, s, key):
        """A message will be sent, whatever becomes of whoever says so."""
        s[self.name].add(key)

    def may_send(self, s, key):
        return key in s[self.name] and self.to.has_room(s)

    def send(self, s, key):
        """The relay sends what waits, perhaps once more."""
        self.to.send(s, self.to.message(key=key))
        s[self.sent].add(key)

    def is_sent(self, s, key):
        return key in s[self.sent]

    def mark(self, s, key):
        """The relay marks what it has sent."""
        s[self.name].discard(key)
        s[self.sent].discard(key)

    def none_waits(self, s):
        """Nothing is left that was to be sent."""
        return len(s[self.name]) == 0
