"""Two operators take turns under a lease that lapses; what they do goes to a resource."""

from fencecheck.model import Index, Model, Set
from fencecheck.models.library import Expiry, NumberedLock

model = Model("operators", "Operators under a lease")
model.bound("operators", 2, "operators")
model.mechanism("asks", ("nobody", "numbers", "told", "lock"), "nobody", "what the resource asks")
OPERATOR = Index("operators", "o")
lease = NumberedLock("lease", OPERATOR)
model.include(lease, Expiry(lease))
operator = model.actor("operator")
model.variable("acted", Set(OPERATOR), owner=operator)


@operator.action(w=OPERATOR, when=lambda s, w: lease.is_free(s) and not lease.believes(s, w))
def take(s, w):
    """An operator gets the lease."""
    lease.take(s, w)
    if s.asks == "told":
        lease.announce(s)


@operator.action(w=OPERATOR, when=lambda s, w: lease.believes(s, w) and w not in s.acted)
def act(s, w):
    """An operator does its work, which the resource may refuse."""
    if s.asks in ("numbers", "told") and not lease.admits(s, w):
        lease.renew(s, w)
        return "refused"
    if s.asks == "lock" and not lease.holds(s, w):
        lease.renew(s, w)
        return "refused"
    lease.act(s, w)
    s.acted.add(w)
    return "done"


@operator.action(w=OPERATOR, when=lambda s, w: lease.believes(s, w) and w in s.acted)
def leave(s, w):
    """An operator gives the lease back."""
    lease.release(s, w)


model.goal = lambda s: len(s.acted) == s.operators


@model.transition("operator.act")
def not_after_a_takeover(before, after, w):
    """Nothing is accepted of an operator once another has the lease."""
    return w not in after.acted or before.lease_holder is None or before.lease_holder == w
