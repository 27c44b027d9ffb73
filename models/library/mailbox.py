"""Part `mailbox`: messages of one kind on their way.

They arrive in any order, each at any time. Where they can be delayed they are in order: only the
first can arrive, and one that is delayed goes behind all the others.
"""

from typing import Any

from fencecheck.model import Bag, Each, Part, Record, Seq
from fencecheck.models.library.options import asked

BUDGETS = {"lose": "lost", "duplicate": "duplicated", "delay": "delayed"}


class Mailbox(Part):
    """Up to ``capacity`` messages at a time; the network ``can`` lose, duplicate, delay them.

    Those that cannot be delayed are a bag, so that an action takes one by a parameter
    ``Each(name)``. Those that can are in order, and have a first (`box.waits(s)`, `box.first(s)`).
    """

    mail: str
    message: Record
    capacity: int
    ordered: bool

    def __init__(self, name, message, capacity=2, *, can=(), back=False):
        super().__init__(name, f"{name} on their way")
        can = asked(name, can, tuple(BUDGETS))
        self.message = message
        self.capacity, self.ordered = capacity, "delay" in can
        kind = Seq if self.ordered else Bag
        self.mail = self.messages(name, kind(message, capacity), back=back)
        self.named(f"{name}_arrive", self.deadlock(relevant=[name])(self.none_left))
        for verb in can:
            self.happens(verb)

    def happens(self, verb):
        """Declare what the network can do to messages."""
        first = {"lose": (self.waits, self.lose_first), "delay": (self.several, self.delay),
                 "duplicate": (self.room_for_first, self.duplicate_first)}  # fmt: skip
        any_one = {"lose": (None, self.lose), "duplicate": (self.has_room_for, self.duplicate)}
        guard, effect = (first if self.ordered else any_one)[verb]
        which: dict[str, Any] = {} if self.ordered else {"message": Each(self.mail)}
        budget = self.budget(f"{self.mail}_{BUDGETS[verb]}", f"{self.mail} {BUDGETS[verb]}")
        network = self.actor("network", "interference")
        network.interference(budget, when=guard, name=f"{verb}_{self.mail}", **which)(effect)

    # -- what others ask and do -----------------------------------------------------------------
    def has_room(self, s):
        return len(s[self.mail]) < self.capacity

    def send(self, s, message):
        if self.ordered:
            s[self.mail].append(message)
        else:
            s[self.mail].add(message)

    def take(self, s, message):
        """A message arrives, and is no longer on its way."""
        s[self.mail].remove(message)

    def waits(self, s):
        """Tell whether one can arrive, of those in order."""
        return len(s[self.mail]) > 0

    def first(self, s):
        """The one that can arrive."""
        return s[self.mail][0]

    def take_first(self, s):
        """The first arrives, and is what this gives."""
        return s[self.mail].pop(0)

    # -- what becomes of them -------------------------------------------------------------------
    def has_room_for(self, s, message):
        return self.has_room(s)

    def lose(self, s, message):
        """A message is lost."""
        s[self.mail].remove(message)

    def duplicate(self, s, message):
        """A message will arrive twice."""
        s[self.mail].add(message)

    def several(self, s):
        return len(s[self.mail]) > 1

    def room_for_first(self, s):
        return self.waits(s) and self.has_room(s)

    def lose_first(self, s):
        """The first message is lost."""
        s[self.mail].pop(0)

    def duplicate_first(self, s):
        """The first message will arrive once more, behind all the others."""
        s[self.mail].append(s[self.mail][0])

    def delay(self, s):
        """The first message is late: it comes behind all the others."""
        s[self.mail].append(s[self.mail].pop(0))

    # -- what must hold -------------------------------------------------------------------------
    def none_left(self, s):
        """No message is left that nobody takes."""
        return len(s[self.mail]) == 0
