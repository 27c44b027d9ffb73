"""Part `mailbox`: messages of one kind on their way, each of which can arrive at any time."""

from typing import Any

from fencecheck.model import Bag, Part, Record


class Mailbox(Part):
    """Up to ``capacity`` messages at a time; an action takes one by a parameter ``Each(name)``.

    The name of a bound as capacity holds back what would not fit, so that there is always room.
    ``back`` says that they go back to who asked, as replies do.
    """

    message: Record
    capacity: Any
    holds_back: bool
    ordered: bool

    def __init__(self, name, message, capacity=2, *, back=False):
        super().__init__(name, f"{name} on their way")
        self.message, self.capacity, self.ordered = message, capacity, False
        self.holds_back = isinstance(capacity, str)
        self.messages(name, Bag(message, capacity), back=back)
        self.named(f"{name}_arrive", self.deadlock(relevant=[name])(self.none_left))

    def has_room(self, s):
        return self.holds_back or len(s[self.name]) < self.capacity

    def has_one(self, s, message):
        """Tell whether there is one copy of a message."""
        return s[self.name].count(message) == 1

    def send(self, s, message):
        s[self.name].add(message)

    def take(self, s, message):
        """A message arrives, and is no longer on its way."""
        s[self.name].remove(message)

    def none_left(self, s):
        """No message is left that nobody takes."""
        return len(s[self.name]) == 0
