"""Part `numbered_lock`: a lock whose holders have numbers, by which a resource can tell them apart.

It compares them with the highest number that it has seen. Where a takeover is announced, that is
the new holder's from the start.
"""

from fencecheck.model import Array, Bool, Version
from fencecheck.models.library.leases.lock import Lock


class NumberedLock(Lock):
    """A Lock that is taken each time with a number above all before it."""

    newest: str
    numbers: str
    seen: str
    accepted: str
    overtaken: str

    def __init__(self, name, owner):
        super().__init__(name, owner)
        number = Version(f"{name}_newest")
        doc = "the highest number that the resource has seen"
        self.newest = self.variable(f"{name}_newest", number, owner=name)
        self.numbers = self.variable(f"{name}_numbers", Array(owner, number), owner=name)
        self.seen = self.variable(f"{name}_seen", number, owner=name, doc=doc)
        self.accepted = self.ghost(f"{name}_accepted", number, owner=name)
        self.overtaken = self.ghost(f"{name}_overtaken", Bool(), owner=name)
        self.named(f"{name}_in_order", self.invariant()(self.in_order))

    def take(self, s, who):
        super().take(s, who)
        s[self.newest] += 1
        s[self.numbers][who] = s[self.newest]

    def announce(self, s):
        """The resource is told of the newest number."""
        s[self.seen] = s[self.newest]

    def admits(self, s, who):
        """Tell whether a resource that compares numbers lets somebody act."""
        return s[self.numbers][who] >= s[self.seen]

    def act(self, s, who):
        super().act(s, who)
        number = s[self.numbers][who]
        s[self.overtaken] = s[self.overtaken] or number < s[self.accepted]
        s[self.accepted] = max(s[self.accepted], number)
        s[self.seen] = max(s[self.seen], number)

    def in_order(self, s):
        """Nothing is accepted of an earlier holder after something of a later one."""
        return not s[self.overtaken]
