"""Part `inbox`: what has arrived is remembered by its key, so that a second one does nothing."""

from fencecheck.model import Array, Index, Int, Part, Set


class Inbox(Part):
    """Keys that were handled, each remembered in one transaction with what was done."""

    key: Index
    handled: str

    def __init__(self, name, key):
        super().__init__(name, f"{name}, by key")
        self.key, where = key, self.store(name)
        self.variable(name, Set(key), owner=where)
        self.handled = self.ghost(f"{name}_handled", Array(key, Int(0, 2)), owner=where)
        self.named(f"{name}_at_most_once", self.invariant(relevant=[name])(self.at_most_once))

    def is_done(self, s, key):
        return key in s[self.name]

    def handle(self, s, key):
        """What has arrived is done, and its key remembered."""
        s[self.name].add(key)
        s[self.handled][key] = min(2, s[self.handled][key] + 1)

    def forget(self, s, key):
        """The key is not remembered any more."""
        s[self.name].discard(key)

    def at_most_once(self, s):
        """What arrives under a key is done once at most."""
        return all(times <= 1 for times in s[self.handled])
