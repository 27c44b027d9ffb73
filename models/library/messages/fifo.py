"""Part `fifo`: messages of one kind on their way in order: only the first can arrive."""

from typing import Any

from fencecheck.model import Part, Record, Seq


class Queue(Part):
    """Up to ``capacity`` messages at a time; ``back`` says that they go back to who asked.

    The name of a bound as capacity holds back what would not fit, so that there is always room.
    """

    message: Record
    capacity: Any
    holds_back: bool
    ordered: bool

    def __init__(self, name, message, capacity=2, *, back=False):
        super().__init__(name, f"{name} on their way, in order")
        self.message, self.capacity, self.ordered = message, capacity, True
        self.holds_back = isinstance(capacity, str)
        self.messages(name, Seq(message, capacity), back=back)
        self.named(f"{name}_arrive", self.deadlock(relevant=[name])(self.none_left))

    def has_room(self, s):
        return self.holds_back or len(s[self.name]) < self.capacity

    def send(self, s, message):
        s[self.name].append(message)

    def waits(self, s):
        """Tell whether one can arrive."""
        return len(s[self.name]) > 0

    def first(self, s):
        """The one that can arrive."""
        return s[self.name][0]

    def take_first(self, s):
        """The first arrives, and is what this gives."""
        return s[self.name].pop(0)

    def none_left(self, s):
        """No message is left that nobody takes."""
        return len(s[self.name]) == 0
