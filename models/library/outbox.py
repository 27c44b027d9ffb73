"""Part `outbox`: messages written down in one transaction with what they tell, and sent later."""

from fencecheck.model import Part, Set
from fencecheck.models.library.mailbox import Mailbox


class Outbox(Part):
    """Keys of which a message is to be sent by a Mailbox whose messages have one field, ``key``.

    A relay sends each, and marks it afterwards, so that one that it sent can be sent again.
    """

    waiting: str
    to: Mailbox

    def __init__(self, name, key, to):
        super().__init__(name, f"{name}, to be sent by a relay")
        self.to = to
        self.waiting = self.variable(name, Set(key), owner=self.store(name))
        sent = self.variable(f"{name}_sent", Set(key), owner=name)
        relay = self.actor("relay")

        def may_mark(s, key):
            return key in s[sent]

        def send(s, key):
            """The relay sends what waits, perhaps once more."""
            self.to.send(s, self.to.message(key=key))
            s[sent].add(key)

        def mark(s, key):
            """The relay marks what it has sent."""
            s[self.waiting].discard(key)
            s[sent].discard(key)

        relay.action(key=key, when=self.may_send, name=f"send_{name}")(send)
        relay.action(key=key, when=may_mark, name=f"mark_{name}")(mark)
        self.named(f"{name}_all_sent", self.deadlock(relevant=[name])(self.none_waits))

    def record(self, s, key):
        """A message will be sent, whatever becomes of whoever says so."""
        s[self.waiting].add(key)

    def may_send(self, s, key):
        return key in s[self.waiting] and self.to.has_room(s)

    def none_waits(self, s):
        """Nothing is left that was to be sent."""
        return len(s[self.waiting]) == 0
