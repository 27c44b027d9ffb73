"""Part `inbox`: what has arrived is remembered by its key, so that a second one does nothing."""

from fencecheck.model import Array, Int, Part, Set
from fencecheck.models.library.options import asked


class Inbox(Part):
    """Keys that were handled, each remembered in one transaction with what was done.

    It ``has`` what is asked for: a window, after which a key is forgotten.
    """

    known: str
    handled: str

    def __init__(self, name, key, *, has=()):
        super().__init__(name, f"{name}, by key")
        where = self.store(name)
        self.known = self.variable(name, Set(key), owner=where)
        self.handled = self.ghost(f"{name}_handled", Array(key, Int(0, 2)), owner=where)
        self.named(f"{name}_at_most_once", self.invariant(relevant=[name])(self.at_most_once))
        if "window" in asked(name, has, ("window",)):
            budget = self.budget(f"{name}_forgotten", f"keys that {name} forgets")
            clock = self.actor("clock", "interference")
            clock.interference(budget, key=key, when=self.knows, name=f"forget_{name}")(self.forget)

    def knows(self, s, key):
        return key in s[self.known]

    def handle(self, s, key):
        """What has arrived is done, and its key remembered."""
        s[self.known].add(key)
        s[self.handled][key] = min(2, s[self.handled][key] + 1)

    def forget(self, s, key):
        """The window of a key is over."""
        s[self.known].discard(key)

    def at_most_once(self, s):
        """What arrives under a key is done once at most."""
        return all(times <= 1 for times in s[self.handled])
