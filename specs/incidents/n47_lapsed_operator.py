"""An operator whose lease lapsed goes on beside the new one, and gives a range away again."""

from fencecheck.model import Array, Enum, Index, Model
from fencecheck.models.library import Expiry, NumberedLock

model = Model("lapsed_operator", "Two operators, one of which leads")
model.mechanism("on_lapse", ("goes_on", "exits"), "goes_on", "what one does that cannot renew")
model.mechanism("fencing", ("off", "on"), "off", "whether the resource compares numbers of leases")
OPERATOR = Index(2, "o")
lease = NumberedLock("lease", OPERATOR)
model.include(lease, Expiry(lease))
operator = model.actor("operator")
AT = Enum("waits", "leads", "renewed", "done", "out")
model.variable("at", Array(OPERATOR, AT), owner=operator)


@operator.action(o=OPERATOR, when=lambda s, o: s.at[o] == "waits" and lease.is_free(s))
def lead(s, o):
    """An operator gets the lease."""
    lease.take(s, o)
    s.at[o] = "leads" if s.on_lapse == "exits" else "renewed"


@operator.action(o=OPERATOR, when=lambda s, o: s.at[o] == "leads")
def renew(s, o):
    """An operator renews its lease before it acts, and exits at once where that fails."""
    s.at[o] = "renewed" if lease.holds(s, o) else "out"


@operator.action(o=OPERATOR, when=lambda s, o: s.at[o] == "renewed")
def give_range(s, o):
    """An operator gives a range of pods away, unless the resource has seen a newer lease."""
    s.at[o] = "out"
    if s.fencing == "off" or lease.admits(s, o):
        lease.act(s, o)
        s.at[o] = "done"
    lease.release(s, o)


@model.liveness()
def finishes(s):
    """Both stop, and one of them gave its range away."""
    return all(at in ("done", "out") for at in s.at) and any(at == "done" for at in s.at)
