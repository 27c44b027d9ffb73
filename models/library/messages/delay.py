"""Part `delay`: the network lets a message be overtaken."""

from fencecheck.model import Part
from fencecheck.models.library.messages.fifo import Queue


class Delay(Part):
    """The first message of a Queue can be late, and then comes behind all the others."""

    queue: Queue

    def __init__(self, queue):
        super().__init__(f"delay of {queue.name}")
        self.queue, name = queue, queue.name
        self.include(queue)
        budget = self.budget(f"{name}_delayed", f"{name} delayed")
        network = self.actor("network", "interference")
        network.interference(budget, when=self.can_be_overtaken, name=f"delay_{name}")(self.delay)

    def can_be_overtaken(self, s):
        return len(s[self.queue.name]) > 1

    def delay(self, s):
        """The first message is late: it comes behind all the others."""
        late = self.queue.take_first(s)
        self.queue.send(s, late)
