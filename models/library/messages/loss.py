"""Part `loss`: the network loses messages."""

from fencecheck.model import Each, Part
from fencecheck.models.library.messages.fifo import Queue
from fencecheck.models.library.messages.mailbox import Mailbox


class Loss(Part):
    """Messages of a Mailbox can be lost, each of them; of a Queue the first."""

    box: Mailbox | Queue

    def __init__(self, box):
        super().__init__(f"loss of {box.name}")
        self.box, name = box, f"lose_{box.name}"
        self.include(box)
        budget = self.budget(f"{box.name}_lost", f"{box.name} lost")
        network = self.actor("network", "interference")
        if box.ordered:
            network.interference(budget, when=box.waits, name=name)(self.lose_first)
        else:
            network.interference(budget, message=Each(box.name), name=name)(self.lose)

    def lose(self, s, message):
        """A message is lost."""
        self.box.take(s, message)

    def lose_first(self, s):
        """The first message is lost."""
        self.box.take_first(s)
