"""Part `skewed_clock`: time and timers, where everybody goes by a clock of its own."""

from fencecheck.model import Int
from fencecheck.models.library.leases.clock import Clock

RIGHT, FAST = 1, 2
SKEW = Int(0, FAST, lambda skew, k: skew - RIGHT)  # so that no time is before the first


class SkewedClock(Clock):
    """A Clock whose owners can be a tick ahead of time, or behind; at first all go right."""

    def __init__(self, name, owner, *, longest=1):
        super().__init__(name, owner, longest=longest + FAST, start=self.all_right, ahead=SKEW)
        budget = self.budget(f"{name}_skews", "times that somebody's clock jumps")
        skewing = self.actor("skew", "interference").interference(
            budget, w=owner, by=SKEW, when=self.may_skew, name=f"skew_{name}"
        )
        skewing(self.skew)

    def all_right(self, k):
        return (self.Timer(rings=None, ahead=RIGHT),) * self.owner.resolve(k).count

    def local(self, s, timer):
        return s[self.now] + timer.ahead

    def may_skew(self, s, w, by):
        return s[self.timers][w].ahead != by

    def skew(self, s, w, by):
        """Somebody's clock is ahead of time, or behind."""
        s[self.timers][w].ahead = by
