"""Part `inbox`: what has arrived is remembered by its key, so that a second one does nothing."""

from fencecheck.model import Bool, Fresh, Index, Part, Set, Version


class Inbox(Part):
    """Keys that were handled, each remembered in one transaction with what was done.

    Of keys without a largest one as many are remembered as the bound ``NAME_kept`` says; what would
    be one more is held back.
    """

    key: Index | Version | Fresh
    handled: str
    again: str

    def __init__(self, name, key, *, kept=3):
        super().__init__(name, f"{name}, by key")
        self.key, where, capacity = key, self.store(name), None
        if isinstance(key, Version | Fresh):
            capacity = self.bound(f"{name}_kept", kept, f"keys that {name} has room for")
        self.variable(name, Set(key, capacity), owner=where)
        self.handled = self.ghost(f"{name}_handled", Set(key, capacity), owner=where)
        self.again = self.ghost(f"{name}_again", Bool(), owner=where)
        self.named(f"{name}_at_most_once", self.invariant(relevant=[name])(self.at_most_once))

    def is_done(self, s, key):
        return key in s[self.name]

    def handle(self, s, key):
        """What has arrived is done, and its key remembered."""
        s[self.name].add(key)
        if key in s[self.handled]:
            s[self.again] = True
        s[self.handled].add(key)

    def forget(self, s, key):
        """The key is not remembered any more."""
        s[self.name].discard(key)

    def at_most_once(self, s):
        """What arrives under a key is done once at most."""
        return not s[self.again]
