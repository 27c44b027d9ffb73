"""Part `lock`: who may act, and who believes to."""

from fencecheck.model import Bool, Maybe, Part, Set


class Lock(Part):
    """A lock for the owners of an Index; a resource may ask it (`lock.holds`) before it accepts."""

    holder: str
    believers: str
    stale: str

    def __init__(self, name, owner):
        super().__init__(name, f"{name}, a lock")
        where, doc = self.store(name), "who takes itself for the holder"
        self.holder = self.variable(f"{name}_holder", Maybe(owner, "nobody"), owner=where)
        self.believers = self.variable(f"{name}_believers", Set(owner), owner=where, doc=doc)
        self.stale = self.ghost(f"{name}_stale", Bool(), owner=where)
        self.named(f"{name}_only_holder", self.invariant()(self.only_holder))

    def is_free(self, s):
        return s[self.holder] is None

    def holds(self, s, who):
        """Tell whether somebody is the holder, as the lock knows."""
        return s[self.holder] == who

    def believes(self, s, who):
        """Tell whether somebody takes itself for the holder."""
        return who in s[self.believers]

    def take(self, s, who):
        """Somebody becomes the holder, and whoever was does not notice."""
        s[self.holder] = who
        s[self.believers].add(who)

    def renew(self, s, who):
        """Somebody asks for more time, and learns whether it is still the holder."""
        if not self.holds(s, who):
            s[self.believers].discard(who)

    def release(self, s, who):
        s[self.believers].discard(who)
        if self.holds(s, who):
            s[self.holder] = None

    def lapse(self, s):
        """The lock is nobody's any more, and its holder does not notice."""
        s[self.holder] = None

    def act(self, s, who):
        """The resource accepts what somebody does in the name of the lock."""
        if not self.holds(s, who):
            s[self.stale] = True

    def only_holder(self, s):
        """Nothing is accepted of anybody but the holder."""
        return not s[self.stale]
