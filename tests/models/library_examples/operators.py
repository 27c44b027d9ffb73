"""Two operators take turns under a lease that lapses; what they do goes to a resource."""

from fencecheck.model import Index, Model, Set
from fencecheck.models.library.lock import Lock

model = Model("operators", "Operators under a lease")
model.bound("operators", 2, "operators")
model.mechanism("asks", ("nobody", "numbers", "lock"), "nobody", "what the resource asks")
OPERATOR = Index("operators", "o")
lease = Lock("lease", OPERATOR)
model.include(lease)
operator = model.actor("operator")
model.variable("acted", Set(OPERATOR), owner=operator)


@operator.action(w=OPERATOR, when=lambda s, w: lease.is_free(s) and not lease.believes(s, w))
def take(s, w):
    """An operator gets the lease."""
    lease.take(s, w)


@operator.action(w=OPERATOR, when=lambda s, w: lease.believes(s, w) and w not in s.acted)
def act(s, w):
    """An operator does its work, which the resource may refuse."""
    if s.asks == "numbers" and not lease.admits(s, w):
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
