"""Part `mailbox`: messages of one kind on their way, each of which can arrive at any time."""

from fencecheck.model import Bag, Part, Record


class Mailbox(Part):
    """Up to ``capacity`` messages at a time; an action takes one by a parameter ``Each(name)``.

    ``back`` says that they go back to who asked, as replies do.
    """

    message: Record
    capacity: int
    ordered: bool

    def __init__(self, name, message, capacity=2, *, back=False):
        super().__init__(name, f"{name} on their way")
        self.message, self.capacity, self.ordered = message, capacity, False
        self.messages(name, Bag(message, capacity), back=back)
        self.named(f"{name}_arrive", self.deadlock(relevant=[name])(self.none_left))

    def has_room(self, s):
        return len(s[self.name]) < self.capacity

    def has_room_for(self, s, message):
        return self.has_room(s)

    def send(self, s, message):
        s[self.name].add(message)

    def take(self, s, message):
        """A message arrives, and is no longer on its way."""
        s[self.name].remove(message)

    def none_left(self, s):
        """No message is left that nobody takes."""
        return len(s[self.name]) == 0
