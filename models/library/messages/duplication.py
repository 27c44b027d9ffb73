"""Part `duplication`: the network delivers messages twice."""

from fencecheck.model import Each, Part
from fencecheck.models.library.messages.fifo import Queue
from fencecheck.models.library.messages.mailbox import Mailbox


class Duplication(Part):
    """Messages of a Mailbox can arrive twice, each of them; of a Queue the first.

    A second copy in a Mailbox is made only while there is one: another one can be made later.
    """

    box: Mailbox | Queue

    def __init__(self, box):
        super().__init__(f"duplication of {box.name}")
        self.box, name = box, f"duplicate_{box.name}"
        self.include(box)
        budget = self.budget(f"{box.name}_duplicated", f"{box.name} duplicated")
        network = self.actor("network", "interference")
        if box.ordered:
            network.interference(budget, when=self.can, name=name)(self.duplicate_first)
        else:
            each, guard = Each(box.name), self.has_one
            network.interference(budget, message=each, when=guard, name=name)(self.duplicate)

    def can(self, s):
        return self.box.waits(s) and self.box.has_room(s)

    def has_one(self, s, message):
        return self.box.has_room(s) and self.box.has_one(s, message)

    def duplicate(self, s, message):
        """A message will arrive twice."""
        self.box.send(s, message)

    def duplicate_first(self, s):
        """The first message will arrive once more, behind all the others."""
        self.box.send(s, self.box.first(s))
