"""Part `window`: what was done under a key is remembered for a while only."""

from fencecheck.model import Each, Index, Part
from fencecheck.models.library.keys.inbox import Inbox
from fencecheck.models.library.keys.record import KeyRecord


class Window(Part):
    """The end of the time for which a KeyRecord, or an Inbox, remembers a key."""

    memory: KeyRecord | Inbox

    def __init__(self, memory):
        super().__init__(f"window of {memory.name}")
        self.memory, name = memory, memory.name
        self.include(memory)
        budget = self.budget(f"{name}_forgotten", f"keys that {name} forgets")
        keys = memory.key if isinstance(memory.key, Index) else Each(name)
        ending = self.actor("clock", "interference").interference(
            budget, key=keys, when=memory.is_done, name=f"forget_{name}"
        )
        ending(self.end)

    def end(self, s, key):
        """The window of a key is over."""
        self.memory.forget(s, key)
