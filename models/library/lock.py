"""Part `lock`: who may act, who believes to, and the numbers by which a resource can tell.

The lock gives each holder a number above all before it. A resource asks the lock itself
(`lock.holds`), or compares numbers with the highest that it has seen (`lock.admits`); where a
takeover is announced, it has seen the number of the new holder from the start.
"""

from fencecheck.model import Array, Bool, Int, Maybe, Part, Set


class Lock(Part):
    """A lock for the owners of an Index; ``expires`` says whether it can lapse unnoticed."""

    holder: str
    believers: str
    newest: str
    numbers: str
    seen: str
    accepted: str
    stale: str
    overtaken: str
    announced: bool
    takes: int

    def __init__(self, name, owner, *, takes=3, expires=True, announced=False):
        super().__init__(name, f"{name}, a lock")
        self.takes, self.announced = takes, announced
        where = self.store(name)
        number = Int(0, takes)
        self.holder = self.variable(f"{name}_holder", Maybe(owner, "nobody"), owner=where)
        self.believers = self.variable(f"{name}_believers", Set(owner), owner=where,
                                       doc="who takes itself for the holder")  # fmt: skip
        self.newest = self.variable(f"{name}_newest", number, owner=where)
        self.numbers = self.variable(f"{name}_numbers", Array(owner, number), owner=where)
        self.seen = self.variable(f"{name}_seen", number, owner=where,
                                  doc="the highest number that the resource has seen")  # fmt: skip
        self.accepted = self.ghost(f"{name}_accepted", number, owner=where)
        self.stale = self.ghost(f"{name}_stale", Bool(), owner=where)
        self.overtaken = self.ghost(f"{name}_overtaken", Bool(), owner=where)
        self.named(f"{name}_only_holder", self.invariant()(self.only_holder))
        self.named(f"{name}_in_order", self.invariant()(self.in_order))
        if expires:
            budget = self.budget(f"{name}_expiries", f"times {name} lapses while it is held")
            clock = self.actor("clock", "interference")
            clock.interference(budget, when=self.is_held, name=f"expire_{name}")(self.expire)

    # -- what others ask and do -----------------------------------------------------------------
    def is_held(self, s):
        return s[self.holder] is not None

    def is_free(self, s):
        """Tell whether somebody can take it."""
        return s[self.holder] is None and s[self.newest] < self.takes

    def holds(self, s, who):
        """Tell whether somebody is the holder, as the lock knows."""
        return s[self.holder] == who

    def believes(self, s, who):
        """Tell whether somebody takes itself for the holder."""
        return who in s[self.believers]

    def admits(self, s, who):
        """Tell whether a resource that compares numbers lets somebody act."""
        return s[self.numbers][who] >= s[self.seen]

    def take(self, s, who):
        """Somebody becomes the holder, and whoever was does not notice."""
        s[self.holder] = who
        s[self.newest] += 1
        s[self.numbers][who] = s[self.newest]
        s[self.believers].add(who)
        if self.announced:
            s[self.seen] = s[self.newest]

    def renew(self, s, who):
        """Somebody asks for more time, and learns whether it is still the holder."""
        if not self.holds(s, who):
            s[self.believers].discard(who)

    def release(self, s, who):
        s[self.believers].discard(who)
        if self.holds(s, who):
            s[self.holder] = None

    def act(self, s, who):
        """The resource accepts what somebody does in the name of the lock."""
        number = s[self.numbers][who]
        if not self.holds(s, who):
            s[self.stale] = True
        if number < s[self.accepted]:
            s[self.overtaken] = True
        s[self.accepted] = max(s[self.accepted], number)
        s[self.seen] = max(s[self.seen], number)

    def expire(self, s):
        """The lock lapses; its holder does not notice."""
        s[self.holder] = None

    # -- what must hold -------------------------------------------------------------------------
    def only_holder(self, s):
        """Nothing is accepted of anybody but the holder."""
        return not s[self.stale]

    def in_order(self, s):
        """Nothing is accepted of an earlier holder after something of a later one."""
        return not s[self.overtaken]
